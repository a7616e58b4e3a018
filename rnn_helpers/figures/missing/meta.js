import { LENGTH } from "./math.js";

export const meta = {
  question: "What was in the gaps?",
  story:
    "The first four bits are tosses of a fair coin. Each later bit is a check bit: the parity of the four before it (1 if they contain an odd number of ones), wrong with probability 0.1. Ink covers some bits. Compare three ways to fill them in: from left to right, by weighing every way, and by Gibbs sampling. Click a bit to cover or uncover it.",
  prediction: {
    question:
      "Bits 4 to 7 are covered. From left to right, each gap gets the bit that is more likely after everything before it, including the bits already filled in. How many of the four are right?",
    kind: "choice",
    choices: ["four", "two", "none"],
    answer: "two",
    why: "Nothing before bit 4 predicts it, so it is a coin toss, and 0 is filled in. Bit 5 is then predicted with confidence from a wrong bit. All sixteen ways, weighed, give a 1 at bit 4 probability 0.90 and get all four right. Gibbs sampling makes the same mistake for more than 240 draws, because two bits would have to change together.",
  },
  alt: "A line of eleven bits, of which bits 4 to 7 are covered. Below, three rows have a place for each gap. The row for left to right shows probabilities of a one of 0.50, 0.90, 0.10 and 0.90, and has filled in 0, 1, 0, 1, in 1 pass. The row for weighing every way, of which there are 16, and the row for Gibbs sampling are still empty.",
  controls: {
    at: { type: "int", min: 0, max: 1000, default: 0, label: "draws" },
    noise: {
      type: "float",
      min: 0.02,
      max: 0.4,
      step: 0.02,
      default: 0.1,
      fixed: true,
      label: "noise",
    },
    weigh: { type: "bool", default: false, label: "weigh every way" },
    truth: { type: "bool", default: false, label: "show the true bits" },
    // One binary digit for each bit of the line; it is 1 if the bit is covered.
    hidden: { type: "int", min: 0, max: 2 ** LENGTH - 1, default: 0b1111000, label: "covered" },
    seed: { type: "int", min: 0, max: 99, default: 6, label: "line" },
    coins: { type: "int", min: 0, max: 99, default: 1, label: "random numbers" },
  },
};
