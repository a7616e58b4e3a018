import { ALPHABET, LONGEST, MOST } from "./math.js";

export const meta = {
  question: "Where does it look?",
  story:
    "A network reads a date as people write it, and writes it as a computer does, symbol by symbol. At every step it gives each character that it has read a weight, and hears the weighted average of what its two readers held there. Each row is a step, each column a character; the darker a cell, the greater its weight, and behind a row stands how probable its symbol was. Type a date of your own, step on, and touch a cell to see how its weight is made, and a number beneath to see where it comes from. At the end you see what another network, of as many parameters, makes of the same date, which hears one vector for all of it. Both learned dates from 1950 to 2049 as they are written in American and British English, German, Spanish and French. None of those dates names a weekday or has an ending like the “th” of 25th. Both networks read “December 25th 2033” right all the same, but with “Sunday, ” before it, both write a wrong date.",
  prediction: {
    question:
      "3/4/05 is March 4 to an American and the third of April to a Spaniard; the network met both as often. The year is written. What will it make of month and day?",
    kind: "choice",
    choices: ["one date, nearly certain", "two dates", "many dates, all unlikely"],
    answer: "two dates",
    why: "2005-04-03 with probability 0.53, and 2005-03-04 with 0.38: two dates have nearly all of it. Right would be one half each, which is where the loss is least; after 288,000 dates this small network has learned that there are two, and not yet how even they are. The other network, with one vector for it all, leans the same way, and further: 2005-04-03 has 0.77 there. The text does not say which is meant: of dates that can be read both ways, nobody can get more than half right.",
  },
  alt: "A grid with a column for each of the six characters of 3/4/05, and a row for each symbol written so far, 2, 0, 0 and 5. The darkest cell of each row, with its weight: 0.99 at /, 0.59 at 0, 0.98 at 0, 0.96 at 5. A question mark stands where the next symbol comes. Below, the score, the weight and the average of the marked cell.",
  controls: {
    date: {
      type: "text",
      maxLength: LONGEST,
      alphabet: ALPHABET + ALPHABET.toUpperCase().replace(/[^A-ZÀ-Þ]/g, ""),
      default: "3/4/05",
      label: "date",
    },
    t: { type: "int", min: 1, max: MOST, default: 4, label: "step" },
    k: { type: "int", min: 1, max: LONGEST, default: 6, label: "character" },
    sharpness: { type: "float", min: 0, max: 4, step: 0.1, default: 1, label: "sharpness" },
  },
};
