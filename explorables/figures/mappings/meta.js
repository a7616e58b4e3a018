import { MOST } from "./math.js";

export const meta = {
  question: "Which of these can answer before it has read everything?",
  story:
    "Five ways from inputs to outputs. In each works a small network with weights set by hand: a unit of its state is on where a sum is positive. " +
    "Choose a way, change what is read, go from step to step. When the answer is due decides what the state must hold: a bit or two, a sum, or every letter that still waits to be said.",
  prediction: {
    question:
      "Let the network with delay read all five letters before its first answer (delay 4). How many different states must it be able to be in then?",
    kind: "choice",
    choices: ["5", "10", "32"],
    answer: "32",
    why: "At step 5 it says the first letter and still has to say the other four. So it must tell every text of five letters from every other, and there are 2 × 2 × 2 × 2 × 2 of them. Five units do it.",
  },
  alt:
    "Five small drawings of a sequence: one to one, one to many, many to one, many to many with a delay, many to many aligned. " +
    "The fourth is chosen. Its network reads the letters a b b a b in steps 1 to 5 and repeats them in steps 3 to 7, two steps late. At step 3 it has read three letters; " +
    "the three units of its state hold b, b and a, and it says a, its first answer. Of 5 answers 2 come before the last input.",
  controls: {
    pattern: {
      type: "choice",
      options: [
        { value: "one-one", label: "one to one" },
        { value: "one-many", label: "one to many" },
        { value: "many-one", label: "many to one" },
        { value: "delayed", label: "many to many, delayed" },
        { value: "aligned", label: "many to many, aligned" },
      ],
      default: "delayed",
      label: "mapping",
    },
    image: {
      type: "text",
      minLength: 9,
      maxLength: 9,
      alphabet: "01",
      default: "100100111",
      label: "pixels",
    },
    n: { type: "int", min: 1, max: MOST.n, default: 3, label: "count down from" },
    review: {
      type: "text",
      minLength: 1,
      maxLength: 60,
      alphabet: "abcdefghijklmnopqrstuvwxyz -",
      default: "a dull start but a great end",
      label: "review",
    },
    letters: {
      type: "text",
      minLength: 1,
      maxLength: MOST.letters,
      alphabet: "ab",
      default: "abbab",
      label: "letters",
    },
    k: { type: "int", min: 0, max: MOST.k, default: 2, label: "delay k" },
    code: {
      type: "text",
      minLength: 1,
      maxLength: MOST.code,
      alphabet: "ab()[]",
      default: "a(b[a]b)a",
      label: "symbols",
    },
    t: { type: "int", min: 1, max: MOST.letters + MOST.k, default: 3, label: "step" },
  },
};
