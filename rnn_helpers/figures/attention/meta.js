import { ALPHABET, LONGEST, MOST } from "./math.js";

export const meta = {
  question: "Where does it look?",
  story:
    "A network reads a date as people write it and writes it as computers do, one symbol at a time. Each row is a step of the decoder, and each column is a character of the input. The darker a cell is, the larger is its attention weight; at the end of each row is the probability of its symbol. Type a date, take a step, and click any number to see how it was computed. At the end, the figure also shows the output of a network of the same size that receives one vector for the whole text. Both learned dates from 1950 to 2049 in American and British English, German, Spanish and French.",
  prediction: {
    question:
      "3/4/05 is March 4 in the United States and April 3 in Spain, and both were equally frequent in training. To how many dates does the network with attention give most of its probability?",
    kind: "choice",
    choices: ["one date, nearly certain", "two dates", "many dates, all unlikely"],
    answer: "two dates",
    why: "2005-04-03 has probability 0.53 and 2005-03-04 has 0.38, which is nearly all of it. The loss would be smallest with one half each. After 288,000 dates in training, this small network has learned that there are two, and not yet that they are equally likely. The network with one vector for the whole text leans the same way, and further: it gives 2005-04-03 the probability 0.77. The text doesn't show which date is meant, so of texts with two meanings nobody can expect to get more than half right.",
  },
  alt: "A grid with a column for each of the 13 characters of April 3, 2005 and a row for each of the seven symbols written so far, 2005-04. The darkest cell in each row, with its weight: 2 (0.86), 0 (0.62), 0 (0.98), 5 (0.99), 5 (1.00), a (0.86), p (0.96). A question mark stands for the next symbol. Below, the score, the weight and the average of the marked cell, p in the last row.",
  controls: {
    date: {
      type: "text",
      maxLength: LONGEST,
      alphabet: ALPHABET + ALPHABET.toUpperCase().replace(/[^A-ZÀ-Þ]/g, ""),
      default: "April 3, 2005",
      label: "date",
    },
    t: { type: "int", min: 1, max: MOST, default: 7, label: "step" },
    k: { type: "int", min: 1, max: LONGEST, default: 2, label: "character" },
    sharpness: { type: "float", min: 0, max: 4, step: 0.1, default: 1, label: "sharpness" },
  },
};
