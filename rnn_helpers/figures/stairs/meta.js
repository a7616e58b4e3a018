import { LONGEST } from "./math.js";

export const meta = {
  question: "In how many ways can you get to the top?",
  story:
    "Go up with the buttons, or click on a step. Each new way becomes a tile below, in the column of its number of jumps. The area of a tile is the product of the weights on the way: 0.5 for a single step and 0.4 for a jump.",
  words: [
    {
      when: { k: 30, d: 5 },
      question: "Which ways bring back most of the gradient?",
      story:
        "On this long staircase, too, each way up is a tile, whose area is the product of the weights on the way: 0.5 for a single step and 0.4 for a jump. Walk as many ways as you like, or count them all and select a column.",
    },
  ],
  prediction: {
    question:
      "Together, which ways up 30 steps bring back the most: the one with six jumps, or those with fewer?",
    kind: "choice",
    choices: ["6 jumps", "5 jumps, 5 single steps", "3 jumps, 15 single steps", "30 single steps"],
    answer: "5 jumps, 5 single steps",
    why: "Each of these ways has only a thirteenth of the weight of six jumps, but there are 252 of them.",
  },
  alt: "A staircase of four steps. A way up takes four single steps, drawn as small arcs from step to step. Below it is a chart with a column for ways without a jump, with one and with two. The column without a jump has one tile, as high as 0.0625. The other columns are still empty.",
  controls: {
    k: { type: "int", min: 3, max: LONGEST, default: 4, label: "steps" },
    d: { type: "int", min: 2, max: 6, default: 2, label: "length of a jump" },
    jumps: { type: "int", min: 0, max: LONGEST / 2, default: 0, label: "number of jumps" },
    all: { type: "bool", default: false, label: "count all ways" },
  },
};
