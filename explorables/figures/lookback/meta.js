import { UNITS } from "./math.js";

export const meta = {
  question: "What gets through so narrow a door?",
  story:
    "Eight units hand on what they heard: each has what the one above it had a step before, so that together they keep the last eight inputs. That takes connections between the units. In an output-recurrent network no connection leads from unit to unit. What is to last must leave through the outputs and come in again, and the first output has other work: it says the input of k steps ago. Drag the delay, and the width of the door.",
  prediction: {
    question:
      "The first output is to say what was heard three steps ago. All further outputs have random weights that nobody trains. How many outputs must there be in all until it is right at every step?",
    kind: "choice",
    choices: ["2", "4", "8"],
    answer: "8",
    why: "As many as there are units. Then the mixture can be undone, V is invertible, and with W V⁻¹ on the way back the states are those of the network with connected units, to fifteen digits; nobody has trained a single one of the seven. Four are enough if their targets are chosen by somebody who knows what is missing: the inputs of now, one, two and three steps ago.",
  },
  alt: "Eight units in a column, beside each a bar: the share of the input of 0 to 7 steps ago that can be read from the units. A door of one output leads back to them, which is to say the input of three steps ago. The bars are 1.00, then 0.00 seven times. Below, what the output says runs as a flat line beside the input of three steps ago, with a squared correlation of 0.00.",
  controls: {
    k: { type: "int", min: 0, max: UNITS - 1, default: 3, label: "delay k" },
    width: { type: "int", min: 1, max: UNITS, default: 1, label: "outputs" },
    others: {
      type: "choice",
      options: [
        { value: "random", label: "random" },
        { value: "state", label: "other inputs" },
      ],
      default: "random",
      label: "further outputs",
    },
  },
};
