import { LONGEST } from "./math.js";

export const meta = {
  question: "Which word was it?",
  story:
    "Ten words begin with the same sound. Two networks have learned to say of every letter which word it is in: one has heard the letters up to it, the other has heard those that follow as well, as far as anything has been spoken. Let the word go on, letter by letter, and watch what they hold of its first letter. Type several words, run together; a filled dot is a letter whose word the network names.",
  prediction: {
    question:
      "The word goes on, from “bo” to “bottle”. Which of the two changes what it says of the first letter?",
    kind: "choice",
    choices: ["who hears the past", "who hears both ways", "both of them"],
    answer: "who hears both ways",
    why: "Who hears the past spoke of the b when it had heard the b, and with that all ten words begin: a tenth for each, for good. Who hears both ways starts at the last letter, and has read all that tells the words apart before it comes to the b.",
  },
  alt: "The letters b and o have been spoken, t, t, l, e are still to come. For the first letter, two bars stand beside each of ten words, from boy to bolt: both networks give about a tenth to each word.",
  controls: {
    text: {
      type: "text",
      minLength: 1,
      maxLength: LONGEST,
      default: "bottle",
      label: "said",
    },
    heard: { type: "int", min: 1, max: LONGEST, default: 2, label: "letters spoken" },
    at: { type: "int", min: 1, max: LONGEST, default: 1, label: "asked of letter" },
    best: { type: "bool", default: false, label: "what is possible" },
  },
};
