// Three rhymes in the cells of a memory, found by content, read, corrected and written over. No DOM here.
import CONSTANTS from "../../../rnn_helpers/explore/figures/address.json";
import { add, argmax, dot, oneHot, over, size, softmax, sum } from "../../lib/vectors.js";

/** VERSE: lines of a rhyme. NOTE: what is written. LETTERS: what can be read, the blank first. */
export const { LINES, VERSE, NOTE, LETTERS } = CONSTANTS;
export const LONGEST = Math.max(...LINES.map((line) => line.length));
/** Letters of the memory, blanks too. */
export const PLACES = sum(LINES.map((line) => line.length));
const MANY = LETTERS.length;
const EMPTY = 1e-8; // a cell of zeros points nowhere, and is like no key

/** A text in small letters, without what has no place in LETTERS. */
export const cleaned = (text) =>
  [...text.toLowerCase()].filter((letter) => LETTERS.includes(letter)).join("");

/** How often each letter stands in a text, and each pair of neighbours, blanks among them. */
export function pieces(text) {
  const counts = Array(MANY + MANY * MANY).fill(0);
  const at = [...cleaned(text)].map((letter) => LETTERS.indexOf(letter));
  at.forEach((letter, i) => {
    if (letter) counts[letter]++;
    if (i) counts[MANY * (1 + at[i - 1]) + letter]++;
  });
  return counts;
}

/** A text as it is kept: for each of `width` places which letter, a 1 among zeros; none past its end. */
export const kept = (text, width) =>
  Array.from({ length: width }, (_, p) => oneHot(LETTERS.indexOf(cleaned(text)[p]), MANY)).flat();

const made = {};
/** The cells, line after line: where each stands, its text, its pieces and what it keeps. */
export function memory(width) {
  made[width] ??= LINES.flatMap((line, l) =>
    Array.from({ length: Math.ceil(line.length / width) }, (_, i) => {
      const text = line.slice(i * width, (i + 1) * width);
      return { line: l, start: i * width, text, pieces: pieces(text), kept: kept(text, width) };
    }),
  );
  return made[width];
}

/** Index of the cell that has the letter of this number, from 1. */
export function cellOf(place, width) {
  const cells = memory(width);
  let rest = place;
  return cells.findIndex(({ text }) => {
    rest -= text.length;
    return rest <= 0;
  });
}

/** How alike each cell and a key are in direction. */
export function cosines(cells, key) {
  const unit = (v) => over(v, Math.max(size(v), EMPTY));
  const k = unit(key);
  return cells.map((cell) => {
    cell.unit ??= unit(cell.pieces);
    return dot(cell.unit, k);
  });
}

/** How much of the weights goes one cell back, stays, goes one further. */
export const proportions = (shift) => [
  Math.max(-shift, 0),
  1 - Math.abs(shift),
  Math.max(shift, 0),
];

/** Weights moved along the cells; after the last comes the first. */
export const shifted = (w, s) =>
  w.map((_, i) => sum(s.map((share, d) => share * w.at((i - d + 1) % w.length))));

const average = (w, rows) => add(...rows.map((row, i) => row.map((value) => w[i] * value)));

/** By content, then by place: cosines, scores, weights `found` and `weights`, and what is read. */
export function find(key, { width, beta, shift }) {
  const cells = memory(width);
  const alike = cosines(cells, pieces(key));
  const scores = alike.map((value) => beta * value);
  const found = softmax(scores);
  const weights = shifted(found, proportions(shift));
  const read = average(
    weights,
    cells.map((cell) => cell.kept),
  );
  return { key, cells, alike, scores, found, weights, read };
}

/** What is found, after what was read has been the key `t` times; with all the `keys`. */
export function look({ query, t, ...state }) {
  let now = find(query, state);
  const keys = [query];
  for (let step = 0; step < t; step++) {
    keys.push(textOf(now.read));
    now = find(keys.at(-1), state);
  }
  return { ...now, keys };
}

/**
 * What is wrong with the reading where cell `j` was wanted, half the squared difference of a letter,
 * and its gradients: on what was found by content, and on the scores.
 */
export function corrected({ cells, found, read }, { width, shift }, j) {
  const off = read.map((value, i) => value - cells[j].kept[i]);
  const onWeights = cells.map((cell) => dot(off, cell.kept) / width);
  const onFound = shifted(onWeights, proportions(shift).toReversed());
  const mean = dot(found, onFound);
  const onScores = found.map((weight, i) => weight * (onFound[i] - mean));
  return { loss: dot(off, off) / (2 * width), onFound, mean, onScores };
}

/** The cells after the note has been written into them, with all of a cell erased by its weight. */
export function written({ cells, weights }, { width }) {
  const note = kept(NOTE, width);
  return cells.map((cell, i) =>
    cell.kept.map((value, p) => value * (1 - weights[i]) + weights[i] * note[p]),
  );
}

/** What is read when the cells keep `rows`. */
export const readFrom = (weights, rows) => average(weights, rows);

/** At each place of a reading the shares of the letters, the blank first. */
export const places = (read) =>
  Array.from({ length: read.length / MANY }, (_, p) => read.slice(p * MANY, (p + 1) * MANY));

/** A reading as a text: at each place the letter of the largest share, none where most cells have ended. */
export const textOf = (read) =>
  places(read)
    .map((shares) => shares.map((share) => Math.round(1e9 * share))) // equal ones stay equal
    .map((shares) => LETTERS[2 * sum(shares) < 1e9 ? 0 : argmax(shares)])
    .join("")
    .trim();

/** Sums over the cells of each line. */
export const byLine = (cells, values) =>
  LINES.map((_, l) => sum(values.filter((_, i) => cells[i].line === l)));
