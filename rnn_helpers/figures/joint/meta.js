export const TAU = 10;

export const meta = {
  question: "Which arrows does a network need?",
  story:
    "Six seconds of popcorn, y, with a state h for each. Arrows of one color share their weights, U, V or W. Remove the states one by one, and see which arrows replace them. The chart counts the numbers that a table of all sequences and a network of 16 units need.",
  prediction: {
    question:
      "A network with 16 units has 338 parameters, whatever the length of the sequence. A table with a probability for each sequence needs 63 numbers at length 6. From which length on does a table need more numbers than the network?",
    kind: "choice",
    choices: ["9", "33", "339"],
    answer: "9",
    why: "The table has 255 numbers at length 8 and 511 at length 9, and each further symbol doubles it. The network has 338 at every length, because it uses the same weights at every step.",
  },
  alt: "Two rows of six nodes, the symbols above and the states below. An arrow leads from each state to its symbol and to the next state, and from each symbol to the next state. These are 16 arrows in three colors, one color for each kind, and none of them leads from symbol to symbol. Next to them, a chart over the length shows the numbers in a table of all sequences, which rise from 1 to 63, and those in a network of 16 units, 338 at every length.",
  controls: {
    summed: { type: "int", min: 0, max: TAU, default: 0, label: "states removed" },
    tau: { type: "int", min: 2, max: TAU, default: 6, label: "length" },
    k: { type: "int", min: 2, max: 30, default: 2, fixed: true, label: "kinds" },
    units: { type: "int", min: 1, max: 64, default: 16, fixed: true, label: "units" },
    t: { type: "int", min: 1, max: TAU, default: 4, label: "selected symbol" },
  },
};
