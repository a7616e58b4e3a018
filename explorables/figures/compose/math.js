// Tanh layers composed along a line, as `rnn_helpers` computes them. No DOM here.
import CONSTANTS from "../../../rnn_helpers/explore/figures/compose.json";
import { random } from "../../lib/random.js";
import { over, size } from "../../lib/vectors.js";

export const { UNITS } = CONSTANTS;
export const DEEPEST = 5;
/** Half the length of the line. */
export const REACH = 60;
const FINEST = 13; // 2^13 intervals in the whole line, and at least half as many in every window
const FIRST = 5; // 2^5 at first, which a frame can do

/**
 * The network of a seed: standard normal weights `Z`, row by row, which a layer multiplies by
 * gain / sqrt(100); a base point, a unit direction through it, and the unit vector that the state
 * is projected on.
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
 * One layer, and its derivative along the line: `to.h` = tanh(W h), `to.s` = (1 - tanh^2) W s, for
 * W = gain Z / sqrt(100). Four rows at once, which is nearly twice as fast as one.
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

/** Heights and slopes of the curves of 0 to 5 layers: `at(x)` gives the one after the other. */
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

/** From where to where a window goes, moved so that it stays on the line. */
export function span(centre, zoom) {
  const half = REACH / zoom;
  const middle = Math.min(Math.max(centre, half - REACH), REACH - half);
  return [middle - half, middle + half];
}

/**
 * Every x that belongs in the window, `coarse` levels before the finest. They are the same numbers
 * wherever the window stands and however far one zooms: what is known need not be computed again.
 */
export function grid([low, high], coarse = 0) {
  const level = FINEST + Math.floor(Math.log2((2 * REACH) / (high - low)) + 1e-9) - coarse;
  const step = (2 * REACH) / 2 ** level;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}
export const LEVELS = FINEST - FIRST;

/** How often a curve turns: changes between rising and falling, level pieces aside. */
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
 * Where the climbing is done: the smallest share of x on which half of all up and down happens,
 * the slope from which on x belongs to it, and the median and the largest slope.
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

/** Shares of the slopes by their decimal logarithm, in bins of `width` from `low` up; ends included. */
export function histogram(slopes, low, high, width) {
  const counts = new Array(Math.round((high - low) / width)).fill(0);
  for (const slope of slopes) {
    const place = Math.floor((Math.log10(Math.abs(slope) + 1e-300) - low) / width);
    counts[Math.min(Math.max(place, 0), counts.length - 1)] += 1 / slopes.length;
  }
  return counts;
}
