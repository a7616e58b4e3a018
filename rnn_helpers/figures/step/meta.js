import { LONGEST } from "./math.js";

export const meta = {
  question: "What exactly does one step compute?",
  story:
    "A small network reads a string, symbol by symbol, and predicts the next symbol at each step. Choose a step. Then select any number in the drawing to see how it was computed.",
  prediction: {
    question:
      "Steps 2 and 4 receive the same input, the symbol a. At step 2, the most likely next symbol is b. Which symbol is most likely at step 4?",
    kind: "choice",
    choices: ["a", "b", "<s>", "</s>"],
    answer: "</s>",
    why: "The term U x is the same at both steps, but the term W h isn't, because the state depends on all the symbols before. At step 4, it turns the sum of unit 2 from −0.57 into 2.52, and now the end is most likely.",
  },
  alt: "One step of a small recurrent network, from bottom to top: four inputs and the two entries of the old state, two sums, the two entries of the new state, four logits and four probabilities. At step 1 of the string aba, the input is <s>, and the old state is zero. The sum a₁ is selected: its bias and the weight of <s> add up to −1.900, and tanh turns this sum into −0.956. At the top, the most likely next symbol is a, with probability 0.998.",
  controls: {
    text: { type: "text", maxLength: LONGEST + 4, default: "aba", label: "string" },
    t: { type: "int", min: 1, max: LONGEST + 1, default: 1, label: "step" },
    node: {
      type: "choice",
      options: [
        "a1",
        "a2",
        "h1",
        "h2",
        ...["o", "y"].flatMap((kind) => [1, 2, 3, 4].map((i) => kind + i)),
      ],
      default: "a1",
      label: "number",
    },
    squash: {
      type: "choice",
      options: [
        { value: "tanh", label: "tanh" },
        { value: "sigmoid", label: "sigmoid" },
      ],
      default: "tanh",
      label: "activation",
    },
  },
};
