import { PAIRS, PASSES } from "./math.js";

/** Angle and value of each pair. */
const FIRST = { 1: [0, 4], 2: [60, 10], 3: [150, 2] };

export const meta = {
  question: "What does the next pair overwrite?",
  story:
    "Three appointments: the dentist's key is k₁, the doctor's k₂ and the barber's k₃. Keys are directions and values are hours, so the matrix memory is an arrow. The reading for a key is the length of the arrow along that key. If the arrow ends on the dotted line of a key, the key returns the right hour. The sum adds each pair to the arrow, whatever the arrow is. The delta rule moves the arrow along the key by the error. Write the pairs one by one, and drag the keys and the values.",
  prediction: {
    question:
      "Pair 1 is written, and its key returns the right hour, 4. Now the delta rule writes pair 2, whose key is 60 degrees away. Afterwards, key 2 returns exactly 10. What does key 1 return then?",
    kind: "choice",
    choices: ["still 4", "8", "14, which is 4 + 10"],
    answer: "8",
    why: "Key 2 returned 2 before, so the error was 8. Half of this correction also lies along key 1: 4 + 4 = 8. By the sum, key 1 would return 9 and key 2 would return 12. Only keys at right angles don't affect each other, such as keys 2 and 3.",
  },
  alt: "A circle with three keys on it, at 0, 60 and 150 degrees, and an arrow along the first: the memory after the first pair. It ends on the dotted line of key 1. Beside it is a bar for each key: key 1 returns 4.00, the right hour; key 2 returns 2.00 instead of 10.00; key 3 returns −3.46 instead of 2.00.",
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
    eta: { type: "float", min: 0, max: 2, step: 0.05, default: 1, label: "strength η" },
    ...Object.fromEntries(
      PAIRS.flatMap((i) => [
        [
          `a${i}`,
          { type: "int", min: 0, max: 359, default: FIRST[i][0], label: `angle of key ${i}` },
        ],
        [
          `v${i}`,
          {
            type: "float",
            min: -12,
            max: 12,
            step: 0.5,
            default: FIRST[i][1],
            label: `value ${i}`,
          },
        ],
      ]),
    ),
    t: { type: "int", min: 0, max: PASSES * PAIRS.length, default: 1, label: "pairs written" },
  },
};
