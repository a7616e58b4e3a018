// Three rhymes in the cells of a memory, found by content and by location. This module doesn't use the DOM.
import CONSTANTS from "./constants.json";
import { add, argmax, dot, oneHot, over, size, softmax, sum } from "../lib/vectors.js";

/** VERSE: lines per rhyme. LETTERS: those that can be read, the blank first. */
export const { LINES, VERSE, LETTERS } = CONSTANTS;
export const LONGEST = Math.max(...LINES.map((line) => line.length));
/** Number of letters in the memory, including blanks. */
export const PLACES = sum(LINES.map((line) => line.length));
const MANY = LETTERS.length;
const EMPTY = 1e-8; // for a cell of zeros, so that its cosine is 0

/** Return a text in small letters, without characters that are not in LETTERS. */
export const cleaned = (text) =>
  [...text.toLowerCase()].filter((letter) => LETTERS.includes(letter)).join("");

/** Count each letter of a text, and each pair of neighbors, including blanks. */
export function pieces(text) {
  const counts = Array(MANY + MANY * MANY).fill(0);
  const at = [...cleaned(text)].map((letter) => LETTERS.indexOf(letter));
  at.forEach((letter, i) => {
    if (letter) counts[letter]++;
    if (i) counts[MANY * (1 + at[i - 1]) + letter]++;
  });
  return counts;
}

/** Return the content of a cell: its letter at each of `width` places, one-hot; zeros after its end. */
export const kept = (text, width) =>
  Array.from({ length: width }, (_, p) => oneHot(LETTERS.indexOf(cleaned(text)[p]), MANY)).flat();

const made = {};
/** Return the cells, line after line: their place, text, pieces and content. */
export function memory(width) {
  made[width] ??= LINES.flatMap((line, l) =>
    Array.from({ length: Math.ceil(line.length / width) }, (_, i) => {
      const text = line.slice(i * width, (i + 1) * width);
      return { line: l, start: i * width, text, pieces: pieces(text), kept: kept(text, width) };
    }),
  );
  return made[width];
}

/** Return the index of the cell with this letter, counted from 1. */
export function cellOf(place, width) {
  const cells = memory(width);
  let rest = place;
  return cells.findIndex(({ text }) => {
    rest -= text.length;
    return rest <= 0;
  });
}

/** Return the cosine of each cell with a key. */
export function cosines(cells, key) {
  const unit = (v) => over(v, Math.max(size(v), EMPTY));
  const k = unit(key);
  return cells.map((cell) => {
    cell.unit ??= unit(cell.pieces);
    return dot(cell.unit, k);
  });
}

/** Return the shares of the weights that move back, stay and move on. */
const proportions = (shift) => [Math.max(-shift, 0), 1 - Math.abs(shift), Math.max(shift, 0)];

/** Move weights along the cells; after the last comes the first. */
export const shifted = (w, s) =>
  w.map((_, i) => sum(s.map((share, d) => share * w.at((i - d + 1) % w.length))));

/** Raise weights to the power `gamma`, and divide by the sum. */
function sharpened(w, gamma) {
  const powers = w.map((weight) => weight ** gamma);
  return over(powers, sum(powers));
}

const average = (w, rows) => add(...rows.map((row, i) => row.map((value) => w[i] * value)));

/**
 * Return cosines, scores and the reading, with the weights `found` by content, `gated` with those of the
 * read `before` (none before the first), `moved` by the shift, and the `weights` after sharpening.
 */
export function find(key, { width, beta, gate, shift, gamma }, before) {
  const cells = memory(width);
  const alike = cosines(cells, pieces(key));
  const scores = alike.map((value) => beta * value);
  const found = softmax(scores);
  const gated = before ? found.map((weight, i) => gate * weight + (1 - gate) * before[i]) : found;
  const moved = shifted(gated, proportions(shift));
  const weights = sharpened(moved, gamma);
  const read = average(
    weights,
    cells.map((cell) => cell.kept),
  );
  return { key, cells, alike, scores, found, gated, moved, weights, read };
}

/** Return the result of `find` after the reading has been the next key `t` times, with all `keys`. */
export function look({ query, t, ...state }) {
  let now = find(query, state);
  const keys = [query];
  for (let step = 0; step < t; step++) {
    keys.push(textOf(now.read));
    now = find(keys.at(-1), state, now.weights);
  }
  return { ...now, keys };
}

/** Return the shares of the letters at each place of a reading, the blank first. */
export const places = (read) =>
  Array.from({ length: read.length / MANY }, (_, p) => read.slice(p * MANY, (p + 1) * MANY));

/** Return a reading as a text: the letter of the largest share, or none where most cells have ended. */
export const textOf = (read) =>
  places(read)
    .map((shares) => shares.map((share) => Math.round(1e9 * share))) // equal ones stay equal
    .map((shares) => LETTERS[2 * sum(shares) < 1e9 ? 0 : argmax(shares)])
    .join("")
    .trim();

/** Sum values over the cells of each line. */
export const byLine = (cells, values) =>
  LINES.map((_, l) => sum(values.filter((_, i) => cells[i].line === l)));
