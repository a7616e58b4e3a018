import { KINDS, ROUNDS, STEPS } from "./math.js";

export const meta = {
  question: "Must the last floor wait for all the others?",
  story:
    "An elevator starts on floor 0 and makes the moves at the bottom. A box is the rule for several moves in a row: +2 is two floors up, from anywhere, and →1 means that you end on floor 1, wherever you were. In each round, every rule is merged with one from the round before, and so covers twice as many moves. Step through the rounds, click a move to change it, or choose a floor to see what it depends on.",
  prediction: {
    question:
      "One move at a time, a floor has to wait for the one before, so the last is known after the seventh round. After how many rounds of merging are all floors known?",
    kind: "choice",
    choices: ["three", "four", "seven"],
    answer: "three",
    why: "A rule of one move becomes a rule of two, of four, and of eight. All boxes of a round can be computed at the same time, because they use only boxes of the round before.",
  },
  alt: "Eight moves in a row: up, up, down, up, down, ground, up, up. Above them are three rows of empty boxes, one for each round of merging, and at the top eight floors. Colored lines form a tree: the last floor depends on two boxes of the second round, four boxes of the first, and all eight moves. Only the first floor is known, 1.",
  controls: {
    round: { type: "int", min: 0, max: ROUNDS, default: 0, label: "round" },
    at: { type: "int", min: 1, max: STEPS, default: STEPS, label: "floor after move" },
    // A digit in base 3 for each move; the default is up, up, down, up, down, ground, up, up.
    moves: { type: "int", min: 0, max: KINDS.length ** STEPS - 1, default: 576, label: "moves" },
  },
};
