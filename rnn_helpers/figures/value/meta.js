import { KINDS } from "./math.js";

export const MOST = 48; // symbols of an expression
const LABELS = {
  chain: "chain",
  balanced: "balanced tree",
  parse: "parse tree",
  tensor: "tensor nodes",
};

export const meta = {
  question: "Where does it go wrong?",
  story:
    "Four networks were trained to compute the values of expressions modulo 5: 2 + 4 is 1, and 1 − 3 is 3. All four started from small matrices and were trained on the same expressions, nested up to three deep. The only target was the value of the whole expression. One network combines the symbols along a chain, one along a balanced tree and two along the parse tree; the last of these has tensor nodes, and 12 units instead of 30. Type an expression and climb the tree: each node shows the network's value for its part.",
  prediction: {
    question:
      "All four were trained for the same number of steps. On new expressions nested three deep, the deepest in training, the network along the parse tree gets all but 4 in 1,000 right. How many of 100 does the network along the balanced tree get right?",
    kind: "choice",
    choices: ["nearly all", "about 60", "about 25, hardly better than guessing"],
    answer: "about 25, hardly better than guessing",
    why: "27, and the network along the chain gets 30 right; a guess is right 20 times. The balanced tree is the flattest, but it divides the symbols by position, so few of its nodes have a value. Along the parse tree, every node has the same small task. So this network generalizes: nested five deep, it gets 92 of 100 right, and nested eight deep 68. If one part is wrong, everything above it is wrong too. The network with tensor nodes got all of them right.",
  },
  alt: "3 − ((1 − 4) + (2 − 0)), and above it the lowest nodes of its parse tree. The network computes 2 at 1 − 4 and 2 at 2 − 0, and both values are right. The four networks' answers for the whole expression aren't shown yet.",
  controls: {
    text: {
      type: "text",
      maxLength: MOST,
      alphabet: "01234+-−() ",
      default: "3-((1-4)+(2-0))",
      label: "expression",
    },
    tree: {
      type: "choice",
      options: KINDS.map((value) => ({ value, label: LABELS[value] })),
      default: "parse",
      label: "tree",
    },
    level: { type: "int", min: 0, max: MOST, default: 2, label: "computed up to height" },
    curves: { type: "bool", default: false, label: "share right, by nesting" },
  },
};
