import { stages } from "./math.js";

export const meta = {
  question: "What does a network learn first?",
  story:
    "An LSTM learns to predict the next character of a manual. After some minibatches we let it write, always with the same random numbers, and mark each word of three letters or more that occurs in its training text. Below, it is charged for a sentence that it never saw: the darker a character, the more bits it costs. Drag the dot through the training.",
  prediction: {
    question: "Go on to 100 minibatches. How will its text look then?",
    kind: "choice",
    choices: [
      "like random characters",
      "like words, but hardly any of them exists",
      "like real words in a senseless order",
    ],
    answer: "like words, but hardly any of them exists",
    why: "It writes “sutof”, “cuppaca” and “copand”: the spaces are at plausible distances, and vowels and consonants take turns. That much can be learned from pairs of neighbors. Real words need longer contexts, and they come later.",
  },
  alt: "A chart of the bits per unseen character over minibatches, from 6.3 after 1 minibatch down to 4.8 after 20, where the dot is. Dotted lines mark tables of counts: 1-gram 4.8, 2-gram 3.9, 3-gram 3.0 and 5-gram 2.2. Below, a text of random-looking characters that the network writes at this stage, and a sentence whose characters are all shaded dark: it costs 328 bits.",
  controls: {
    at: { type: "int", min: 1, max: stages.length, default: 5, label: "stage of the training" },
  },
};
