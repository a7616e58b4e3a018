import { LENGTH } from "./math.js";

export const meta = {
  question: "What stood where the ink ran out?",
  story:
    "The first four bits are coins. Each bit after them says whether the four before it hold an odd number of ones, and with probability 0.1 it says the opposite. Now ink has run over four of them. There are three ways to fill the gaps, all by this rule: forward, each gap from what stands before it; exact, where every way to fill all of them is weighed; and Gibbs sampling, which draws one gap at a time given all the others, again and again. Touch a bit to cover or uncover it.",
  prediction: {
    question:
      "Bits 4 to 7 are gone. Forward, each gap takes what is likelier after all that stands before it, what was put into the gaps there included. How many of the four come out right?",
    kind: "choice",
    choices: ["four", "two", "none"],
    answer: "two",
    why: "Nothing before bit 4 says what it was: a coin, and a 0 is put there. Bit 5 is then inferred from a wrong one, with confidence. What stands after the gap knows better, but is not looked at: all sixteen ways, weighed, give a 1 at bit 4 probability 0.90 and get all four right. For m gaps that is 2ᵐ ways. Gibbs sampling stays with the same mistake for 246 draws: to leave it, two bits must change at once, and it changes one at a time.",
  },
  alt: "A line of eleven bits, of which bits 4 to 7 lie under ink. Below, three lanes with a place for each gap. Forward has filled its own, with probabilities of a one of 0.50, 0.90, 0.10 and 0.90, and says 0, 1, 0, 1, after 8 evaluations. The lanes of exact filling, which has 16 ways to weigh, and of Gibbs sampling are still empty.",
  controls: {
    at: { type: "int", min: 0, max: 1000, default: 0, label: "draws" },
    noise: { type: "float", min: 0.02, max: 0.4, step: 0.02, default: 0.1, label: "noise" },
    weigh: { type: "bool", default: false, label: "weigh every way" },
    truth: { type: "bool", default: false, label: "what stood there" },
    // A bit for each place that is covered.
    hidden: { type: "int", min: 0, max: 2 ** LENGTH - 1, default: 0b1111000, label: "covered" },
    seed: { type: "int", min: 0, max: 99, default: 6, label: "line" },
    coins: { type: "int", min: 0, max: 99, default: 1, label: "coins" },
  },
};
