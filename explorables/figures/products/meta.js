export const meta = {
  question: "How large is a typical product of random weights?",
  story:
    "Multiply random weights of mean square v, each drawn anew. The mean square of n of them is exactly vⁿ, and yet nearly every product is far smaller: a few that are too rare to meet carry the mean. In wide layers the typical length comes near it: width, not variance alone, keeps a signal alive.",
  prediction: {
    question:
      "Take layers 100 units wide instead of single weights, scaled so that the mean square length stays 1 as before. How long is a state typically after 100 of them?",
    kind: "choice",
    choices: ["about 10⁻²⁸, as before", "about 0.6", "exactly 1"],
    answer: "about 0.6",
    why: "A layer's factor is a mean over its 100 units, and hardly varies. The logarithm of the length drifts by about −1/(2N) a layer: −0.5 in all, where single weights lose 63.5.",
  },
  alt: "Sizes of products of independent random weights of mean square 1, on a logarithmic axis. The true root mean square stays at 1. The median of 1000 products falls in a straight line to 3.0·10⁻²⁸ after 100 factors; their own root mean square, 6.1·10⁻¹⁵, lies far below the true one, which none of them reaches.",
  // How many products of each kind the figure draws at random, for its poster.
  controls: {
    kind: {
      type: "choice",
      options: [
        {
          value: "same",
          label: "one w, repeated",
          hint: "Each line repeats one weight: straight down if |w| < 1, straight up if larger.",
        },
        { value: "1", label: "a new w each", hint: "Each line draws a new weight at every step." },
        ...[2, 10, 100].map((N) => ({
          value: String(N),
          label: `width ${N}`,
          hint: `Lengths of states through new ${N} × ${N} layers whose weights have mean square v/${N}.`,
        })),
      ],
      default: "1",
      label: "factors",
    },
    v: {
      type: "float",
      min: 0.5,
      max: 4,
      default: 1,
      step: 0.01,
      label: "mean square v",
      log: true,
    },
    n: { type: "int", min: 10, max: 200, default: 100, step: 10, label: "n" },
    seed: { type: "int", min: 0, max: 99, default: 1, label: "sample" },
  },
};
