export const TAU = 10;

export const meta = {
  question: "How many arrows, how many numbers?",
  story:
    "Six symbols, each of two kinds or more, and a recurrent network that says how likely any six of them are. With its states drawn in, a symbol hears one of them and nothing else. But a state is no more than a function of what it has heard. Sum the states out, one after another, and see who has to be heard in their place; then ask how many numbers it takes to write down what each symbol makes of it. Drag the end of the sequence, and change the number of kinds.",
  prediction: {
    question:
      "There are two kinds of symbols. A network of 16 units has 338 weights and biases, for sequences of every length. A table with a probability for each sequence needs 63 numbers at length 6. From what length on does the table need more than the network?",
    kind: "choice",
    choices: ["9", "33", "339"],
    answer: "9",
    why: "Each further symbol doubles the table: 127, 255, 511. At length 30 it has a billion numbers, and the network 338. That is what states are for: without them each symbol hears all before it, and for two kinds of symbols the ninth has 2⁸ pasts to answer. The price is that the network must answer all of them with the same few weights, and every step by the same rule.",
  },
  alt: "Two rows of six nodes, the symbols above, the states below. An arrow leads from each state to its symbol and to the next state, and from each symbol to the next state: 16 arrows, none from symbol to symbol. Beside it, against the length, the numbers in a table of all sequences, which rise from 1 to 63, and those in a network of 16 units, 338 at every length.",
  controls: {
    summed: { type: "int", min: 0, max: TAU, default: 0, label: "states summed out" },
    tau: { type: "int", min: 2, max: TAU, default: 6, label: "length" },
    k: { type: "int", min: 2, max: 30, default: 2, label: "kinds" },
    units: { type: "int", min: 1, max: 64, default: 16, label: "units" },
    t: { type: "int", min: 1, max: TAU, default: 4, label: "symbol looked at" },
  },
};
