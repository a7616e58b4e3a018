import { LONGEST, SYMBOLS } from "./math.js";

export const meta = {
  question: "What does a trained network do with its gates?",
  story:
    "At each step, a trained network with four units outputs the number of ones since the last reset r. Its answer is a weighted sum of the outputs of its units. Click a symbol to change it. Each network is the median of ten. Of the LSTMs, the ten close 30 of their 40 forget gates at a reset. In training, sequences had 20 steps, and one count in a hundred was above 11.",
  prediction: {
    question: "What is the LSTM’s answer after 24 ones without a reset?",
    kind: "choice",
    choices: ["24", "about 17", "about 0"],
    answer: "about 17",
    why: "Up to 11 ones, as in training, its answers are right to within 0.3. After that, its leaky states grow more and more slowly, and so does the answer. Outputs are bounded, so it can never exceed 22. The network learned to count as far as it was trained, and not much further.",
  },
  alt: "Twenty symbols, with resets at steps 8 and 17. The network’s answers lie on the count, which climbs to 5 at step 7, falls to 0 at step 8, climbs to 5, falls to 0 at step 17 and ends at 3. At step 7 the answer is the sum of 1.52, 1.36, 2.00 and 0.12 from the four units and 0.02 from the bias. The forget gates of all four units are between 0.74 and 0.94, and at the two resets between 0.10 and 0.19. The input gates change less; that of unit 3 opens at the resets, to 0.89.",
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
    t: { type: "int", min: 1, max: LONGEST, default: 7, label: "step" },
  },
};
