import { DEFAULTS, STEPS } from "./math.js";

export const meta = {
  question: "Which method crosses the valley?",
  story:
    "A unit starts at 1 and keeps the share w of its value at each step. Read out with weight r, it should output 1 after one step and again after τ. In the flat valley, the second error hardly changes with w.",
  prediction: {
    question: "Five methods start in the flat valley. Which one first reaches a loss below 0.01?",
    kind: "choice",
    choices: ["gradient descent", "momentum", "Newton's method", "Gauss–Newton"],
    answer: "Gauss–Newton",
    why: "After 4 steps. Momentum needs nearly 60, and gradient descent hasn't arrived by step 60. Newton's method divides by a negative curvature: it turns around and leaves the picture at the top.",
  },
  alt:
    "The loss over two weights, w and r, has its minimum at w = r = 1, with a steep wall to the right and a flat curved valley to the left. Five methods are about to start in the valley, at w = 0.45 and r = 1.8; the loss there is 0.517. " +
    "At w = 0.45, the slope and the curvature of w to the power τ fall by more than seven powers of ten as τ goes from 2 to 30, and their ratio from 0.45 to 0.016.",
  controls: {
    tau: { type: "int", min: 2, max: 30, default: 10, label: "longer span τ" },
    t: { type: "int", min: 0, max: STEPS, default: 0, label: "steps taken" },
    w: { type: "float", min: 0.05, max: 1.3, step: 0.01, default: 0.45, label: "start, w" },
    r: { type: "float", min: 0.05, max: 2.6, step: 0.01, default: 1.8, label: "start, r" },
    lr: {
      type: "float",
      min: 0.001,
      max: 0.1,
      log: true,
      default: DEFAULTS.lr,
      label: "learning rate",
    },
    momentum: {
      type: "float",
      min: 0,
      max: 0.99,
      step: 0.01,
      default: DEFAULTS.momentum,
      label: "momentum",
    },
    longest: {
      type: "float",
      min: 0.05,
      max: 1,
      step: 0.05,
      default: DEFAULTS.longest,
      label: "longest Newton step",
    },
  },
};
