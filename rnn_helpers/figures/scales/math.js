// Scalar linear units that shorten the path back through time: with a leak, a skip or a clock. The
// module computes their steps, and how much of a value or a gradient is left after k steps. No DOM here.
import CONSTANTS from "./constants.json";

export const LONGEST = 100;
/** The number of the current step; the clock counts from 0. */
export const { NOW } = CONSTANTS;

const list = (n, f) => Array.from({ length: n }, (_, i) => f(i));

// ---- leak (10.9.2)

/** One step of a running average. */
export const leak = (alpha, before, value) => alpha * before + (1 - alpha) * value;
/** The share of the running average that is due to the value of k steps ago. */
export const left = (alpha, k) => (1 - alpha) * alpha ** k;
/** The α for which that share is largest. */
export const best = (k) => k / (k + 1);
/** The number of steps until 1/e of the start is left, because α^k = e^(-k/length). */
export const length = (alpha) => -1 / Math.log(alpha);
/** The number of steps back at which two units keep the same share, or null if there is none. */
export function meeting(a, b) {
  const k = Math.log((1 - a) / (1 - b)) / Math.log(b / a);
  return Math.min(a, b) > 0 && k > 0 ? k : null;
}

// ---- skip (10.9.1)

/** One step of a unit that also receives its state of d steps ago. */
export const step = (w, skip, before, farther, x) => w * before + skip * farther + x;
/** The derivatives of its state with respect to its states 0 to n steps back: sums over all paths. */
export function reach(w, skip, d, n = LONGEST) {
  const g = [1];
  for (let k = 1; k <= n; k++) g.push(step(w, skip, g[k - 1], g[k - d] ?? 0, 0));
  return g;
}

/** The paths over k steps by their number of skips: their count, the product along each, and the sum. */
export function ways(w, skip, d, k) {
  const all = list(Math.floor(k / d) + 1, (skips) => {
    const steps = k - skips * d;
    const count = choose(steps + skips, skips);
    const each = w ** steps * skip ** skips;
    return { skips, steps, count, each, together: count * each };
  });
  return all.filter(({ each }) => each > 0);
}

function choose(n, k) {
  let count = 1;
  for (let i = 1; i <= k; i++) count = (count * (n - k + i)) / i;
  return Math.round(count);
}

/** The share of the gradient of k steps back that passes through each edge, by the step at which the edge ends. */
export function shares(w, skip, d, k) {
  const g = reach(w, skip, d);
  const share = (i, size, factor) =>
    i + size <= k && g[k] ? (g[i] * factor * g[k - i - size]) / g[k] : 0;
  return { steps: list(k, (i) => share(i, 1, w)), skips: list(k, (i) => share(i, d, skip)) };
}

// ---- clock (10.9.3)

/** Whether a unit with period p is updated at step t. */
export const moves = (p, t) => t % p === 0;
/** Step t of such a unit. */
export const tick = (w, p, t, before, x) => (moves(p, t) ? w * before + x : before);
/** The number of updates in the last k steps. */
export const ticks = (p, k) => Math.floor(NOW / p) - Math.floor((NOW - k) / p);

// ---- the figure

/**
 * The unit itself (`front`) and the one for comparison (`beside`). For each number of steps back,
 * `line` is the share that is left of a value, or the gradient with respect to the state, and `heard` is
 * whether the unit received the input of that step. `limit` is a third line.
 */
export function compute({ kind, back, span, alpha, other, w, skip, d, p }) {
  const by = (f) => list(span + 1, f);
  const k = Math.min(back, span);
  const always = by(() => true);
  const plain = by((i) => w ** i);
  if (kind === "leak") {
    const unit = (a) => ({ line: by((i) => left(a, i)), heard: always });
    return { k, front: unit(alpha), beside: unit(other), limit: by((i) => left(best(i), i)) };
  }
  const beside = { line: plain, heard: always };
  if (kind === "skip") {
    const g = reach(w, skip, d, span);
    return { k, front: { line: g, heard: always }, beside, limit: by((i) => skip ** (i / d)) };
  }
  const g = by((i) => w ** ticks(p, i));
  return { k, front: { line: g, heard: by((i) => moves(p, NOW - i)) }, beside, limit: null };
}

/** The limits of the axis: the exponents are multiples of 4 and at least -12. */
export function decades(lines) {
  const logs = lines
    .flat()
    .filter((value) => value > 0)
    .map(Math.log10);
  const round = (log, way) => 4 * Math[way](log / 4 + (way === "ceil" ? -1e-9 : 1e-9));
  return [
    Math.max(round(Math.min(-1, ...logs), "floor"), -12),
    round(Math.max(0, ...logs), "ceil") || 0,
  ];
}
