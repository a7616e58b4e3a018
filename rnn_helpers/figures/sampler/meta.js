import { LENGTH } from "./math.js";

export const meta = {
  question: "What happens if a network always writes the most likely character?",
  story:
    "A network that was trained on a manual of Python continues a text, and each character that it writes becomes its next input. On the left it always chooses the most likely character. On the right it draws one with the predicted probabilities. Type a beginning of your own, and press play.",
  prediction: {
    question: "Let both go on to 300 characters. What does the left one write?",
    kind: "choice",
    choices: ["better and better sentences", "one phrase again and again", "random characters"],
    answer: "one phrase again and again",
    why: "After 20 characters it writes “of the subject” again and again. At the end of this phrase, its hidden state is nearly the same as 15 characters earlier, so the same character is the most likely once more. Most other beginnings lead to the same phrase, and the others to another one.",
  },
  alt: "Two texts that a network wrote after “The ”, 30 characters each. Always the most likely character: “string is a sequence of the su”. Drawn at temperature 1: “method that usely a value and ”; 12 of 30 characters were not the most likely. Below, how character 30 was chosen: “u” has 26 %, all others together 74 %.",
  controls: {
    prompt: { type: "text", maxLength: 40, default: "The ", label: "prompt" },
    temperature: { type: "float", min: 0, max: 2, default: 1, step: 0.05, label: "temperature" },
    seed: { type: "int", min: 0, max: 99, default: 23, label: "random numbers" },
    lane: {
      type: "choice",
      options: [
        { value: "likeliest", label: "always the most likely" },
        { value: "drawn", label: "drawn" },
      ],
      default: "likeliest",
      label: "look at",
    },
    at: { type: "int", min: 1, max: LENGTH, default: 30, label: "characters written" },
  },
};
