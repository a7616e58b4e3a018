import { LONGEST, PLACES } from "./math.js";

export const meta = {
  question: "How do you find something that you have written down?",
  story:
    "Twelve lines of three nursery rhymes are written down, each in a cell of its own. Type a few words. The darker a line, the larger its share of the reading below, which is an average of all twelve lines.",
  words: [
    {
      when: { part: "content" },
      question: "What makes a cell easy to find by its content?",
      story:
        "The same lines, cut into cells. The darker a cell, the larger its weight. Change the sharpness and the number of letters per cell. Select a cell to see how its weight is computed.",
    },
    {
      when: { part: "place" },
      question: "How does a memory move on to the next line?",
      story:
        "The words are a key, which finds a line by its content. At each further read, the last reading is the key. The gate mixes the weights that this key finds with those of the read before; the shift moves them along the lines; and a larger exponent sharpens them. Each column shows the weights after one of these steps. The first is gray while the gate is 0, because then it has no effect. Read on, and then change the gate, the shift and the exponent.",
    },
  ],
  prediction: {
    question:
      "You type “wite snwo”, with two spelling mistakes. Which line has the largest share of the reading?",
    kind: "choice",
    choices: [
      "still “Its fleece was white as snow”",
      "another line",
      "none, all shares are about equal",
    ],
    answer: "still “Its fleece was white as snow”",
    why: "Its share is 0.83. Many letters and pairs of letters still agree with this line, and the memory doesn't need an exact match.",
  },
  alt: "Twelve lines of three nursery rhymes, each in a cell. Above them, the words white as. The cell of Its fleece was white as snow is dark, with a share of 0.98 of the reading; all others are pale, the next with 0.005. Below stands the reading: ITS FLEECE WAS WHITE AS SNOW, each letter nearly at full height.",
  controls: {
    part: {
      type: "choice",
      options: ["find", "content", "place"],
      default: "find",
      fixed: true,
      label: "part",
    },
    query: { type: "text", maxLength: 40, default: "white as", label: "a few words" },
    width: {
      type: "choice",
      options: [1, 2, 4, 8, 16, { value: LONGEST, label: "a line" }],
      default: LONGEST,
      label: "letters per cell",
    },
    beta: { type: "float", min: 0, max: 60, step: 1, default: 20, label: "sharpness β" },
    gate: { type: "float", min: 0, max: 1, step: 0.1, default: 1, label: "gate g" },
    shift: { type: "float", min: -1, max: 1, step: 0.1, default: 0, label: "shift" },
    gamma: { type: "float", min: 1, max: 5, step: 0.5, default: 1, label: "exponent γ" },
    t: { type: "int", min: 0, max: 11, default: 0, label: "further reads" },
    at: { type: "int", min: 1, max: PLACES, default: 142, label: "letter" },
  },
};
