import { LENGTH, SINCE } from "./math.js";

export const meta = {
  question: "Which clock carries the slow wave?",
  story:
    "A clockwork RNN has 16 units in four groups. It receives two waves, with periods of 7 and 48 steps, for 24 steps and then continues them alone. From the dashed line on, one of its groups may keep its state or update with another period. See how much is left of each wave. The simple RNN has no clocks: all its units update at every step.",
  words: [
    {
      when: { net: "rnn" },
      question: "Does a network without clocks have a slow part?",
      story:
        "A simple RNN has 13 units, sorted here by speed. It receives two waves, with periods of 7 and 48 steps, for 24 steps and then continues them alone. From the dashed line on, some of its units may keep their states. See how much is left of each wave.",
    },
  ],
  prediction: {
    question:
      "From step 61 on, the clockwork’s slowest group (period 8) is frozen. What happens to the signal?",
    kind: "choice",
    choices: ["the slow wave stops", "the fast wave stops", "almost nothing changes"],
    answer: "almost nothing changes",
    why: "99\u00a0% of both waves are left: training has found no use for this group. We trained 25 clockworks, ten of them with the final learning rate. All 11 whose error is below 0.5\u00a0% of the signal’s variance leave the slowest group unused. In all 9 whose error is above 2\u00a0%, the slow wave stops with that group, and of the other five, some need the group and some don’t.",
  },
  alt: "A signal made of a fast and a slow wave over 144 steps. It is the network’s input for 24 steps and is then generated. Until step 61, the generated signal lies on the true one; from there on, only its fast wave continues. Below, the states of four groups of four units. The states of period 8 hardly change. The states of period 4 swing slowly up to step 61, where the group is frozen, and stay constant from then on. The states of periods 2 and 1 change quickly all the time.",
  controls: {
    net: {
      type: "choice",
      options: [
        { value: "clockwork", label: "clockwork" },
        { value: "rnn", label: "simple RNN" },
      ],
      default: "clockwork",
      label: "network",
    },
    group: { type: "int", min: 1, max: 4, default: 2, label: "group" },
    clock: { type: "int", min: 0, max: 12, default: 0, label: "new period (0: never)" },
    since: { type: "int", min: SINCE[0], max: SINCE[1], default: 61, label: "from step" },
    seed: { type: "int", min: 0, max: 99, default: 0, label: "signal" },
    t: { type: "int", min: 1, max: LENGTH, default: LENGTH, label: "step" },
  },
};
