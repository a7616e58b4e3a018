// One unit that feeds back on itself, many noisy runs of it, and the derivative of its state with
// respect to the state it started from. No DOM here.
import CONSTANTS from "../../../rnn_helpers/explore/figures/latch.json";
import { random } from "../../lib/random.js";

export const { STEPS, RUNS } = CONSTANTS;

/** What a unit does to its sum, and its slope, as a function of the state. */
export const UNITS = {
  tanh: { squash: Math.tanh, slope: (h) => 1 - h * h },
  linear: { squash: (a) => a, slope: () => 1 },
};

/** h^(t) from h^(t-1): the unit's own state, weighted, and the noise of this step. */
export const step = (unit, w, h, noise) => UNITS[unit].squash(w * h + noise);
/** ∂h^(t)/∂h^(t-1): the step's factor, which the state it leads to decides. */
export const factor = (unit, w, h) => w * UNITS[unit].slope(h);

/** State above 0 that stays where it is without noise; 0 where there is none but 0 itself. */
export function attractor(unit, w) {
  if (unit !== "tanh" || w <= 1) return 0;
  let h = 1;
  for (let i = 0; i < 50; i++) h -= (h - Math.tanh(w * h)) / (1 - w * (1 - Math.tanh(w * h) ** 2));
  return h;
}

let drawn;
/** Standard normal numbers, STEPS for each run: `RandomState(0).standard_normal((RUNS, STEPS))`. */
export function normals() {
  if (drawn) return drawn;
  const { normal } = random(0);
  drawn = Float64Array.from({ length: RUNS * STEPS }, normal);
  return drawn;
}

/** A state counts as plus or as minus; 0 as plus. */
export const sign = (h) => (h < 0 ? -1 : 1);

/** States h^(0) … h^(STEPS) of run number `run` (from 1). */
export function states(unit, w, noise, start, run) {
  const draws = normals();
  const h = [start];
  for (let t = 1; t <= STEPS; t++)
    h.push(step(unit, w, h[t - 1], noise * draws[(run - 1) * STEPS + t - 1]));
  return h;
}

/**
 * log10 |∂h^(t)/∂h^(0)| for t = 0 … STEPS. The product itself would leave the range of a number: it
 * falls to 10^-400 here.
 */
function logGradient(unit, w, h) {
  const logs = [0];
  for (let t = 1; t < h.length; t++)
    logs.push(logs[t - 1] + Math.log10(Math.abs(factor(unit, w, h[t]))));
  return logs;
}

/** First step at which a run's sign is not the one it started with; null if there is none. */
function lostAt(h) {
  const t = h.findIndex((value) => sign(value) !== sign(h[0]));
  return t < 0 ? null : t;
}

/** Every run with one setting of the figure, the chosen one with its gradient, and how many hold. */
export function compute({ unit, w, noise, start, run }) {
  const all = Array.from({ length: RUNS }, (_, i) => states(unit, w, noise, start, i + 1));
  const h = all[run - 1];
  const logs = logGradient(unit, w, h);
  const held = all.filter((h) => sign(h[STEPS]) === sign(start)).length;
  return { all, h, logs, held, lost: lostAt(h), attractor: attractor(unit, w) };
}

/** What a count of runs that kept their sign means: chance alone keeps half of them. */
export const verdict = (held) =>
  held >= 0.99 * RUNS ? "held" : held >= 0.57 * RUNS ? "fading" : "lost";

/** Whole powers of ten between which the logarithms lie, tidy so that a small change moves nothing. */
export function decades(logs) {
  const bound = (value) => [0, 4, 20, 100, 200, 300, 500].find((power) => power >= value) ?? 500;
  const low = bound(-Math.min(...logs));
  const high = bound(Math.max(...logs));
  return [-Math.max(low, high ? 0 : 4), high];
}

/** Where the noiseless map goes from `start`: points of its cobweb. */
export function cobweb(unit, w, start, steps = 24) {
  const points = [[start, 0]];
  let h = start;
  for (let i = 0; i < steps && Math.abs(h) < 50; i++) {
    const next = step(unit, w, h, 0);
    points.push([h, next], [next, next]);
    h = next;
  }
  return points;
}
