import { B, STEPS, W } from "./math.js";

export const meta = {
  question: "Which of these starts survives?",
  story:
    "A network with two parameters hears nothing for 50 steps and is to end at 0.7. Its loss is a landscape: a plateau, a slope, a blue ravine where the task is solved, and between plateau and ravine a wall. Two descents begin at the same point, which is yours to drag. They are one until a gradient is longer than the threshold; then the one that follows it is thrown out of the picture, and the one that shortens it goes on to the ravine. A loss is red above 0.09, the loss of a unit that always outputs 1, and blue below.",
  prediction: {
    question:
      "Start 0.1 further right, at (5, −1.6). The descent without clipping is thrown out from (4.9, −1.6). Where does it end from here?",
    kind: "choice",
    choices: ["out of the picture, too", "in the ravine", "on the plateau"],
    answer: "in the ravine",
    why: "It steps onto the wall twice, but to places where the gradient is short enough. Which part of the wall a step of this length hits is chance: of the starts within 0.1 of the default, about half are thrown out, and none is with clipping.",
  },
  alt:
    "The loss over weight and bias has a plateau below left and a slope above right; between them a blue ravine runs down to the right and turns into a wall at a weight of about 4.3. " +
    "From (4.9, −1.6), at a learning rate of 0.5, two descents are one for 33 updates: down the slope, over the wall, back, and onto the wall. " +
    "There the gradient is 10.6 long. Without clipping, the next point is (6.71, 2.51), far outside; the loss stays at 0.09. " +
    "Clipped to a length of 1, the same step stays in the picture; after 150 updates the loss is below 0.003.",
  // What the figure computes with, for its poster.
  controls: {
    w: { type: "float", min: W[0], max: W[1], step: 0.01, default: 4.9, label: "start, weight w" },
    b: { type: "float", min: B[0], max: B[1], step: 0.01, default: -1.6, label: "start, bias b" },
    kind: {
      type: "choice",
      options: [
        { value: "norm", label: "norm" },
        { value: "element", label: "each entry" },
        { value: "random", label: "random step" },
        { value: "none", label: "none" },
      ],
      default: "norm",
      label: "clip",
    },
    v: { type: "float", min: 0.01, max: 100, log: true, default: 1, label: "threshold v" },
    lr: { type: "float", min: 0.01, max: 1, log: true, default: 0.5, label: "learning rate η" },
    T: { type: "int", min: 5, max: 100, default: 50, label: "steps T of the network" },
    k: { type: "int", min: 0, max: STEPS, default: 33, label: "update" },
    view: {
      type: "choice",
      options: [
        { value: "map", label: "map" },
        { value: "relief", label: "relief" },
        { value: "starts", label: "all starts" },
      ],
      default: "map",
      label: "show",
    },
    turn: {
      type: "float",
      min: -180,
      max: 180,
      step: 1,
      default: 150,
      label: "turn of the relief",
    },
    near: { type: "bool", default: false, label: "100 starts within 10⁻¹²" },
  },
};
