import { LONGEST } from "./math.js";

export const meta = {
  question: "Which paths bring back most of the gradient?",
  story:
    "Each path up is a tile. The tile's area is the product of the weights on the path: 0.5 for a single step and 0.4 for a jump. The height of a column shows how much of the gradient its paths bring back. Walk up on different paths, or count them all and select a column.",
  words: [
    {
      when: { k: 4, d: 2 },
      question: "In how many ways can you get to the top?",
      story:
        "Go up with the buttons, or click on a step. Each new path becomes a tile below, in the column of its number of jumps. The tile's area is the product of the weights on the path: 0.5 for a single step and 0.4 for a jump. The height of a column shows how much of the gradient its paths bring back.",
    },
  ],
  prediction: {
    question:
      "There is one path up 30 steps with six jumps, and there are many with fewer. Which paths bring back the most together?",
    kind: "choice",
    choices: ["6 jumps", "5 jumps, 5 single steps", "3 jumps, 15 single steps", "30 single steps"],
    answer: "5 jumps, 5 single steps",
    why: "Each of these paths brings back only a thirteenth of what six jumps bring back, but there are 252 of them.",
  },
  alt: "A staircase of 30 steps. A path leads up in six jumps of five steps, drawn as arcs. Below it is a chart with a column for each number of jumps, from none to six. The column of six jumps has one tile, as high as 0.0041. The other columns are still empty.",
  controls: {
    k: { type: "int", min: 3, max: LONGEST, default: LONGEST, label: "steps" },
    d: { type: "int", min: 2, max: 6, default: 5, label: "length of a jump" },
    jumps: { type: "int", min: 0, max: LONGEST / 2, default: 6, label: "number of jumps" },
    all: { type: "bool", default: false, label: "count all paths" },
  },
};
