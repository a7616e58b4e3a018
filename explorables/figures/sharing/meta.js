export const meta = {
  question: "Which weights see the year?",
  story:
    "Three small networks have learned to name the year in a sentence. Drag the year from place to place, and see which weights it meets.",
  prediction: {
    question:
      "In training, the year was always the second of six words. Asked for a year that is the sixth, which of the three networks can be relied on?",
    kind: "choice",
    choices: ["none", "the convolution", "convolution and RNN", "all three"],
    answer: "the convolution",
    why: "In the MLP, the weights for a sixth word have never met a year. The RNN's weights have, but its state has not: it learned what to do with a year after one word and before four. It does share, and from short sentences with the year anywhere it learns what holds at lengths it never saw.",
  },
  alt: "Three networks read In 2009 I went to Nepal, having learned from sentences of six words with the year second, as it is here. The MLP says 2009 with probability 1.00, the convolution says 2009 with probability 1.00, the RNN says 2009 with probability 1.00. The MLP's weights have met a year at place 2 alone, those of the convolution and of the RNN at every place. For six words they have 379, 199 and 95 numbers to learn.",
  // What the figure computes with, for its poster.
  controls: {
    sentence: {
      type: "text",
      maxLength: 120,
      default: "In 2009 I went to Nepal",
      label: "sentence",
    },
    trained: {
      type: "choice",
      options: [
        { value: "second", label: "second of 6 words" },
        { value: "short", label: "anywhere in 2 to 4" },
        { value: "any", label: "anywhere in 6" },
      ],
      default: "second",
      label: "year in training",
    },
  },
};
