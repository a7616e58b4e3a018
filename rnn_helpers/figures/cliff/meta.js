import { B, STEPS, W } from "./math.js";

export const meta = {
  question: "What does one step too long do?",
  story:
    "The loss of a network with one weight and one bias is a landscape. The solution lies in the blue ravine. Step through the descent, and drag the landscape to turn it.",
  words: [
    {
      when: { view: "map" },
      question: "What does a shorter step change?",
      story:
        "The map shows the loss from above. The solution lies in the blue ravine. Two descents begin at the same place, and one of them shortens its long steps. Step through both, and drag their start on the map.",
    },
  ],
  prediction: {
    question:
      "With 50 steps and the default start, update 33 stands on the wall, where the gradient is 10.6 long. Where does the next step lead?",
    kind: "choice",
    choices: ["back into the ravine", "up onto the plateau", "out of the picture"],
    answer: "out of the picture",
    why: "With a learning rate of 0.5, the step is 5.28 long. In this direction the loss is lowest after 0.03, so the step is far too long. It ends where the slope is almost zero, and the descent never comes back.",
  },
  alt:
    "A landscape over weight and bias, seen from the side. A gentle blue-white slope falls to a narrow blue ravine. Directly behind the ravine stands a steep wall, and above it lies a red plateau. " +
    "A descent is about to start on the gentle slope, at a weight of 4.9 and a bias of −1.6; its loss there is 0.066.",
  controls: {
    k: { type: "int", min: 0, max: STEPS, default: 0, label: "update" },
    turn: {
      type: "float",
      min: -180,
      max: 180,
      step: 1,
      default: 150,
      label: "turn of the landscape",
    },
    view: {
      type: "choice",
      options: [
        { value: "relief", label: "relief" },
        { value: "map", label: "map" },
      ],
      default: "relief",
      fixed: true,
      label: "view",
    },
    w: { type: "float", min: W[0], max: W[1], step: 0.01, default: 4.9, label: "start, weight w" },
    b: { type: "float", min: B[0], max: B[1], step: 0.01, default: -1.6, label: "start, bias b" },
    kind: {
      type: "choice",
      options: [
        { value: "none", label: "none" },
        { value: "norm", label: "by norm" },
        { value: "element", label: "by element" },
        { value: "random", label: "random step" },
      ],
      default: "none",
      label: "clip",
    },
    v: { type: "float", min: 0.01, max: 100, log: true, default: 1, label: "threshold v" },
    lr: { type: "float", min: 0.01, max: 1, log: true, default: 0.5, label: "learning rate η" },
    T: { type: "int", min: 5, max: 100, default: 50, label: "steps T of the network" },
  },
};
