import { STEPS } from "./math.js";

export const meta = {
  question: "Can a network hold a bit without coming to rest?",
  story:
    "Two tanh units pass their state around a closed curve. The bit is written as one of two opposite points, and they stay opposite while they travel. Step through time, then add noise.",
  prediction: {
    question:
      "One unit that rests in an attractor has lost all but 10⁻¹⁵⁶ of its gradient after 200 steps. How much is left in this network?",
    kind: "choice",
    choices: ["10⁻¹⁵⁶ as well", "about a thousandth", "more than half"],
    answer: "more than half",
    why: "0.75. The state is pulled toward the curve but not along it, so a small difference along the curve, and the gradient with it, neither grows nor shrinks in the long run.",
  },
  alt: "Left, the plane of two units with a rounded closed curve. After 40 steps a filled circle and an open square lie at opposite points of it. Right, the size of the gradient on a logarithmic axis: 0.55 for this network and 10⁻³¹ for one unit that rests in an attractor.",
  controls: {
    t: { type: "int", min: 0, max: STEPS, default: 40, label: "steps" },
    noise: { type: "float", min: 0, max: 0.5, step: 0.05, default: 0, label: "noise" },
  },
};
