import { ARROWS } from "./math.js";

const FIRST = { 1: [-10, 0, 1], 2: [1, 0, 5], 3: [0, 4, 0], 4: [0, -4, 0] };
const REACH = 12;

export const meta = {
  question: "Do clipped steps still go downhill?",
  story:
    "Each arrow is the gradient of one minibatch. Their mean is the true gradient, and a step goes against it. Clipping shortens each gradient by itself, so a rare long one loses its weight, and the mean can turn far enough for a step to go uphill. " +
    "Compare the directions of the two means. Drag the heads of the arrows and the threshold.",
  prediction: {
    question:
      "One minibatch has the gradient (−10, 0), five have (1, 0). Above which threshold does the mean of the gradients clipped by norm have the right sign again?",
    kind: "choice",
    choices: ["1", "5", "10"],
    answer: "5",
    why: "If v is above 1, the five short gradients aren't clipped, and their sum is 5. The long one contributes −v. At v = 5 they cancel, and above 5 the sum is negative, as it is without clipping.",
  },
  alt:
    "Gradients of six minibatches in a plane: one is (−10, 0), five are (1, 0). Their mean, the true gradient, is (−0.83, 0). If each is clipped by norm at 1, their mean is (0.67, 0). " +
    "It is at 180 degrees to the true one, so a step against it goes uphill. The true mean itself is shorter than 1, so it wouldn't be clipped.",
  controls: {
    kind: {
      type: "choice",
      options: [
        { value: "norm", label: "by norm" },
        { value: "element", label: "by element" },
      ],
      default: "norm",
      label: "clip",
    },
    v: { type: "float", min: 0.1, max: 10, default: 1, log: true, label: "threshold v" },
    ...Object.fromEntries(
      ARROWS.flatMap((i) => [
        ...["x", "y"].map((axis, k) => [
          `${axis}${i}`,
          {
            type: "float",
            min: -REACH,
            max: REACH,
            step: 0.1,
            default: FIRST[i][k],
            label: `gradient ${i}, ${axis}`,
          },
        ]),
        [
          `m${i}`,
          {
            type: "int",
            min: i === 1 ? 1 : 0,
            max: 9,
            default: FIRST[i][2],
            label: `copies of ${i}`,
          },
        ],
      ]),
    ),
    at: { type: "int", min: 1, max: ARROWS.length, default: 1, label: "gradient shown" },
  },
};
