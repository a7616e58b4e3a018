import { LONGEST } from "./math.js";

export const meta = {
  question: "What exactly does one step compute?",
  story:
    "A step is a handful of multiplications and additions, then one squashing. The new state mixes the symbol just read with the state before, so the same symbol can lead to another prediction.",
  prediction: {
    question:
      "Reading aba, step 4 gets the same input vector as step 2, an a. At step 2 the network expects b. Which symbol does it find most likely at step 4?",
    kind: "choice",
    choices: ["a", "b", "<s>", "</s>"],
    answer: "</s>",
    why: "U x is the same as before, but W h is not: the state still holds that a b has been read, and it turns the sum of unit 2 from minus to plus.",
  },
  alt: "One step of a recurrent network with two hidden units, reading a for the first time in the string aba. The number a₂ is chosen: its sum, bias plus weighted old state plus weighted input, is written out and comes to −0.574; tanh makes it −0.518. The four outputs above give the next symbol b the probability 0.97.",
  controls: {
    text: { type: "text", maxLength: LONGEST + 4, default: "aba", label: "string" },
    t: { type: "int", min: 1, max: LONGEST + 1, default: 2, label: "step" },
    node: {
      type: "choice",
      options: [
        "a1",
        "a2",
        "h1",
        "h2",
        ...["o", "y"].flatMap((kind) => [1, 2, 3, 4].map((i) => kind + i)),
      ],
      default: "a2",
      label: "number",
    },
    squash: {
      type: "choice",
      options: [
        { value: "tanh", label: "tanh" },
        { value: "sigmoid", label: "sigmoid" },
      ],
      default: "tanh",
      label: "squash",
    },
  },
};
