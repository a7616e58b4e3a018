import { DEEPEST, REACH } from "./math.js";

export const meta = {
  question: "How wild can tanh layers get?",
  story:
    "A straight line through the space of 100-dimensional states goes through the same tanh layer up to five times. At gain 10, each layer roughly doubles the number of turns, and half of all the rising and falling happens on a small part of the line. At this gain, each layer also makes a tiny difference two to three times larger, so the map is chaotic: it looks smooth only if you zoom in far enough.",
  prediction: {
    question:
      "With large weights, at gain 10, the curve turns hundreds of times. How often does the curve turn after five layers if the gain is 2?",
    kind: "choice",
    choices: [
      "about ten times",
      "about eighty times, a fifth",
      "about four hundred times, as before",
    ],
    answer: "about ten times",
    why: "With small weights, each layer is nearly linear, and so is a composition of five. The curve folds this often only if nearly every unit saturates, which takes a gain of 5 or more.",
  },
  alt: "A curve over a straight line of initial states shows one number computed from 100 tanh units after five layers of gain 10. It turns 394 times. Its steepest pieces, in another color, take up 7.5 % of the line and account for half of all its rising and falling. Beside it is the distribution of the slopes: the median is 0.39, the largest 49.",
  controls: {
    depth: { type: "int", min: 0, max: DEEPEST, default: 5, label: "layers" },
    gain: { type: "float", min: 0.5, max: 20, default: 10, step: 0.5, label: "gain" },
    zoom: { type: "float", min: 1, max: 1000, default: 1, label: "zoom", log: true },
    centre: { type: "float", min: -REACH, max: REACH, default: 0, label: "center of the window" },
    seed: { type: "int", min: 0, max: 99, default: 4, label: "network" },
  },
};
