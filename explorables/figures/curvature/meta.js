import { DEFAULTS, STEPS } from "./math.js";

export const meta = {
  question: "Why divide by the second derivative?",
  story:
    "A unit begins at 1 and keeps the share w of itself at each step; read out with weight v, it should say 1 after one step and 1 again after τ. " +
    "Where w is below 1, the second demand is hardly felt: slope and curvature both shrink like w to the power τ, their ratio only like 1/τ. " +
    "So gradient descent crawls, momentum slowly gathers speed, and Gauss–Newton, which divides by curvature, strides across. " +
    "Newton's own method divides by a curvature that is negative there, and turns round.",
  prediction: {
    question:
      "Start at w = v = 0.3 instead. At w = v = 0 there is a saddle: the slope is zero, but no minimum. Where do Newton's steps lead?",
    kind: "choice",
    choices: ["to the minimum", "to the saddle, where they stay", "along the valley and out"],
    answer: "to the saddle, where they stay",
    why:
      "A step of Newton's looks for the nearest place where the slope is zero and does not ask whether it lies up or down: the loss rises from 0.91 to 1, and there it stays. " +
      "Gauss–Newton leaves out the part of the curvature that can be negative, so each of its steps points downhill; after 6 of them the loss is below 0.01.",
  },
  alt:
    "Left, the loss over two weights w and v: a minimum at w = v = 1, a steep wall to its right, and a flat curved valley to its left. From a start in the valley, at w = 0.45 and v = 1.8, five paths lead on. " +
    "After 60 steps gradient descent has come no further than w = 0.55, with a loss of 0.495; momentum and Nesterov have come round to the minimum, with losses of 0.016 and 0.003; Gauss–Newton was below 0.01 after 4 steps. Newton's method has left the picture at the top, with a loss of 0.5. " +
    "Right, at w = 0.45, slope and curvature of w to the power τ fall by more than seven powers of ten as τ goes from 2 to 30, their ratio from 0.45 to 0.016. Below, the loss against steps.",
  // What its poster draws with.
  controls: {
    tau: { type: "int", min: 2, max: 30, default: 10, label: "longer span τ" },
    t: { type: "int", min: 0, max: STEPS, default: 60, label: "steps taken" },
    w: { type: "float", min: 0.05, max: 1.3, step: 0.01, default: 0.45, label: "start, w" },
    v: { type: "float", min: 0.05, max: 2.6, step: 0.01, default: 1.8, label: "start, v" },
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
