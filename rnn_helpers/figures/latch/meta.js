import { RUNS } from "./math.js";

export const meta = {
  question: "Can one unit hold one bit?",
  story:
    "One unit receives its own last state and some noise. If it has two attracting states, it can hold a sign against the noise. But an attractor shrinks every small difference, so the unit that holds its bit best also loses its gradient fastest.",
  prediction: {
    question:
      "A linear unit with w = 1 multiplies its gradient by exactly 1 at every step. With the same noise, how many of its 200 runs still have their original sign after 200 steps?",
    kind: "choice",
    choices: ["all of them", "six in ten", "half, as if by chance"],
    answer: "six in ten",
    why: "Nothing pulls the state back, so all of the noise accumulates. From a start at 1, the state drifts by about 0.2 √200 = 2.8. The gradient survives, but the bit fades.",
  },
  alt: "Left, the map from one state of a tanh unit with w = 2 to the next. Its curve crosses the diagonal at −0.96 and 0.96, which attract, and at 0, which repels. Right, 200 noisy runs of 200 steps that start at 1 all stay near 0.96. Below, the derivative of one run's state with respect to its first state falls in a straight line on a logarithmic scale, from 1 to 10⁻¹⁵⁸.",
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
