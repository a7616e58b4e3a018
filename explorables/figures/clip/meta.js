import { ARROWS } from "./math.js";

const FIRST = { 1: [-10, 0, 1], 2: [1, 0, 5], 3: [0, 4, 0], 4: [0, -4, 0] };
const REACH = 12;

export const meta = {
  question: "Do clipped gradients still point downhill?",
  story:
    "Each arrow is the gradient of one minibatch; their mean is the true gradient, and a step goes against it. Clipping shortens each minibatch's gradient by itself, so a rare large one loses its say: " +
    "here the true mean points left and the mean of the clipped ones right, uphill. Clipping by element also turns single gradients. Drag the heads and the threshold.",
  prediction: {
    question:
      "One minibatch has the gradient (−10, 0), five have (1, 0). From which threshold on does the mean of the norm-clipped gradients have the right sign again?",
    kind: "choice",
    choices: ["1", "5", "10"],
    answer: "5",
    why: "Above a threshold v of 1 the five small ones are whole and sum to 5; the large one counts −v. At 5 they cancel, and above 5 the sum is negative, as it is without clipping.",
  },
  alt:
    "Gradients of six minibatches in a plane: one is (−10, 0), five are (1, 0). Their mean, the true gradient, is (−0.83, 0). Clipped by norm at 1 they have the mean (0.67, 0), " +
    "which lies at 180 degrees to the true one: a step against it goes uphill. The true mean itself is shorter than 1 and would not be clipped.",
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
    at: { type: "int", min: 1, max: ARROWS.length, default: 1, label: "gradient told" },
  },
};
