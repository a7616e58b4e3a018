import { LENGTH } from "./math.js";

export const meta = {
  question: "What happens if it always writes the likeliest character?",
  story:
    "A network that has read Python's own source writes on, character by character, each fed back. Always taking the likeliest, it writes one line and then indents for ever: every space is the best single guess against many characters that share the rest. Drawn with the same probabilities, the text goes on like code, and costs the network about as many bits as code does.",
  prediction: {
    question:
      "After twelve spaces the network finds a thirteenth likelier than any other character, and writes it. How likely does it hold that space to be?",
    kind: "choice",
    choices: ["about 0.95", "about 0.6", "about 0.3"],
    answer: "about 0.3",
    why: "0.31. That something else comes has 0.69, but many characters share that, and the largest share is 0.14. A space wins against each of them, though not against all, and wins again four spaces later.",
  },
  alt: "Two texts that an LSTM wrote after “def ”, 300 characters each. Always the likeliest: a line of code, and after 68 characters nothing but spaces; 0.64 bits a character. At temperature 1: lines that look like Python, 2.10 bits a character; 123 of 300 were not the likeliest. Below, what character 300 was chosen from: a space has 58 %, all others together 42 %.",
  controls: {
    net: {
      type: "choice",
      options: [
        { value: "lstm", label: "LSTM" },
        { value: "rnn", label: "plain" },
      ],
      default: "lstm",
      label: "network",
    },
    prompt: { type: "text", maxLength: 40, default: "def ", label: "it has read" },
    temperature: { type: "float", min: 0, max: 2, default: 1, step: 0.05, label: "temperature" },
    seed: { type: "int", min: 0, max: 99, default: 1, label: "dice" },
    lane: {
      type: "choice",
      options: [
        { value: "likeliest", label: "always the likeliest" },
        { value: "drawn", label: "drawn" },
      ],
      default: "likeliest",
      label: "look at",
    },
    at: { type: "int", min: 1, max: LENGTH, default: 300, label: "characters written" },
  },
};
