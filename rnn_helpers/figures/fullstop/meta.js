import { ALPHABET, STAGES } from "./math.js";

export const meta = {
  question: "At which characters does an LSTM forget?",
  story:
    "An LSTM with sixteen cells learns to predict the next letter of English text. Each row of the picture is a cell and each column a character: the darker, the further is the cell’s forget gate closed. The bars above count the gates below one half. Before training, all gates are nearly equal. Choose a later moment of the training, or type a text of your own.",
  prediction: {
    question: "After training, at which characters will the largest number of forget gates close?",
    kind: "choice",
    choices: ["full stops", "commas", "spaces"],
    answer: "spaces",
    why: "At every space, six of the sixteen gates close. To predict the next letter, the network needs the letters of the current word most of all, and after a space it can forget them. Of five such networks, three close more gates at spaces than at full stops, and one closes more at full stops.",
  },
  alt: "The text “one page has three errors. the next page has only one.” has a column for each character and a row for each of sixteen cells. Before training, all forget gates have nearly the same light shade, and above the columns there are no bars, since no gate is below one half.",
  controls: {
    stage: {
      type: "choice",
      options: STAGES.map((value) => ({ value, label: Number(value).toLocaleString("en-US") })),
      default: "0",
      label: "after updates",
    },
    text: {
      type: "text",
      minLength: 1,
      maxLength: 80,
      alphabet: ALPHABET,
      default: "one page has three errors. the next page has only one.",
      label: "text",
    },
    t: { type: "int", min: 1, max: 80, default: 26, label: "character" },
  },
};
