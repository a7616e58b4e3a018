import { COUNTED, LONGEST, SIZES } from "./math.js";

export const meta = {
  question: "How much fits into C?",
  story:
    "Three networks read digits, and write them down again from the last to the first. All that passes from reader to writer is one vector C, of 8, 16 or 32 numbers, red above 0 and blue below. They learned from lines of one to eight digits, for as many steps each. Make the line longer; wrong digits are struck out. Or take one network, and drag the end of its C: up to 32 numbers it runs here, and of 64 there is what was counted.",
  prediction: {
    question:
      "Of new lines of eight digits, the network with 32 numbers writes 99 of 100 digits right. How many does the one with 16?",
    kind: "choice",
    choices: ["nearly as many", "three in four", "one in ten, as if it guessed"],
    answer: "three in four",
    why: "77 of 100; with 8 numbers, 61. Eight digits are 27 bits, and 8 numbers of 64 bits would have room for many times that. But a reader has to learn where to put each digit so that a writer finds it again, and with less room they have learned less of it in as many steps. On longer lines than any it learned from, the largest fails as well: of twelve digits 39 in 100 are right.",
  },
  alt: "Four digits were read. Three networks, with 8, 16 and 32 numbers between reader and writer, have written them backwards, all four without a mistake.",
  controls: {
    length: { type: "int", min: 1, max: LONGEST, default: 4, label: "digits" },
    size: {
      type: "choice",
      options: [...[...SIZES, ...COUNTED].map(String), { value: "three", label: "three" }],
      default: "three",
      label: "numbers in C",
    },
    seed: { type: "int", min: 1, max: 99, default: 1, label: "line" },
    curves: { type: "bool", default: false, label: "right, by length" },
  },
};
