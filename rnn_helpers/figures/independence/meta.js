import { LENGTH } from "./math.js";

export const meta = {
  question: "Which outputs can each network predict?",
  story:
    "Six bits x are fair coins. Each of six bits y follows a rule: it is a coin of its own, or it repeats the x of the same step, the x of the next step, or the y before. At first, the first y is a coin, and each later y repeats the one before. Click a y to give it another rule. Below are four networks, which differ in the bits that they receive. Each bar is the least loss that any weights can reach: the entropy of that y given the network's inputs, computed exactly over all 4,096 pairs of x and y.",
  prediction: {
    question:
      "Choose “half of each”: The first and the last y are coins, the second and the third repeat the y before, and the fourth and the fifth repeat the next x. A network that receives x so far loses 4.16 nats. Feed each sampled y back. How much does it lose at best?",
    kind: "choice",
    choices: ["1.39 nats", "2.77 nats", "4.16 nats"],
    answer: "2.77 nats",
    why: "Feedback makes the second and the third y certain. Four coins remain, which cost 2.77 nats: the first and the last y, and the two that repeat inputs that haven't come yet. Reading all of x first, without feedback, also leaves four coins. Both together leave two, 1.39 nats.",
  },
  alt: "Six bits x above six bits y. The first y is a coin; an arrow leads from each y to the next. Below are four rows of bars, one row for each network. The first network, which receives x so far, loses 0.69 nats at each of six steps, 4.16 in all. The other three rows still show question marks: x so far and earlier y, all of x, and all of x and earlier y.",
  controls: {
    shown: { type: "bool", default: false, label: "least losses" },
    fed: {
      type: "choice",
      options: [
        { value: "drawn", label: "the sampled bit" },
        { value: "predicted", label: "its probability" },
      ],
      default: "drawn",
      label: "fed back",
    },
    noise: { type: "float", min: 0, max: 0.5, step: 0.05, default: 0, label: "noise" },
    // Two binary digits for each y, the first y lowest: its rule.
    rules: { type: "int", min: 0, max: 4 ** LENGTH - 1, default: 4092, label: "rules" },
  },
};
