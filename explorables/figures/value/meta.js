import { KINDS } from "./math.js";

export const MOST = 48; // symbols of an expression
const LABELS = { chain: "chain", balanced: "balanced", parse: "parse", tensor: "tensor" };

export const meta = {
  question: "Where does it go wrong?",
  story:
    "Four networks have learned what expressions are worth, counting round from 4 to 0: 2 + 4 is 1, and 1 − 3 is 3. All four learned from the same expressions, nested up to three deep, and were told of each only what the whole of it is worth. One joins the symbols along a chain, one along a balanced tree, two along the tree that the brackets say; the last of them has a tensor in its node, and fewer units to pay for it. Type an expression and climb the tree: at each node stands what the network takes that part to be worth.",
  prediction: {
    question:
      "All four learned for as long. Of new expressions nested three deep, as deep as any they learned from, the network along the parse tree has all but 4 in 1,000 right. How many of 100 has the one along the balanced tree?",
    kind: "choice",
    choices: ["nearly all", "about 60", "about 25, hardly more than by guessing"],
    answer: "about 25, hardly more than by guessing",
    why: "27, and along the chain 30; who guesses has 20. The balanced tree is the lowest of all, but it joins by place and not by what belongs together: of the same bracket it cuts here one half off, there another, so that hardly any of its parts is worth anything by itself. Along the parse tree every node meets the same task, two worths and a sign between them, and what is learned once holds everywhere: of expressions nested five deep this one network still has 92 of 100 right. Nested eight deep it has 68. There it goes wrong at one node; and as one counts round, a part that is wrong makes all above it wrong. The one with a tensor had every one right.",
  },
  alt: "3 − ((1 − 4) + (2 − 0)), and above it the lowest nodes of its parse tree: at 1 − 4 the network says 2, at 2 − 0 it says 2 too, both right. What the four networks make of the whole stands open.",
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
    level: { type: "int", min: 0, max: MOST, default: 2, label: "height" },
    curves: { type: "bool", default: false, label: "right, by nesting" },
  },
};
