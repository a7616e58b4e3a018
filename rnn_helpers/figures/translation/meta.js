import { MOST } from "./math.js";

const LETTERS = "abcdefghijklmnopqrstuvwxyzI ";

export const meta = {
  question: "Which English word does it look at?",
  story:
    "A small network with attention translates. Each column is an English word, and each row is a step in which the network writes a French one. The darker a cell is, the larger is its attention weight, and at the end of each row is the probability of the word. Take a step, try other sentences, or type your own. It is a toy: the network learned from a few hundred sentences that were made from templates with 23 English words.",
  prediction: {
    question:
      "The French for “we hear rain” is nous entendons la pluie, and for “we hear wind” it is nous entendons le vent. When the network has to choose between la and le, which English word has the largest weight?",
    kind: "choice",
    choices: ["we", "hear", "rain"],
    answer: "rain",
    why: "It has a weight of 0.91. English has no article here, so no word stands for la alone. The noun decides between la and le, and the network learned to look at it from pairs of sentences, without any other hint.",
  },
  alt: "A grid with a column for each of the three words of we hear rain and a row for each French word written so far, with the attention weights of the three words: nous, 1.00, 0.00, 0.00 and entendons, 0.81, 0.19, 0.00. A question mark stands for the next word.",
  controls: {
    source: {
      type: "text",
      maxLength: 60,
      alphabet: LETTERS,
      default: "we hear rain",
      label: "English",
    },
    t: { type: "int", min: 1, max: MOST + 1, default: 2, label: "step" },
  },
};
