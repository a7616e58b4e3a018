import { BACK, STEPS } from "./constants.json";

const few = (least, most) => Array.from({ length: most - least + 1 }, (_, i) => least + i);
const layers = (label) => ({ type: "choice", options: few(0, 2), default: 0, label });

export const meta = {
  question: "How much longer does an extra layer make the path?",
  story:
    "In an unfolded recurrent network, the gradient travels along a path from the last output back to an early input. Add a hidden layer after the input, between the states or before the output, and count the arrows on the shortest path. Click another input to start the path there.",
  words: [
    {
      when: { view: "all" },
      question: "How much of the gradient is left, many steps back?",
      story:
        "Choose where to add a layer, and how the matrices are initialized. Above, you see the design over five steps, with its shortest path. Below, the solid line shows how long the gradient is at earlier inputs, compared with its length at the last one. The dashed line belongs to a shallow network with the same initialization. Drag the handle, or use the slider, to read the lengths.",
      prediction: {
        question:
          "With the small start, both lines fall. Now make the matrices between the states orthogonal. Where will the solid line, with a layer between the states, end after 50 steps?",
        kind: "choice",
        choices: [
          "where it ends now",
          "about halfway up",
          "near the top, close to the dashed line",
        ],
        answer: "near the top, close to the dashed line",
        why: "The path is as long as before, but an orthogonal matrix doesn't shorten the gradient. Only the slopes of tanh still do, and there are twice as many of them with the layer.",
      },
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
    input: layers("layers after the input"),
    transition: layers("layers between the states"),
    output: layers("layers before the output"),
    skip: { type: "bool", default: false, label: "skip connection" },
    init: {
      type: "choice",
      options: [
        { value: "small", label: "small start" },
        { value: "orthogonal", label: "orthogonal start" },
      ],
      default: "small",
      label: "initialization",
    },
    back: { type: "int", min: 1, max: BACK, default: BACK, label: "steps back" },
    start: { type: "int", min: 1, max: STEPS, default: 1, label: "path from input" },
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
