export const LONGEST = 6;
const LETTERS = "abcdefghijklmnopqrstuvwxyzαβγδεζηθικλμνξοπρςστυφχψω0123456789";

export const meta = {
  question: "How far is it from an input symbol to its output?",
  story:
    "The encoder reads, the decoder writes, and only one vector, C, leads from one to the other. Type an input and an output. Take steps, and the graph grows until the decoder writes the end symbol. Choose a pair of symbols at the same position: the arrows on the shortest path from the input symbol to its output stand out, and the bar over each output symbol shows their number.",
  prediction: {
    question:
      "C is the decoder’s first state. Each of five letters becomes the letter at the same position. Now the encoder reads the input backwards, the last letter first. How does the mean number of arrows from a letter to its output change?",
    kind: "choice",
    choices: ["it shrinks", "it stays the same", "it grows"],
    answer: "it stays the same",
    why: "With the input read forward, each path has 8 arrows. Backwards, the first path has 4 arrows, the next one 6, and the last one 12, so the mean is still 8. Only the first few paths get shorter. Sutskever, Vinyals and Le, who introduced this trick, believed that it helps for this reason: a network learns the short paths first, and then the others are easier.",
  },
  alt: "Five states in a row read the letters of λογος, one each, and an arrow leads from the last state to C. From C an arrow leads to the first of six more states, which write l, o, g, o, s and the end symbol. Each of them also receives the previous symbol. The eight arrows from λ to l stand out. Bars over the five letters of the output show 8 arrows each.",
  controls: {
    source: {
      type: "text",
      minLength: 1,
      maxLength: LONGEST,
      alphabet: LETTERS,
      default: "λογος",
      label: "input",
    },
    target: {
      type: "text",
      minLength: 1,
      maxLength: LONGEST,
      alphabet: LETTERS,
      default: "logos",
      label: "output",
    },
    door: {
      type: "choice",
      options: [
        { value: "start", label: "as first state" },
        { value: "step", label: "at every step" },
        { value: "both", label: "both" },
      ],
      default: "start",
      label: "C enters",
    },
    backwards: { type: "bool", default: false, label: "read backwards" },
    done: {
      type: "int",
      min: 1,
      max: 2 * LONGEST + 2,
      default: 2 * LONGEST + 2,
      label: "steps done",
    },
    pair: { type: "int", min: 1, max: LONGEST, default: 1, label: "pair" },
  },
};
