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
  question: "Can a penalty keep a gradient as long as it was?",
  story:
    "Watch the line above right: how long the gradient is on its way back, from the loss at step 16 to the first state, where it comes 160 000 times shorter. Flat is what Ω asks for: what each step back lacks or has too much, squared, adds up to it from right to left. " +
    "Press play: each update is a step down Ω, by its exact gradient or by one of two that hold something constant. " +
    "Then drag the rows of W, left, or the gradient at the end: Ω sees that one gradient, and no other.",
  prediction: {
    question:
      "Both approximations point far away from the exact gradient of Ω: the cosines are 0.24 and 0.31. Sixty steps along the cheapest, which holds the gradients and the states constant: what becomes of Ω = 4.50?",
    kind: "choice",
    choices: ["it rises", "it falls to about 2", "it falls below 0.1"],
    answer: "it falls below 0.1",
    why: "To 0.049, where the exact gradient leads to 0.015. Downhill is half of all directions, and a small step along any of them will do. That is no promise, as the example “agree, and fail” shows.",
  },
  alt:
    "A gradient goes back through sixteen steps of a tanh network with two units. Its length, on a logarithmic axis, falls from 1 at the end to 0.0000061 at the first state; " +
    "each step leaves between 0.26 and 0.60 of it, and the squared distances of these ratios from 1 add up, from right to left, to Ω = 4.50. " +
    "In a plane the two rows of W are handles; arrows at them say where the exact gradient of Ω and its two approximations would take them, with cosines of 0.24 and 0.31. " +
    "Below, Ω is drawn against the steps down it, of which none is taken yet. The eigenvalues of W have the magnitudes 0.50 and 0.30.",
  // What the figure computes with, for its poster.
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
      label: "direction at the end, degrees",
    },
    inputs: {
      type: "float",
      min: 0,
      max: 1,
      step: 0.05,
      default: 0.3,
      label: "size of the inputs",
    },
    constant: {
      type: "choice",
      options: [
        { value: "nothing", label: "nothing" },
        { value: "gradients", label: "gradients" },
        { value: "states", label: "states too" },
      ],
      default: "gradients",
      label: "held constant",
    },
    k: { type: "int", min: 0, max: MOST, default: 0, label: "steps down Ω" },
    t: { type: "int", min: 2, max: STEPS, default: 9, label: "step t" },
  },
};
