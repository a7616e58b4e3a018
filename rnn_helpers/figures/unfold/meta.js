export const meta = {
  question: "What grows when the sentence gets longer?",
  story:
    "Unfolding draws the loop once for each word. Drag the dashed line to lengthen the sentence, and " +
    "compare the two counts. Point at a letter, or tap it, to see every place where it is used.",
  words: [
    {
      when: { view: "tea" },
      question: "How warm is the tea after each step?",
      story:
        "Each step takes ten minutes. The square below a state is the temperature of the room. Drag the " +
        "dashed line to carry the cup on through the house. Point at U or W, or tap it, to see every " +
        "place where it is used.",
    },
  ],
  prediction: {
    question:
      "Suppose that a sentence of four words grows to eight. How many weight matrices does the network have then?",
    kind: "choice",
    choices: ["one for each arrow", "as many as before", "one more for each new word"],
    answer: "as many as before",
    why: "Every step uses the same matrices. Unfolding copies nodes and arrows, but each matrix is stored once.",
  },
  alt:
    "Left, a circuit: the input x feeds the state h through U, h feeds itself through W and a delay of " +
    "one step, h feeds the output o through V, and o and the target y feed the loss L. Right, the same " +
    "circuit unfolded over four steps: an initial state and four columns of x, h, o, L and y. Every " +
    "column uses the same U, W and V.",
  controls: {
    T: { type: "int", min: 1, max: 12, default: 4, label: "steps T" },
    pattern: {
      type: "choice",
      options: [
        { value: "10.2", label: "none", hint: "each step has a state, but no output" },
        {
          value: "10.3",
          label: "each step",
          hint: "the state feeds the next state, and each step has an output",
        },
        { value: "10.4", label: "fed back", hint: "only the output feeds the next state" },
        {
          value: "10.5",
          label: "at the end",
          hint: "the state feeds the next state, and the last step has an output",
        },
      ],
      default: "10.3",
      label: "output",
    },
    circuit: { type: "json", default: null, fixed: true, label: "a circuit of your own" },
    words: {
      type: "text",
      maxLength: 200,
      default: "we read a word keep a note and read the next one",
      fixed: true,
      label: "the sentence",
    },
    view: {
      type: "choice",
      options: [
        { value: "words", label: "a sentence" },
        { value: "tea", label: "a cup of tea" },
      ],
      default: "words",
      fixed: true,
      label: "inputs",
    },
  },
};
