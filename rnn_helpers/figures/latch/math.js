// One recurrent unit, many noisy runs of it, and the derivative of its state with respect to its first
// state. This module doesn't use the DOM.
import CONSTANTS from "./constants.json";
import { random } from "../lib/random.js";

export const { STEPS, RUNS } = CONSTANTS;

/** The nonlinearity of each unit, and its slope as a function of the new state. */
export const UNITS = {
  tanh: { squash: Math.tanh, slope: (h) => 1 - h * h },
  linear: { squash: (a) => a, slope: () => 1 },
};

/** The next state h^(t), from h^(t-1) and the noise of this step. */
export const step = (unit, w, h, noise) => UNITS[unit].squash(w * h + noise);
/** The factor of a step, ∂h^(t)/∂h^(t-1), as a function of the new state h^(t). */
export const factor = (unit, w, h) => w * UNITS[unit].slope(h);

/** The positive attractor of the map without noise, or 0 if there is none. */
export function attractor(unit, w) {
  if (unit !== "tanh" || w <= 1) return 0;
  let h = 1;
  for (let i = 0; i < 50; i++) h -= (h - Math.tanh(w * h)) / (1 - w * (1 - Math.tanh(w * h) ** 2));
  return h;
}

let drawn;
/** Standard normal numbers for all runs: `RandomState(0).standard_normal((RUNS, STEPS))`. */
export function normals() {
  if (drawn) return drawn;
  const { normal } = random(0);
  drawn = Float64Array.from({ length: RUNS * STEPS }, normal);
  return drawn;
}

/** The sign of a state. 0 counts as positive. */
export const sign = (h) => (h < 0 ? -1 : 1);

/** The states h^(0) … h^(STEPS) of run number `run`, counted from 1. */
export function states(unit, w, noise, start, run) {
  const draws = normals();
  const h = [start];
  for (let t = 1; t <= STEPS; t++)
    h.push(step(unit, w, h[t - 1], noise * draws[(run - 1) * STEPS + t - 1]));
  return h;
}

/**
 * log10 |∂h^(t)/∂h^(0)| for t = 0 … STEPS. The product itself can be as small as 10^-400, which is
 * too small for a floating-point number.
 */
function logGradient(unit, w, h) {
  const logs = [0];
  for (let t = 1; t < h.length; t++)
    logs.push(logs[t - 1] + Math.log10(Math.abs(factor(unit, w, h[t]))));
  return logs;
}

/** The first step at which a run has lost its original sign, or null if there is none. */
function lostAt(h) {
  const t = h.findIndex((value) => sign(value) !== sign(h[0]));
  return t < 0 ? null : t;
}

/** All runs for the figure's settings, the selected run with its gradient, and the number of runs that keep their sign. */
export function compute({ unit, w, noise, start, run }) {
  const all = Array.from({ length: RUNS }, (_, i) => states(unit, w, noise, start, i + 1));
  const h = all[run - 1];
  const logs = logGradient(unit, w, h);
  const held = all.filter((h) => sign(h[STEPS]) === sign(start)).length;
  return { all, h, logs, held, lost: lostAt(h), attractor: attractor(unit, w) };
}

/** Judge the number of runs that kept their sign. By chance, half of them do. */
export const verdict = (held) =>
  held >= 0.99 * RUNS ? "held" : held >= 0.57 * RUNS ? "fading" : "lost";

/** Powers of ten that bound the logarithms, in coarse steps so that small changes don't move the axis. */
export function decades(logs) {
  const bound = (value) => [0, 4, 20, 100, 200, 300, 500].find((power) => power >= value) ?? 500;
  const low = bound(-Math.min(...logs));
  const high = bound(Math.max(...logs));
  return [-Math.max(low, high ? 0 : 4), high];
}

/** The points of the cobweb diagram of the map without noise, from `start`. */
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
