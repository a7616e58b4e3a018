// Scalar linear units that make a long way back short: a leak, a skip, a clock. What each hands on
// from one step to the next, and what that leaves k steps back. No DOM here.
import CONSTANTS from "../../../rnn_helpers/explore/figures/scales.json";

export const LONGEST = 100;
/** The number of the step it is now; the clock counts from 0. */
export const { NOW } = CONSTANTS;

const list = (n, f) => Array.from({ length: n }, (_, i) => f(i));

// ---- leak (10.9.2)

/** A running average takes in a value. */
export const leak = (alpha, before, value) => alpha * before + (1 - alpha) * value;
/** What a value of k steps ago leaves in it. */
export const left = (alpha, k) => (1 - alpha) * alpha ** k;
/** The α that leaves most of it. */
export const best = (k) => k / (k + 1);
/** Steps until 1/e of the start is left; α^k is read as e^(-k/length). */
export const length = (alpha) => -1 / Math.log(alpha);
/** How many steps back two units hold as much; null where they never do. */
export function meeting(a, b) {
  const k = Math.log((1 - a) / (1 - b)) / Math.log(b / a);
  return Math.min(a, b) > 0 && k > 0 ? k : null;
}

// ---- skip (10.9.1)

/** A unit that also sees its state of d steps ago. */
export const step = (w, skip, before, farther, x) => w * before + skip * farther + x;
/** The gradient of its state on its states 0 to n steps back: the sum over all ways there. */
export function reach(w, skip, d, n = LONGEST) {
  const g = [1];
  for (let k = 1; k <= n; k++) g.push(step(w, skip, g[k - 1], g[k - d] ?? 0, 0));
  return g;
}

/** The ways k steps back, by the number of skips on them: how many, each one's product, their sum. */
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

/** The share of the gradient k steps back that goes through each edge, by where the edge ends. */
export function shares(w, skip, d, k) {
  const g = reach(w, skip, d);
  const share = (i, size, factor) =>
    i + size <= k && g[k] ? (g[i] * factor * g[k - i - size]) / g[k] : 0;
  return { steps: list(k, (i) => share(i, 1, w)), skips: list(k, (i) => share(i, d, skip)) };
}

// ---- clock (10.9.3)

/** Whether a unit of period p moves at step t. */
export const moves = (p, t) => t % p === 0;
/** Such a unit at step t. */
export const tick = (w, p, t, before, x) => (moves(p, t) ? w * before + x : before);
/** How many ticks lie between now and k steps back. */
export const ticks = (p, k) => Math.floor(NOW / p) - Math.floor((NOW - k) / p);

// ---- the figure

/**
 * The unit in question (`front`) and the one beside it (`beside`), by steps back: `line`, what a value of then
 * leaves, or the gradient on the state of then; `heard`, whether an input of then is heard. `limit` is a third line.
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

/** Powers of ten, in fours, between which the lines are seen: none below 10^-12. */
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
