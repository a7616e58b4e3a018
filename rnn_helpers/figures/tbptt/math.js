// A network reads sixty characters, and its gradient is cut off at the edges of blocks. This module
// doesn't use the DOM.
import CONSTANTS from "./constants.json";
import { random } from "../lib/random.js";
import { dot, orthogonalise, size, softmax } from "../lib/vectors.js";

/** SEED: the one, among the first few, with errors nearest to the means of the claim truncated-gradient. */
export const { TEXT, UNITS, SEED } = CONSTANTS;
const SYMBOLS = [...new Set(TEXT)].sort();
export const STEPS = TEXT.length - 1;
const CODED = [...TEXT].map((letter) => SYMBOLS.indexOf(letter));
/** The inputs, and the targets, which are one step later, as tokens. */
export const [X, Y] = [CODED.slice(0, -1), CODED.slice(1)];

let made;
/** The weights. Only `W` depends on the radius: it is a rotation times the radius. */
export function network(radius) {
  if (!made) {
    const { normal } = random(SEED);
    const draw = (rows, columns, scale) =>
      Array.from({ length: rows }, () => Array.from({ length: columns }, () => scale * normal()));
    made = { U: draw(UNITS, SYMBOLS.length, 0.3), Q: orthogonalise(draw(UNITS, UNITS, 1)) };
    made.V = draw(SYMBOLS.length, UNITS, 1 / Math.sqrt(UNITS));
  }
  const zeros = (n) => Array(n).fill(0);
  const W = made.Q.map((row) => row.map((value) => radius * value));
  return { U: made.U, W, V: made.V, b: zeros(UNITS), c: zeros(SYMBOLS.length) };
}

// These are loops because a new radius needs the gradients for sixty lengths of block at once.

/** One step, (G 10.8)-(G 10.11), and the gradient of its loss with respect to the state, (G 10.18)-(G 10.19). */
export function step({ U, W, V, b, c }, token, target, before) {
  const n = b.length;
  const [h, own] = [Array(n), Array(n).fill(0)];
  for (let i = 0; i < n; i++) {
    let a = b[i] + U[i][token];
    for (let j = 0; j < n; j++) a += W[i][j] * before[j];
    h[i] = Math.tanh(a);
  }
  const off = softmax(c.map((bias, k) => bias + dot(V[k], h)));
  off[target] -= 1;
  for (let k = 0; k < off.length; k++) for (let i = 0; i < n; i++) own[i] += off[k] * V[k][i];
  return { token, before, h, own };
}

/** All steps. The state starts from 0, and again from 0 after every `every` steps. */
export function forward(params, x, y, every = Infinity) {
  const run = [];
  x.forEach((token, t) => {
    const before = t % every ? run[t - 1].h : params.b.map(() => 0);
    run.push(step(params, token, y[t], before));
  });
  return run;
}

/**
 * One step back, (G 10.20)-(G 10.21): the gradient with respect to a^(t), from that with respect to
 * a^(t+1), if any, and from the step's own loss, if it counts.
 */
export function back(W, { h, own }, next, counts = true) {
  const n = h.length;
  const delta = Array(n);
  for (let i = 0; i < n; i++) {
    let g = counts ? own[i] : 0;
    if (next) for (let j = 0; j < n; j++) g += W[j][i] * next[j];
    delta[i] = (1 - h[i] * h[i]) * g;
  }
  return delta;
}

/**
 * The gradients with respect to every a^(t), cut off where a block begins. If `only` is given, they are
 * those of that one loss.
 */
export function deltas({ W }, run, block, only = null) {
  const all = Array(run.length);
  for (let t = run.length - 1; t >= 0; t--) {
    const next = t === run.length - 1 || (t + 1) % block === 0 ? null : all[t + 1];
    all[t] = back(W, run[t], next, only === null || t === only);
  }
  return all;
}

/** The gradient with respect to U, W and b, (G 10.23)-(G 10.26), in one row: U, W and b of each unit. */
export function gradient(run, all, symbols = SYMBOLS.length) {
  const n = run[0].h.length;
  const width = symbols + n + 1;
  const sum = new Float64Array(n * width);
  for (let t = 0; t < run.length; t++) {
    const { token, before } = run[t];
    for (let i = 0; i < n; i++) {
      const [delta, row] = [all[t][i], i * width];
      sum[row + token] += delta;
      for (let j = 0; j < n; j++) sum[row + symbols + j] += delta * before[j];
      sum[row + width - 1] += delta;
    }
  }
  return sum;
}

/** The distance of a gradient from the exact one, as a share of the exact one's length. */
const distance = (cut, exact) => size(cut.map((value, i) => value - exact[i])) / size(exact);

/**
 * The error of the gradient of all losses for each of these lengths of block. Each block starts from 0
 * unless the state is carried.
 */
export function errors(radius, carry, blocks) {
  const params = network(radius);
  const carried = forward(params, X, Y);
  const exact = gradient(carried, deltas(params, carried, STEPS));
  return blocks.map((block) => {
    const run = carry ? carried : forward(params, X, Y, block);
    return { block, error: distance(gradient(run, deltas(params, run, block)), exact) };
  });
}

/** Return each step's contribution to the gradient of the loss at t (from 1): its norm over U, W and b. */
export function given(params, run, t, block) {
  const all = deltas(params, run, block, t - 1);
  return all
    .slice(0, t)
    .map((delta, s) => size(delta) * Math.sqrt(2 + dot(run[s].before, run[s].before)));
}

/** Everything that the figure shows except the errors of all lengths of block. */
export function compute({ block, radius, carry, t }) {
  const params = network(radius);
  const carried = forward(params, X, Y);
  const run = carry ? carried : forward(params, X, Y, block);
  const first = t - ((t - 1) % block);
  const exact = given(params, carried, t, STEPS);
  const own = exact[t - 1];
  const seen = given(params, run, t, block);
  return {
    params,
    first,
    last: Math.min(first + block - 1, STEPS),
    reach: t - first + 1,
    number: Math.ceil(t / block),
    blocks: Math.ceil(STEPS / block),
    // As powers of ten, relative to the step of the loss.
    logs: exact.map((value, s) => Math.log10((s + 1 < first ? value : seen[s]) / own)),
    mean: meanReach(block),
    off: carried.map(({ h }, s) => size(h.map((value, i) => run[s].h[i] - value)) / size(h)),
  };
}

/** The mean number of steps that a loss reaches back, its own step included. */
export const meanReach = (block) =>
  Array.from({ length: STEPS }, (_, t) => (t % block) + 1).reduce((p, q) => p + q) / STEPS;

// ---- the film: forward through a block, back through it, on to the next

export const PHASES = ["forward", "backward", "carry"];
export const frames = (block) => 3 * Math.ceil(STEPS / block) - 1;
export const frameOf = (number, phase, block) =>
  Math.min(3 * (number - 1) + phase + 1, frames(block));
/** The shown frame. By default, it is the way back through the block of the loss at t. */
export const shown = ({ frame, block, t }) => frame || frameOf(Math.ceil(t / block), 1, block);
/** The block of a frame, from 1, and the phase of that block. */
export function scene(frame, block) {
  const at = Math.min(frame, frames(block)) - 1;
  return { number: Math.floor(at / 3) + 1, phase: at % 3 };
}
