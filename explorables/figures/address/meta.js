import { LONGEST, PLACES } from "./math.js";

export const meta = {
  question: "How much must be in a cell for half a line to find it?",
  story:
    "Three rhymes stand in the cells of a memory. What is typed is compared with every cell, by letters and pairs of letters; the cosines, times a sharpness, go through a softmax, and by these weights the cells are read, all of them at once: beneath, each letter is as high as its share. Type what you remember of a line, cut the memory into smaller cells, shift the weights to the cell after, and read on with what was read. See also how the weights would be corrected if another cell had been wanted (touch it), and what a note does that is written with them.",
  prediction: {
    question:
      "“white as” finds its line, with a weight of 0.98. Now each letter gets a cell of its own. What is the largest weight that one cell has then?",
    kind: "choice",
    choices: ["nearly 1", "about 1/8", "less than 1/100"],
    answer: "less than 1/100",
    why: "It is 0.008, and 123 cells have it, all that hold one of the letters w, h, i, t, e, a and s: nothing in a single letter says from which line it is. No sharpness helps, for their cosines are equal. The line has 0.146 of the weight then, and 0.097 of the letters.",
  },
  alt: "Twelve lines of three nursery rhymes, a cell for each. The key is white as. The cell of Its fleece was white as snow is dark, with weight 0.98, all others are pale, the next with 0.005. Beneath stands what is read: ITS FLEECE WAS WHITE AS SNOW, each letter nearly as high as it can be.",
  controls: {
    query: { type: "text", maxLength: 40, default: "white as", label: "what you know of it" },
    width: {
      type: "choice",
      options: [1, 2, 4, 8, 16, { value: LONGEST, label: "a line" }],
      default: LONGEST,
      label: "letters in a cell",
    },
    beta: { type: "float", min: 0, max: 60, step: 1, default: 20, label: "sharpness β" },
    shift: { type: "float", min: -1, max: 1, step: 0.1, default: 0, label: "shift by place" },
    t: { type: "int", min: 0, max: 11, default: 0, label: "read on" },
    shows: {
      type: "choice",
      options: ["weights", "gradient", "write"],
      default: "weights",
      label: "show",
    },
    at: { type: "int", min: 1, max: PLACES, default: 90, label: "letter" },
  },
};
