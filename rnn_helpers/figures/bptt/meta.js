import { IDS } from "./math.js";

export const meta = {
  question: "How does a loss at the end reach the first word?",
  story:
    "Step forward until the loss appears, and then go on: the gradient returns along the same edges, one step at a time. The gradient of W is a sum over its copies. See which copies get a share of the gradient.",
  prediction: {
    question: "Only the last word has a loss. Which copies of W get a share of the gradient?",
    kind: "choice",
    choices: ["only the last copy", "all four copies", "all but the first copy"],
    answer: "all but the first copy",
    why: "The share of a copy is an outer product with the state that this copy multiplied. The first copy multiplied the initial state, which is zero. The first word still learns, through U and b.",
  },
  alt: "A recurrent network unfolded over the words boats, on, open and water, left to right. Each word feeds a state, the states are connected by W, and only the last one has an output and a loss. Below them are four empty tiles, one for each copy of W, and a tile for their sum. Nothing has been computed yet.",
  controls: {
    T: { type: "choice", options: [3, 4, 5], default: 4, fixed: true, label: "words" },
    loss: {
      type: "choice",
      options: [
        { value: "last", label: "last word" },
        { value: "every", label: "every word" },
      ],
      default: "last",
      label: "loss",
    },
    at: { type: "choice", options: IDS, default: "start", label: "step" },
  },
};
