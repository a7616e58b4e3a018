import { MEASURED, STEPS } from "./math.js";

export const meta = {
  question: "How far back does the gradient reach?",
  story:
    "New networks of eight units read the same noise; each line is the size of the gradient on a network’s states, further back to the right. What a state keeps of itself at each step decides the slope: the LSTM’s forget bias tips its line from a steep fall to a gentle one. Dashed is what σ(bias) alone would leave: the ways through h add to it. That is one network of each kind. Then twenty networks of ten units, new, and trained to hold a bit over ten steps: wherever the LSTMs began, their lines come closer together, and all fall.",
  prediction: {
    question:
      "At a forget bias of 0 this LSTM’s gates are half open, and 50 steps back its gradient is down to 10⁻¹¹. What is it in the same network at a bias of 3?",
    kind: "choice",
    choices: ["10⁻⁷", "10⁻³", "about 1"],
    answer: "about 1",
    why: "1.4 in this network. σ(3) = 0.953; that alone would leave 0.953⁵⁰ = 0.09. The gradient also goes through h and the other gates, and here these ways make up for the rest. Not everywhere: of twenty other new networks the middle one has 0.11 left, and they lie between 0.010 and 1.7.",
  },
  alt: "Size of the gradient on a logarithmic scale against distance from the last step, 0 to 60. Fifty steps back it is 10⁻¹² for a plain recurrent network, 10⁻¹¹ for a GRU and for an LSTM with forget bias 0, 10⁻⁴ for an LSTM with forget bias 1, 0.024 for an orthogonal recurrent network, 0.031 for leaky units with α = 0.9, and 1.4 for an LSTM with forget bias 3.",
  // What the figure computes with, for its poster.
  controls: {
    when: {
      type: "choice",
      options: [
        { value: "one", label: "one, new" },
        { value: "new", label: `${MEASURED.networks}, new` },
        { value: "trained", label: `${MEASURED.networks}, trained` },
      ],
      default: "one",
      label: "networks",
    },
    bias: { type: "float", min: -2, max: 6, step: 0.1, default: 1, label: "forget bias" },
    alpha: { type: "float", min: 0, max: 0.99, step: 0.01, default: 0.9, label: "leak α" },
    back: { type: "int", min: 1, max: STEPS, default: 50, label: "steps back" },
  },
};
