// Pairs written into a memory of one row, as in `rnn_helpers.reference`. This module doesn't use the DOM.
import { start } from "../lib/planar.js";
import { dot } from "../lib/vectors.js";

/** The pairs, each a key and a value. */
export const PAIRS = [1, 2, 3];
/** The value at which the circle of the keys is drawn. */
export const ROUND = 10;
/** The number of times that all pairs can be written. */
export const PASSES = 4;

/** The memory after one pair: `M + eta v k`, or `M + eta (v - M k) k`. */
export function write(M, k, v, eta, rule) {
  const news = rule === "delta" ? v - dot(M, k) : v;
  return M.map((entry, i) => entry + eta * news * k[i]);
}

/** The memory before the first pair and after each of `steps` pairs, which take turns. */
function writeAll(keys, values, eta, rule, steps) {
  const all = [[0, 0]];
  for (let t = 0; t < steps; t++) {
    const n = t % keys.length;
    all.push(write(all[t], keys[n], values[n], eta, rule));
  }
  return all;
}

/** All that the figure shows in a state, where `a1` is the angle of the first key in degrees and `v1` is its value. */
export function compute(state) {
  const keys = PAIRS.map((i) => start(state[`a${i}`]));
  const values = PAIRS.map((i) => state[`v${i}`]);
  const all = writeAll(keys, values, state.eta, state.rule, PASSES * PAIRS.length);
  const M = all[state.t];
  const pairs = PAIRS.map((i, n) => {
    const read = dot(M, keys[n]);
    return { i, angle: state[`a${i}`], key: keys[n], value: values[n], read };
  });
  const last = state.t ? (state.t - 1) % PAIRS.length : null;
  const before = state.t ? dot(all[state.t - 1], keys[last]) : null;
  return { all, M, pairs, last, before, next: state.t % PAIRS.length };
}
