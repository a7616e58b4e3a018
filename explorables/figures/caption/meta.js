import { MOST } from "./math.js";

const DIGIT = { type: "text", maxLength: 64, alphabet: "0123456789abcdef" };

export const meta = {
  question: "What does it see?",
  story:
    "A network sees a picture of two digits, and another says what it shows: word by word, from the start to the end, each word chosen from the probabilities of all. Choose the digits, or draw them yourself. The first network has two layers of convolutions and makes 32 numbers of the picture, its context; it was cut off before the layer that would have named a class. The writer hears the context at every step, or as its first state alone, or by both doors. Of digits by the same people that it has not seen, 91 in 100 pictures are described without a mistake; of the twenty sentences that were kept from it, such as three left of six, 79; of digits that a program drew with a pen like the one here, 87.",
  prediction: {
    question: "Wipe both digits away. What does the network say of a blank page?",
    kind: "choice",
    choices: ["nothing: the end at once", "a whole sentence", "one word, again and again"],
    answer: "a whole sentence",
    why: "Nine above seven: the first word with probability 0.45, then above with 0.77, seven with 0.93, and the end, once two digits are named, with 1.00. It was never shown a picture of nothing, so it never learned to say nothing. What follows what in a sentence is the writer's own knowledge, and it keeps to it whatever the picture shows. Which digits, and which place, it has from the context.",
  },
  alt: "A picture of two handwritten digits, a 3 on the left of a 7. Beside it what two layers of convolutions and then 32 numbers make of it, and the first word, three, with the probabilities of the likeliest words. A question mark stands where the next word comes.",
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
      label: "digits",
    },
    door: {
      type: "choice",
      options: [
        { value: "step", label: "each step" },
        { value: "start", label: "first state" },
        { value: "both", label: "both" },
      ],
      default: "step",
      label: "it hears the picture",
    },
    at: { type: "int", min: 1, max: MOST, default: 1, label: "words" },
    draw: { type: "int", min: 0, max: 999, default: 0, label: "draw" },
  },
};
