import { LENGTH, PUSH, SINCE } from "./math.js";

export const meta = {
  question: "How long does it stay on its path?",
  story:
    "Three networks of twenty units have learned to say what comes next of the same wave. What they were fed as they learned differs: the truth at every step; their own last output; or at first the one and, more and more often, the other. Through what was their own the gradient went back. Here all are fed the truth for a while, and then hear themselves alone. Drag the moment at which the truth is taken away, and push the first word that is their own.",
  prediction: {
    question:
      "Told the truth, the three networks are off by 0.004, 0.007 and 0.027. After step 46 it is taken away. Which of them is farthest off 276 steps later?",
    kind: "choice",
    choices: ["the one fed the truth", "the one fed a mixture", "the one fed its own words"],
    answer: "the one fed the truth",
    why: "It was the best as long as it was told, and is then off by 1.3, as much as the wave is high; the others are off by 0.010 and 0.047. A small error leads to an input that it never learned on, and so to a larger one: on the scale of powers of ten the error climbs along a line. It is the middle one of five; two of them stay within 0.03. The one fed its own words pays with the largest error when told. Push the first word by 0.3: of the three it alone forgives that.",
  },
  alt: "Three strips, one for each network: fed the truth, fed a mixture, fed its own words. In each a wave of period 23 over 322 steps, and what the network says of its first 46 steps, all told the truth: after 23 of them it lies on the wave. Below, the errors on a scale of powers of ten: they fall to 0.004, 0.008 and 0.026. From step 46 on nothing is drawn yet.",
  controls: {
    t: { type: "int", min: 1, max: LENGTH, default: 46, label: "step" },
    since: { type: "int", min: SINCE[0], max: SINCE[1], default: 46, label: "truth until step" },
    push: { type: "float", min: -PUSH, max: PUSH, step: 0.05, default: 0, label: "push" },
    seed: { type: "int", min: 0, max: 99, default: 4, label: "phase" },
  },
};
