// Small trained networks that count the ones since the last reset, run over any sequence. This module
// doesn't use the DOM.
import { sigmoid, sum, times } from "../lib/vectors.js";
import NETWORKS from "./trained.json";

export const { networks, training } = NETWORKS;
/** The longest sequence that the figure accepts. */
export const LONGEST = 24;
export const SYMBOLS = "01r";

/** The symbol that a click puts in place of another. */
export const turned = (symbol) => SYMBOLS[(SYMBOLS.indexOf(symbol) + 1) % SYMBOLS.length];
export const put = (sequence, t, symbol) => sequence.slice(0, t - 1) + symbol + sequence.slice(t);

/** A symbol as the task's two inputs: whether it is a one, and whether it is a reset. */
export const code = (symbol) => [Number(symbol === "1"), Number(symbol === "r")];

/** The count after each symbol, which is the right answer. */
export function counts(sequence) {
  let count = 0;
  return [...sequence].map((symbol) => (count = symbol === "r" ? 0 : count + Number(symbol)));
}

const each = (f, ...vectors) => vectors[0].map((_, i) => f(...vectors.map((v) => v[i])));
/** `b + U x + W h` of a part of the cell: "" for the cell input, "f" for the forget gate, and so on. */
const sums = (p, part, x, h) =>
  each((b, u, w) => b + u + w, p[`b${part}`], times(p[`U${part}`], x), times(p[`W${part}`], h));

/** One step of each cell, from the previous state `{ h, s }`. */
export const step = {
  /** (G 10.40)-(G 10.44): forget and input gate, cell input, state, output gate, output. */
  lstm(p, x, { h, s }) {
    const [f, g, q] = ["f", "g", "o"].map((part) => sums(p, part, x, h).map(sigmoid));
    const c = sums(p, "", x, h).map(Math.tanh);
    const now = each((f, s, g, c) => f * s + g * c, f, s, g, c);
    return { f, g, q, c, s: now, h: each((q, s) => q * Math.tanh(s), q, now) };
  },
  /** (G 10.45)-(G 10.47): update and reset gate, target, state. */
  gru(p, x, { h }) {
    const [u, r] = ["u", "r"].map((part) => sums(p, part, x, h).map(sigmoid));
    const seen = each((r, h) => r * h, r, h);
    const c = sums(p, "", x, seen).map(Math.tanh);
    return { u, r, c, h: each((u, h, c) => u * h + (1 - u) * c, u, h, c) };
  },
};

/**
 * The whole sequence from a state of zeros. The answer `answer` is in ones, as `count` is; it is the sum
 * of `terms`, one for each unit's output and one for the bias.
 */
export function run({ net, sequence }, params = networks[net]) {
  const right = counts(sequence);
  const zeros = params.b.map(() => 0);
  let last = { h: zeros, s: zeros };
  return [...sequence].map((symbol, i) => {
    const before = last;
    last = step[net](params, code(symbol), before);
    const terms = [...each((v, h) => 10 * v * h, params.V[0], last.h), 10 * params.c[0]];
    return { t: i + 1, symbol, before, ...last, terms, answer: sum(terms), count: right[i] };
  });
}

/** The smallest and largest value of a unit's gate over the steps that pass `which`; null if none does. */
export function range(steps, gate, unit, which) {
  const values = steps.filter(which).map((now) => now[gate][unit - 1]);
  return values.length ? [Math.min(...values), Math.max(...values)] : null;
}
