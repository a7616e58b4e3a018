import { STEPS } from "./math.js";

export const meta = {
  question: "Where does the gradient vanish?",
  story:
    "On the way back, each step multiplies the gradient twice: by the slopes of tanh at the current states, then by the transposed weights. Compare the two factors in a network that has learned to hold a bit, and in networks that haven't been trained.",
  prediction: {
    question:
      "Now take the same eight units before training, with PyTorch's initialization. The gradient at the first state is ten million times smaller than at the last. Which factor makes it vanish?",
    kind: "choice",
    choices: ["the slopes of tanh", "the weights", "both equally"],
    answer: "the weights",
    why: "The states are small, so every slope is close to 1. But the weights are drawn from the interval ±1/√8, which gives a spectral radius of 0.53. So each step nearly halves the gradient.",
  },
  alt: "The size of the gradient at each state of a trained tanh network with eight units, over 24 steps. It is 1 at the last step and loses one power of ten at each step back, down to 10⁻²⁴ at the first. Below, two bars show the factors of each step: the slopes of tanh divide the gradient by about 33, and the weights multiply it by about 2.5. A heat map shows that the slopes of most units are near 0 at all times.",
  controls: {
    net: {
      type: "choice",
      options: [
        { value: "default", label: "default" },
        { value: "orthogonal", label: "orthogonal" },
        { value: "gaussian", label: "radius 1.5" },
        { value: "trained", label: "trained" },
      ],
      default: "trained",
      label: "network",
    },
    gain: { type: "float", min: 0.25, max: 3, step: 0.05, default: 1, label: "W times" },
    noise: { type: "float", min: 0, max: 2, step: 0.05, default: 0.2, label: "noise" },
    back: { type: "int", min: 1, max: STEPS, default: 6, label: "steps back" },
  },
};
