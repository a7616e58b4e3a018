// A gradient on its way back through a small tanh network, (G 10.20)-(G 10.21). Each step multiplies it
// by the slopes of tanh and then by the transposed weights. This module doesn't use the DOM.
import { random } from "../lib/random.js";
import { dot, over, size, times, transpose } from "../lib/vectors.js";
import NETWORKS from "./trained.json";

export const STEPS = 24;

/** The inputs: a bit, then noise of this size, `noise * RandomState(0).standard_normal(STEPS - 1)`. */
export function inputs(noise) {
  const { normal } = random(0);
  return Array.from({ length: STEPS }, (_, t) => (t ? noise * normal() : 1));
}

/** The slope 1 - tanh²(a), without the loss of digits when tanh(a) is close to ±1. */
export const slope = (a) => Math.cosh(a) ** -2;

/** One step, (G 10.8) and (G 10.9), for a single input, and the slopes at the new state. */
export function step(params, x, hPrev) {
  const a = params.b.map((b, i) => b + dot(params.W[i], hPrev) + params.U[i][0] * x);
  return { h: a.map(Math.tanh), slopes: a.map(slope) };
}

/** Multiply a gradient by the slopes, and then by the transposed weights: together, J^T g. */
export function back(W, slopes, g) {
  const gated = g.map((value, i) => slopes[i] * value);
  return { gated, g: times(transpose(W), gated) }; // (G 10.21)
}

/** A network of the figure with its recurrent weights multiplied by the gain. */
const tuned = (net, gain) => ({
  ...NETWORKS[net],
  W: NETWORKS[net].W.map((row) => row.map((weight) => gain * weight)),
});

/**
 * One run and its gradient. `states[t - 1]` is step t. `logs[t]` is log10 of ||dL/dh^(t)||, relative
 * to the last step. `parts[t - 1]` contains the logarithms of step t's two factors.
 */
export function compute({ net, gain, noise }) {
  const params = tuned(net, gain);
  let h = params.b.map(() => 0);
  const states = inputs(noise).map((x) => {
    const now = step(params, x, h);
    h = now.h;
    return now;
  });
  // With two classes, every loss has a gradient along the difference of the two rows of V.
  let g = params.V[0].map((value, i) => value - params.V[1][i]);
  const [logs, parts] = [[], []];
  logs[STEPS] = 0;
  for (let t = STEPS; t > 0; t--) {
    const unit = over(g, size(g)); // keep only the direction, because the size can underflow
    const now = back(params.W, states[t - 1].slopes, unit);
    g = now.g;
    const slopes = Math.log10(size(now.gated));
    const weights = Math.log10(size(g)) - slopes;
    parts[t - 1] = { slopes, weights };
    logs[t - 1] = logs[t] + slopes + weights;
  }
  const sum = (name) => parts.reduce((total, part) => total + part[name], 0);
  return { states, logs, parts, total: logs[0], slopes: sum("slopes"), weights: sum("weights") };
}

/** What makes the gradient vanish. It survives if more than a tenth is left. */
export function cause({ total, slopes, weights }) {
  if (total > 1) return "explodes";
  if (total > -1) return "lives";
  return slopes < weights ? "slopes" : "weights";
}

/** Powers of ten that bound the logarithms, in coarse steps so that small changes don't move the axis. */
export function decades(logs, least = 4) {
  const bound = (value) =>
    [0, 2, 4, 10, 20, 30, 50, 100, 200, 1000].find((power) => power >= value);
  return [-bound(Math.max(-Math.min(...logs), least)), bound(Math.max(0, ...logs) - 1e-9)];
}
