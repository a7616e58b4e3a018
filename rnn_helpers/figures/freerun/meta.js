import { LENGTH, PUSH, SINCE } from "./math.js";

export const meta = {
  question: "How long does it follow the wave?",
  story:
    "Three networks of 20 units were trained to predict the next value of the same wave. They differ in what they were fed in training: the truth, a mixture, or their own outputs. Here all are fed the truth up to one step and then run free. Move the step at which the truth ends, and push the first output that they are fed.",
  prediction: {
    question:
      "Fed the truth, the three networks have errors of 0.004, 0.008 and 0.026. After step 46 they run free. Which one has the largest error 276 steps later?",
    kind: "choice",
    choices: ["the one fed the truth", "the one fed a mixture", "the one fed its own outputs"],
    answer: "the one fed the truth",
    why: "Its error is then 1.3, about as large as the wave, against 0.010 and 0.047. It never learned what to do with slightly wrong inputs, so a small error leads to a larger one. We trained five such networks, and this is the one with the median error. On waves of other phases, two of the five have errors below 0.03.",
  },
  alt: "Three charts, one for each network: fed the truth, fed a mixture, fed its own outputs. Each shows a wave of period 23 over 322 steps and the network's predictions for the first 46, which follow the wave after about 23 steps. Below, the root mean squared errors of the last 23 steps, on a logarithmic scale, fall to 0.004, 0.008 and 0.026. After step 46 nothing is drawn yet.",
  controls: {
    t: { type: "int", min: 1, max: LENGTH, default: 46, label: "step" },
    since: { type: "int", min: SINCE[0], max: SINCE[1], default: 46, label: "truth until step" },
    push: { type: "float", min: -PUSH, max: PUSH, step: 0.05, default: 0, label: "push" },
    seed: { type: "int", min: 0, max: 99, default: 4, label: "phase" },
  },
};
