import { IDS } from "./math.js";

export const meta = {
  question: "How does a loss at the end reach the first word?",
  story:
    "Step by step back along the same edges: at every state the gradient is multiplied by the transposed weights and by the slope of tanh, and each step's copy of W takes its share on the way. The gradient of W is the sum of those shares.",
  prediction: {
    question:
      "On its way back the gradient reaches h⁽¹⁾, smaller but not zero. How much does the first copy, W⁽¹⁾, add to the gradient of W?",
    kind: "choice",
    choices: ["the most of all", "a little", "exactly nothing"],
    answer: "exactly nothing",
    why: "The share of W⁽¹⁾ is an outer product with the state it multiplied, h⁽⁰⁾, and that is zero here. U and b have no such factor: through them the first word is heard.",
  },
  alt: "A recurrent network unfolded over the words boats, on, open, water, with a loss of 2.05 after the last word only. The numbers of the forward pass are there; the gradient is about to leave the loss and go back along the same edges.",
  // What the figure computes with, for posters and for chapters that use the same numbers.
  controls: {
    T: { type: "choice", options: [3, 4, 5], default: 4, label: "words" },
    loss: {
      type: "choice",
      options: [
        { value: "last", label: "last word" },
        { value: "every", label: "every word" },
      ],
      default: "last",
      label: "loss",
    },
    // Where the way back begins: the question is how far it leads.
    at: { type: "choice", options: IDS, default: "dL", label: "step" },
  },
};
