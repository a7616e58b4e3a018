import { LONGEST } from "./math.js";

export const meta = {
  question: "What does each floor keep, and for how long?",
  story:
    "Three recurrent networks stand above each other and read a text: the states of each are what the next one reads. Mark a letter. If another stood in its place, how different would each floor be? The bars say it, letter by letter: at 1 it would be as different as at two places far apart, at 0 nothing is left of the letter.",
  prediction: {
    question:
      "This stack is as random as training found it, and the higher the floor, the longer it keeps a letter. Now it learns to guess the next letter. Which floor keeps longest then?",
    kind: "choice",
    choices: ["the first floor", "the third floor", "all about alike"],
    answer: "all about alike",
    why: "A random floor listens to one that forgets slowly, and forgets slowly itself. Training turns every floor to what helps with the next letter: five letters later nine tenths of this one are gone, on all three.",
  },
  alt: "A line of text, in which the letter v of “value” is marked, and above it three rows of bars, a row for each floor. From the marked letter on they shrink: the first floor has lost nine tenths of it after 4 letters, the second after 6, the third after 7.",
  controls: {
    net: {
      type: "choice",
      options: [
        { value: "before", label: "before training" },
        { value: "after", label: "after training" },
      ],
      default: "before",
      label: "stack",
    },
    text: {
      type: "text",
      minLength: 1,
      maxLength: LONGEST,
      default: "the value of the expression",
      label: "it reads",
    },
    at: { type: "int", min: 1, max: LONGEST, default: 5, label: "letter" },
  },
};
