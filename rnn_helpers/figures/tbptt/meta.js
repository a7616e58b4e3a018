import { STEPS } from "./math.js";

export const meta = {
  question: "What does truncation cut off?",
  story:
    "A network reads sixty characters in blocks. Forward, the state passes from block to block. Backward, each gradient stops where its block begins. So a loss reaches back only to the start of its block, and the contributions of all earlier steps (hatched) are cut off. A bar is the size of the gradient that one step passes to the weights; each line down is a hundredth. The radius of W is the factor by which W alone changes the length of a state. Drag the first cut, or the loss.",
  prediction: {
    question:
      "In blocks of ten steps, how many steps does a loss reach on average, its own step included?",
    kind: "choice",
    choices: ["10", "5.5", "3"],
    answer: "5.5",
    why: "The last loss of a block reaches ten steps, the one before it nine, and the first only its own: (10 + 9 + … + 1)/10 = 5.5. On average, a loss uses about half of its block.",
  },
  alt: "A chain of sixty states cut into six blocks of ten; in the fourth, the gradient goes back from its losses to step 31 and stops. Below, on a logarithmic scale, the contribution of each step to the gradient of the loss at step 35: steps 31 to 35 contribute; the thirty before them, from 0.24 down to 10⁻³, are cut off. Beside it, the error of the whole gradient for each length of block: 0.83 at one step, 0.31 at ten, 0 at sixty.",
  controls: {
    block: { type: "int", min: 1, max: STEPS, default: 10, label: "block K" },
    radius: { type: "float", min: 0.5, max: 1.2, step: 0.05, default: 1, label: "radius of W" },
    carry: { type: "bool", default: true, label: "carry the state" },
    t: { type: "int", min: 1, max: STEPS, default: 35, label: "loss at step" },
    // 0 is the way back through the block of the loss.
    frame: { type: "int", min: 0, max: 3 * STEPS - 1, default: 0, label: "frame" },
  },
};
