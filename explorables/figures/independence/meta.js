import { LENGTH } from "./math.js";

export const meta = {
  question: "Which worlds can it not describe?",
  story:
    "Six bits x are coins. Six bits y come about by rules: a coin, the x of the same step, the x of the next step, or the y before. Touch a y to give it another rule. Below are four networks, which differ in what a y may hear, and for each the least loss that any weights could reach: the entropy of each y given what it hears, worked out over all 4096 worlds. In the world set up here all y are the same coin.",
  prediction: {
    question:
      "Let each y be the x of the next step instead. A network that hears x until now, and nothing of what it has said, loses 4.16 nats, as much as six coins. Feed back to it each y that was drawn. How much does it lose then, at best?",
    kind: "choice",
    choices: ["0 nats", "0.69 nats", "4.16 nats"],
    answer: "4.16 nats",
    why: "When y is due, the x that it repeats has not come yet, and the y before it told of an x that is known by now. To hear its own outputs helps with what they know of each other; it does not help to see ahead. A network that reads all of x first loses 0.69 nats, the last y, which is a coin. So the loop from output to state does not describe arbitrary distributions of y given x; together, both of these do.",
  },
  alt: "Six bits x above six bits y. The first y is a coin; an arrow leads from each y to the next. Below, four rows, one for each network. The first, which hears x until now, loses 0.69 nats at each of six steps, 4.16 in all. The other three, one with y fed back, one that reads all of x first and one with both, still hold a question mark.",
  controls: {
    shown: { type: "bool", default: false, label: "least losses" },
    fed: {
      type: "choice",
      options: [
        { value: "drawn", label: "the drawn bit" },
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
