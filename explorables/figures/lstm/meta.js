import { STEPS } from "./math.js";

export const meta = {
  question: "Who decides what is remembered?",
  story:
    "At step 2 the input gate opens, and the value goes into the state. The forget gate stays near 1 and carries it through five steps of noise; at step 8 the output gate lets it out. The gradient goes back the same way, multiplied at each step by the forget gate: shut that gate once, and memory and gradient end there together.",
  prediction: {
    question:
      "You shut the forget gate at step 5 and leave the five others on the way open. How much of the gradient that starts at step 8 still arrives at step 2?",
    kind: "choice",
    choices: ["about five sixths", "about half", "next to nothing"],
    answer: "next to nothing",
    why: "The gradient is multiplied by one forget gate a step, and a product with one factor 0 is 0. What still gets by goes through h and the other gates: less than a thousandth. The value is gone too, for the same reason. Reset, or another cell, opens the gate again.",
  },
  alt: "Eight steps of one LSTM cell. The value 0.80 comes in at step 2, where the input gate is open at 0.98; it is shut at all other steps. The forget gate is at 0.98 or more from step 3 on, and the state stays between 0.75 and 0.81. The output gate opens at step 8 alone, where the output is 0.62. The gradient of that output on the state goes back almost unchanged, from 0.59 at step 8 to 0.54 at step 2.",
  // What the figure computes, for its poster and for chapters that use the same cell.
  controls: {
    cell: {
      type: "choice",
      options: [
        { value: "leaky", label: "leaky" },
        { value: "forget", label: "+ forget" },
        { value: "input", label: "+ input" },
        { value: "output", label: "+ output" },
        { value: "peepholes", label: "+ peepholes" },
      ],
      default: "output",
      label: "cell",
    },
    value: { type: "float", min: -1, max: 1, step: 0.05, default: 0.8, label: "value" },
    t: { type: "int", min: 1, max: STEPS, default: 5, label: "step" },
    held: {
      type: "text",
      maxLength: 200,
      alphabet: "fgq0123456789.:,",
      default: "",
      label: "gates held",
    },
  },
};
