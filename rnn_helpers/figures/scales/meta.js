import { LONGEST } from "./math.js";

export const meta = {
  question: "How much is left after many steps?",
  story:
    "Drag the dotted line to any number of steps back. The plot compares how much of a gradient, or of a value, is left from that step in the upper and in the lower unit.",
  words: [
    {
      when: { view: "one", kind: "skip", w: 0 },
      question: "From which steps does a path lead to the answer?",
      story:
        "In the upper network, only the skips are left, and the lower one has no connections through time at all. Drag the dotted line to the step at which the key is hidden.",
    },
    {
      when: { view: "one", kind: "skip" },
      question: "How much of a gradient is left many steps back?",
      story:
        "The upper network has a skip connection, and the lower one doesn't. Drag the dotted line to any number of steps back, and compare how much of a gradient is left there.",
    },
    {
      when: { view: "one", kind: "clock" },
      question: "How much of a gradient does a slower clock keep?",
      story:
        "The upper unit updates only once in each period, and the lower one at every step. Drag the dotted line to any number of steps back, and compare how much of a gradient is left there.",
    },
  ],
  prediction: {
    question: "A value arrived 10 steps ago. Which unit holds more of it now?",
    kind: "choice",
    choices: ["α = 0.99", "α = 0.9", "the same"],
    answer: "α = 0.9",
    why: "The unit with 0.9 took in a tenth of the value and kept 0.349 of that: 0.0349. The unit with 0.99 took in a hundredth and kept 0.904 of that: 0.00904.",
  },
  alt: "The last 40 steps of two leaky units, drawn as two unfolded chains, one above the other. Below them, a plot with a logarithmic axis shows the share of an earlier value that is in the state now, by steps back. With α = 0.99, the line starts at 0.01 and falls slowly. With α = 0.9, it starts at 0.1 and falls faster. The lines cross 24.2 steps back. At the marked 30 steps they are at 0.0074 and 0.00424. A dotted line shows the largest share that any α can give to a value of each age.",
  controls: {
    kind: {
      type: "choice",
      options: [
        { value: "leak", label: "leak" },
        { value: "skip", label: "skip" },
        { value: "clock", label: "clock" },
      ],
      default: "leak",
      label: "idea",
    },
    alpha: { type: "float", min: 0, max: 0.999, step: 0.001, default: 0.99, label: "α above" },
    other: { type: "float", min: 0, max: 0.999, step: 0.001, default: 0.9, label: "α below" },
    w: { type: "float", min: 0, max: 1.2, step: 0.05, default: 0.5, label: "weight w" },
    skip: { type: "float", min: 0, max: 1.2, step: 0.05, default: 0.4, label: "weight w_d" },
    d: { type: "int", min: 2, max: 12, default: 5, label: "skip length d" },
    p: { type: "int", min: 2, max: 16, default: 8, label: "period p" },
    back: { type: "int", min: 1, max: LONGEST, default: 30, label: "steps back" },
    span: {
      type: "choice",
      options: [
        { value: 40, label: "40" },
        { value: LONGEST, label: `${LONGEST}` },
      ],
      default: 40,
      label: "steps shown",
    },
    view: {
      type: "choice",
      options: [
        { value: "all", label: "everything" },
        { value: "one", label: "one kind" },
      ],
      default: "all",
      fixed: true,
      label: "view",
    },
  },
};
