const few = (least, most) => Array.from({ length: most - least + 1 }, (_, i) => least + i);
const layers = (label) => ({ type: "choice", options: few(0, 2), default: 0, label });

export const meta = {
  question: "How much longer does an extra layer make the path?",
  story:
    "In an unfolded recurrent network, the gradient travels along a path from the last output back to an early input. Add a hidden layer from the input, between states or to the output, and count the arrows on the shortest path. Click another input to start the path there.",
  words: [
    {
      when: { view: "all" },
      question: "How much of the gradient reaches each input?",
      story:
        "Stack recurrent layers, add hidden layers, or add skip connections, and count the arrows on the shortest path. The dots show how much of the last input's gradient reaches each input, averaged over random networks of this shape.",
    },
  ],
  prediction: {
    question:
      "In a network with one state per step and no extra layer, the path from the first of five inputs to the last output has 6 arrows. How many arrows does it have with one hidden layer between each state and the next?",
    kind: "choice",
    choices: ["6", "7", "10", "12"],
    answer: "10",
    why: "One arrow leads in and one leads out, as before. But each of the four steps from one state to the next now takes two arrows: 1 + 4 · 2 + 1 = 10.",
  },
  alt: "A recurrent network, unfolded over five steps from left to right. Each step is a column with an input x at the bottom, a state h above it and an output o on top. An arrow leads from each state to the next. The path from the first input through all five states to the last output stands out; it has 6 arrows.",
  controls: {
    states: {
      type: "choice",
      options: few(1, 3),
      default: 1,
      label: "layers of the stack",
    },
    input: layers("layers from the input"),
    transition: layers("layers between states"),
    output: layers("layers to the output"),
    skip: { type: "bool", default: false, label: "skip connection" },
    start: { type: "int", min: 1, max: 5, default: 1, label: "path from input" },
    view: {
      type: "choice",
      options: [
        { value: "one", label: "one layer" },
        { value: "all", label: "all controls" },
      ],
      default: "one",
      fixed: true,
      label: "view",
    },
  },
};
