import { MOST, SIDE, SIZE } from "./math.js";

export const meta = {
  question: "How far does information travel in an image?",
  story:
    "The colored pixels are those that an output depends on: on the left for a stack of 3 × 3 convolutions, on the right for sweeps, which are recurrent networks that run along all columns or all rows in one direction. Sweeps five to eight read the outputs of the first four. The stronger the color of a pixel, the earlier it was reached.",
  words: [
    {
      when: { view: "maze" },
      question: "Does a path join the two marks?",
      story:
        "A network with eight sweeps decides whether a path over floor cells joins the two marks. Paint walls or floor, and see whether the network is still right.",
    },
  ],
  prediction: {
    question:
      "An image has 12 × 12 pixels. How many layers of 3 × 3 convolutions does it take for the output at one corner to depend on the opposite corner?",
    kind: "choice",
    choices: ["4", "6", "11", "22"],
    answer: "11",
    why: "Each layer reaches one pixel further, and the opposite corner is 11 pixels away. In an image of 100 × 100 pixels, it takes 99 layers, each with its own weights. Eight sweeps reach every pixel of an image of any size, but they need more sequential steps: the four sweeps of a layer run at the same time and take 12 steps, so eight take 24. Eleven convolutions take 11.",
  },
  alt: "Two grids of 12 by 12 pixels, side by side. In both, the pixel in row 8 and column 4 is marked, and the pixels that it depends on are filled. On the left, after 2 layers of 3 by 3 convolutions, these are the 25 pixels of a square around it. On the right, after 2 sweeps, down and up, these are the 12 pixels of its column.",
  controls: {
    layers: { type: "int", min: 1, max: MOST, default: 2, label: "layers" },
    sweeps: { type: "int", min: 1, max: 8, default: 2, label: "sweeps" },
    maze: {
      type: "text",
      maxLength: SIDE * SIDE,
      default: "####.####..#...O#..#.##.#..#..#.#.....#.......#.......O.........",
      label: "image",
    },
    row: { type: "int", min: 1, max: SIZE, default: 8, label: "row" },
    column: { type: "int", min: 1, max: SIZE, default: 4, label: "column" },
    view: {
      type: "choice",
      options: [
        { value: "reach", label: "reach" },
        { value: "maze", label: "maze" },
      ],
      default: "reach",
      fixed: true,
      label: "view",
    },
  },
};
