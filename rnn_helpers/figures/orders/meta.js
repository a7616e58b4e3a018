import { LENGTH, MANY } from "./math.js";

export const meta = {
  question: "How many of the friends’ sentences are true?",
  story:
    "Four friends describe a picture of a 3 to the left of a 7. Each writes one word and doesn’t see the others’. The bars show the words that a friend may choose from. Solid words belong to “three left of seven”, and framed ones to “seven right of three”. A sentence that mixes them is false.",
  words: [
    {
      when: { view: "network" },
      question: "What does a network need to know about its own words?",
      story:
        "Now a network writes, and each word has its best possible probabilities, given all that the network knows by then. Choose what is fed back to the next step, and whether the network sees the whole picture at once or strip by strip. A strip that it hasn’t seen yet is covered.",
      prediction: {
        question:
          "Feed back the drawn word, and let the strips come one by one. How many of twenty sentences will be true?",
        kind: "choice",
        choices: ["all of them", "about half", "about a quarter"],
        answer: "about half",
        why: "If the sentence begins with the digit on the left, all goes well. If it has to begin with the digit on the right, the network must guess a digit that it hasn’t seen.",
      },
    },
  ],
  prediction: {
    question: "How many of their twenty sentences will be true?",
    kind: "choice",
    choices: ["nearly all", "about half", "about a quarter"],
    answer: "about a quarter",
    why: "The first friend chooses a digit. To fit, the second then has to choose the word of the two that fits, and so does the last. By chance, that happens in a quarter of the sentences, here in 5 of 20.",
  },
  alt: "A picture with a handwritten 3 on the left and a 7 on the right. Below it, four boxes show the words that four friends have written: three, right, of, seven. Below each box, bars show its choices: three or seven, left or right, of alone, and seven or three, each with probability 0.5 except of. The first of twenty numbered lines says three right of seven, crossed out, because it is false. The other lines are still empty.",
  controls: {
    at: { type: "int", min: 1, max: LENGTH * MANY, default: LENGTH, label: "words" },
    fed: {
      type: "choice",
      options: [
        { value: "nothing", label: "nothing" },
        { value: "shares", label: "the probabilities" },
        { value: "word", label: "the drawn word" },
      ],
      default: "nothing",
      label: "fed back",
    },
    read: {
      type: "choice",
      options: [
        { value: "whole", label: "whole" },
        { value: "strips", label: "strip by strip" },
      ],
      default: "whole",
      label: "the picture",
    },
    seed: { type: "int", min: 0, max: 9999, default: 1469, label: "coins" },
    view: {
      type: "choice",
      options: [
        { value: "friends", label: "four friends" },
        { value: "network", label: "a network" },
      ],
      default: "friends",
      fixed: true,
      label: "writer",
    },
  },
};
