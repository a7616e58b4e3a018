const given = (type, label, fallback = null) => ({ type, label, default: fallback, fixed: true });

export const meta = {
  question: "How many networks hold a bit over 50 steps?",
  story: "Each row is what an experiment measured, with its interval.",
  alt: "The results of an experiment, as rows with intervals.",
  // The default is a working example; `experiments.show` brings its own.
  controls: {
    question: given(
      "text",
      "the question that the numbers answer",
      "How many networks hold a bit over 50 steps?",
    ),
    measure: given("text", "what was measured", "networks that learn"),
    unit: given("text", "the words after a number", "networks learn"),
    spread: given("text", "what the bounds are", "95 % interval"),
    share: given("bool", "whether numbers are shares", true),
    rows: given("json", "estimates by category", [
      { label: "simple RNN", value: 0, low: 0, high: 0.142, count: [0, 24] },
      { label: "leaky, α = 0.9", value: 0.9167, low: 0.73, high: 0.9897, count: [22, 24] },
    ]),
    panels: given("json", "estimates over x: panels of lines of points", []),
    x: given("text", "the quantity on the horizontal axis", ""),
    dots: given("text", "what a dot is, if there are dots instead of lines", ""),
    log: given("text", "logarithmic axes: x, y or xy", ""),
    limits: given("json", "ends of the axis of the estimates, if data lies beyond"),
    marks: given("json", "values to compare with, and their names", []),
    ask: given("json", "what the reader guesses: the question, labels, and x of a line"),
  },
};
