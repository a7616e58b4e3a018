import { MOST, WORDS } from "./math.js";

const DIGIT = { type: "text", maxLength: 64, alphabet: "0123456789abcdef" };

export const meta = {
  question: "What does the network write about this picture?",
  story:
    "The network sees a picture of two digits and describes it word by word. It has two parts, which were trained together: an encoder with two convolutional layers, which turns the picture into 32 numbers, and a decoder, which writes the sentence. Both learned from handwritten digits, and from digits drawn with a pen like the one here. They aren’t always right.",
  words: [
    {
      when: { view: "inside" },
      question: "Can it write a sentence that it was never trained on?",
      story:
        "From the top, you see the outputs of the two convolutional layers (“maps”), the context of 32 numbers, and the words that the decoder writes. Draw other digits, or let the context enter the decoder in another way. You can also lie to the decoder: choose a first word, and the next step receives your word in place of the decoder’s own.",
      prediction: {
        question:
          "No sentence of the training contained the words “three left of six”. What will the network write about a 3 to the left of a 6?",
        kind: "choice",
        choices: ["three left of six", "three left of another digit", "another left of six"],
        answer: "three left of six",
        why: "It met threes to the left of other digits, and sixes to the right of others. Here that is enough.",
      },
    },
  ],
  prediction: {
    question:
      "The network knows 14 symbols, and none of them means X. Put a 0 on the right, wipe the left digit and draw a large X there. How sure will the network be of its first word?",
    kind: "choice",
    choices: ["unsure: 0.2 or less", "about 0.5", "nearly 1.00"],
    answer: "nearly 1.00",
    why: "About this X, the network writes “one left of zero”, and the probability of one rounds to 1.00. The probabilities only compare the words that the network knows, and its training pictures showed nothing but digits.",
  },
  alt: "A picture with two handwritten digits, a 3 to the left of a 7. Beside it, from the top: the outputs of the first and the second convolutional layer, and the context as a row of 32 colored numbers. An arrow leads from the context to the first word, three, with its probability and bars for the most likely words below. A question mark stands in place of the next word.",
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
    told: {
      type: "choice",
      options: [
        { value: "own", label: "its own" },
        ...WORDS.slice(0, 10).map((word) => ({ value: word, label: word })),
      ],
      default: "own",
      label: "first word fed back",
    },
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
