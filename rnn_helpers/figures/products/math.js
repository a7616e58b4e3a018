// Products of random factors, as in `rnn_helpers`. All sizes are decimal logarithms, which can't
// underflow or overflow. This module doesn't use the DOM.
import CONSTANTS from "./constants.json";
import { random } from "../lib/random.js";

/** Number of random products for each kind of factor. */
export const { SAMPLES } = CONSTANTS;

/**
 * The factor by which a layer of N = `normals.length` units changes the length of a state, if its
 * weights are independent and Gaussian with mean square 1/N. For any state, the new entries are N
 * independent standard normals times length / sqrt(N). With N = 1, it is the size of one weight.
 */
export const factor = (normals) =>
  Math.sqrt(normals.reduce((sum, z) => sum + z * z, 0) / normals.length);

/** The decimal logarithm of the root mean square of numbers, from their decimal logarithms. */
export function logRms(logs) {
  const top = logs.reduce((p, q) => Math.max(p, q), -Infinity);
  const mean = logs.reduce((sum, log) => sum + 100 ** (log - top), 0) / logs.length;
  return top + Math.log10(mean) / 2;
}

export function median(values) {
  const sorted = Float64Array.from(values).sort();
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

/**
 * Products of t = 0, 1, ... factors with mean square 1. `logs[t]` has one number for each sample, and
 * `medians[t]` and `rms[t]` describe the sample. `kind` is "same" (the same weight at every step) or
 * the width of the layers. `until(n)` extends the same products to n factors.
 */
export function sample(kind, seed) {
  const { normal } = random(seed);
  const width = kind === "same" ? 1 : Number(kind);
  const normals = new Float64Array(width);
  const draw = () => {
    for (let i = 0; i < width; i++) normals[i] = normal();
    return Math.log10(factor(normals));
  };
  const logs = [new Float64Array(SAMPLES[kind])];
  const found = { logs, medians: [0], rms: [0] };
  let factors;
  found.until = (n) => {
    for (let t = logs.length; t <= n; t++) {
      if (t === 1 || kind !== "same") factors = logs[0].map(draw);
      logs.push(logs[t - 1].map((log, i) => log + factors[i]));
      found.medians.push(median(logs[t]));
      found.rms.push(logRms(logs[t]));
    }
    return found;
  };
  return found;
}

/**
 * The decimal logarithm of the true root mean square after t factors with mean square v. It is
 * v^(t/2) for independent factors. The moments of a single Gaussian weight are
 * 1 * 3 * 5 ... (2t - 1) v^t.
 */
export function trueRms(kind, v, t) {
  let log = (t / 2) * Math.log10(v);
  if (kind === "same") for (let k = 1; k <= t; k++) log += Math.log10(2 * k - 1) / 2;
  return log;
}

const GAMMA = 0.5772156649015329;
const HALF = 0.6744897501960817; // median of the absolute value of a standard normal

/** The mean square of a factor with which a typical product keeps its size. */
export function keeping(kind) {
  if (kind === "same") return 1 / HALF ** 2;
  if (Number(kind) === 1) return 2 * Math.exp(GAMMA);
  // exp(-E ln(chi-squared / N)), from the digamma function of half the width.
  let harmonic = 0;
  for (let k = 1; k < kind / 2; k++) harmonic += 1 / k;
  return (kind / 2) * Math.exp(GAMMA - harmonic);
}
