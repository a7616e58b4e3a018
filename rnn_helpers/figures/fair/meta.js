import { RATES } from "./constants.json";
import { CHOICES } from "./math.js";

export const meta = {
  question: "Which way to clip finds the ravine most often?",
  story:
    "Each map is the landscape from above, with a cell for each of 400 starts. A cell is blue if the descent from it has found the ravine after 400 updates. The chart counts the blue cells. Raise the learning rate, and the curves grow.",
  prediction: {
    question:
      "At a learning rate of 0.1, steps clipped by element find the ravine about as seldom as steps that aren't clipped. Which way to clip will be the best if each of them has the learning rate that suits it?",
    kind: "choice",
    choices: ["by norm", "by element", "a random step", "there is hardly any difference"],
    answer: "there is hardly any difference",
    why: "At a rate of 1, all three bring nearly every start to the ravine. Without clipping, the best rate is 3, and one start in six is lost.",
  },
  alt:
    "Four small maps over weight and bias, each with 400 cells, at a learning rate of 0.1 and a threshold of 1. Without clipping, 147 cells are blue, which means that the descent finds the ravine. " +
    "By norm there are 284, by element 153, and with random steps 315. Below, a chart shows the counts as curves over the learning rate, drawn from 0.01 up to 0.1, with a handle at 0.1.",
  controls: {
    rate: {
      type: "int",
      min: 0,
      max: RATES.length - 1,
      default: RATES.indexOf(0.1),
      label: "learning rate",
    },
    v: {
      type: "choice",
      options: CHOICES.toReversed().map((v) => ({ value: v, label: v })),
      default: "1",
      label: "threshold v",
    },
  },
};
