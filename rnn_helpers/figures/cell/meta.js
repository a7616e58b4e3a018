export const meta = {
  question: "Can one number count the ones in each sentence?",
  story:
    "A unit receives twelve inputs, which form two sentences of six; r starts the second one. The unit should hold 3 after the first sentence and 1 after the second. Move the slider, and follow the state and, below it, the gradient of the last state.",
  words: [
    {
      when: { stage: "forget" },
      question: "What changes if the cell can forget on purpose?",
      story:
        "The forget gate is 1 at each step except step 7, where the slider sets it. Close the gate, and follow the state and the gradient of the last state.",
    },
    {
      when: { stage: "input" },
      question: "How can a cell ignore noise?",
      story:
        "The cell input is 1 for each 1, and noise at the other steps. There the slider sets the input gate. The forget gate is 0 at step 7 and 1 elsewhere.",
    },
    {
      when: { stage: "output" },
      question: "What happens if a cell hides its state?",
      story:
        "The output gate is 1 at step 6. The slider sets it at step 12, and it is 0 elsewhere. Follow the output and its gradient: the state stays the same.",
    },
  ],
  prediction: {
    question:
      "With α = 0.99, the unit forgets almost nothing. Is its value larger after three 1s or after one?",
    kind: "choice",
    choices: ["after three", "equal", "after one"],
    answer: "after one",
    why: "It is 0.029 after the first sentence and 0.037 after the second. Most of the second value is left over from the first sentence, and the last 1 is added to it.",
  },
  alt: "Twelve steps with the inputs 1, 1, 1, 0, 0, 0, r, 0, 0, 0, 1, 0. A unit keeps 0.90 of its value at each step. Its state rises to 0.271 at step 3, is 0.198 at step 6, falls to 0.130 at step 10, rises at the 1 to 0.217 and ends at 0.195. The gradient of the last state falls from 1 at step 12 to 0.531 at step 6 and 0.314 at step 1.",
  controls: {
    stage: {
      type: "choice",
      options: ["leak", "forget", "input", "output"],
      default: "leak",
      fixed: true,
      label: "stage",
    },
    gate: { type: "float", min: 0, max: 1, step: 0.01, default: 0.9, label: "gate" },
  },
};
