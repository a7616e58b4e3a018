import { FEATURES, LONGEST } from "./math.js";

export const meta = {
  question: "What has it learned that nobody told it?",
  story:
    "Two networks have learned to predict the next character of Python code, and nothing else. Here they read what you type: a row is a unit, a column a character, the steadiest units on top; sixteen are in view at a time. " +
    "One of the LSTM's 40 cells is switched by brackets, another by quotes; nobody told it of either. In the tanh network no single unit does that.",
  prediction: {
    question:
      "In code that neither has seen, the best cell of the LSTM follows “inside brackets” with a correlation of 0.87. And the best of the 30 tanh units?",
    kind: "choice",
    choices: ["0.85", "0.35", "0.05"],
    answer: "0.35",
    why: "What the tanh network knows of brackets is spread over its units, and fades: every step passes the whole state through W again. A cell of the LSTM that is told to keep its state keeps it until a bracket closes.",
  },
  alt:
    "An LSTM of 40 cells reads two lines of code, which define a method get. Of its heat map, a row for each of the first sixteen cells, the third row is blue wherever no bracket is open and pale inside each pair: its correlation with being inside brackets is 0.92 here, and 0.87 in 50 000 characters of unseen code. " +
    "The next best has 0.47 there. After “get(key”, the likeliest next characters are a closing bracket and a comma.",
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
      label: "it reads",
    },
    unit: { type: "int", min: 1, max: 40, default: 3, label: "unit" },
    t: { type: "int", min: 1, max: LONGEST, default: 56, label: "after character" },
  },
};
