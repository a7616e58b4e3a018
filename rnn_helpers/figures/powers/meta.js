import { STEPS } from "./math.js";

export const meta = {
  question: "What happens to a number that is multiplied again and again?",
  story:
    "Two numbers start at 1. At each step, the first is multiplied by 0.9 and the second by 1.1. After the seven steps from “hall” back to “keys”, they are about a half and about two. Move the slider to take up to a hundred steps.",
  prediction: {
    question: "How large is the second number after 100 steps?",
    kind: "choice",
    choices: ["about 11", "about 110", "about 14,000"],
    answer: "about 14,000",
    why: "It doubles about every 7 steps, and 100 steps are enough for 14 doublings. The first number is only 0.00003 by then.",
  },
  alt: "A chart with a logarithmic axis from one hundred-thousandth to one hundred thousand, over 0 to 100 steps. Two numbers start at 1. After 7 steps, the one with the factor 0.9 is 0.48 and the one with the factor 1.1 is 1.9. Both curves are straight so far.",
  controls: {
    t: { type: "int", min: 0, max: STEPS, default: 7, label: "steps" },
  },
};
