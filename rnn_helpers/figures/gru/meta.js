import { LONGEST } from "./math.js";

export const meta = {
  question: "What does a GRU lose by having one gate for two jobs?",
  story:
    "Ones arrive among zeros. The LSTM’s unit has one gate that keeps and another that takes in. It opens both and adds up the ones. The GRU’s unit keeps the share u of its old state and takes in 1 − u of the new value, so each one that it takes in pushes out an earlier one.",
  prediction: {
    question:
      "Set u at steps 5 and 8 as you like. What is the largest sum that the GRU’s shares of the three ones can have at the end? The LSTM’s shares add up to nearly 3.",
    kind: "choice",
    choices: ["3", "2", "1"],
    answer: "1",
    why: "A step that takes in the share 1 − u removes the same share of the old state. With u = 0.5 and then 0.67, each of the three ones gets a third: a GRU can average the inputs that an LSTM adds up.",
  },
  alt: "Ten steps with the input 1 at steps 2, 5 and 8, and 0 elsewhere. The update gate u is near 0 where the input is 1, and near 1 elsewhere. The GRU’s state rises to 0.76 at step 2 and is 0.78 at the end; the LSTM’s climbs in three steps to 2.25. Of the three ones, the last state of the GRU holds the shares 0.00, 0.01 and 0.98; that of the LSTM holds 0.98, 0.99 and 0.99.",
  controls: {
    t: { type: "int", min: 1, max: LONGEST, default: 5, label: "step" },
    x: { type: "text", maxLength: LONGEST, alphabet: "01-", default: "0100100100", label: "x" },
    u: { type: "text", maxLength: 90, alphabet: "0123456789.: ", default: "", label: "u" },
    r: { type: "text", maxLength: 90, alphabet: "0123456789.: ", default: "", label: "r" },
  },
};
