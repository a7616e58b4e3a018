import { UNITS } from "./math.js";

export const meta = {
  question: "How much of the past fits through the outputs?",
  story:
    "Eight units pass on their inputs, one unit per step, so together they hold the last eight inputs. But here no unit is connected to another: everything must go through the outputs and back. The first output has to give the input of k steps ago. The bars show how much of each input can be read from the units, and the outlines in the matrix mark the connections that the loop should replace. Change the delay and the number of outputs.",
  prediction: {
    question:
      "The first output must give the input of three steps ago. The weights of all further outputs are random. How many outputs does the network need?",
    kind: "choice",
    choices: ["2", "4", "8"],
    answer: "8",
    why: "As many as there are units. Then V is invertible, and with R = W V⁻¹ the states are those of the network with connected units, up to rounding. Four outputs are enough if the others give the inputs of 0, 1 and 2 steps ago.",
  },
  alt: "Eight units in a column. Beside each, a bar shows how much of the input of 0 to 7 steps ago can be read from the units: 1.00, and then 0.00 seven times. One output leads back to the units. Below, it stays flat beside the input of three steps ago, which it should give; the squared correlation is 0.00.",
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
