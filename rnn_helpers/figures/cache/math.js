// Pictures of letters in two memories that keep equally many numbers. This module doesn't use the DOM.
import CONSTANTS from "./constants.json";
import { random } from "../lib/random.js";
import { add, argmax, dot, softmax, sum } from "../lib/vectors.js";

/** ROOM: pairs that the cache keeps. WIDE: pixels in a row of a picture. */
export const { ROOM, WIDE, SHARPNESS } = CONSTANTS;
export const LETTERS = Object.keys(CONSTANTS.LETTERS);

/** The pixels of each letter, 1 or −1. */
const PICTURES = Object.values(CONSTANTS.LETTERS).map((rows) =>
  [...rows].flatMap((row) =>
    Array.from({ length: WIDE }, (_, k) => (Number.parseInt(row, 16) >> (WIDE - 1 - k)) & 1 || -1),
  ),
);
const D = PICTURES[0].length;

/** Return a key of length 1 for each letter: random signs, divided by their root. */
function drawn(seed) {
  const { uniform } = random(seed);
  return LETTERS.map(() =>
    Array.from({ length: D }, () => (uniform() < 0.5 ? -1 : 1) / Math.sqrt(D)),
  );
}

const times = (M, v) => M.map((row) => dot(row, v));

/** Return the matrix after a pair: by the sum, or by the delta rule with a step of 1. */
function write(M, k, v, rule) {
  const now = times(M, k);
  return M.map((row, i) => {
    const news = rule === "delta" ? v[i] - now[i] : v[i];
    return row.map((entry, j) => entry + news * k[j]);
  });
}

/** Return the reading for a key: an average of the pictures of the pairs that are kept. */
function attend(query, keys, pictures) {
  const w = softmax(keys.map((key) => SHARPNESS * dot(key, query)));
  return add(...pictures.map((picture, i) => picture.map((pixel) => w[i] * pixel)));
}

/** Return the index of the letter whose picture has the largest dot product with a reading. */
const recognize = (reading) => argmax(PICTURES.map((picture) => dot(picture, reading)));

/**
 * Return what both memories return for the key of each pair whose key has no newer value: `pairs` with
 * their index, and the readings of `cache` and `matrix` with whether the letter is `right`. The cache
 * contains the pairs from number `first` on, counted from 0.
 */
export function compute({ t, keys: kind, rule, seed }) {
  const own = drawn(seed);
  const key = (i) => own[kind === "again" ? i % ROOM : i];
  const all = Array.from({ length: t }, (_, i) => i);
  const first = Math.max(t - ROOM, 0);
  const kept = all.slice(first);
  const M = all.reduce(
    (M, i) => write(M, key(i), PICTURES[i], rule),
    Array.from({ length: D }, () => Array(D).fill(0)),
  );
  const judged = (reading, i) => ({ reading, right: recognize(reading) === i });
  const pairs = all.slice(kind === "again" ? first : 0).map((i) => ({
    i,
    cache: judged(
      attend(
        key(i),
        kept.map(key),
        kept.map((j) => PICTURES[j]),
      ),
      i,
    ),
    matrix: judged(times(M, key(i)), i),
  }));
  const count = (memory) => sum(pairs.map((pair) => Number(pair[memory].right)));
  return { first, pairs, cache: count("cache"), matrix: count("matrix") };
}

/** The picture of a letter. */
export const picture = (i) => PICTURES[i];
