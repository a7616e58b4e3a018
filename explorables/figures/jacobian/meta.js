import { STEPS } from "./math.js";

export const meta = {
  question: "Where does the gradient die?",
  story:
    "On its way back, each step multiplies the gradient twice: by the slopes of tanh where the units stand, then by the transposed weights. Compare the two factors, in a network that has learned to hold a bit and in others.",
  prediction: {
    question:
      "The same eight units before training, as PyTorch starts them. At the first state the gradient is ten million times smaller than at the last. Where did it die?",
    kind: "choice",
    choices: ["in the slopes of tanh", "in the weights", "half in each"],
    answer: "in the weights",
    why: "Small states leave every slope near 1. But the weights are drawn within ±1/√8, which makes a spectral radius of 0.53: nearly a halving at each step.",
  },
  alt: "The size of the gradient on the states of a trained tanh network of eight units over 24 steps: from 1 at the last step it falls back to 10⁻²⁴ at the first, one power of ten a step. Below, each step's factor as two bars: the slopes of tanh divide by about 33, the weights multiply by about 2.5. A heat map shows that the slopes of most units are near 0 at all times.",
  // What the figure computes with, for its poster and for chapters that use the same networks.
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
