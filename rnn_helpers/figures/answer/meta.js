const given = (type, label, fallback) => ({ type, label, default: fallback, fixed: true });

export const meta = {
  question: "What is your answer?",
  story: "Type your answer to an exercise and check it; a wrong one gets a hint.",
  alt: "A box that takes an answer to the exercise above and checks it.",
  // What the exercise expects comes with the state, from the registry of checks.
  controls: {
    exercise: given("text", "the exercise", "11-ways"),
    question: given("text", "the question, if the exercise above is not enough", ""),
    labels: given("json", "a label for each number", []),
    options: given("json", "what to choose from", []),
  },
};
