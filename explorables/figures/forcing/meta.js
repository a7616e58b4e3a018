import { STEPS } from "./math.js";

export const meta = {
  question: "Where does the next step’s input come from?",
  story:
    "A network follows a lift. It hears each move, up, down or to the ground floor, and one thing more: which floor it was on. Who tells it? In training, the truth: every switch stands at y, a mistake is corrected before the next step, and no step has to wait for another. In use nobody knows the truth, and the switches stand at what the network has said itself. Make it slip, throw the switches, and see how far the mistake goes.",
  prediction: {
    question:
      "At step 2 the network says floor 1; the lift is on floor 2. Now every switch is thrown, so that each step is fed what the step before has said. How many of the six steps after that are wrong?",
    kind: "choice",
    choices: ["none", "three", "all six"],
    answer: "three",
    why: "Each step does its own work well: from floor 1, down is 0. But it was told the wrong floor, so steps 3, 4 and 5 are all one floor too low. At step 6 the lift goes to the ground floor, which is the ground floor from wherever it came: there the input says more than the mistake, and the path is found again.",
  },
  alt: "Eight steps side by side. In each, four floors, shaded by how likely the network holds them, a diamond at the floor on which the lift is, a dot at the one that the network says. The two agree at every step but the second, where the network was made to say 1 in place of 2. All seven switches stand at the truth: step 3 is fed a 2, and is right again.",
  controls: {
    share: { type: "float", min: 0, max: 1, step: 0.1, default: 1, label: "share of truth" },
    own: {
      type: "choice",
      options: [
        { value: "likeliest", label: "the likeliest" },
        { value: "drawn", label: "one drawn" },
      ],
      default: "likeliest",
      label: "what it says",
    },
    slip: { type: "int", min: 0, max: STEPS, default: 2, label: "made to slip at step" },
    t: { type: "int", min: 1, max: STEPS, default: 2, label: "step" },
    seed: { type: "int", min: 0, max: 99, default: 0, label: "coins" },
    // A bit for each switch that a hand has turned over.
    flips: { type: "int", min: 0, max: 2 ** (STEPS - 1) - 1, default: 0, label: "turned by hand" },
  },
};
