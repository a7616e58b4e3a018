// Eight units that pass their inputs on, and how much of these survives if only the outputs connect a
// step to the next. This module doesn't use the DOM.
import CONSTANTS from "./constants.json";
import { random } from "../lib/random.js";
import { dot, times } from "../lib/vectors.js";

/**
 * GAIN: the input's weight, so small that tanh is nearly a line. PENALTY: on a readout's weights, which
 * hides signals below 3 % of the input from it. SHOWN: the number of steps in the chart of the output.
 */
export const { UNITS, GAIN, SEED, LENGTH, WASHOUT, PENALTY, SHOWN } = CONSTANTS;

let made;
/** The input, and the random rows of V. */
export function given() {
  if (made) return made;
  const { uniform, normal } = random(SEED);
  const x = Array.from({ length: WASHOUT + LENGTH }, () => 2 * uniform() - 1);
  const rows = Array.from({ length: UNITS }, () =>
    Array.from({ length: UNITS }, () => normal() / GAIN),
  );
  made = { x, rows };
  return made;
}

const unit = (k, value) => Array.from({ length: UNITS }, (_, i) => (i === k ? value : 0));
/** The connected units: at each step, unit j receives the last state of unit j − 1. */
export const W = Array.from({ length: UNITS }, (_, i) => unit(i - 1, 1));

/**
 * The rows of V. The first output repeats the input of k steps ago. The others are random, or repeat
 * the inputs of other delays.
 */
export function outputs({ k, width, others }) {
  const rest =
    others === "random"
      ? given().rows
      : [...Array(UNITS).keys()].filter((j) => j !== k).map((j) => unit(j, 1 / GAIN));
  return [unit(k, 1 / GAIN), ...rest.slice(0, width - 1)];
}

/** The weights R from the outputs back to the units: W V^+, which is W V^-1 if V is invertible. */
export function back(V) {
  // W V^T = R V V^T, solved for the rows of R.
  const G = V.map((p) => V.map((q) => dot(p, q)));
  return solve(
    G,
    W.map((row) => V.map((v) => dot(v, row))),
  );
}

/** The solution y of `G y = r` for every row r, by elimination with the largest pivot first. */
function solve(G, rows) {
  const n = G.length;
  const A = G.map((row, i) => [...row, ...rows.map((r) => r[i])]);
  for (let j = 0; j < n; j++) {
    let best = j;
    for (let i = j + 1; i < n; i++) if (Math.abs(A[i][j]) > Math.abs(A[best][j])) best = i;
    [A[j], A[best]] = [A[best], A[j]];
    for (let i = 0; i < n; i++) {
      if (i === j) continue;
      const share = A[i][j] / A[j][j];
      for (let m = j; m < A[i].length; m++) A[i][m] -= share * A[j][m];
    }
  }
  return rows.map((_, r) => A.map((row, j) => row[n + r] / row[j]));
}

/** One step with the loop through the outputs: first the units, then the outputs. */
export function step({ V, R }, x, before) {
  const fed = times(R, before);
  const h = fed.map((value, i) => Math.tanh(value + (i === 0 ? GAIN * x : 0)));
  return { h, o: times(V, h) };
}

/** One step of the connected units, without outputs. */
export const stepInside = (x, h) =>
  times(W, h).map((value, i) => Math.tanh(value + (i === 0 ? GAIN * x : 0)));

/** Everything that the figure shows of a setting. */
export function through(state) {
  const { x } = given();
  const V = outputs(state);
  const net = { V, R: back(V) };
  const [states, says] = [[], []];
  let o = V.map(() => 0);
  let inside = unit(-1, 0);
  let apart = 0;
  x.forEach((now, t) => {
    const next = step(net, now, o);
    o = next.o;
    inside = stepInside(now, inside);
    next.h.forEach((value, i) => (apart = Math.max(apart, Math.abs(value - inside[i]))));
    if (t >= WASHOUT) {
      states.push(next.h);
      says.push(o[0]);
    }
  });
  const asked = past(state.k);
  return { V, apart, ...memory(states), said: correlation(says, asked), says, asked };
}

/**
 * What a linear readout recovers from the units, for each delay: the share of that earlier input over
 * all steps (`memory`), and the number at the last step shown (`held`) beside the `input` itself.
 */
function memory(states) {
  const columns = states[0].map((_, i) => Float64Array.from(states, (h) => h[i]));
  const A = columns.map((p, i) =>
    columns.map((q, j) => inner(p, q) + (i === j ? PENALTY * GAIN ** 2 * LENGTH : 0)),
  );
  const targets = columns.map((_, k) => past(k));
  const readouts = solve(
    A,
    targets.map((target) => columns.map((p) => inner(p, target))),
  );
  const reads = targets.map((_, k) => {
    const read = new Float64Array(LENGTH);
    columns.forEach((p, i) => {
      const weight = readouts[k][i];
      for (let t = 0; t < LENGTH; t++) read[t] += weight * p[t];
    });
    return read;
  });
  return {
    memory: reads.map((read, k) => correlation(read, targets[k])),
    held: reads.map((read) => read[SHOWN - 1]),
    inputs: targets.map((target) => target[SHOWN - 1]),
  };
}

/** The input of k steps ago, at each step after the washout. */
const past = (k) => Float64Array.from(given().x.slice(WASHOUT - k, WASHOUT - k + LENGTH));

/** The scalar product of long vectors, as a fast loop, because a drag needs a hundred of them. */
function inner(p, q) {
  let sum = 0;
  for (let t = 0; t < p.length; t++) sum += p[t] * q[t];
  return sum;
}

/** The squared correlation, or 0 if `p` is constant. */
function correlation(p, q) {
  const centred = (v) => {
    const mean = v.reduce((a, b) => a + b) / v.length;
    return v.map((value) => value - mean);
  };
  const [a, b] = [centred(p), centred(q)];
  const power = inner(a, a);
  return power > 1e-18 * p.length ? inner(a, b) ** 2 / (power * inner(b, b)) : 0;
}
