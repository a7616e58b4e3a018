import { LONGEST } from "./math.js";

export const meta = {
  question: "One gate for two jobs: what is lost?",
  story:
    "Three ones come in. The LSTM’s unit has one gate to keep and another to take in, opens both, and adds the ones up. The GRU’s unit keeps u of the old and takes in 1 − u of the new: each one that it takes in pushes out the one before.",
  prediction: {
    question:
      "Set u at steps 5 and 8 as you like. What is the most that the GRU’s shares of the three ones can add up to at the end? The LSTM’s come to nearly 3.",
    kind: "choice",
    choices: ["3", "2", "1"],
    answer: "1",
    why: "What a step takes in, 1 − u, it has thrown away of the old. With u = 0.5 and then 0.67 the three ones get a third each: a GRU can average what an LSTM adds.",
  },
  alt: "Ten steps with the input 1 at steps 2, 5 and 8, and 0 elsewhere. The update gate u is near 1, and near 0 where the input is 1. The GRU’s state rises to 0.76 at step 2 and is 0.78 at the end; the LSTM’s climbs in three stairs to 2.25. Of the three ones, the last state of the GRU holds the shares 0.00, 0.01 and 0.98; that of the LSTM 0.98, 0.99 and 0.99.",
  // What the figure computes with, for its poster and for chapters that use the same unit.
  controls: {
    form: {
      type: "choice",
      options: [
        { value: "before", label: "reset before" },
        { value: "after", label: "reset after" },
      ],
      default: "before",
      label: "equations",
    },
    t: { type: "int", min: 1, max: LONGEST, default: 5, label: "step" },
    x: { type: "text", maxLength: LONGEST, alphabet: "01-", default: "0100100100", label: "x" },
    u: { type: "text", maxLength: 90, alphabet: "0123456789.: ", default: "", label: "u" },
    r: { type: "text", maxLength: 90, alphabet: "0123456789.: ", default: "", label: "r" },
  },
};
