import { OPTIMIZERS, THRESHOLDS } from "./constants.json";

export const meta = {
  question: "Which threshold would have saved this network?",
  story:
    "The log of a training of 300 updates: above the loss of each minibatch, and below the norm of its gradient before clipping, both on logarithmic scales. Drag the dashed line to read how many norms are above it. Then train the same network again with clipping, and its first log stays in gray.",
  prediction: {
    question:
      "Without clipping, the loss jumps at update 162. Clipping at 10 changes a single gradient, the second one of the training. What happens to the jump?",
    kind: "choice",
    choices: ["it comes all the same", "it is half as high", "it never comes"],
    answer: "it never comes",
    why: "Shorten this one step, and the network goes on from another place. From there, its path meets no such wall.",
  },
  alt:
    "Two charts over 300 updates of a network that isn't clipped. The loss falls from about 1 to 0.003, jumps to 5.5 at update 162, and falls again. " +
    "The norms of the gradients begin between 1 and 20, fall to 0.02 and jump at update 161. A dashed line across the norms is at 1.",
  controls: {
    optimizer: {
      type: "choice",
      options: OPTIMIZERS.map((value) => ({
        value,
        label: value === "SGD" ? "gradient descent" : value,
      })),
      default: "SGD",
      label: "optimizer",
    },
    v: {
      type: "choice",
      options: THRESHOLDS.map((value) => ({ value, label: value })),
      default: "none",
      label: "clip at",
    },
    line: { type: "float", min: 0.01, max: 100, default: 1, log: true, label: "dashed line" },
  },
};
