import { STEPS } from "./math.js";

export const meta = {
  question: "How does an LSTM keep one number through noise?",
  story:
    "At step 2 the input gate opens, and the value enters the state. While the forget gate stays near 1, it carries the value through the noise. At step 8 the output gate opens. You can hold any gate at another value by dragging it. The gradient returns along the same path, and each step multiplies it by a forget gate.",
  prediction: {
    question:
      "You close the forget gate at step 5 and leave it open at the five other steps on the way. How much of the gradient at step 8 still arrives at step 2?",
    kind: "choice",
    choices: ["about five sixths", "about half", "next to nothing"],
    answer: "next to nothing",
    why: "Each step multiplies the gradient by one forget gate, and a product with a factor of 0 is 0. Only the paths through h and the other gates are left, and they pass on less than a thousandth. The value is gone for the same reason. Reset opens the gate again.",
  },
  alt: "Eight steps of one LSTM cell. The value 0.80 enters at step 2, where the input gate is open at 0.98; it is closed at all other steps. The forget gate is at 0.98 or more from step 3 on, and the state stays between 0.75 and 0.81. The output gate opens only at step 8, where the output is 0.62. The gradient of that output on the state goes back almost unchanged, from 0.59 at step 8 to 0.54 at step 2.",
  controls: {
    cell: { type: "choice", options: ["output", "peepholes"], default: "output", label: "cell" },
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
