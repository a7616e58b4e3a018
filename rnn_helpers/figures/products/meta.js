export const meta = {
  question: "How large is a typical product of random weights?",
  story:
    "Multiply n random weights with mean square v. The mean square of the product is exactly vⁿ, but nearly every product is far smaller: the mean comes from a few huge products that are too rare to observe. In wide layers, the typical length is close to the root mean square. So it takes width as well as the right variance to keep a signal alive.",
  prediction: {
    question:
      "Now use layers of 100 units instead of single weights, scaled so that the mean square length of a state is still 1. How long is a typical state after 100 such layers?",
    kind: "choice",
    choices: ["about 10⁻²⁸, as before", "about 0.6", "exactly 1"],
    answer: "about 0.6",
    why: "A layer's factor is a mean over its 100 units, so it barely varies. The logarithm of the length changes by about −1/(2N) per layer, or −0.5 in total. With single weights, it changes by −63.5.",
  },
  alt: "Sizes of products of independent random weights with mean square 1, on a logarithmic axis. The true root mean square stays at 1. The median of 1,000 products falls in a straight line to 3.0·10⁻²⁸ after 100 factors. The root mean square of these products is 6.1·10⁻¹⁵, far below the true one, and none of them reaches 1.",
  controls: {
    kind: {
      type: "choice",
      options: [
        {
          value: "same",
          label: "one w, repeated",
          hint: "Each line repeats one weight. It falls if |w| < 1 and rises if |w| > 1.",
        },
        {
          value: "1",
          label: "a new w each step",
          hint: "Each line draws a new weight at every step.",
        },
        ...[2, 10, 100].map((N) => ({
          value: String(N),
          label: `width ${N}`,
          hint: `Each line shows the length of a state behind new ${N} × ${N} layers whose weights have mean square v/${N}.`,
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
