// Two networks that name the word of each letter, and the best possible answers. This module doesn't
// use the DOM.
import STORED from "./trained.json";
import { states } from "../lib/gru.js";
import { add, oneHot, over, softmax, times } from "../lib/vectors.js";
import { unpacked } from "../lib/weights.js";

export const LONGEST = 24;
export const KINDS = ["past", "both"];
export const { words: WORDS, letters: LETTERS } = STORED;
const READERS = ["ahead", "back"];

/** Return a typed text in lower case and without blanks. */
export const spoken = (typed) => typed.toLowerCase().replace(/\s/g, "");

const networks = {};
/** Return a network's V and c, and the weights of its one or two readers by their names in the reference. */
export function network(kind) {
  if (networks[kind]) return networks[kind];
  const all = unpacked(STORED.networks[kind]);
  const parts = { V: all.V, c: all.c, readers: [] };
  for (const reader of READERS.filter((name) => all[`${name} U`])) {
    const own = Object.entries(all).filter(([name]) => name.startsWith(`${reader} `));
    parts.readers.push(Object.fromEntries(own.map(([name, M]) => [name.split(" ")[1], M])));
  }
  networks[kind] = parts;
  return parts;
}

/** Return the probability of each of the ten words, in a row for each letter of a text. */
export function bets(kind, text) {
  const { V, c, readers } = network(kind);
  const x = Array.from(text, (letter) => oneHot(1 + LETTERS.indexOf(letter), 1 + LETTERS.length));
  const [ahead, back] = readers;
  const h = states(ahead, x);
  const g = back ? states(back, [...x].reverse()).reverse() : h.map(() => []);
  return h.map((one, t) => softmax(add(c, times(V, [...one, ...g[t]]))));
}

const fits = (rest) => WORDS.filter((word) => rest.startsWith(word) || word.startsWith(rest));

/** Return the place of each word of a text and the words that fit there, or null if none fits somewhere. */
export function split(text) {
  const found = [];
  for (let start = 0; start < text.length; ) {
    const fit = fits(text.slice(start));
    if (!fit.length) return null;
    const whole = fit.find((word) => text.startsWith(word, start));
    const end = whole ? start + whole.length : text.length;
    found.push({ start, end, fit });
    start = end;
  }
  return found;
}

/**
 * Return the exact probability of each word at each letter, given the text up to that letter or, if `both`,
 * the whole text.
 */
export function possible(text, both) {
  return split(text).flatMap(({ start, end }) =>
    Array.from({ length: end - start }, (_, k) => {
      const heard = both ? text.slice(start) : text.slice(start, start + k + 1);
      const may = WORDS.map((word) => word.length > k && fits(heard).includes(word));
      const n = may.filter(Boolean).length;
      return over(may, n);
    }),
  );
}
