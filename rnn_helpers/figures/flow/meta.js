import { MOST, STEPS } from "./math.js";

const weight = (label, value) => ({
  type: "float",
  min: -2,
  max: 2,
  step: 0.01,
  default: value,
  label,
});

export const meta = {
  question: "Can a penalty keep a gradient's length?",
  story:
    "A gradient goes back from step 16 to the first state. Each step contributes to Ω: the squared distance from 1 of the ratio of lengths. Take steps down Ω, and then turn the gradient at the end: Ω looks at this one direction.",
  prediction: {
    question:
      "With the default weights, Ω is 4.50. How much of the gradient arrives at the first state after sixty steps down Ω?",
    kind: "choice",
    choices: ["about a thousandth", "about half", "nearly all of it"],
    answer: "nearly all of it",
    why: "Ω falls to 0.015, so each step back leaves the length nearly unchanged, and 0.995 of it arrives.",
  },
  alt:
    "A gradient goes back through sixteen steps of a tanh network with two units. Its length, on a logarithmic axis, falls from 1 at the last state to 0.0000061 at the first. " +
    "Each step leaves between 0.26 and 0.60 of it. The squared distances of these ratios from 1 add up, from right to left, to Ω = 4.50. " +
    "The eigenvalues of W have the magnitudes 0.50 and 0.30.",
  controls: {
    w11: weight("W, row 1, column 1", 0.7),
    w12: weight("row 1, column 2", 0.2),
    w21: weight("row 2, column 1", -0.4),
    w22: weight("row 2, column 2", 0.1),
    angle: {
      type: "float",
      min: 0,
      max: 360,
      step: 1,
      default: 190,
      label: "direction at the end (°)",
    },
    inputs: {
      type: "float",
      min: 0,
      max: 1,
      step: 0.05,
      default: 0.3,
      label: "size of the inputs",
    },
    k: { type: "int", min: 0, max: MOST, default: 0, label: "steps down Ω" },
    t: { type: "int", min: 2, max: STEPS, default: 9, label: "step t" },
  },
};
