import { MOST, SIDE, SIZE } from "./math.js";

export const meta = {
  question: "What does a pixel hear?",
  story:
    "One pixel of a picture, and all pixels on which what is known there depends. Left, a stack of convolutions, each of 3 by 3 pixels. Right, recurrent networks that sweep over the whole picture: down every column and up, to the right along every row and to the left; a fifth to an eighth do the same with what the first four say. Take another pixel, by hand or with the arrow keys, and add layers and sweeps: the stronger its colour, the earlier a pixel was heard. Below, eight sweeps have learned to say whether a way over floor joins two rings (there, rows are swept after columns). Close the gap, then break a long way in its middle, and see whether they notice.",
  prediction: {
    question:
      "Eight sweeps, four over four, and every pixel hears the whole picture, whatever its size. How many layers of 3 by 3 does it take until a corner of these 12 by 12 pixels hears the opposite corner?",
    kind: "choice",
    choices: ["4", "6", "11", "22"],
    answer: "11",
    why: "Each layer hears one pixel further, so 11 layers for 12 pixels, and 99 for 100: the stack has to grow with the picture, and has weights of its own in every layer. Sweeps do not, because each carries a state along. But their steps wait for each other: four can run at the same time, 12 steps, and then the next four, 12 more. 24 steps in a row, where the stack has 11. Long reach is bought with waiting.",
  },
  alt: "Two pictures of 12 by 12 pixels, with the pixel in row 8 and column 4 marked in both. After 2 layers of 3 by 3 it hears the 25 pixels around it. After 2 sweeps, down and up, it hears the 12 of its column. Below, a picture of walls and floor with two rings that a gap parts: a trained network gives 0 % for a way that joins them.",
  controls: {
    layers: { type: "int", min: 1, max: MOST, default: 2, label: "layers" },
    sweeps: { type: "int", min: 1, max: 8, default: 2, label: "sweeps" },
    maze: {
      type: "text",
      maxLength: SIDE * SIDE,
      default: "####.####..#...O#..#.##.#..#..#.#.....#.......#.......O.........",
      label: "picture",
    },
    row: { type: "int", min: 1, max: SIZE, default: 8, label: "row" },
    column: { type: "int", min: 1, max: SIZE, default: 4, label: "column" },
  },
};
