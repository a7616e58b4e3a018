import { render } from "./view.js";

export default { render };

export const meta = {
  question: "How can one small loop be a network as long as the sentence?",
  story:
    "The loop is drawn once per word, and every drawing of it carries the same weights: the network grows with the sentence while the number of weights stays what it was.",
  prediction: {
    question: "The sentence doubles from four words to eight. How many weight matrices does the network have then?",
    kind: "choice",
    choices: ["twice as many", "as many as before", "four more"],
    answer: "as many as before",
    why: "Every step uses the same matrices again: unfolding copies the drawing, not the parameters.",
  },
  alt: "Left: a recurrent circuit. Right: the same circuit unfolded in time.",
  controls: {
    T: { type: "int", min: 1, max: 16, default: 4, label: "steps T" },
  },
};
