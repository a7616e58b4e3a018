export const LONGEST = 6;
const LETTERS = "abcdefghijklmnopqrstuvwxyzαβγδεζηθικλμνξοπρςστυφχψω0123456789";

export const meta = {
  question: "How far is it from a symbol to what it becomes?",
  story:
    "One network reads, another writes, and all that passes between them is one vector, C. Type what is read and what is written. Step through it, and the writer's graph grows until it says that this is the end. Choose a pair: the arrows that lead from what was read to what it becomes stand out, and over each written symbol stands how many they are.",
  prediction: {
    question:
      "C is the writer's first state, and five letters become five, each the one at its own place. Now the source is read backwards, its last letter first. What becomes of the number of arrows between a letter and what it becomes, averaged over the five?",
    kind: "choice",
    choices: ["it shrinks", "it stays", "it grows"],
    answer: "it stays",
    why: "Every pair was 8 arrows apart. Now the first is 4 apart, the next 6, and the last 12: still 8 on average. What is gained is a few short ways to begin with. Sutskever, Vinyals and Le, whose trick it is, believed that this is why it helps: what lies near is learned first, and the rest is easier then.",
  },
  alt: "Five states in a row read the letters of λογος, one each; the last leads to C. From C an arrow leads to the first of six further states, which write l, o, g, o, s and the end, each told of the symbol before. The eight arrows from λ to l stand out. Bars over the written letters: 8 arrows each.",
  controls: {
    source: {
      type: "text",
      minLength: 1,
      maxLength: LONGEST,
      alphabet: LETTERS,
      default: "λογος",
      label: "read",
    },
    target: {
      type: "text",
      minLength: 1,
      maxLength: LONGEST,
      alphabet: LETTERS,
      default: "logos",
      label: "written",
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
