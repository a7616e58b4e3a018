export const meta = {
  question: "What does each word cost?",
  story:
    "A small network reads a sentence and predicts each next word. The bill shows the probability p that it gave to the word that came, and the loss −ln p of this step. Step on, or write another sentence with the keys. Select any number in the drawing to see how it was computed.",
  prediction: {
    question:
      "Write knock knock giraffe. The network doesn’t expect the giraffe, so it is expensive. What about the period that follows it?",
    kind: "choice",
    choices: ["it is expensive, too", "it costs as much as after who?", "it costs nothing"],
    answer: "it costs as much as after who?",
    why: "The giraffe costs about 7. But who? and giraffe have the same input weights, all of them 0, so both lead to the same state and to the same next prediction.",
  },
  alt: "On the left, one step of a small recurrent network, from bottom to top: four inputs and the two entries of the old state, two sums, the two entries of the new state, four logits, four probabilities, and the loss. At step 1, the input is the period, and the old state is zero. The new state is 0 and −1.000, and the most likely next word is knock, with probability 0.842. On the right, the bill of the sentence knock knock who? and a period: knock costs 0.172, and the other three lines are still empty. Below it, the loss is computed from the probability.",
  controls: {
    text: { type: "text", maxLength: 64, default: "knock knock who?", label: "sentence" },
    t: { type: "int", min: 1, max: 8, default: 1, label: "step" },
    node: {
      type: "choice",
      options: [
        "a1",
        "a2",
        "h1",
        "h2",
        ...["o", "y"].flatMap((kind) => [1, 2, 3, 4].map((i) => kind + i)),
        "L1",
      ],
      default: "L1",
      label: "number",
    },
    squash: {
      type: "choice",
      options: [
        { value: "tanh", label: "tanh" },
        { value: "sigmoid", label: "sigmoid" },
      ],
      default: "tanh",
      label: "activation",
    },
  },
};
