// Two networks that name the word which a letter is in, and what can be known of it. No DOM here.
import STORED from "../../../rnn_helpers/explore/trained/bo.json";
import { states } from "../../lib/gru.js";
import { add, oneHot, over, softmax, times } from "../../lib/vectors.js";
import { unpacked } from "../../lib/weights.js";

export const LONGEST = 24;
export const KINDS = ["past", "both"];
export const { words: WORDS, letters: LETTERS } = STORED;
const READERS = ["ahead", "back"];

/** What is spoken of what is typed: capitals are small, blanks are left out. */
export const spoken = (typed) => typed.toLowerCase().replace(/\s/g, "");

const networks = {};
/** Weights of a network: of each of its readers by the names of the reference, and V and c. */
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

/** Probability of each word at each letter of a text: rows of ten. */
export function bets(kind, text) {
  const { V, c, readers } = network(kind);
  const x = Array.from(text, (letter) => oneHot(1 + LETTERS.indexOf(letter), 1 + LETTERS.length));
  const [ahead, back] = readers;
  const h = states(ahead, x);
  const g = back ? states(back, [...x].reverse()).reverse() : h.map(() => []);
  return h.map((one, t) => softmax(add(c, times(V, [...one, ...g[t]]))));
}

const fits = (rest) => WORDS.filter((word) => rest.startsWith(word) || word.startsWith(rest));

/** The words of a text: where each begins and ends, and which fit; null if none does. */
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

/** Probability of each word at each letter, for who hears up to it, or `both` ways, and forgets nothing. */
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
