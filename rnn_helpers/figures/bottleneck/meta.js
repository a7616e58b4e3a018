import { MOST, SIZES } from "./math.js";

export const meta = {
  question: "How much fits through one vector?",
  story:
    "One network reads digits, and another writes them down again from the last to the first. Between them is one vector, C: all that the second network gets, unless it may look back. The cells show numbers, red above 0 and blue below. The bar behind each written digit is its probability, and wrong digits are struck out. All pairs of networks learned from lines of one to eight digits. Make the line longer, or let the second network look back at every state of the first; then click a written digit to see which states it used.",
  prediction: {
    question:
      "C has eight numbers, and the second network can’t look back. Of the digits in new lines of eight, how many does it write correctly?",
    kind: "choice",
    choices: ["all of them", "six in ten", "one in ten, as if it guessed"],
    answer: "six in ten",
    why: "61 of 100. With 32 numbers in C, 99 of 100 are correct. Eight digits are only 27 bits, and eight numbers could hold far more. But the two networks have to learn how to store each digit so that it can be found again, and with less room they learn less of it.",
  },
  alt: "Three digits, 4, 7 and 0, were read. Below them, eight colored cells are the vector C. Below those, the second network has written 0, 7 and 4, all correct.",
  controls: {
    length: { type: "int", min: 1, max: MOST, default: 3, label: "digits" },
    size: { type: "choice", options: SIZES.map(String), default: "8", label: "numbers in C" },
    attention: { type: "bool", default: false, label: "may look back" },
    seed: { type: "int", min: 1, max: 99, default: 1, label: "line" },
    t: { type: "int", min: 1, max: MOST, default: 1, label: "written digit" },
  },
};
