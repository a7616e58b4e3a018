import { IDS } from "./math.js";

export const meta = {
  question: "How does a loss at the end reach the first word?",
  story:
    "Each box has a number and, once the loss has come back, the gradient on it in magenta. (At “is” and “are”, the number is a probability, and the gradient is the one on the logit.) Step backward through the network, one arrow at a time. Then insert a word, and see what is left at the first one.",
  words: [
    {
      when: { T: 4 },
      question: "What is left if the first word is farther away?",
      story:
        "“Open” keeps the state at 0.5, so the sentence ends with the same state and the same loss as without it. Step backward to the first word, and then compare with three words and with five.",
    },
  ],
  prediction: {
    question: "On which of the three states will the gradient be largest?",
    kind: "choice",
    choices: ["the first, after “boats”", "the last, after “water”", "all the same"],
    answer: "the last, after “water”",
    why: "“Boats” decides the verb, but the gradient on its state is the smallest: 1.5 at the last state, 0.48 one step back and 0.18 at the first. Each step back multiplies by the weight 0.5 and by a slope below 1.",
  },
  alt: "A recurrent network with one unit, unfolded over the words boats, on and water, left to right. Each word feeds a sum, and a tanh turns the sum into a state: 0.8, 0.5 and 0.6. Each state feeds the next sum through the weight 0.5. The last one also feeds an output, which gives is probability 0.75 and are 0.25, and a loss of 1.3863. No gradient has come back yet.",
  controls: {
    T: { type: "choice", options: [3, 4, 5], default: 3, label: "words" },
    loss: {
      type: "choice",
      options: [
        { value: "last", label: "last word" },
        { value: "every", label: "every word" },
      ],
      default: "last",
      label: "loss",
    },
    at: { type: "choice", options: IDS, default: "L3", label: "step" },
  },
};
