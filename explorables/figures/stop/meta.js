import { MANY, MOST } from "./math.js";

export const meta = {
  question: "How does it know that it is over?",
  story:
    "Five small networks have learned to write from sequences of three to ten letters, all these lengths as likely: a and b in turn, then a z. One has a further symbol, which ends a sequence. One throws a coin at every step. Three draw the length τ before they write; of it one is told nothing, one hears τ at every step, and one hears how many steps are left. Let them write, symbol by symbol, or a thousand sequences.",
  prediction: {
    question:
      "The third network draws how long it will write, and then writes without knowing it. How many of its sequences end with their z, and not before it or after it?",
    kind: "choice",
    choices: ["one in eight", "one in two", "nearly all"],
    answer: "one in eight",
    why: "112 of these thousand. It draws a length twice: once before it writes, and once more, unawares, with the probability that it gives z at every step, as it had learned to. Two draws from the same eight lengths agree one time in eight. It pays for the length twice, too: 4.87 nats a sequence, where 2.77 would do and the others have 2.77 to 2.78. Told τ, or what is left of it, 999 of 1000 end with their z; with an end symbol or a coin, which see each letter before they decide, 997.",
  },
  alt: "Five networks have each written three letters, a b a; three of them drew the length 5 before. Above each lies, still empty, a row of lengths from 1 to 13 and more, with a dotted line over 3 to 10, the lengths that they learned from. A place with a question mark waits for the next letter. Beside them the probabilities of the one with an end symbol: at step 1 a 0.51 and b 0.49; at step 2 b 1.00; at step 3 a 0.88 and z 0.12.",
  controls: {
    way: {
      type: "choice",
      options: [
        { value: "symbol", label: "end symbol" },
        { value: "coin", label: "coin" },
        { value: "length", label: "told nothing" },
        { value: "total", label: "told τ" },
        { value: "left", label: "told τ − t" },
      ],
      default: "symbol",
      label: "network",
    },
    n: { type: "int", min: 1, max: MANY, default: 1, label: "sequences" },
    t: { type: "int", min: 0, max: MOST, default: 3, label: "step" },
    seed: { type: "int", min: 0, max: 99, default: 6, label: "dice" },
  },
};
