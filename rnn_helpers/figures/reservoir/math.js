// A reservoir of 100 units: how much of the input its readouts recover, the echo of a pulse, and
// whether two starts meet. No DOM here.
import { factorise, inner, mean, solve } from "../lib/least.js";
import { FULL, reservoir, run, step, UNITS, WASHOUT } from "../lib/untrained.js";
import MEASURED from "./trained.json";

export { MEASURED };
export { DRAWN, FULL, reservoir, step, UNITS } from "../lib/untrained.js";

export const DELAYS = 100;
/** The same while the hand moves. */
export const SHORT = [300, 120];
/** The first step from which no readout learns. */
const ZERO = WASHOUT + FULL[0];
/** Steps for which two starts are followed. */
export const APART = 500;
/** Two starts have met if their states are closer than this. */
const MET = 1e-6;
/** Distance of a third start from the first. */
export const HAIR = 1e-6;
/** Steps for which a readout's output is shown. */
export const SAID = 60;

/**
 * How much of the input of 0 … DELAYS steps before linear readouts recover. They are fitted to `learn`
 * steps and tested on `test` others. This is a generator, so that it can be run a little at a time. It
 * returns the squared correlations, the first outputs of readouts in the test (at least of the readout
 * for `delay`), and the state before the test.
 */
export function* remember(settings, [learn, test], delay) {
  const { x } = reservoir();
  const first = ZERO - learn;
  let [h, next] = [new Float64Array(UNITS), new Float64Array(UNITS)];
  let before;
  const rows = Array.from({ length: UNITS }, () => new Float64Array(learn + test));
  for (let t = -WASHOUT; t < learn + test; t++) {
    step(settings, h, x[first + t], next);
    [h, next] = [next, h];
    if (t === learn - 1) before = h.slice();
    if (t >= 0) record(rows, t, h);
    if (t % 100 === 0) yield;
  }
  const means = rows.map((row) => mean(row, 0, learn));
  rows.forEach((row, i) => shift(row, means[i]));
  // The normal equations, to the lower triangle of A: A V = B.
  const A = rows.map(() => new Float64Array(UNITS));
  for (let i = 0; i < UNITS; i++) {
    for (let j = 0; j <= i; j++) A[i][j] = inner(rows[i], 0, rows[j], 0, learn);
    A[i][i] += 1e-8 * settings.scale ** 2;
    if (i % 10 === 9) yield;
  }
  factorise(A);
  yield;
  const said = new Float64Array(test);
  const words = [];
  const tell = (k) => {
    // The rows have mean 0 in the steps to learn from, so the target's mean makes no difference.
    const V = Float64Array.from(rows, (row) => inner(row, 0, x, first - k, learn));
    solve(A, V);
    said.fill(mean(x, first - k, learn));
    for (let i = 0; i < UNITS; i += 2) addTwo(said, V[i], rows[i], V[i + 1], rows[i + 1], learn);
    words[k] = [...said.subarray(0, SAID)];
  };
  const capacity = new Array(DELAYS + 1).fill(0);
  // While the hand moves, take every second delay, and stop after five that have only noise.
  const [stride, enough] = test < FULL[1] ? [2, 5] : [1, Infinity];
  for (let k = 0, noise = 0; k <= DELAYS && noise < enough; k += stride) {
    tell(k);
    const target = x.slice(ZERO - k, ZERO - k + test);
    for (const v of [said, target]) shift(v, mean(v, 0, test));
    const power = inner(said, 0, said, 0, test) * inner(target, 0, target, 0, test);
    if (power > 0) capacity[k] = inner(said, 0, target, 0, test) ** 2 / power;
    noise = capacity[k] < 5 / test ? noise + 1 : 0;
    if (k % 10 === 0) yield;
  }
  for (let k = 1; stride > 1 && k < DELAYS; k += stride)
    capacity[k] = (capacity[k - 1] + capacity[k + 1]) / 2;
  if (!words[delay]) tell(delay);
  return { capacity, words, before };
}

/** The input k steps before each step for which a readout's output is shown. */
export const heard = (k) => [...reservoir().x.subarray(ZERO - k, ZERO - k + SAID)];

/** Run a generator to its end. */
function whole(generator) {
  for (;;) {
    const { done, value } = generator.next();
    if (done) return value;
  }
}

/** The result of `remember`, computed at once. */
export const recall = (...setting) => whole(remember(...setting));

/** The sum of all capacities for delays of at least 1. */
export const total = (capacity) => capacity.slice(1).reduce((p, q) => p + q);

/**
 * Distances from the states of the first start, for t = 0 … steps: of the second start's states, and of
 * those of a start very close to the first.
 */
export function apart(settings, steps) {
  const { x, starts } = reservoir();
  const [first, ...others] = [
    starts[0],
    starts[1],
    starts[0].map((h) => h + HAIR / Math.sqrt(UNITS)),
  ];
  const heard = x.subarray(ZERO, ZERO + steps);
  const base = [first, ...run(settings, first, heard)];
  return others.map((start) =>
    [start, ...run(settings, start, heard)].map((h, t) => distance(h, base[t])),
  );
}

/**
 * The change that a pulse of 1 makes in each unit, 0 … DELAYS steps later. The pulse is added to
 * the input after the state `before`, or to silence.
 */
export function echo(settings, before, over) {
  const quiet = over === "silence";
  const start = quiet ? new Float64Array(UNITS) : before;
  const heard = quiet ? new Float64Array(DELAYS + 1) : reservoir().x.slice(ZERO, ZERO + DELAYS + 1);
  const without = run(settings, start, heard);
  heard[0] += 1;
  return run(settings, start, heard).map((h, t) => h.map((value, i) => value - without[t][i]));
}

/**
 * Say what two starts do: they "meet", come "close", or stay "apart"; or there is "chaos", where even the
 * smallest difference grows.
 */
export function verdict([far, hair]) {
  if (far.at(-1) < MET) return "meet";
  if (Math.max(...hair.slice(-50)) > 1e-3) return "chaos";
  return far.at(-1) < 0.1 * far[0] && far.at(-1) < far.at(-100) ? "close" : "apart";
}

function distance(p, q) {
  let sum = 0;
  for (let i = 0; i < UNITS; i++) sum += (p[i] - q[i]) ** 2;
  return Math.sqrt(sum);
}

function shift(v, by) {
  for (let t = 0; t < v.length; t++) v[t] -= by;
}

function record(rows, t, h) {
  for (let i = 0; i < UNITS; i++) rows[i][t] = h[i];
}

function addTwo(sum, p, v, q, w, from) {
  for (let t = 0; t < sum.length; t++) sum[t] += p * v[from + t] + q * w[from + t];
}
