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
  question: "How can two numbers remember that a quotation is open?",
  story:
    "A loop reads a text symbol by symbol and passes two numbers, A and B, from each step to the next. Each is 1 if its sum is above 0: a weight times the input, which is 1 at a mark, plus weights times the previous A and B, plus a bias. These eight numbers are the same at every step. At first they are set so that A is 1 and B is 0 exactly when the symbol is inside quotation marks. Step through the text, or change a number.",
  prediction: {
    question:
      "B is 1 at a closing mark. With the numbers as they are at first, set the −1 in the row of A to 0, so that A no longer depends on B. Where does the loop make its first mistake?",
    kind: "choice",
    choices: [
      "at the first mark",
      "between the marks",
      "at the second mark",
      "after the second mark",
    ],
    answer: "after the second mark",
    why: "At the second mark A and B are both 1, as they should be. At the next symbol, A should go back to 0, and only the weight −1 of B made it do so. Without this weight A stays 1 while B is 0, which means inside.",
  },
  alt: "The text she said “wait for me” and left, read up to the second quotation mark, symbol 22. Two rows under the text show A and B at each symbol. A is 1 from the first mark on, and B is 1 only at the second mark. Inside means that A is 1 and B is 0, and so far this is right at 22 of 22 symbols. At symbol 22 the sum of A is 1 + 1 − 0 − 0.5 = 1.5 and that of B is 0.5, so both are 1.",
  // The eight numbers: the unit they belong to, and the input they multiply.
  controls: {
    text: {
      type: "text",
      minLength: 1,
      maxLength: LONGEST,
      default: 'she said "wait for me" and left',
      label: "text",
    },
    t: { type: "int", min: 1, max: LONGEST, default: 22, label: "symbol" },
    task: {
      type: "choice",
      options: [
        { value: "inside", label: "inside or outside" },
        { value: "seen", label: "a mark so far" },
      ],
      default: "inside",
      label: "task",
    },
    A_x: weight(1, "A: mark"),
    A_A: weight(1, "A: previous A"),
    A_B: weight(-1, "A: previous B"),
    A_own: weight(-0.5, "A: bias"),
    B_x: weight(1, "B: mark"),
    B_A: weight(1, "B: previous A"),
    B_B: weight(-1, "B: previous B"),
    B_own: weight(-1.5, "B: bias"),
  },
};
