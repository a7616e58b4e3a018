// Tanh layers composed along a line, as in `rnn_helpers`. This module doesn't use the DOM.
import CONSTANTS from "./constants.json";
import { random } from "../lib/random.js";
import { over, size } from "../lib/vectors.js";

const { UNITS } = CONSTANTS;
export const DEEPEST = 5;
/** Half of the length of the line. */
export const REACH = 60;
const FINEST = 13; // the whole line has 2^13 intervals, and every window has at least half as many
const FIRST = 5; // the first grid has 2^5 intervals, which fit in one frame

/**
 * The network for a seed: standard normal weights `Z` by rows, which a layer multiplies by
 * gain / sqrt(100); a point and a unit direction, which define the line; and the unit vector on which
 * the state is projected.
 */
export function network(seed) {
  const { normal } = random(seed);
  const normals = (n) => Float64Array.from({ length: n }, normal);
  const unit = (vector) => over(vector, size(vector));
  const Z = normals(UNITS * UNITS);
  const base = normals(UNITS);
  return { Z, base, direction: unit(normals(UNITS)), projection: unit(normals(UNITS)) };
}

function dot(p, q) {
  let sum = 0;
  for (let i = 0; i < p.length; i++) sum += p[i] * q[i];
  return sum;
}

/**
 * One layer and its derivative along the line: `to.h` = tanh(W h) and `to.s` = (1 - tanh^2) W s, with
 * W = gain Z / sqrt(100). Computing four rows at once is nearly twice as fast as one at a time.
 */
export function layer(Z, gain, { h, s }, to) {
  const n = h.length;
  const scale = gain / Math.sqrt(n);
  for (let i = 0; i < n; i += 4) {
    let [a0, a1, a2, a3, s0, s1, s2, s3] = [0, 0, 0, 0, 0, 0, 0, 0];
    for (let j = 0, k = i * n; j < n; j++, k++) {
      const value = h[j];
      const slope = s[j];
      let z = Z[k];
      a0 += z * value;
      s0 += z * slope;
      z = Z[k + n];
      a1 += z * value;
      s1 += z * slope;
      z = Z[k + 2 * n];
      a2 += z * value;
      s2 += z * slope;
      z = Z[k + 3 * n];
      a3 += z * value;
      s3 += z * slope;
    }
    to.h[i] = Math.tanh(scale * a0);
    to.h[i + 1] = Math.tanh(scale * a1);
    to.h[i + 2] = Math.tanh(scale * a2);
    to.h[i + 3] = Math.tanh(scale * a3);
    to.s[i] = s0;
    to.s[i + 1] = s1;
    to.s[i + 2] = s2;
    to.s[i + 3] = s3;
  }
  for (let i = 0; i < n; i++) to.s[i] *= scale * (1 - to.h[i] * to.h[i]);
  return to;
}

const room = () => ({ h: new Float64Array(UNITS), s: new Float64Array(UNITS) });

/** A function that returns, for a place x, the heights of the curves of 0 to 5 layers, then their slopes. */
export function curves(seed, gain) {
  const { Z, base, direction, projection } = network(seed);
  const start = room();
  const turns = [room(), room()];
  return (x) => {
    for (let i = 0; i < UNITS; i++) start.h[i] = base[i] + x * direction[i];
    start.s.set(direction);
    const found = new Float64Array(2 * (DEEPEST + 1));
    let now = start;
    for (let depth = 0; depth <= DEEPEST; depth++) {
      if (depth) now = layer(Z, gain, now, turns[depth % 2]);
      found[depth] = dot(projection, now.h);
      found[depth + DEEPEST + 1] = dot(projection, now.s);
    }
    return found;
  };
}

/** The ends of a window, shifted so that it stays on the line. */
export function span(centre, zoom) {
  const half = REACH / zoom;
  const middle = Math.min(Math.max(centre, half - REACH), REACH - half);
  return [middle - half, middle + half];
}

/**
 * The grid of a window, `coarse` levels above the finest. All windows and zooms share the same numbers,
 * so known points don't have to be computed again.
 */
export function grid([low, high], coarse = 0) {
  const level = FINEST + Math.floor(Math.log2((2 * REACH) / (high - low)) + 1e-9) - coarse;
  const step = (2 * REACH) / 2 ** level;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}
export const LEVELS = FINEST - FIRST;

/** The number of changes between rising and falling. Level pieces don't count. */
export function directionChanges(values) {
  let [changes, before] = [0, 0];
  for (let i = 1; i < values.length; i++) {
    const now = Math.sign(values[i] - values[i - 1]);
    if (now && before && now !== before) changes++;
    before = now || before;
  }
  return changes;
}

/**
 * The smallest share of x on which half of all rising and falling happens, the least slope on it, and
 * the median and the largest slope.
 */
export function steepness(slopes) {
  if (!slopes.length) return { share: 0, least: 0, median: 0, most: 0 };
  const sizes = Float64Array.from(slopes, Math.abs).sort();
  const all = sizes.reduce((sum, size) => sum + size, 0);
  let [at, sum] = [sizes.length, 0];
  while (at > 0 && sum < all / 2) sum += sizes[--at];
  return {
    share: (sizes.length - at) / sizes.length,
    least: sizes[at] ?? 0,
    median: (sizes[(sizes.length - 1) >> 1] + sizes[sizes.length >> 1]) / 2,
    most: sizes.at(-1) ?? 0,
  };
}

/** A histogram of log10 of the slopes, in bins of `width` from `low` up. The outer bins include all other slopes. */
export function histogram(slopes, low, high, width) {
  const counts = new Array(Math.round((high - low) / width)).fill(0);
  for (const slope of slopes) {
    const place = Math.floor((Math.log10(Math.abs(slope) + 1e-300) - low) / width);
    counts[Math.min(Math.max(place, 0), counts.length - 1)] += 1 / slopes.length;
  }
  return counts;
}
