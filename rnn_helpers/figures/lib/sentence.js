// A sentence of words with one year, which can stand at any position. No DOM here.
import { upTo } from "./vectors.js";

/** Tokens with a token `year` at `place` (from 1). Word 0, "in", stands before it, or after a first year. */
export const sentence = (place, words, year) =>
  upTo(words - 2)
    .toSpliced(Math.max(place - 2, 0), 0, 0)
    .toSpliced(place - 1, 0, year);

const PROPER = { i: "I", nepal: "Nepal" };
/** The tokens as words, as they are shown. */
export function written(tokens, symbols) {
  const [first, ...rest] = tokens.map((token) => PROPER[symbols[token]] ?? symbols[token]);
  return [first[0].toUpperCase() + first.slice(1), ...rest];
}
