export const meta = {
  question: "Which words does an update of W depend on?",
  story:
    "An untrained network reads the sentence and predicts the next word. The line is the gradient on its way back from “hall”, and the dashed line is what the weights alone would leave. Below, each bar is a word's own term of the gradient of W. Change the size of W, and then the size of the inputs.",
  prediction: {
    question:
      "With W at size 1, the weights don't shrink the gradient at all. Now make the inputs larger, 1 instead of 0.03. How much of the gradient is left at “keys”?",
    kind: "choice",
    choices: [
      "all of it, because inputs are added and multiply nothing",
      "about a tenth",
      "more than at the end",
    ],
    answer: "about a tenth",
    why: "Large inputs push the states toward ±1, where tanh is flat. On average, the slopes are only about 0.6 now, and each step back multiplies the gradient by such slopes.",
  },
  alt: "The sentence “The keys to the old cabinet in the hall”, and two charts above it. In the first, on a logarithmic axis, the gradient is 1 at “hall” and falls evenly to the left, to 0.02 at “keys”. A dashed line for the weights alone lies just above it. In the second, the bar of “hall” has height 1, the bars become smaller to the left, and that of “keys” is only 0.02 high.",
  controls: {
    w: { type: "float", min: 0.4, max: 2.3, step: 0.01, default: 0.58, label: "size of W" },
    input: {
      type: "choice",
      options: ["0.03", "0.1", "0.3", "1"].map((value) => ({ value, label: value })),
      default: "0.03",
      label: "size of the inputs",
    },
  },
};
