import { MEASURED, STEPS } from "./math.js";

export const meta = {
  question: "How far back does the gradient reach?",
  story:
    "At first all networks are new, have eight units and receive the same noise. Each line shows how large the gradient on a network’s state still is, further back to the right. A larger forget bias makes the LSTM’s line less steep. The dashed line is the direct path alone, σ(bias) at each step; the paths through h add to it. Instead of one network of each kind, you can show twenty networks of ten units, new, or trained to hold a bit over ten steps. In training, the LSTMs change: their lines come closer together, and all fall.",
  prediction: {
    question:
      "With a forget bias of 0, this LSTM’s forget gates are half open, and 50 steps back its gradient has shrunk to 10⁻¹¹. How large is it in a typical new LSTM with a bias of 3?",
    kind: "choice",
    choices: ["about 10⁻⁷", "about 0.1", "about 1"],
    answer: "about 0.1",
    why: "Of twenty new ones, the median has 0.11 left, about as much as the direct path alone: σ(3)⁵⁰ = 0.953⁵⁰ = 0.09. All lie between 0.010 and 1.7. The network shown is an exception: it has 1.4 left, because its paths through h and the other gates make up for the rest.",
  },
  alt: "Size of the gradient on a logarithmic scale against distance from the last step, 0 to 60. Fifty steps back it is 10⁻¹² for a plain recurrent network, 10⁻¹¹ for a GRU and for an LSTM with forget bias 0, 10⁻⁴ for an LSTM with forget bias 1, 0.024 for an orthogonal recurrent network, 0.031 for leaky units with α = 0.9, and 1.4 for an LSTM with forget bias 3.",
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
