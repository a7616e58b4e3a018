const few = (least, most) => Array.from({ length: most - least + 1 }, (_, i) => least + i);
const box = (label) => ({ type: "choice", options: few(0, 2), default: 0, label });

export const meta = {
  question: "Which of the three boxes should be deep?",
  story:
    "A recurrent network has three boxes: from the input to the state, from one state to the next, from the state to the output. Put hidden layers into any of them, put states above each other, let a connection skip what stands between two states. The drawing unfolds what you have built over five steps; choose an input below, and the shortest way from there to the last output stands out. The dots under the inputs are measured: how much of the last loss's gradient arrives at each, in random networks of this shape.",
  prediction: {
    question:
      "One state, no hidden layer: from the first of five inputs to the last output the way has 6 arrows. Now put one hidden layer between states. How many arrows?",
    kind: "choice",
    choices: ["6", "7", "10", "12"],
    answer: "10",
    why: "Into the state and out of it is an arrow each, as before. But each of the four steps from state to state now takes two arrows where it took one: 1 + 4 · 2 + 1. The way through time has doubled, and with it the number of factors that a gradient is multiplied by.",
  },
  alt: "Five columns, a step each: an input x, above it a state h, above it an output o; arrows lead from each state to the next. The way from the first input through five states to the last output stands out, 6 arrows. Below, on a logarithmic scale, a dot under each input: the gradient that arrives there, at the first about 3 % of what arrives at the last.",
  controls: {
    states: {
      type: "choice",
      options: few(1, 3),
      default: 1,
      label: "states",
    },
    input: box("layers from the input"),
    transition: box("between states"),
    output: box("to the output"),
    skip: { type: "bool", default: false, label: "skip connection" },
    start: { type: "int", min: 1, max: 5, default: 1, label: "from input" },
  },
};
