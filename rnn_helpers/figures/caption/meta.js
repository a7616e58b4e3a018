import { MOST } from "./math.js";

const DIGIT = { type: "text", maxLength: 64, alphabet: "0123456789abcdef" };

export const meta = {
  question: "What does the network write about this picture?",
  story:
    "The network sees a picture of two digits and describes it word by word. It has two parts, which were trained together: an encoder with two convolutional layers, which turns the picture into 32 numbers, and a decoder, which writes the sentence. For sentences of its training, it describes 91 of 100 new pictures without a mistake; the digits were written by the same people as in training. For sentences that were left out of training, such as three left of six, it describes 79 of 100. When the digits are drawn by a program with a pen like the one here, 87 of 100 descriptions are right.",
  words: [
    {
      when: { view: "inside" },
      question: "What happens between the picture and its caption?",
      story:
        "From the top, you see the outputs of the two convolutional layers, the context of 32 numbers, and the words that the decoder writes. Draw other digits, arrange them in another way, or let the context enter the decoder in another way.",
    },
  ],
  prediction: {
    question: "Wipe both digits. What does the network write about a blank picture?",
    kind: "choice",
    choices: ["nothing: END at once", "a whole sentence", "one word, again and again"],
    answer: "a whole sentence",
    why: "It writes “nine above seven”. The probabilities are 0.45 for nine, 0.77 for above, 0.93 for seven and 1.00 for END. No blank picture was in the training data, so the network never learned to write nothing. The order of the words comes from the decoder. The digits and their arrangement should come from the picture, and here the picture has none.",
  },
  alt: "A picture with two handwritten digits, a 3 to the left of a 7. Beside it, from the top: the outputs of the first and the second convolutional layer, the context as a row of 32 colored numbers, and the layer with the class scores, crossed out. An arrow leads from the context to the first word, three, with its probability and bars for the most likely words below. A question mark stands in place of the next word.",
  controls: {
    first: { ...DIGIT, default: "3", label: "first digit" },
    second: { ...DIGIT, default: "7", label: "second digit" },
    pen: { type: "int", min: 0, max: 1, default: 0, label: "digit in hand" },
    place: {
      type: "choice",
      options: [
        { value: "left", label: "side by side" },
        { value: "above", label: "stacked" },
      ],
      default: "left",
      label: "arrangement",
    },
    door: {
      type: "choice",
      options: [
        { value: "step", label: "at every step" },
        { value: "start", label: "as the first state" },
        { value: "both", label: "in both ways" },
      ],
      default: "step",
      label: "the context enters",
    },
    at: { type: "int", min: 1, max: MOST, default: 1, label: "words" },
    draw: { type: "int", min: 0, max: 999, default: 0, label: "sample" },
    view: {
      type: "choice",
      options: [
        { value: "alone", label: "picture and words" },
        { value: "inside", label: "with the encoder" },
      ],
      default: "inside",
      fixed: true,
      label: "view",
    },
  },
};
