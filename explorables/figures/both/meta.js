import { LONGEST } from "./math.js";

export const meta = {
  question: "How long must one wait before the first answer?",
  story:
    "At every tick one input arrives. Choose an output, and all that it hears stands out, with the ways on which it hears it. A network that reads one way hears what came before, and may answer some ticks late; a convolution hears a window; a network that reads both ways hears everything, since its second sweep comes from the end. Above each output stands the tick at which it can be given, if computing takes no time.",
  prediction: {
    question:
      "Eight inputs, one a tick. The network that reads both ways hears all eight at every output. At which tick can it give its first answer?",
    kind: "choice",
    choices: ["tick 1", "tick 4", "tick 8", "tick 16"],
    answer: "tick 8",
    why: "The sweep from the end cannot start before the end is there. Then all answers can be given, the first as well as the last. Who waits two ticks has its first answer at tick 3, and hears two inputs of what is ahead.",
  },
  alt: "Eight inputs, a state above each, an output above each state; arrows lead from state to state, from left to right. The fourth output is chosen: it hears the first four inputs, and can be given at tick 4. The first can be given at tick 1.",
  controls: {
    listener: {
      type: "choice",
      options: [
        { value: "one", label: "one way" },
        { value: "window", label: "a window" },
        { value: "both", label: "both ways" },
      ],
      default: "one",
      label: "it hears",
    },
    wait: { type: "int", min: 0, max: 4, default: 0, label: "ticks it waits" },
    width: { type: "choice", options: [1, 3, 5, 7], default: 3, label: "width of the window" },
    steps: { type: "int", min: 3, max: LONGEST, default: 8, label: "inputs" },
    at: { type: "int", min: 1, max: LONGEST, default: 4, label: "output" },
  },
};
