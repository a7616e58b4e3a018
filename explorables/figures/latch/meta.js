import { RUNS } from "./math.js";

export const meta = {
  question: "Can one unit hold one bit?",
  story:
    "A unit that feeds back on itself holds a sign against noise if it has two states that pull. What pulls shrinks every small difference, step by step: so the unit that holds the bit is the one whose gradient forgets where it came from.",
  prediction: {
    question:
      "A linear unit with w = 1 multiplies its gradient by exactly 1, for ever. With the same noise, how many of its 200 runs still have the sign they started with after 200 steps?",
    kind: "choice",
    choices: ["all of them", "six in ten", "half, as by chance"],
    answer: "six in ten",
    why: "Nothing pulls the state back, so it adds up all the noise it ever met: it drifts by 0.2 √200 = 2.8, from a start at 1. The gradient lives, and the bit fades.",
  },
  alt: "Left, the map from one state of a tanh unit with w = 2 to the next: its curve meets the diagonal at −0.96 and 0.96, which attract, and at 0, which repels. Right, 200 noisy runs of 200 steps that start at 1: all stay near 0.96. Below, the derivative of the state with respect to the first state, for one run, falls in a straight line on a logarithmic scale from 1 to 10⁻¹⁵⁸.",
  // What the figure computes, for its poster and for chapters that use the same runs.
  controls: {
    unit: {
      type: "choice",
      options: [
        { value: "tanh", label: "tanh" },
        { value: "linear", label: "linear" },
      ],
      default: "tanh",
      label: "unit",
    },
    w: { type: "float", min: 0.2, max: 4, step: 0.05, default: 2, label: "w" },
    noise: { type: "float", min: 0, max: 1, step: 0.05, default: 0.2, label: "noise" },
    start: { type: "float", min: -1.4, max: 1.4, step: 0.05, default: 1, label: "start" },
    run: { type: "int", min: 1, max: RUNS, default: 1, label: "run" },
  },
};
