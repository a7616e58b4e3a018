import { LETTERS, MANY } from "./math.js";

export const meta = {
  question: "How much of this minibatch is padding?",
  story:
    "Sixty-four sentences of Python’s language reference, cut into minibatches. A minibatch takes as many steps as its longest sentence, and the others are filled up with padding. " +
    "Sort the sentences, shuffle them again, or shuffle only the minibatches. Drag a sentence or a cut. Select a row to see its inputs, its targets and its mask.",
  prediction: {
    question:
      "Leave the sentences shuffled, and cut them into minibatches of 32. How many of the steps are padding then?",
    kind: "choice",
    choices: ["about a third", "half of them, as in minibatches of eight", "about two thirds"],
    answer: "about two thirds",
    why: "It is 65 percent. The longest of 32 sentences is usually longer than the longest of eight, and all the others are padded to its length. The two minibatches take 87 and 67 steps, but a sentence has only 27 on average. Sorting reduces the padding only to 51 percent, because half of all the sentences can't have about the same length.",
  },
  alt:
    "Sixty-four rows, one for each sentence, in eight minibatches of eight. A sentence takes 10 to 87 steps, and the longest of each minibatch sets its width, from 28 to 87. " +
    "The rest of each row is hatched: 1668 of 3400 steps, 49 percent, are padding.",
  controls: {
    order: {
      type: "choice",
      options: [
        { value: "given", label: "as in the text" },
        { value: "random", label: "shuffled" },
        { value: "sorted", label: "sorted by length" },
        { value: "groups", label: "sorted, minibatches shuffled" },
      ],
      default: "random",
      label: "order",
    },
    size: { type: "int", min: 1, max: MANY, default: 8, label: "minibatches of" },
    mask: { type: "bool", default: true, label: "mask padding" },
    sentence: { type: "int", min: 1, max: MANY, default: 29, label: "sentence of the text" },
    seed: { type: "int", min: 1, max: 99, default: 1, label: "shuffle" },
    own: {
      type: "text",
      maxLength: 2 * MANY - 1,
      alphabet: `${LETTERS}.`,
      default: "",
      label: "arranged by hand",
    },
  },
};
