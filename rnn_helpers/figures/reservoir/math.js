// A reservoir of 100 units: how much of the input its readouts recover, the echo of a pulse, and
// whether two starts meet. No DOM here.
import { random } from "../lib/random.js";
import CONSTANTS from "./constants.json";
import MEASURED from "./trained.json";

export { MEASURED };

/** ROW is how many weights in each row of W are not 0. */
const { ROW, SEED, WASHOUT } = CONSTANTS;
/** FULL is how many steps the readouts learn from, and on how many others they are tested. */
export const { UNITS, FULL } = CONSTANTS;
/** Spectral radius of W as drawn. */
export const DRAWN = 3.4402350725674817;
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

let made;
/** Input weights, columns and values of W's rows, the input, and two starts, drawn in this order. */
export function reservoir() {
  if (made) return made;
  const { uniform, normal } = random(SEED);
  const numbers = (length) => Float64Array.from({ length }, () => 2 * uniform() - 1);
  const u = numbers(UNITS);
  const columns = new Int32Array(UNITS * ROW);
  const weights = new Float64Array(UNITS * ROW);
  for (let i = 0; i < UNITS; i++) {
    const chosen = new Set();
    while (chosen.size < ROW) chosen.add(Math.floor(UNITS * uniform()));
    columns.set([...chosen], ROW * i);
    for (let j = 0; j < ROW; j++) weights[ROW * i + j] = normal();
  }
  made = {
    u,
    columns,
    weights,
    x: numbers(ZERO + FULL[1]),
    starts: [numbers(UNITS), numbers(UNITS)],
  };
  return made;
}

/** h^(t) from h^(t-1) and x^(t), by (G 10.8)-(G 10.9); `leak` is the share of h that is replaced. */
export function step({ radius, scale, leak }, h, x, next = new Float64Array(UNITS)) {
  const { u, columns, weights } = reservoir();
  const gain = radius / DRAWN;
  const heard = scale * x;
  for (let i = 0, j = 0; i < UNITS; i++) {
    let sum = 0;
    for (const end = j + ROW; j < end; j++) sum += weights[j] * h[columns[j]];
    next[i] = (1 - leak) * h[i] + leak * tanh(gain * sum + heard * u[i]);
  }
  return next;
}

/** Math.tanh to 16 decimals, in half the time. */
const tanh = (a) => 1 - 2 / (Math.exp(2 * a) + 1);

/** States h^(1) … h^(T) from `h` for the inputs x. */
function run(settings, h, x) {
  return Array.from(x, (now) => (h = step(settings, h, now)));
}

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

function mean(v, from, n) {
  let sum = 0;
  for (let t = from; t < from + n; t++) sum += v[t];
  return sum / n;
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

function inner(v, from, w, begin, n) {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let t = 0;
  for (; t + 3 < n; t += 4) {
    a += v[from + t] * w[begin + t];
    b += v[from + t + 1] * w[begin + t + 1];
    c += v[from + t + 2] * w[begin + t + 2];
    d += v[from + t + 3] * w[begin + t + 3];
  }
  for (; t < n; t++) a += v[from + t] * w[begin + t];
  return a + b + c + d;
}

/** Replace A by L, where A = L Lᵀ. Pivots stay above 0, whatever rounding does. */
function factorise(A) {
  const least = 1e-15 * A.reduce((sum, row, i) => sum + row[i], 0);
  for (let i = 0; i < UNITS; i++)
    for (let j = 0; j <= i; j++) {
      const rest = A[i][j] - inner(A[i], 0, A[j], 0, j);
      A[i][j] = i === j ? Math.sqrt(Math.max(rest, least)) : rest / A[j][j];
    }
}

/** Replace b by the solution v of L Lᵀ v = b. */
function solve(L, b) {
  for (let i = 0; i < UNITS; i++) b[i] = (b[i] - inner(L[i], 0, b, 0, i)) / L[i][i];
  for (let i = UNITS - 1; i >= 0; i--) {
    const row = L[i];
    b[i] /= row[i];
    const value = b[i];
    for (let j = 0; j < i; j++) b[j] -= row[j] * value;
  }
}
