import { UNITS } from "./math.js";

export const meta = {
  question: "How much of the past fits through the outputs?",
  story:
    "Eight units should hold the last eight inputs. But no unit is connected to another, so whatever they hold has to pass through the outputs and back, at every step. Left, the last eight inputs, red for positive numbers and blue for negative ones. Beside each stands as much of it as can still be read from the units. The first output should give the marked input, and its curve shows whether it does. Open more outputs, or mark another input.",
  prediction: {
    question:
      "The first output must give the input of three steps ago. All further outputs are random mixtures of the units. How many outputs does the network need?",
    kind: "choice",
    choices: ["2", "4", "8"],
    answer: "8",
    why: "As many as there are units: then the outputs determine all eight units, so the loop can do the work of the missing connections. Four outputs are enough if the others give the inputs of 0, 1 and 2 steps ago.",
  },
  alt: "Eight rows, one for each of the last eight inputs, colored red or blue. Beside each a second square shows what the units still hold: the present input, and nothing of the seven others. Of eight outputs, only the first is open, and a line leads from it back to the units. The row of three steps ago is marked. In a chart, the first output stays flat, and the input of three steps ago, which it should give, goes up and down.",
  controls: {
    k: { type: "int", min: 0, max: UNITS - 1, default: 3, label: "delay k" },
    width: { type: "int", min: 1, max: UNITS, default: 1, label: "outputs" },
    others: {
      type: "choice",
      options: [
        { value: "random", label: "random" },
        { value: "state", label: "earlier inputs" },
      ],
      default: "random",
      label: "further outputs",
    },
  },
};
