import { KINDS, LEARNED, MOST } from "./math.js";

const LABELS = { chain: "chain", balanced: "balanced tree", parse: "parse tree" };

export const meta = {
  question: "Is or are?",
  story:
    "Three small networks receive the words before the verb and choose is or are. Each combines the words along its own kind of tree. A box shows the verb that a network would choose after the words below it, wherever these words could be a subject; the box at the top is its answer. In training, a sentence had at most two phrases such as in the hall. Click a noun to make it singular or plural, and add phrases.",
  prediction: {
    question:
      "With two phrases, as in training, all three networks choose the right verb. Now the sentence gets longer than any in training. Which network will choose the wrong verb most often?",
    kind: "choice",
    choices: [
      "the one along the chain",
      "the one along the balanced tree",
      "the one along the parse tree",
      "all about equally often",
    ],
    answer: "the one along the balanced tree",
    why: "With five phrases, the median network along the balanced tree gets 438 of 500 new sentences right, and the median networks along the chain and the parse tree get all 500. The balanced tree is the flattest, but it cuts the sentence by position. In a longer sentence, a node has to join pieces that it never met in training. This happens most when the last phrase comes first.",
  },
  alt: "The nine words of the keys to the old cabinet in the hall, joined one after the other: a staircase of eight nodes. A box with are is over the keys, over the keys to the old cabinet, and at the top. Below, all three networks choose are: along the chain, with eight nodes above keys, along the balanced tree, with four, and along the parse tree, with two.",
  controls: {
    tree: {
      type: "choice",
      options: KINDS.map((value) => ({ value, label: LABELS[value] })),
      default: "chain",
      label: "tree",
    },
    phrases: { type: "int", min: 0, max: MOST, default: LEARNED, label: "phrases" },
    front: { type: "bool", default: false, label: "last phrase first" },
    // Bit k is 1 if the noun of phrase k is plural; phrase 0 is the subject.
    plural: { type: "int", min: 0, max: 2 ** (MOST + 1) - 1, default: 1, label: "plural nouns" },
  },
};
