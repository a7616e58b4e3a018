import { LONGEST } from "./math.js";

export const meta = {
  question: "How many states does it take to remember two brackets?",
  story:
    "Each automaton remembers one thing: whether a parenthesis is open, whether a square bracket is, which symbol came last. Their intersection remembers all of them, and the state decides what may come next: no end while a bracket is open. Write symbols, choose what is to be remembered, and count the states.",
  prediction: {
    question:
      "Bigram and parentheses together have 12 states. The automaton of the square brackets has two. Intersect it as well: how many states can be reached?",
    kind: "choice",
    choices: ["14", "18", "24"],
    answer: "18",
    why: "States multiply, so 24 at most. Six double: those after a, b, ( and ). Six do not: nothing is open at the start and at the end, and [ and ] say themselves whether theirs is open.",
  },
  alt: "Three automata read the string (a[b. The bigram automaton, with 8 states, is in that of b; the automata of parentheses and of square brackets, with 2 states each, are both inside. The first two are intersected: 12 states, 61 transitions, 2.14 bits a symbol. In its state, b inside parentheses, the next symbol is a with probability 0.41, a closing parenthesis with 0.31 and the end with 0.",
  controls: {
    bigram: { type: "bool", default: true, label: "bigram" },
    round: { type: "bool", default: true, label: "( )" },
    square: { type: "bool", default: false, label: "[ ]" },
    weights: { type: "bool", default: true, label: "probabilities" },
    text: { type: "text", maxLength: LONGEST + 4, default: "(a[b]a)</s>", label: "string" },
    t: { type: "int", min: 0, max: LONGEST + 1, default: 4, label: "symbols read" },
  },
};
