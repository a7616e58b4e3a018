import { LONGEST } from "./math.js";

const weight = (value, label) => ({
  type: "float",
  min: -3,
  max: 3,
  step: 0.5,
  default: value,
  label,
});

export const meta = {
  question: "How do two numbers know that a quotation is open?",
  story:
    "A loop reads a text symbol by symbol and hands on two numbers, A and B. Each is 1 where a sum is above 0: of the symbol, of both numbers as they were, and of one number of its own, weighted by eight numbers that never change. So set, they know at every place whether it stands inside quotation marks.",
  prediction: {
    question:
      "B is 1 where a mark closes. Let A no longer hear of B: set the −1 in the row of A to 0. Where is the loop wrong first?",
    kind: "choice",
    choices: [
      "at the first mark",
      "between the marks",
      "at the second mark",
      "after the second mark",
    ],
    answer: "after the second mark",
    why: "At the second mark A and B are still both 1, as they should be. But A keeps itself at 1, and it was B that told it to stop: at the next symbol B is 0 and A is not.",
  },
  alt: "The text she said “wait for me” and left, read as far as the second quotation mark, its symbol 22; beneath each symbol whether A and B are 1. A is 1 from the first mark on, B at the second alone. Inside is where A is 1 and B is 0, and so far this is right at 22 of 22 symbols. At symbol 22 the sum for A is 1 + 1 − 0 − 0.5 = 1.5 and that for B 0.5: both are 1.",
  // The eight numbers: of which of the two, and what they weigh.
  controls: {
    text: {
      type: "text",
      minLength: 1,
      maxLength: LONGEST,
      default: 'she said "wait for me" and left',
      label: "text",
    },
    t: { type: "int", min: 1, max: LONGEST, default: 22, label: "symbols read" },
    task: {
      type: "choice",
      options: [
        { value: "inside", label: "inside or outside" },
        { value: "seen", label: "a mark so far" },
      ],
      default: "inside",
      label: "task",
    },
    A_x: weight(1, "A: the mark"),
    A_A: weight(1, "A: A before"),
    A_B: weight(-1, "A: B before"),
    A_own: weight(-0.5, "A: its own"),
    B_x: weight(1, "B: the mark"),
    B_A: weight(1, "B: A before"),
    B_B: weight(-1, "B: B before"),
    B_own: weight(-1.5, "B: its own"),
  },
};
