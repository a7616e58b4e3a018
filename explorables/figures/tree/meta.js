import { MOST } from "./math.js";

export const meta = {
  question: "Who is far from whom?",
  story:
    "Eleven words, joined two at a time by one function, until one vector stands for all. Choose the tree, or make your own: drag a node up and it joins later, drag it down and it joins earlier, or write the brackets. The thick way is the shortest between the two marked words. The bars say how much of a small change of each word arrives at the top. Every bracket uses the same U, W and b, so no tree has more parameters than another.",
  prediction: {
    question:
      "Along the chain, the way between two of the eleven words has 5.8 arrows, averaged over all pairs. And in the balanced tree, which is 4 high instead of 10?",
    kind: "choice",
    choices: ["about 2", "about 4", "nearly as many"],
    answer: "nearly as many",
    why: "5.7. The way to the top is much shorter for the first words, and the first word's gradient is twenty times as large. But who stood far apart comes nearer at the cost of who stood close: cabinet and in are neighbours, 3 arrows apart along the chain, and now they meet at the very top, 7 arrows apart. A tree does not bring everybody together; it decides who is together. That is why it matters who draws it.",
  },
  alt: "Eleven words in a row, the keys to the old cabinet in the hall are lost, joined one after the other: a staircase of ten nodes. A thick way leads from keys, the second word, up the stairs to are, the tenth: 10 arrows. Below, bars for the gradient of each word, on a logarithmic scale: 0.007 for the first, more with each word, 0.56 for the last.",
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
        { value: "own", label: "brackets" },
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
      label: "strength",
    },
    from: { type: "int", min: 1, max: MOST, default: 2, label: "from word" },
    to: { type: "int", min: 1, max: MOST, default: 10, label: "to word" },
  },
};
