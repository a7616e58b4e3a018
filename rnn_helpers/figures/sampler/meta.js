import { LENGTH } from "./math.js";

export const meta = {
  question: "What happens if a network always writes the most likely character?",
  story:
    "A network that was trained on Python's source code goes on writing, and each character becomes its next input. On the left it always chooses the most likely character. On the right it draws one with the predicted probabilities. Press play.",
  prediction: {
    question: "Let both go on to 300 characters. What does the left one write?",
    kind: "choice",
    choices: ["more and more code", "one line again and again", "nothing but spaces"],
    answer: "nothing but spaces",
    why: "It begins a new line and indents it forever. After twelve spaces, another space has a probability of 0.31. All other characters share 0.69, but the best of them has only 0.14.",
  },
  alt: "Two texts that a network wrote after “def ”, 60 characters each. Always the most likely character: “filename in self.__self._strings.__setsignoth(self.__self._s”. Drawn at temperature 1: lines that look like Python; 22 of 60 characters were not the most likely. Below, how character 60 was chosen: “s” has 14 %, all others together 86 %.",
  controls: {
    prompt: { type: "text", maxLength: 40, default: "def ", label: "prompt" },
    temperature: { type: "float", min: 0, max: 2, default: 1, step: 0.05, label: "temperature" },
    seed: { type: "int", min: 0, max: 99, default: 1, label: "random numbers" },
    lane: {
      type: "choice",
      options: [
        { value: "likeliest", label: "always the most likely" },
        { value: "drawn", label: "drawn" },
      ],
      default: "likeliest",
      label: "look at",
    },
    at: { type: "int", min: 1, max: LENGTH, default: 60, label: "characters written" },
  },
};
