import { LONGEST } from "./math.js";

export const meta = {
  question: "Does α = 0.99 remember ten times as long as 0.9?",
  story:
    "Two leaky units read the same values. With α = 0.99 a value fades ten times more slowly than with 0.9, but only a tenth as much of it gets in: up to 24 steps back, the unit that forgets faster holds more of it. A leak keeps each step’s factor near one; a skip makes one edge of many steps; a clock passes everything on unchanged between two ticks. Each makes a long way back short, and each has its price.",
  prediction: {
    question: "Two leaky units read a value 10 steps ago. Which of them holds more of it now?",
    kind: "choice",
    choices: ["α = 0.99", "α = 0.9", "both the same"],
    answer: "α = 0.9",
    why: "It has kept 0.349 of the tenth that it heard: 0.0349. The other has kept 0.904, but of a hundredth: 0.00904, a quarter as much. For 10 steps the best of all is α = 10/11.",
  },
  alt: "The last 40 steps of two leaky units as unfolded graphs, and below them, on a logarithmic scale, what a value leaves in each unit, by steps back. With α = 0.99 the line starts at 0.01 and falls gently, with α = 0.9 it starts at 0.1 and falls ten times as fast. They cross 24.2 steps back; 30 steps back they are at 0.0074 and 0.00424.",
  controls: {
    kind: {
      type: "choice",
      options: [
        { value: "leak", label: "leak" },
        { value: "skip", label: "skip" },
        { value: "clock", label: "clock" },
      ],
      default: "leak",
      label: "kind",
    },
    alpha: { type: "float", min: 0, max: 0.999, step: 0.001, default: 0.99, label: "α above" },
    other: { type: "float", min: 0, max: 0.999, step: 0.001, default: 0.9, label: "α below" },
    w: { type: "float", min: 0, max: 1.2, step: 0.05, default: 0.5, label: "w" },
    skip: { type: "float", min: 0, max: 1.2, step: 0.05, default: 0.4, label: "skip’s w" },
    d: { type: "int", min: 2, max: 12, default: 5, label: "length d" },
    p: { type: "int", min: 2, max: 16, default: 8, label: "period p" },
    back: { type: "int", min: 1, max: LONGEST, default: 30, label: "steps back" },
    span: {
      type: "choice",
      options: [
        { value: 40, label: "40" },
        { value: LONGEST, label: `${LONGEST}` },
      ],
      default: 40,
      label: "steps shown",
    },
  },
};
