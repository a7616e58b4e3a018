// Products of random factors, as `rnn_helpers` computes them. Sizes are decimal logarithms
// throughout, so that none is too small or too large. No DOM here.
import CONSTANTS from "../../../rnn_helpers/explore/figures/products.json";
import { random } from "../../lib/random.js";

/** How many products are drawn at random for each kind of factor. */
export const { SAMPLES } = CONSTANTS;

/**
 * What one layer of `normals.length` units with independent Gaussian weights of mean square 1/N
 * does to the length of a state, whatever the state: its entries become N such normals times the
 * length over sqrt(N). With N = 1, the size of one weight.
 */
export const factor = (normals) =>
  Math.sqrt(normals.reduce((sum, z) => sum + z * z, 0) / normals.length);

/** Decimal logarithm of the root mean square of numbers given by their decimal logarithms. */
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
 * Products of t = 0, 1, ... factors of mean square 1, `logs[t]` one for each sample, with their
 * median and root mean square. `kind` is "same" (one weight, again and again) or the width of the
 * layers. `until(n)` continues the same products to n factors.
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
 * Decimal logarithm of the true root mean square after t factors of mean square v: v^(t/2) for
 * independent ones; one Gaussian weight has the moments 1 * 3 * 5 ... (2t - 1) v^t.
 */
export function trueRms(kind, v, t) {
  let log = (t / 2) * Math.log10(v);
  if (kind === "same") for (let k = 1; k <= t; k++) log += Math.log10(2 * k - 1) / 2;
  return log;
}

const GAMMA = 0.5772156649015329;
const HALF = 0.6744897501960817; // a standard normal is smaller than this half of the time

/** The mean square that a factor needs for the typical product to keep its size. */
export function keeping(kind) {
  if (kind === "same") return 1 / HALF ** 2;
  if (Number(kind) === 1) return 2 * Math.exp(GAMMA);
  // -E ln(chi-squared / N), by the digamma function of a whole number.
  let harmonic = 0;
  for (let k = 1; k < kind / 2; k++) harmonic += 1 / k;
  return (kind / 2) * Math.exp(GAMMA - harmonic);
}
