import { STEPS, TIMES } from "./math.js";

export const meta = {
  question: "Does a small difference grow?",
  story:
    "Two runs start a small distance δ apart and take the same steps. Along an eigenvector, each linear step multiplies their distance by |λ|. " +
    "But the leading eigenvector gives the largest distance only if the eigenvectors are orthogonal. See how many other directions end farther apart.",
  prediction: {
    question:
      "Two states go 3 linear steps forward. Of 100 evenly spread directions v, how many end farther apart than the eigenvector of the largest eigenvalue?",
    kind: "choice",
    choices: ["none, it's the widest", "about 50", "94"],
    answer: "94",
    why: "Along the eigenvector, the distance ends at 0.73 δ. Along the widest direction, it ends at 7.59 δ. Only directions within 5.5 degrees of the narrowest one end closer than the eigenvector.",
  },
  alt:
    "A circle of directions around a state; the direction at 45 degrees is marked. Two states go 3 steps forward through a matrix with the eigenvalues 0.9 and 0.5, and the circle becomes a long, thin ellipse. " +
    "The marked difference is then 5.85 δ long. The widest direction ends at 7.59 δ, and the eigenvector of 0.9 at 0.73 δ. " +
    "Below, the distances over 30 steps on a logarithmic axis: the widest is largest at step 3 and is below δ from step 25 on.",
  controls: {
    map: {
      type: "choice",
      options: [
        { value: "linear", label: "linear" },
        { value: "normal", label: "normal J" },
        { value: "tanh", label: "tanh" },
      ],
      default: "linear",
      label: "steps",
    },
    way: {
      type: "choice",
      options: [
        { value: "forward", label: "states forward" },
        { value: "backward", label: "gradients back" },
      ],
      default: "forward",
      label: "runs",
    },
    angle: { type: "float", min: 0, max: 360, step: 0.1, default: 45, label: "direction of v" },
    n: { type: "int", min: 0, max: STEPS, default: 3, label: "steps n" },
    beats: { type: "bool", default: false, label: "mark wider directions" },
    start: {
      type: "float",
      min: 1e-12,
      max: 1,
      log: true,
      default: 1e-12,
      label: "length of the start",
    },
    t: { type: "int", min: 0, max: TIMES, default: 50, label: "time t" },
  },
};
