import { LONGEST } from "./math.js";

export const meta = {
  question: "What does each layer keep, and for how long?",
  story:
    "Three recurrent layers are stacked, and the network reads a text. Mark a letter. The bars show how far the state of each layer moves when another letter stands in its place. A bar of 1 is as far as the states at two random places of the text are apart, and at 0 nothing is left of the letter. Compare the same network before and after training.",
  prediction: {
    question:
      "Before training, this network's weights are random, and the top layer keeps the v of “value” longest. Which layer keeps it longest after the network has been trained to predict the next letter?",
    kind: "choice",
    choices: ["the bottom layer", "the top layer", "all about alike"],
    answer: "all about alike",
    why: "Before training, each layer passes on an echo of its input, and the layer above makes an echo of that echo, so higher layers keep a letter longer. After training, less than a tenth is left of this v after five letters, in all three layers. With many other letters, the top layer still keeps a letter longer than the bottom layer, but by less than before training.",
  },
  alt: "A line of text, “the value of the expression”, with its fifth letter, v, marked. Above it are three rows of bars, one for each layer, with the bottom layer lowest. In every row the bars begin at the marked letter and become lower toward the right; in the top layer, the second bar is the highest. The bars fall below a tenth after 4 letters in the bottom layer, after 6 in the middle layer and after 7 in the top layer.",
  controls: {
    net: {
      type: "choice",
      options: [
        { value: "before", label: "before training" },
        { value: "after", label: "after training" },
      ],
      default: "before",
      label: "network",
    },
    text: {
      type: "text",
      minLength: 1,
      maxLength: LONGEST,
      default: "the value of the expression",
      label: "text",
    },
    at: { type: "int", min: 1, max: LONGEST, default: 5, label: "letter" },
  },
};
