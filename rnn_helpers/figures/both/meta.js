import { LONGEST } from "./math.js";

export const meta = {
  question: "When can the first output be computed?",
  story:
    "One input arrives per tick, and computing takes no time. Choose an output: the inputs that it depends on stand out, with the arrows that lead from them to the output. The number above each output is the tick at which it can be computed. A one-way network may have a delay, a convolution reads a window around each step, and a bidirectional network reads from both ends.",
  words: [
    {
      when: { view: "masks" },
      question: "Which letters does each output depend on in BERT and in GPT?",
      story:
        "A layer of attention connects outputs and inputs directly, and its mask says which ones. In the grid, each row belongs to an output, and a filled square marks a letter that this output may use. GPT's mask leaves out all later letters. BERT's mask leaves out none. Choose an output, and its arrows and its row stand out.",
    },
  ],
  prediction: {
    question:
      "There are eight inputs. At which tick can a bidirectional network compute its first output?",
    kind: "choice",
    choices: ["tick 1", "tick 4", "tick 8", "tick 16"],
    answer: "tick 8",
    why: "The first output needs the backward state at step 1, and the backward network starts at input 8. Computing takes no time, so all outputs are available as soon as input 8 has arrived. A one-way network with a delay of two has its first output at tick 3, and that output depends on two later inputs.",
  },
  alt: "Eight inputs in a row at the bottom, one per tick, with a state above each input and an output above each state. Arrows lead from state to state, from left to right. Output 4 is selected. It depends on inputs 1 to 4, which stand out, and is available at tick 4. Output 1 is available at tick 1.",
  controls: {
    listener: {
      type: "choice",
      options: [
        { value: "one", label: "one-way" },
        { value: "window", label: "convolution" },
        { value: "both", label: "bidirectional" },
      ],
      default: "one",
      label: "network",
    },
    wait: { type: "int", min: 0, max: 4, default: 0, label: "delay" },
    width: { type: "choice", options: [1, 3, 5, 7], default: 3, label: "width of the window" },
    steps: { type: "int", min: 3, max: LONGEST, default: 8, label: "inputs" },
    at: { type: "int", min: 1, max: LONGEST, default: 4, label: "output" },
    view: {
      type: "choice",
      options: [
        { value: "ticks", label: "ticks" },
        { value: "masks", label: "masks" },
      ],
      default: "ticks",
      fixed: true,
      label: "view",
    },
  },
};
