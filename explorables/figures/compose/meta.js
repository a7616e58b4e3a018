import { DEEPEST, REACH } from "./math.js";

export const meta = {
  question: "How wild can tanh layers get?",
  story:
    "A straight line through the space of 100-dimensional states, sent through the same tanh layer up to five times. At gain 10 each layer about doubles how often the curve turns, and half of all its up and down happens on a sliver of the line. A tiny difference at the start grows two- to threefold with every layer: the map is chaotic, and smooth only where you look closely enough.",
  prediction: {
    question:
      "The weights here are large: gain 10. With gain 2, the same weights five times smaller, how often does the curve of five layers turn?",
    kind: "choice",
    choices: [
      "about ten times",
      "about eighty times, a fifth",
      "about four hundred times, as before",
    ],
    answer: "about ten times",
    why: "A unit whose sum is small passes its input on nearly in proportion, and so do five of them. The famous picture needs weights that saturate nearly every unit: gain 5 or more.",
  },
  alt: "A curve over a straight line of initial states: one number read from 100 tanh units after five layers of gain 10. It turns 394 times. Its steepest pieces, in another colour, take up 7.5 % of the line and do half of all its up and down. Beside it, how the sizes of the slopes are spread: the median is 0.39, the largest 49.",
  controls: {
    depth: { type: "int", min: 0, max: DEEPEST, default: 5, label: "layers" },
    gain: { type: "float", min: 0.5, max: 20, default: 10, step: 0.5, label: "gain" },
    zoom: { type: "float", min: 1, max: 1000, default: 1, label: "zoom", log: true },
    centre: { type: "float", min: -REACH, max: REACH, default: 0, label: "centre of the window" },
    seed: { type: "int", min: 0, max: 99, default: 4, label: "network" },
  },
};
