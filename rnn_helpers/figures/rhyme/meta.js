import { TEXT } from "./math.js";

export const meta = {
  question: "What does one wrong letter do to the rest?",
  story:
    "A network has learned a rhyme by heart. At one letter, the slip, it is made to choose its second most likely letter. In the upper text, its next input is the true letter. In the lower text, its next input is its own choice. Press play, and then make it slip at another letter.",
  words: [
    {
      when: { training: "practice" },
      question: "Does it find its way back now?",
      story:
        "The rhyme again. This network was also fed letters of its own in training, and its target was always the true letter. Choose letters at which it slips, and compare it with the network that was only fed the truth.",
    },
  ],
  prediction: {
    question:
      "In the lower text, make it slip at each of the 141 letters before the last, one at a time. After how many of these slips does it write the rest of the rhyme without another mistake?",
    kind: "choice",
    choices: ["none", "about a quarter", "about three quarters"],
    answer: "about a quarter",
    why: "After 38 of 141. In training, every input was the true letter, so the network never had to go on after a wrong one. After some slips it goes on with the rhyme nevertheless, but after most of them it makes more mistakes.",
  },
  alt: "The beginning of a rhyme, written twice, 33 letters each: humpty dumpty sat on a wall, hume. The last letter, e, is marked as a slip, because the rhyme goes on with p. In the upper text, the next input will be the true letter, and in the lower text, the letter that the network chose. Nothing is written after the slip yet.",
  controls: {
    slip: { type: "int", min: 0, max: TEXT.length - 1, default: 33, label: "slip at letter" },
    t: { type: "int", min: 1, max: TEXT.length, default: 33, label: "letters written" },
    training: {
      type: "choice",
      options: [
        { value: "truth", label: "the truth" },
        { value: "practice", label: "also its own letters" },
      ],
      default: "truth",
      label: "fed in training",
    },
  },
};
