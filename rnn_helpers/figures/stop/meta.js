import { MANY, MOST } from "./math.js";

export const meta = {
  question: "Will its popcorn end with a ding?",
  story:
    "This network was trained on recordings of popcorn: 0 is silence, 1 is a pop, and the ding, written as !, comes last. All lengths from 3 to 10 were equally frequent. Here a length is drawn first, and then the network writes that many symbols. Finish the recording, then make a thousand.",
  words: [
    {
      when: { view: "five" },
      question: "Which networks end with their ding?",
      story:
        "The network of the first figure, and four networks that stop in other ways. A bar shows how many recordings have that length, and its striped part those that don't end with their ding. Below it is the latest recording. If you select a network, you see its predictions: a column for each step, with a frame around the symbol that was drawn.",
    },
  ],
  prediction: {
    question: "Of 1,000 recordings, how many have a ding at their end and none before?",
    kind: "choice",
    choices: ["one in eight", "one in two", "nearly all"],
    answer: "one in eight",
    why: "In this run, 123 of 1,000. The length was drawn twice: by us, and again by the network, which draws its ding with the probabilities that it learned. Two draws from eight equally likely lengths agree one time in eight.",
  },
  alt: "Five recordings below one another, each with the drawn length in front. Length 7: 0 0 1 0 0 1 1, no ding. Length 9: 1 1 1 1 0 1 ! 1 !, the ding came too early. Length 3: 0 0 1, no ding. Length 7: 1 1 0 1 0 0 !, ding. The last, of the drawn length, 6, has only begun: 0 1, then a square with a question mark. A bar below shows that 1 of 4 finished recordings ends with its ding.",
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
    n: { type: "int", min: 1, max: MANY, default: 5, label: "recordings" },
    t: { type: "int", min: 0, max: MOST, default: 2, label: "step" },
    seed: { type: "int", min: 0, max: 99, default: 48, label: "random numbers" },
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
