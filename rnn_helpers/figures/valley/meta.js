const OF =
  "The curve is the loss of the network that reads “boats on water”, for each value of its weight W. ";

export const meta = {
  question: "Is the slope right?",
  story:
    OF +
    "The dashed line has the slope that BPTT found at W = 0.5. The solid line goes through two points of the curve. Drag a point, and compare the two slopes.",
  words: [
    {
      when: { view: "step" },
      question: "How far should W move?",
      story: `${OF}Each step subtracts the learning rate times the gradient. Choose a rate, and step.`,
    },
  ],
  prediction: {
    question:
      "With two sides and ε = 0.5, the slope is wrong by 0.15. How large is the error if ε is ten times smaller?",
    kind: "choice",
    choices: ["about 0.15", "about 0.015", "about 0.002"],
    answer: "about 0.002",
    why: "The error shrinks with the square of ε. A tenth of ε leaves about a hundredth of the error, here 0.0017. With one side, it leaves about a tenth, once ε is small.",
  },
  alt: "A chart of the loss over the weight W from −2.5 to 2.5. The curve is high on both sides and lowest near W = −0.1. At W = 0.5 the loss is 1.386. A dashed tangent there rises with slope 0.768, and a solid line through the points of the curve at W = 0 and W = 1 rises with slope 0.62.",
  controls: {
    view: {
      type: "choice",
      options: [
        { value: "check", label: "check the slope" },
        { value: "step", label: "take steps" },
      ],
      default: "check",
      fixed: true,
      label: "use",
    },
    eps: { type: "float", min: 0.001, max: 1, log: true, default: 0.5, label: "distance ε" },
    sides: {
      type: "choice",
      options: [
        { value: "two", label: "two sides" },
        { value: "one", label: "one side" },
      ],
      default: "two",
      label: "quotient",
    },
    eta: { type: "float", min: 0.03, max: 10, log: true, default: 0.1, label: "learning rate η" },
    steps: { type: "int", min: 0, max: 20, default: 0, label: "steps" },
  },
};
