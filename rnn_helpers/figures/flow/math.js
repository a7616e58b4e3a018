// The regularizer Omega, (G 10.52), of a tanh network with two units, its exact gradient with respect
// to W, and steps down it, as `rnn_helpers.reference` computes them. This module doesn't use the DOM.
import { start } from "../lib/planar.js";
import CONSTANTS from "./constants.json";
import { random } from "../lib/random.js";
import { size } from "../lib/vectors.js";

/**
 * The network has STEPS steps. A step down Omega gives W - RATE g, where the gradient g is clipped to the
 * length THRESHOLD, (G 10.48)-(G 10.49).
 */
export const { UNITS, STEPS, SEED, RATE, THRESHOLD } = CONSTANTS;
/** The largest number of steps down Omega. */
export const MOST = 60;

/** x^(1) .. x^(T), `RandomState(SEED).standard_normal((STEPS, UNITS))` times `scale`; U is the identity. */
export function inputs(scale) {
  const { normal } = random(SEED);
  return Array.from({ length: STEPS }, () => [scale * normal(), scale * normal()]);
}

/**
 * Omega of one run from h^(0) = 0, and its gradient `on` the four entries of W. The loss is at the
 * last step only, and its gradient with respect to h^(T) is `last`.
 *
 * `logs[t]` is log10 of the length of the gradient with respect to h^(t), 0 at the end. For t = 2 .. T,
 * `ratios[t]` is the part of its length that step t leaves, and `sums[t]` adds up the terms from t on.
 * They are missing where no gradient arrives, because the ratio is undefined there.
 *
 * Every number has four derivatives; entry k of W is in row k >> 1 and column k & 1. There are no
 * small arrays in the loops, because a slider needs 60 of these runs per frame.
 */
export function evaluate([[w00, w01], [w10, w11]], xs, last) {
  const T = xs.length;
  const [slopes, bends] = [[], []];
  const [move0, move1] = [new Float64Array(4), new Float64Array(4)]; // derivatives of h
  let [h0, h1] = [0, 0];
  for (const [x0, x1] of xs) {
    const [a0, a1] = [Math.tanh(w00 * h0 + w01 * h1 + x0), Math.tanh(w10 * h0 + w11 * h1 + x1)];
    const [s0, s1] = [1 - a0 * a0, 1 - a1 * a1];
    const bend = new Float64Array(8); // derivatives of the slopes
    for (let k = 0; k < 4; k++) {
      const before = k & 1 ? h1 : h0;
      const m0 = w00 * move0[k] + w01 * move1[k] + (k < 2 ? before : 0);
      const m1 = w10 * move0[k] + w11 * move1[k] + (k < 2 ? 0 : before);
      move0[k] = s0 * m0;
      move1[k] = s1 * m1;
      bend[k] = -2 * a0 * move0[k];
      bend[k + 4] = -2 * a1 * move1[k];
    }
    slopes.push([s0, s1]);
    bends.push(bend);
    [h0, h1] = [a0, a1];
  }

  const on = [0, 0, 0, 0];
  const [logs, ratios, sums] = [[], [], []];
  const [turn0, turn1] = [new Float64Array(4), new Float64Array(4)]; // derivatives of the direction
  let [u0, u1] = last;
  let omega = 0;
  logs[T] = 0;
  for (let t = T; t > 1; t--) {
    const [s0, s1] = slopes[t - 1];
    const bend = bends[t - 1];
    const [d0, d1] = [s0 * u0, s1 * u1];
    const [b0, b1] = [w00 * d0 + w10 * d1, w01 * d0 + w11 * d1]; // (G 10.50)
    const ratio = Math.hypot(b0, b1); // against the length of 1 of (G 10.51)
    omega += (ratio - 1) ** 2; // (G 10.52)
    [ratios[t], sums[t]] = [ratio, omega];
    if (ratio === 0) break;
    const [n0, n1] = [b0 / ratio, b1 / ratio];
    const [pull0, pull1] = [w00 * n0 + w01 * n1, w10 * n0 + w11 * n1];
    const off = 2 * (ratio - 1);
    for (let k = 0; k < 4; k++) {
      const [m0, m1] = [bend[k] * u0, bend[k + 4] * u1];
      const [c0, c1] = [m0 + s0 * turn0[k], m1 + s1 * turn1[k]];
      const gated = k < 2 ? d0 : d1;
      const direct = gated * (k & 1 ? n1 : n0);
      const longer = direct + c0 * pull0 + c1 * pull1;
      on[k] += off * longer;
      turn0[k] = (w00 * c0 + w10 * c1 + (k & 1 ? 0 : gated) - longer * n0) / ratio;
      turn1[k] = (w01 * c0 + w11 * c1 + (k & 1 ? gated : 0) - longer * n1) / ratio;
    }
    [u0, u1] = [n0, n1];
    logs[t - 1] = logs[t] + Math.log10(ratio);
  }
  return { logs, ratios, sums, omega, on };
}

/** W after one step against a gradient, which is a list of four entries. */
export function descended(W, gradient) {
  const norm = size(gradient);
  const rate = norm > THRESHOLD ? (RATE * THRESHOLD) / norm : RATE; // (G 10.48), (G 10.49)
  return W.map((row, i) => row.map((value, j) => value - rate * gradient[2 * i + j]));
}

/** W and Omega after 0 .. MOST steps down Omega. */
function descend(W, xs, last) {
  const path = [];
  for (let k = 0; k <= MOST; k++) {
    const { omega, on } = evaluate(W, xs, last);
    path.push({ W, omega });
    W = descended(W, on);
  }
  return path;
}

/** |λ| of both eigenvalues of W, the larger one first. */
export function radii([[a, b], [c, d]]) {
  const [mean, half] = [(a + d) / 2, (a - d) / 2];
  const under = half * half + b * c;
  if (under < 0) return Array(2).fill(Math.sqrt(Math.max(a * d - b * c, 0)));
  return [mean + Math.sqrt(under), mean - Math.sqrt(under)].map(Math.abs).sort((p, q) => q - p);
}

/** W of a state. Entries that are too small to divide by become 0. */
export const weights = ({ w11, w12, w21, w22 }) =>
  [
    [w11, w12],
    [w21, w22],
  ].map((row) => row.map((value) => (Math.abs(value) < 1e-9 ? 0 : value)));

/** The path down Omega from the W of a state. It doesn't depend on k and t. */
export const pathOf = (state) => descend(weights(state), inputs(state.inputs), start(state.angle));

/** The numbers that the figure shows in a state. */
export function compute(state, path = pathOf(state)) {
  const [xs, last] = [inputs(state.inputs), start(state.angle)];
  const at = (k) => evaluate(path[k].W, xs, last);
  const { W } = path[state.k];
  return { W, path, radii: radii(W), before: at(0), after: at(MOST), ...at(state.k) };
}
