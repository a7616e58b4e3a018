import { LENGTH, SINCE } from "./math.js";

export const meta = {
  question: "Which clock carries the slow wave?",
  story:
    "Sixteen trained units in four groups: a group moves only at the multiples of its period, keeps its state in between, and hears no faster group. They read the sum of two waves, of periods 7 and 48, for 24 steps, then go on alone. From step 61 on the group of period 4 is held still: the slow wave stops, the fast one goes on. Let it move every 6 steps instead, and the slow wave takes 72. Training has shared out the work: this is the middle one of ten networks by its error, and in it and the four better ones period 4 carries the slow wave alone. Hold period 2, and the fast wave stops, but 95\u00a0% of the slow one goes on, for the slow group does not hear it. In the simple RNN, with as many weights, every unit hears every other. Order its units by how slow they are: hold the second or the third 3, and both waves stop; hold the slowest 4, and only the slow one does.",
  prediction: {
    question:
      "The slowest group, of period 8, is held still from step 61 on. What becomes of the signal?",
    kind: "choice",
    choices: ["the slow wave stops", "the fast wave stops", "hardly anything"],
    answer: "hardly anything",
    why: "99\u00a0% of both waves are left: training has found no use for this group. A slow clock is an offer, not a duty. Of 25 clockworks trained, all 11 whose error is below 0.5\u00a0% of the signal’s variance leave it unused like this; in all 9 whose error is above 2\u00a0% the slow wave does stop with it.",
  },
  alt: "A signal of a fast and a slow wave over 144 steps, read for 24 steps and then generated: until step 61 what is generated lies on it, from then on only its fast wave goes on. Below, the states of four groups of four units. Those of period 8 hardly change. Those of period 4 swing slowly up to step 61, where they are held still, and are flat from then on. Those of periods 2 and 1 flicker all the way.",
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
    clock: { type: "int", min: 0, max: 12, default: 0, label: "new period (0: still)" },
    since: { type: "int", min: SINCE[0], max: SINCE[1], default: 61, label: "from step" },
    seed: { type: "int", min: 0, max: 99, default: 0, label: "signal" },
    t: { type: "int", min: 1, max: LENGTH, default: LENGTH, label: "step" },
  },
};
