import { MANY, MOST } from "./math.js";

export const meta = {
  question: "Will its words end with a z?",
  story:
    "This network was trained on words in which a and b alternate and z is the last letter. All lengths from 3 to 10 were equally frequent. Here a length is drawn first, and the network writes that many letters, but the length isn't one of its inputs. Step through a word, then write a thousand.",
  words: [
    {
      when: { view: "five" },
      question: "Which networks end their words with a z?",
      story:
        "The network of the first figure, and four networks that stop in other ways. A bar shows how many words have that length, and its striped part those that don't end with their z. Write 1,000 words and compare the stripes. If you select a network, you see its probabilities at each step.",
    },
  ],
  prediction: {
    question: "How many of its words end with a z and have no z before?",
    kind: "choice",
    choices: ["one in eight", "one in two", "nearly all"],
    answer: "one in eight",
    why: "In this run, 112 of 1,000. The length was drawn twice: by us, and again by the network, which outputs z with the probabilities it learned. Two draws from eight equally likely lengths agree one time in eight.",
  },
  alt: "A network before its first letter. A square shows the drawn length, 5, and a square with a question mark waits for the first letter. Above them is an empty chart of lengths from 1 to 13 and more. A dotted line marks 3 to 10, the lengths of the training words.",
  controls: {
    way: {
      type: "choice",
      options: [
        { value: "symbol", label: "end symbol" },
        { value: "coin", label: "coin at each step" },
        { value: "length", label: "length, not an input" },
        { value: "total", label: "input: length τ" },
        { value: "left", label: "input: steps left τ − t" },
      ],
      default: "length",
      label: "network",
    },
    n: { type: "int", min: 1, max: MANY, default: 1, label: "words" },
    t: { type: "int", min: 0, max: MOST, default: 0, label: "step" },
    seed: { type: "int", min: 0, max: 99, default: 6, label: "random numbers" },
    view: {
      type: "choice",
      options: [
        { value: "one", label: "one network" },
        { value: "five", label: "all five" },
      ],
      default: "one",
      fixed: true,
      label: "view",
    },
  },
};
