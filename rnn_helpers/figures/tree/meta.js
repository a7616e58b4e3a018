import { MOST } from "./math.js";

export const meta = {
  question: "Which words are far apart?",
  story:
    "One function combines the words of a sentence, two vectors at a time, until one vector is left. Choose a tree, or drag a node: up, and it is computed later; down, and it is computed earlier. Along the thick line, the vectors of the two marked words travel up until they meet.",
  words: [
    {
      when: { view: "all" },
      question: "How much of each word reaches the root?",
      story:
        "The bars show the share of a small change of each word that reaches the root. U and W are two rotations, each multiplied by one number, their size. Compare trees, change the size, or type a sentence. The thick line is the path between the two marked words.",
    },
  ],
  prediction: {
    question:
      "In the chain, which is 10 deep, keys and are have 10 edges between them. Which tree brings these two words closest together?",
    kind: "choice",
    choices: [
      "the balanced tree, which is 4 deep",
      "the tree that follows the grammar, which is 6 deep",
      "both, equally",
    ],
    answer: "the tree that follows the grammar, which is 6 deep",
    why: "5 edges, against 7 in the balanced tree. There, keys meets its whole phrase first, are meets lost, and then the two meet. The balanced tree is flatter, but it cuts phrases apart: cabinet and in, two neighbors that are 3 edges apart in the chain, meet only at its root, 7 edges apart. A tree can't bring all words close together. It decides which words are close.",
  },
  alt: "Eleven words in a row, the keys to the old cabinet in the hall are lost, combined one after the other: a staircase of ten nodes. A thick path leads from keys, the second word, up the stairs and down to are, the tenth: 10 edges.",
  controls: {
    text: {
      type: "text",
      maxLength: 260,
      default: "((the keys) (to ((the (old cabinet)) (in (the hall))))) (are lost)",
      label: "sentence",
    },
    tree: {
      type: "choice",
      options: [
        { value: "chain", label: "chain" },
        { value: "balanced", label: "balanced" },
        { value: "own", label: "by brackets" },
      ],
      default: "chain",
      label: "tree",
    },
    strength: {
      type: "float",
      min: 0.2,
      max: 2,
      step: 0.05,
      default: 0.7,
      label: "size of U and W",
    },
    from: { type: "int", min: 1, max: MOST, default: 2, label: "first marked word" },
    to: { type: "int", min: 1, max: MOST, default: 10, label: "second marked word" },
    view: {
      type: "choice",
      options: [
        { value: "path", label: "path between two words" },
        { value: "all", label: "all controls" },
      ],
      default: "path",
      fixed: true,
      label: "view",
    },
  },
};
