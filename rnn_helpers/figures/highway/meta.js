import { MEASURED, STEPS } from "./math.js";

export const meta = {
  question: "How far back does the gradient reach?",
  story:
    "Each line shows how large the gradient on a network’s state still is, further back to the right. It is the median of twenty networks with ten units, and the band contains all twenty LSTMs. At first all networks are new. Choose another forget bias for the LSTM, and compare its line with the dashed one, which is the direct path alone. You can also look at networks that have learned to hold a bit over ten steps, or at one new network of each kind.",
  prediction: {
    question:
      "With a forget bias of 0, the forget gates of a new LSTM are half open, and 50 steps back the median gradient has shrunk to 10⁻¹¹. How large is it with a bias of 3?",
    kind: "choice",
    choices: ["about 10⁻⁷", "about 0.1", "about 1"],
    answer: "about 0.1",
    why: "The median of the twenty is 0.11, about as much as the direct path alone leaves: σ(3)⁵⁰ = 0.953⁵⁰ = 0.09. All lie between 0.010 and 1.7.",
  },
  alt: "Size of the gradient on a logarithmic scale against distance from the last step, 0 to 60, as medians of twenty new networks of each kind. All lines fall. Fifty steps back, the medians are 10⁻¹¹ for an LSTM with a forget bias of 0 and for a GRU, 10⁻¹⁰ for a plain recurrent network, 0.022 for leaky units with α = 0.9, and 0.14 for an orthogonal recurrent network. A band around the LSTM’s line shows the range of all twenty, and a dashed line its direct path.",
  controls: {
    when: {
      type: "choice",
      options: [
        { value: "new", label: `${MEASURED.networks}, new` },
        { value: "trained", label: `${MEASURED.networks}, trained` },
        { value: "one", label: "one, new" },
      ],
      default: "new",
      label: "networks",
    },
    bias: { type: "float", min: -2, max: 6, step: 0.1, default: 0, label: "forget bias" },
    alpha: { type: "float", min: 0, max: 0.99, step: 0.01, default: 0.9, label: "leak α" },
    back: { type: "int", min: 1, max: STEPS, default: 50, label: "steps back" },
  },
};
