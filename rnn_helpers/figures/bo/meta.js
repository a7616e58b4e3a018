import { LONGEST } from "./math.js";

export const meta = {
  question: "Which word was it?",
  story:
    "Two networks have been trained to name the word that each letter belongs to. The forward network reads from left to right. The bidirectional network has a second network that starts at the last letter read and reads back to the first. The bars show the probability that each network gives to each of ten words at the marked letter.",
  words: [
    {
      when: { view: "all" },
      question: "Which letters does each network assign to the right word?",
      story:
        "A filled dot marks a letter at which a network’s most likely word is right. The bars show the probabilities of ten words at the marked letter. Choose a text or type one, let the networks read on, and move the mark.",
    },
  ],
  prediction: {
    question:
      "Someone has said “bo”, and now the word goes on. Which network will change its answer for the first letter?",
    kind: "choice",
    choices: ["the forward network", "the bidirectional network", "both"],
    answer: "the bidirectional network",
    why: "The forward network computed its answer right after the b, when all ten words still fit. It gave each word about 0.1 and never revises that. The backward part of the bidirectional network starts at the last letter read, so it has read the letters that separate the words before it reaches the b.",
  },
  alt: "The six letters of bottle in a row. The b and the o have been read; the other four are pale. The b is marked as the letter in question. Below, each of ten words, from boy to bolt, has two bars: the probability that the forward network gives it at this letter, and the probability that the bidirectional network gives it. All bars are about 0.1 long.",
  controls: {
    text: {
      type: "text",
      minLength: 1,
      maxLength: LONGEST,
      default: "bottle",
      label: "text",
    },
    heard: { type: "int", min: 1, max: LONGEST, default: 2, label: "letters read" },
    at: { type: "int", min: 1, max: LONGEST, default: 1, label: "answer for letter" },
    best: { type: "bool", default: false, label: "best possible" },
    view: {
      type: "choice",
      options: [
        { value: "one", label: "one word" },
        { value: "all", label: "all controls" },
      ],
      default: "one",
      fixed: true,
      label: "view",
    },
  },
};
