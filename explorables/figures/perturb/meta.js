import { STEPS, TIMES } from "./math.js";

export const meta = {
  question: "Will a small change grow?",
  story:
    "Two runs start a small distance δ apart and take the same steps. Along an eigenvector each linear step multiplies their distance by the size of the eigenvalue; " +
    "yet the eigenvector of the largest one is the direction of the widest separation only where eigenvectors are orthogonal, and here nearly every other direction beats it. " +
    "With tanh no state leaves its bounds, and while it is still small a change of it can grow a billionfold.",
  prediction: {
    question:
      "Two gradients go 3 linear steps back. Of 100 directions v, evenly spread, how many bring them farther apart than the eigenvector of the largest eigenvalue does?",
    kind: "choice",
    choices: ["none: it is the widest", "about 50", "94"],
    answer: "94",
    why: "Along the eigenvector the distance shrinks to 0.73 δ. The widest direction, almost at a right angle to it, reaches 7.59 δ, and a tenth of that is enough to beat the eigenvector. Only directions within 5.5 degrees of the narrowest one stay closer.",
  },
  alt:
    "Two gradients that start δ apart, in a direction of 45 degrees, go 3 steps back through J transposed, whose eigenvalues are 0.9 and 0.5. " +
    "The circle of all starts at this distance has become a needle. The two are then 5.45 δ apart; the widest separation possible is 7.59 δ, and along the eigenvector of 0.9 it is 0.73 δ. " +
    "On a logarithmic axis over 30 steps, the widest separation is largest at step 3 and below δ from step 25 on; that of the eigenvector falls from the first step.",
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
        { value: "backward", label: "gradients back" },
        { value: "forward", label: "states forward" },
      ],
      default: "backward",
      label: "runs",
    },
    angle: { type: "float", min: 0, max: 360, step: 0.1, default: 45, label: "direction of v" },
    n: { type: "int", min: 0, max: STEPS, default: 3, label: "steps n" },
    beats: { type: "bool", default: false, label: "wider than the eigenvector" },
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
