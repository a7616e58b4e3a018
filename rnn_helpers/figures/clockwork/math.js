// Small trained networks that read the beginning of a signal and continue it. Each group of units has a
// clock. No DOM here.
import { random } from "../lib/random.js";
import { dot, times } from "../lib/vectors.js";
import CONSTANTS from "./constants.json";
import NETWORKS from "./trained.json";

export const { networks, training } = NETWORKS;
/**
 * FAST, SLOW: periods of the two waves of the signal. READS: the number of steps with an input; LENGTH:
 * the number of all steps. GROUPS: units and period of each group, the slowest first.
 */
export const { FAST, SLOW, READS, LENGTH, GROUPS } = CONSTANTS;
/** The first and last step at which the reader may change a clock. Another 48 steps follow the last. */
export const SINCE = [READS + 1, LENGTH - SLOW];
/** The group of each unit, from 0. */
const OF = Object.fromEntries(
  Object.entries(GROUPS).map(([net, groups]) => [
    net,
    groups.flatMap(({ units }, g) => Array(units).fill(g)),
  ]),
);

/** Half the sum of two waves with random phases, at the steps 1 to LENGTH + 1. */
export function signal(seed) {
  const { uniform } = random(seed);
  const phases = [FAST, SLOW].map((period) => [period, 2 * Math.PI * uniform()]);
  return Array.from({ length: LENGTH + 1 }, (_, t) =>
    phases.reduce(
      (sum, [period, phase]) => sum + Math.sin((2 * Math.PI * t) / period + phase) / 2,
      0,
    ),
  );
}

/** Whether each group is updated at step t: at each multiple of its period, or never if the period is 0. */
export const moves = (net, t, { group, clock, since }) =>
  GROUPS[net].map(({ period }, g) => {
    const now = g === group - 1 && t >= since ? clock : period;
    return now > 0 && t % now === 0;
  });

/** One step: a unit that is updated becomes tanh(b + W h + U x), and the others keep their state. */
export function step(net, { U, W, b }, x, h, moving) {
  const Wh = times(W, h);
  return h.map((old, i) => (moving[OF[net][i]] ? Math.tanh(b[i] + Wh[i] + U[i][0] * x) : old));
}

/** Return all steps from a state of zeros, with the input `x`, the prediction `o` and the next value `y`. */
export function run({ net, seed, ...held }, params = networks[net]) {
  const values = signal(seed);
  let h = params.b.map(() => 0);
  return Array.from({ length: LENGTH }, (_, i) => {
    const moving = moves(net, i + 1, held);
    const x = i < READS ? values[i] : 0;
    h = step(net, params, x, h, moving);
    return { t: i + 1, x, moving, h, o: params.c[0] + dot(params.V[0], h), y: values[i + 1] };
  });
}

/** Amplitudes of the fast and the slow wave in the last 48 of LENGTH values, by least squares. */
export function waves(values) {
  const rows = values.slice(-SLOW).map((value, k) => {
    const [p, q] = [FAST, SLOW].map((period) => (2 * Math.PI * (LENGTH - SLOW + 1 + k)) / period);
    return [1, Math.sin(p), Math.cos(p), Math.sin(q), Math.cos(q), value];
  });
  // The normal equations, solved by elimination: the waves are nearly orthogonal.
  const M = rows[0]
    .slice(0, 5)
    .map((_, i) => rows[0].map((_, j) => rows.reduce((sum, row) => sum + row[i] * row[j], 0)));
  M.forEach((pivot, i) => {
    for (const row of M) {
      const share = row === pivot ? 0 : row[i] / pivot[i];
      pivot.forEach((value, j) => (row[j] -= share * value));
    }
  });
  const parts = M.map((row, i) => row[5] / row[i]);
  return { fast: Math.hypot(parts[1], parts[2]), slow: Math.hypot(parts[3], parts[4]) };
}

/** The amplitudes of the two waves in the last predictions of a network, as shares of those in the signal. */
export function left(steps) {
  const { fast, slow } = waves(steps.map(({ o }) => o));
  return { fast: 2 * fast, slow: 2 * slow };
}

/** The intervals without an update of a group, as the steps at which they begin and end. */
export function runs(steps, group) {
  const ticks = steps.filter(({ moving }) => moving[group - 1]).map(({ t }) => t);
  const first = ticks[0] === 1 ? [] : [[1, (ticks[0] ?? LENGTH + 1) - 1]];
  return [...first, ...ticks.map((t, k) => [t, (ticks[k + 1] ?? LENGTH + 1) - 1])];
}
