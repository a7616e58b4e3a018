import { FEATURES, LONGEST } from "./math.js";

export const meta = {
  question: "Has one of the units learned to follow brackets, or something else?",
  story:
    "Two networks were trained to predict the next character of Python code. Here they read the text that you type. Each row is a unit and each column a character: red is above 0, and blue below. " +
    "Choose a feature of the text, such as being inside brackets, and see which unit follows it best.",
  prediction: {
    question:
      "In unseen code, the LSTM's best cell follows “inside brackets” with a correlation of 0.87. What is the correlation of the best of the 30 tanh units?",
    kind: "choice",
    choices: ["0.85", "0.35", "0.05"],
    answer: "0.35",
    why: "The tanh network spreads what it knows about brackets over many units, and each step mixes them through W. A cell of the LSTM can keep its value until the bracket closes.",
  },
  alt:
    "An LSTM of 40 cells reads two lines of code, which define a method get. Its heat map has a row for each of the first sixteen cells. The third row is blue wherever no bracket is open and pale inside each pair. Its correlation with being inside brackets is 0.92 here, and 0.87 in 50 000 characters of unseen code. " +
    "The next best has 0.47 there. After “get(key”, the most likely next characters are a closing bracket and a comma.",
  controls: {
    net: {
      type: "choice",
      options: [
        { value: "rnn", label: "30 tanh units" },
        { value: "lstm", label: "40 LSTM cells" },
      ],
      default: "lstm",
      label: "network",
    },
    follow: {
      type: "choice",
      options: Object.entries(FEATURES).map(([value, { label }]) => ({ value, label })),
      default: "brackets",
      label: "which unit follows",
    },
    text: {
      type: "text",
      minLength: 1,
      maxLength: LONGEST,
      default: "    def get(self, key):\n        return self.data.get(key, 'none')\n",
      label: "text",
    },
    unit: { type: "int", min: 1, max: 40, default: 3, label: "unit" },
    t: { type: "int", min: 1, max: LONGEST, default: 56, label: "after character" },
  },
};
