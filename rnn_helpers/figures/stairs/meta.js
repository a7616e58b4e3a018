import { LONGEST } from "./math.js";

export const meta = {
  question: "Which ways bring back most of the gradient?",
  story:
    "Each way up is a tile, whose area is the product of the weights on the way: 0.5 for a single step and 0.4 for a jump. A column is as high as what its ways bring back together. Walk as many ways as you like, or count them all and select a column.",
  words: [
    {
      when: { k: 4, d: 2 },
      question: "In how many ways can you get to the top?",
      story:
        "Go up with the buttons, or click on a step. Each new way becomes a tile below, in the column of its number of jumps. The area of a tile is the product of the weights on the way: 0.5 for a single step and 0.4 for a jump. A column is as high as what its ways bring back together.",
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
  alt: "A staircase of 30 steps. A way up takes six jumps of five steps, drawn as arcs. Below it is a chart with a column for each number of jumps, from none to six. The column of six jumps has one tile, as high as 0.0041. The other columns are still empty.",
  controls: {
    k: { type: "int", min: 3, max: LONGEST, default: LONGEST, label: "steps" },
    d: { type: "int", min: 2, max: 6, default: 5, label: "length of a jump" },
    jumps: { type: "int", min: 0, max: LONGEST / 2, default: 6, label: "number of jumps" },
    all: { type: "bool", default: false, label: "count all ways" },
  },
};
