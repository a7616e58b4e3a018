import { STEPS } from "./math.js";

export const meta = {
  question: "What does a block not see?",
  story:
    "A network reads sixty characters in blocks of ten. Forward, nothing is lost: the state goes on from block to block. Backward, every gradient stops at the edge of its block. The loss at step 35 reaches back to step 31; what thirty earlier steps had to say to it (hatched) is cut off, and the whole gradient is off by a third. Drag the first cut, or the loss.",
  prediction: {
    question:
      "Blocks of ten steps. How many steps back does a loss reach, its own counted, on average over all sixty?",
    kind: "choice",
    choices: ["10", "5.5", "3"],
    answer: "5.5",
    why: "The last step of a block reaches ten, the one before it nine, the first none but its own: (10 + 9 + … + 1)/10 = 5.5. Half of what a block holds is not used by the average loss in it.",
  },
  alt: "A chain of sixty states cut into six blocks of ten; in the fourth, the gradient goes back from its losses to step 31 and stops. Below, on a logarithmic scale, what each step gives to the gradient of the loss at step 35: steps 31 to 35 are seen, the thirty before them, from 0.24 down to 10⁻³, are cut off. Beside it, the error of the whole gradient by length of block: 0.83 at one step, 0.31 at ten, 0 at sixty.",
  // What the figure computes with, for its poster.
  controls: {
    block: { type: "int", min: 1, max: STEPS, default: 10, label: "block K" },
    radius: { type: "float", min: 0.5, max: 1.2, step: 0.05, default: 1, label: "radius of W" },
    carry: { type: "bool", default: true, label: "carry the state" },
    t: { type: "int", min: 1, max: STEPS, default: 35, label: "loss at step" },
    // 0 is the way back through the block of the loss.
    frame: { type: "int", min: 0, max: 3 * STEPS - 1, default: 0, label: "frame" },
  },
};
