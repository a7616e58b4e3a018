import { PAIRS, PASSES } from "./math.js";

/** Angle and value of each pair. */
const FIRST = { 1: [20, 0.9], 2: [65, -0.6], 3: [155, 0.5] };

export const meta = {
  question: "What does the next pair overwrite?",
  story:
    "Keys are directions and values are single numbers, so the matrix memory is an arrow. The reading for a key is the length of the arrow along that key. If the arrow ends on the dotted line of a key, the key returns the right value. The sum adds each pair to the arrow, whatever the arrow is. The delta rule moves the arrow along the key by the error; if η is 1, the arrow then ends on the dotted line. Either write also changes the readings of close keys. Drag the keys and the values, and write the pairs one by one.",
  prediction: {
    question:
      "Pair 1 is written, and its key returns the right value, 0.90. Now the delta rule writes pair 2, whose key is 45 degrees away. Afterwards, key 2 returns exactly −0.60. What does key 1 return then?",
    kind: "choice",
    choices: ["still 0.90", "about 0.5", "about 0"],
    answer: "about 0",
    why: "Key 2 returned 0.64 before, so the error was −1.24. A share of 0.71 of this correction also lies along key 1: 0.90 − 0.87 = 0.03. By the sum, key 1 would return 0.48 and key 2 would return 0.04. Only keys at right angles don't affect each other, such as keys 2 and 3.",
  },
  alt: "A circle with three keys on it, at 20, 65 and 155 degrees, and an arrow along the first: the memory after the first pair. It ends on the dotted line of key 1. Beside it is a bar for each key: key 1 returns 0.90, the right value; key 2 returns 0.64 instead of −0.60; key 3 returns −0.64 instead of 0.50.",
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
