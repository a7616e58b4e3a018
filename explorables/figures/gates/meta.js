import { LONGEST, SYMBOLS } from "./math.js";

export const meta = {
  question: "What has the gate learned to do when the reset comes?",
  story:
    "A trained LSTM of four units says at each step how many ones there have been since the last reset r. Right answers are all that it was given; what its gates are for it has found by itself. At a reset its four forget gates shut. (It is the middle one of ten, which shut 30 of their 40.) Change a symbol and see. In training the sequences had 20 steps, and one count in a hundred was above 11.",
  prediction: {
    question: "Let there be 24 ones and no reset. What does the LSTM say at the end?",
    kind: "choice",
    choices: ["24", "about 17", "about 0"],
    answer: "about 17",
    why: "Up to 11, as many as it has practised, it is right to within 0.3. From there on its outputs, q tanh(s), come to their bounds one by one, and so does the answer. Being right on what it was trained for does not make it a counter.",
  },
  alt: "Twenty symbols, resets at steps 8 and 17. The network’s answers lie on the count, which climbs to 5, falls to 0 at step 8, climbs to 5, falls to 0 at step 17 and ends at 3. The forget gates of all four units are between 0.74 and 0.94, and at the two resets between 0.10 and 0.19. The input gates change less; that of unit 3 opens at the resets, to 0.89.",
  // What the figure computes with, for its poster.
  controls: {
    net: {
      type: "choice",
      options: [
        { value: "lstm", label: "LSTM" },
        { value: "gru", label: "GRU" },
      ],
      default: "lstm",
      label: "network",
    },
    unit: { type: "int", min: 1, max: 4, default: 3, label: "unit" },
    sequence: {
      type: "text",
      minLength: 1,
      maxLength: LONGEST,
      alphabet: SYMBOLS,
      default: "1101011r01110110r111",
      label: "sequence",
    },
    t: { type: "int", min: 1, max: LONGEST, default: 8, label: "step" },
  },
};
