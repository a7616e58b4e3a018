export const meta = {
  question: "Does it still find the year?",
  story:
    "In training, the year was always the second of six words, or anywhere in sentences of 2 to 10 words if you choose that. " +
    "Drag the year to another position and see how many of 20 years a network still names.",
  words: [
    {
      when: { view: "three" },
      question: "Which of them still find the year?",
      story:
        "Three networks with the same training. A bar shows how many of 20 years a network names with the year at this position, and beside its name stands its output for the sentence above.",
    },
  ],
  prediction: {
    question:
      "Drag the year from the second position to the sixth. How many of the 20 years does this network name there?",
    kind: "choice",
    choices: ["all 20", "about half", "about one, as by guessing"],
    answer: "about one, as by guessing",
    why: "The weights of position 6 have never been multiplied by a year's 1, so training hasn't moved them. They are still the random numbers from the start.",
  },
  alt:
    "The sentence In 2009 I went to Nepal, with the year in position 2. A bar under the year shows that the network names 20 of 20 years there. " +
    "Under the other five words there is no bar yet. A dashed line marks guessing, 1 of 20.",
  controls: {
    place: { type: "int", min: 1, max: 12, default: 2, label: "position of the year" },
    words: { type: "int", min: 2, max: 12, default: 6, label: "words" },
    trained: {
      type: "choice",
      options: [
        { value: "second", label: "always the second of six words" },
        { value: "any", label: "anywhere, in 2 to 10 words" },
      ],
      default: "second",
      label: "year in training",
    },
    view: {
      type: "choice",
      options: [
        { value: "one", label: "one network" },
        { value: "three", label: "three networks" },
      ],
      default: "one",
      fixed: true,
      label: "view",
    },
  },
};
