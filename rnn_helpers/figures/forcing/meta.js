import { STEPS } from "./math.js";

export const meta = {
  question: "How far does one mistake travel?",
  story:
    "A network computes on which floor an elevator is, from its last move and from the floor that it is fed. In training it is fed the true floor. In use it is fed its own last output. At one step it is made to output the wrong floor. Click the switches between the steps: up, a step is fed the truth, and down, the last output.",
  prediction: {
    question:
      "At step 2 the network outputs floor 1, but the elevator is on floor 2. Now every step is fed the network's own last output. How many of the six steps after step 2 are wrong?",
    kind: "choice",
    choices: ["none", "three", "all six"],
    answer: "three",
    why: "From floor 1, down leads to 0, so each step is right about its move. But its input was one floor too low, and so is its output, at steps 3, 4 and 5. At step 6 the elevator goes to the ground floor, which doesn't depend on where it was.",
  },
  alt: "Eight steps side by side. In each, four floors shaded by the network's probabilities, a diamond at the true floor and a dot at the network's output. They agree at every step except step 2, where the network was made to output 1 instead of 2. Seven switches between the steps stand at the truth, so step 3 is right again.",
  controls: {
    slip: { type: "int", min: 0, max: STEPS, default: 2, label: "slip at step" },
    t: { type: "int", min: 1, max: STEPS, default: 2, label: "step" },
    // A bit for each switch that the reader has reversed.
    flips: { type: "int", min: 0, max: 2 ** (STEPS - 1) - 1, default: 0, label: "reversed" },
    // Links to states may set these, but the figure doesn't show them.
    share: { type: "float", min: 0, max: 1, step: 0.1, default: 1, label: "share of truth" },
    own: {
      type: "choice",
      options: [
        { value: "likeliest", label: "the most likely" },
        { value: "drawn", label: "sampled" },
      ],
      default: "likeliest",
      label: "output",
    },
    seed: { type: "int", min: 0, max: 99, default: 0, label: "random numbers" },
  },
};
