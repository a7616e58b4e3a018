import { LONGEST } from "./math.js";

export const meta = {
  question: "How many states does it take to remember two brackets?",
  story:
    "Each automaton remembers one fact about the string: whether a parenthesis is open, whether a square bracket is open, or what the last symbol was. Their intersection remembers all chosen facts. Its state determines which symbols may come next; for example, the string can't end while a bracket is open. Type a string, choose the facts, and count the states.",
  words: [
    {
      when: { bigram: false, weights: false },
      story:
        "Each automaton remembers one fact about the string: whether a parenthesis is open, or whether a square bracket is open. Their intersection remembers the chosen facts. Its state determines which symbols may come next; for example, the string can't end while a bracket is open. Type a string, choose the facts, and count the states.",
    },
  ],
  prediction: {
    question:
      "Bigram and parentheses together have 12 states. The automaton for square brackets has two. If you intersect it with them as well, how many states can be reached?",
    kind: "choice",
    choices: ["14", "18", "24"],
    answer: "18",
    why: "States multiply, so there are at most 24. Six states double: those after a, b, ( and ), where a square bracket may be open or closed. The other six don't. At the start and at the end no bracket is open, and after [ or ] the last symbol already determines whether a square bracket is open.",
  },
  alt: "Three automata have read the string (a[b. The bigram automaton, with 8 states, is in the state for b. The automata for parentheses and for square brackets, with 2 states each, are both in the state for inside. The intersection of the first two has 12 states, 61 transitions and 2.14 bits per symbol. It is in the state for b inside parentheses, where the next symbol is a with probability 0.41, a closing parenthesis with probability 0.31, and the end with probability 0.",
  controls: {
    bigram: { type: "bool", default: true, label: "bigram" },
    round: { type: "bool", default: true, label: "( )" },
    square: { type: "bool", default: false, label: "[ ]" },
    weights: { type: "bool", default: true, label: "probabilities" },
    text: { type: "text", maxLength: LONGEST + 4, default: "(a[b]a)</s>", label: "string" },
    t: { type: "int", min: 0, max: LONGEST + 1, default: 4, label: "symbols read" },
  },
};
