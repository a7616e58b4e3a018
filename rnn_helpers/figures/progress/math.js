// What a network writes at several stages of its training, and what it pays for one sentence, as
// ../manual/trained.py measured it. This module doesn't use the DOM.
import { sentence, stages, tables as counted } from "../manual/trained.json";
import { sum } from "../lib/vectors.js";

export { stages };
/** The characters of the sentence. */
export const SENTENCE = [...sentence];
/** Bits per held-out character of tables of counts: the order of each n-gram, and its bits. */
export const TABLES = Object.entries(counted).map(([order, bits]) => ({ order, bits }));

/** A stage, from 1, with the bits of the whole sentence. */
export function stage(at) {
  const now = stages[at - 1];
  return { ...now, whole: sum(now.costs) };
}

/** The stage whose minibatches are nearest to a number, on a logarithmic scale. */
export function nearest(minibatches) {
  const off = ({ minibatches: one }) => Math.abs(Math.log(one / minibatches));
  return stages.reduce((best, one, i) => (off(one) < off(stages[best - 1]) ? i + 1 : best), 1);
}

/** Cut a text at its known words: parts `{ text, known }` that together are the whole text. */
export function parts({ wrote, known }) {
  const found = [];
  let at = 0;
  for (const [start, end] of known) {
    found.push({ text: wrote.slice(at, start), known: false });
    found.push({ text: wrote.slice(start, end), known: true });
    at = end;
  }
  return [...found, { text: wrote.slice(at), known: false }].filter(({ text }) => text);
}
