export const meta = {
  question: "How long is the first knock remembered?",
  story:
    "The network reads a knock, some giraffes and another knock. Each column is the state after one word, red for positive numbers and blue for negative ones. At the first giraffe, unit 1 passes the knock on to unit 2. Change the number of giraffes, and the weight of unit 2 on itself.",
  prediction: {
    question:
      "Set the weight to 1. From the second giraffe on, unit 2 multiplies its old value by 1 and takes the tanh. What happens to the first knock over ten giraffes?",
    kind: "choice",
    choices: [
      "it stays, because 1 times h is h",
      "it fades, but slowly",
      "the second giraffe erases it",
    ],
    answer: "it fades, but slowly",
    why: "The tanh of a number is a little closer to zero than the number itself. So from the second giraffe on, each one takes something away, less and less as the value becomes small.",
  },
  alt: "A grid with a column for each symbol that the network reads: the period, knock, three giraffes and knock. The first row shows unit 1, which is 1 at the two knocks and 0 elsewhere. The second row shows unit 2, which is −1 at the period and at the first knock, and 1 from the first giraffe on. Below it, bars show the prediction after the last knock: who? has probability 0.91, knock and the period have 0.05, and giraffe has almost none.",
  controls: {
    n: { type: "int", min: 0, max: 12, default: 3, label: "giraffes" },
    w: {
      type: "float",
      min: 0,
      max: 4,
      step: 0.1,
      default: 4,
      label: "weight on itself",
    },
  },
};
