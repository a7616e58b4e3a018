import { MOST } from "./math.js";

export const meta = {
  question: "It was trained to copy up to eight columns. How many can it copy?",
  story:
    "A neural Turing machine receives a pattern, column by column, then a mark, and must output the pattern again. Squares: the cells that it writes at each step. Discs: the cells that it reads. The panel shows the contents of the cells, red above zero and blue below. Below the machine's output is that of an LSTM with about as many parameters; a cross marks a wrong bit. Both were trained on patterns of one to eight columns. Step through time, paint on the pattern, and make it longer.",
  prediction: {
    question:
      "The machine has 40 cells and was trained on at most eight columns. Now it receives 32. How many of the 128 bits will it output correctly?",
    kind: "choice",
    choices: ["about 64, as if it guessed", "about 96", "all 128"],
    answer: "all 128",
    why: "It learned a rule for one column: write it, and move on by one cell. The read head waits at the start until the mark, and then reads cell after cell. This works as long as there are cells. Of random patterns of 32 columns, it outputs 99.5 % of the bits right. Nearly empty patterns, which are unlike those of its training, make it lose its place. The LSTM must hold everything in its 32 units: it gets 95 % at eight columns, and 55 % at 32, where a guess gets 50 %. We trained six machines and 18 LSTMs for this figure, and it shows the best of each kind.",
  },
  alt: "Above, a pattern of 4 rows and 5 columns. The machine is at step 1 of 11 and has no output yet. Below, 40 cells: a square in cell 2, a disc in cell 1. Beside it, the contents of the cells.",
  controls: {
    length: { type: "int", min: 1, max: MOST, default: 5, label: "columns" },
    pattern: {
      type: "text",
      maxLength: MOST,
      alphabet: "0123456789abcdef",
      default: "f990f9f0fa40c3c007a700f10f9f08f8",
      label: "pattern",
    },
    t: { type: "int", min: 1, max: 2 * MOST + 1, default: 1, label: "step" },
  },
};
