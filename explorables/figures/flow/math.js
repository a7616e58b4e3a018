// The regulariser Omega, (G 10.52), of a tanh network of two units, its gradient on W, exact and with
// parts held constant, and steps down it, as `rnn_helpers.reference` computes them. No DOM here.
import { start } from "../../lib/planar.js";
import CONSTANTS from "../../../rnn_helpers/explore/figures/flow.json";
import { random } from "../../lib/random.js";
import { dot, size } from "../../lib/vectors.js";

export { start } from "../../lib/planar.js";

/**
 * STEPS of the network. A step down Omega: W - RATE g, the gradient g clipped to the length THRESHOLD,
 * (G 10.48)-(G 10.49).
 */
export const { UNITS, STEPS, SEED, RATE, THRESHOLD } = CONSTANTS;
/** Most steps down Omega. */
export const MOST = 60;
/** What is held constant while the gradient of Omega is taken. */
export const CONSTANT = ["nothing", "gradients", "states"];

/** x^(1) .. x^(T), `RandomState(SEED).standard_normal((STEPS, UNITS))` times `scale`; U is the identity. */
export function inputs(scale) {
  const { normal } = random(SEED);
  return Array.from({ length: STEPS }, () => [scale * normal(), scale * normal()]);
}

/**
 * Omega of one run, h^(0) = 0, whose loss, at the end alone, sends the gradient `last` to h^(T), and
 * the gradients of Omega on the four entries of W.
 *
 * `units[t]` is the direction of the gradient on h^(t), `logs[t]` log10 of its length, 0 at the end;
 * `ratios[t]` for t = 2 .. T what the Jacobian leaves of a length of 1, `sums[t]` the terms from t
 * on. Beyond a gradient of 0 they are missing: the quotient is not defined, its term is left out.
 *
 * Every number comes with its four derivatives, entry k of W standing in row k >> 1, column k & 1.
 * In loops without small arrays: a hand on W asks for 70 of these in a frame.
 */
export function evaluate([[w00, w01], [w10, w11]], xs, last) {
  const T = xs.length;
  const [states, slopes, bends] = [[], [], []];
  const [move0, move1] = [new Float64Array(4), new Float64Array(4)]; // how h changes with W
  let [h0, h1] = [0, 0];
  for (const [x0, x1] of xs) {
    const [a0, a1] = [Math.tanh(w00 * h0 + w01 * h1 + x0), Math.tanh(w10 * h0 + w11 * h1 + x1)];
    const [s0, s1] = [1 - a0 * a0, 1 - a1 * a1];
    const bend = new Float64Array(8); // how the slopes do
    for (let k = 0; k < 4; k++) {
      const before = k & 1 ? h1 : h0;
      const m0 = w00 * move0[k] + w01 * move1[k] + (k < 2 ? before : 0);
      const m1 = w10 * move0[k] + w11 * move1[k] + (k < 2 ? 0 : before);
      move0[k] = s0 * m0;
      move1[k] = s1 * m1;
      bend[k] = -2 * a0 * move0[k];
      bend[k + 4] = -2 * a1 * move1[k];
    }
    states.push([a0, a1]);
    slopes.push([s0, s1]);
    bends.push(bend);
    [h0, h1] = [a0, a1];
  }

  const on = Object.fromEntries(CONSTANT.map((held) => [held, [0, 0, 0, 0]]));
  const [units, logs, ratios, sums] = [[], [], [], []];
  const [turn0, turn1] = [new Float64Array(4), new Float64Array(4)]; // how the direction does
  let [u0, u1] = last;
  let omega = 0;
  [units[T], logs[T]] = [last, 0];
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
      on.states[k] += off * direct;
      on.gradients[k] += off * (direct + m0 * pull0 + m1 * pull1);
      const longer = direct + c0 * pull0 + c1 * pull1;
      on.nothing[k] += off * longer;
      turn0[k] = (w00 * c0 + w10 * c1 + (k & 1 ? 0 : gated) - longer * n0) / ratio;
      turn1[k] = (w01 * c0 + w11 * c1 + (k & 1 ? gated : 0) - longer * n1) / ratio;
    }
    [u0, u1] = [n0, n1];
    [units[t - 1], logs[t - 1]] = [[n0, n1], logs[t] + Math.log10(ratio)];
  }
  return { units, logs, ratios, sums, omega, states, slopes, on };
}

/** One step down along a gradient, given entry by entry. */
export function descended(W, gradient) {
  const norm = size(gradient);
  const rate = norm > THRESHOLD ? (RATE * THRESHOLD) / norm : RATE; // (G 10.48), (G 10.49)
  return W.map((row, i) => row.map((value, j) => value - rate * gradient[2 * i + j]));
}

/** W and Omega after 0 .. `steps` steps down Omega, so much held constant. */
export function descend(W, xs, last, constant, steps = MOST) {
  const path = [];
  for (let k = 0; k <= steps; k++) {
    const { omega, on } = evaluate(W, xs, last);
    path.push({ W, omega });
    W = descended(W, on[constant]);
  }
  return path;
}

/** Cosine of the angle between two gradients; null where one of them is 0. */
export function cosine(p, q) {
  const lengths = size(p) * size(q);
  return lengths ? dot(p, q) / lengths : null;
}

/** |λ| of both eigenvalues of W, the larger one first. */
export function radii([[a, b], [c, d]]) {
  const [mean, half] = [(a + d) / 2, (a - d) / 2];
  const under = half * half + b * c;
  if (under < 0) return Array(2).fill(Math.sqrt(Math.max(a * d - b * c, 0)));
  return [mean + Math.sqrt(under), mean - Math.sqrt(under)].map(Math.abs).sort((p, q) => q - p);
}

/** W of a state; what is too small to divide by is 0. */
export const weights = ({ w11, w12, w21, w22 }) =>
  [
    [w11, w12],
    [w21, w22],
  ].map((row) => row.map((value) => (Math.abs(value) < 1e-9 ? 0 : value)));

/**
 * The three paths that start at a state's W: what does not depend on k and t. Of the two that are
 * not the `chosen` one, if one is, no more than the start: a hand on W asks anew at every move.
 */
export function paths(state, chosen = null) {
  const [xs, last] = [inputs(state.inputs), start(state.angle)];
  const path = (constant) => {
    const steps = chosen === null || constant === chosen ? MOST : 0;
    return descend(weights(state), xs, last, constant, steps);
  };
  return Object.fromEntries(CONSTANT.map((constant) => [constant, path(constant)]));
}

/** All that the figure shows of a state. */
export function compute(state, known = paths(state)) {
  const [xs, last] = [inputs(state.inputs), start(state.angle)];
  const path = known[state.constant];
  const at = (k) => evaluate(path[k].W, xs, last);
  const W = path[state.k].W;
  const now = at(state.k);
  return {
    ...{ W, paths: known, radii: radii(W), before: at(0), after: at(MOST) },
    ...now,
    cosines: CONSTANT.map((constant) => cosine(now.on.nothing, now.on[constant])),
    next: CONSTANT.map((constant) => evaluate(descended(W, now.on[constant]), xs, last).omega),
  };
}
