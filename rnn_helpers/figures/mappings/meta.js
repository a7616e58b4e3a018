import { MOST } from "./math.js";

export const meta = {
  question: "Which of these networks can answer before the input ends?",
  story:
    "Five patterns of inputs and outputs. Each one runs a small network with weights set by hand; a unit of its state is on if its sum is positive. " +
    "Choose a pattern, change the input, and go through the steps. What the state must hold depends on when the answer is due: one or two bits, a sum, or every letter that still has to be written.",
  prediction: {
    question:
      "With a delay of 4, the delayed network reads all five letters before it writes the first one. How many different states does it need at that moment?",
    kind: "choice",
    choices: ["5", "10", "32"],
    answer: "32",
    why: "At step 5 it writes the first letter and still has to write the other four. So each text of five letters needs a state of its own, and there are 2 × 2 × 2 × 2 × 2 of them. Five units are enough.",
  },
  alt:
    "Five small drawings of a sequence: one to one, one to many, many to one, many to many with a delay, many to many aligned. " +
    "The fourth is selected. Its network reads the letters a b b a b in steps 1 to 5 and writes them in steps 3 to 7, two steps later. At step 3 it has read three letters. " +
    "The three units of its state hold b, b and a, and it writes a, its first answer. Of 5 answers 2 come before the last input has been read.",
  controls: {
    pattern: {
      type: "choice",
      options: [
        { value: "one-one", label: "one to one" },
        { value: "one-many", label: "one to many" },
        { value: "many-one", label: "many to one" },
        { value: "delayed", label: "many to many, delayed" },
        { value: "aligned", label: "many to many, aligned" },
      ],
      default: "delayed",
      label: "pattern",
    },
    image: {
      type: "text",
      minLength: 9,
      maxLength: 9,
      alphabet: "01",
      default: "100100111",
      label: "pixels",
    },
    n: { type: "int", min: 1, max: MOST.n, default: 3, label: "count down from" },
    review: {
      type: "text",
      minLength: 1,
      maxLength: 60,
      alphabet: "abcdefghijklmnopqrstuvwxyz -",
      default: "a dull start but a great end",
      label: "review",
    },
    letters: {
      type: "text",
      minLength: 1,
      maxLength: MOST.letters,
      alphabet: "ab",
      default: "abbab",
      label: "letters",
    },
    k: { type: "int", min: 0, max: MOST.k, default: 2, label: "delay k" },
    code: {
      type: "text",
      minLength: 1,
      maxLength: MOST.code,
      alphabet: "ab()[]",
      default: "a(b[a]b)a",
      label: "symbols",
    },
    t: { type: "int", min: 1, max: MOST.letters + MOST.k, default: 3, label: "step" },
  },
};
