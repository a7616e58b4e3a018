const given = (type, label, fallback = null) => ({ type, label, default: fallback, fixed: true });

export const meta = {
  question: "What do you expect?",
  story: "Make a guess first. You will remember the answer better if it surprises you.",
  alt: "A question to answer before reading on.",
  // The default is a working example; `show("predict", …)` brings its own.
  controls: {
    question: given(
      "text",
      "the question",
      "A sentence doubles from four words to eight. How many weight matrices does the unfolded network have then?",
    ),
    kind: { ...given("choice", "how to guess", "choice"), options: ["choice", "number", "drag"] },
    choices: given("json", "what to choose from", [
      "twice as many",
      "as many as before",
      "four more",
    ]),
    answer: given("json", "the answer", "as many as before"),
    why: given(
      "text",
      "why",
      "Every step uses the same matrices again. Unfolding copies the drawing, not the parameters.",
    ),
    min: given("json", "left end of the number line"),
    max: given("json", "right end of the number line"),
    log: given("bool", "whether the number line is logarithmic", false),
    unit: given("text", "unit of the number", ""),
  },
};
