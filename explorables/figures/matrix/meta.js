import { PAIRS, PASSES } from "./math.js";

/** Angle and value of each pair. */
const FIRST = { 1: [20, 0.9], 2: [65, -0.6], 3: [155, 0.5] };

export const meta = {
  question: "What does the next pair overwrite?",
  story:
    "A memory that is one matrix. Keys are directions and values are numbers, so the matrix is a single arrow, and to read by a key is to see how far the arrow reaches along it. Wherever the arrow ends on a key's dotted line, its value is read as it should be. The sum adds every pair to the arrow, whatever is in it; the delta rule moves the arrow along the key by what is missing, straight onto the line if η is 1, and what other keys read moves with it. Drag the keys and the values, and write the pairs one by one.",
  prediction: {
    question:
      "Pair 1 is written, and its key reads 0.90, as it should. Now the delta rule writes pair 2, whose key is 45 degrees away: it will read −0.60, exactly. What will key 1 read then?",
    kind: "choice",
    choices: ["still 0.90", "about 0.5", "about 0"],
    answer: "about 0",
    why: "Key 2 read 0.64 before, so −1.24 was missing along it, and 0.71 of that is along key 1 as well: 0.90 − 0.87 = 0.03. The sum adds −0.60 and leaves key 1 with 0.48, and key 2 with 0.04. Only keys at right angles leave each other alone, as 2 and 3 do.",
  },
  alt: "A circle with three keys on it, at 20, 65 and 155 degrees, and an arrow along the first: the memory, after the first pair was written. It ends on the dotted line of key 1, where 0.90 is read. Beside it a bar for each key: key 1 reads 0.90 of 0.90, key 2 reads 0.64 where −0.60 is wanted, key 3 reads −0.64 where 0.50 is wanted.",
  controls: {
    rule: {
      type: "choice",
      options: [
        { value: "delta", label: "delta rule" },
        { value: "sum", label: "sum" },
      ],
      default: "delta",
      label: "write by",
    },
    eta: { type: "float", min: 0, max: 2, step: 0.05, default: 1, label: "step η" },
    ...Object.fromEntries(
      PAIRS.flatMap((i) => [
        [
          `a${i}`,
          { type: "int", min: 0, max: 359, default: FIRST[i][0], label: `angle of key ${i}` },
        ],
        [
          `v${i}`,
          { type: "float", min: -1, max: 1, step: 0.05, default: FIRST[i][1], label: `value ${i}` },
        ],
      ]),
    ),
    t: { type: "int", min: 0, max: PASSES * PAIRS.length, default: 1, label: "pairs written" },
  },
};
