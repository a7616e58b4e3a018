import { MOST } from "./math.js";

export const meta = {
  question: "It has learned to copy eight columns. How many can it copy?",
  story:
    "A neural Turing machine is shown a pattern, column by column, then a mark, and says the pattern again. Blue squares: the cells that it writes at each step. Green discs: the cells that it reads. Rows of red (above zero) and blue (below): what the cells hold at a step. Under the machine's answer stands that of an LSTM of as many parameters; a cross is a bit said wrong. Both have learned from patterns of one to eight columns, and from no longer one. Paint on the pattern, make it longer, and step through time.",
  prediction: {
    question:
      "The machine has 40 cells and has never seen more than eight columns. Now it is shown 32: how many of their 128 bits will it say right?",
    kind: "choice",
    choices: ["about 64, as a coin would", "about 96", "all 128"],
    answer: "all 128",
    why: "It has learned what to do with one column: write it, and go on by a cell; at the mark begin at the first and read, cell after cell. That lasts as long as there are cells. Of random patterns of 32 columns it says 99.5 % of the bits right; nearly empty ones, unlike those that it learned from, make it lose its place. The LSTM must hold everything in its 32 units: 95 % at eight columns, 55 % at 32, where a coin says 50 %, and the best of 18 LSTMs 58 %. This machine is one of six trained alike: at 16 columns all say more than 99 % right, at 32 only three say more than 98 %.",
  },
  alt: "Above, a pattern of 4 rows and 15 columns, the word COPY; after a mark the machine says the same, 60 of 60 bits right, and an LSTM says 38 of 60 right, crosses on the others. Below, 40 cells over 31 steps: blue squares go down one cell with each column that is shown, green discs go down the same cells as the columns are said. At step 25 it reads cell 10 and says column 9, the first beyond what it learned with. Beside it what the cells hold then: rows of numbers in cells 2 to 16.",
  controls: {
    length: { type: "int", min: 1, max: MOST, default: 15, label: "columns" },
    pattern: {
      type: "text",
      maxLength: MOST,
      alphabet: "0123456789abcdef",
      default: "f990f9f0fa40c3c007a700f10f9f08f8",
      label: "pattern",
    },
    t: { type: "int", min: 1, max: 2 * MOST + 1, default: 25, label: "step" },
  },
};
