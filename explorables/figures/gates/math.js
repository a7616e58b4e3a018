// Small trained networks that count the ones since the last reset, run over any sequence. No DOM
// here.
import { dot, sigmoid, times } from "../../lib/vectors.js";
import NETWORKS from "../../../rnn_helpers/explore/trained/gates.json";

export const { networks, training } = NETWORKS;
/** Longest sequence that the figure takes. */
export const LONGEST = 24;
export const SYMBOLS = "01r";

/** The next symbol at each click. */
export const turned = (symbol) => SYMBOLS[(SYMBOLS.indexOf(symbol) + 1) % SYMBOLS.length];
export const put = (sequence, t, symbol) => sequence.slice(0, t - 1) + symbol + sequence.slice(t);

/** A symbol as the task codes it: the one, and the reset. */
export const code = (symbol) => [Number(symbol === "1"), Number(symbol === "r")];

/** The right answers. */
export function counts(sequence) {
  let count = 0;
  return [...sequence].map((symbol) => (count = symbol === "r" ? 0 : count + Number(symbol)));
}

const each = (f, ...vectors) => vectors[0].map((_, i) => f(...vectors.map((v) => v[i])));
/** `b + U x + W h` of a part of the cell: "" is its input, "f" the forget gate, and so on. */
const sums = (p, part, x, h) =>
  each((b, u, w) => b + u + w, p[`b${part}`], times(p[`U${part}`], x), times(p[`W${part}`], h));

/** From the state before, `{ h, s }`, a step of each cell. */
export const step = {
  /** (G 10.40)-(G 10.44): forget and input gate, cell input, state, output gate, output. */
  lstm(p, x, { h, s }) {
    const [f, g, q] = ["f", "g", "o"].map((part) => sums(p, part, x, h).map(sigmoid));
    const c = sums(p, "", x, h).map(Math.tanh);
    const now = each((f, s, g, c) => f * s + g * c, f, s, g, c);
    return { f, g, q, c, s: now, h: each((q, s) => q * Math.tanh(s), q, now) };
  },
  /** (G 10.45)-(G 10.47), corrected: update and reset gate, target, state. */
  gru(p, x, { h }) {
    const [u, r] = ["u", "r"].map((part) => sums(p, part, x, h).map(sigmoid));
    const seen = each((r, h) => r * h, r, h);
    const c = sums(p, "", x, seen).map(Math.tanh);
    return { u, r, c, h: each((u, h, c) => u * h + (1 - u) * c, u, h, c) };
  },
};

/** The whole sequence from a state of zeros; the answer `says` is in ones, as `count` is. */
export function run({ net, sequence }, params = networks[net]) {
  const right = counts(sequence);
  const zeros = params.b.map(() => 0);
  let last = { h: zeros, s: zeros };
  return [...sequence].map((symbol, i) => {
    const before = last;
    last = step[net](params, code(symbol), before);
    const says = 10 * (params.c[0] + dot(params.V[0], last.h));
    return { t: i + 1, symbol, before, ...last, says, count: right[i] };
  });
}

/** Where the answer is furthest off: the step, and by how much. */
export const worst = (steps) =>
  steps.reduce((p, q) => (Math.abs(q.says - q.count) > Math.abs(p.says - p.count) ? q : p));

/** Least and most of a gate of a unit over steps that `which` picks; null if it picks none. */
export function range(steps, gate, unit, which) {
  const values = steps.filter(which).map((now) => now[gate][unit - 1]);
  return values.length ? [Math.min(...values), Math.max(...values)] : null;
}
