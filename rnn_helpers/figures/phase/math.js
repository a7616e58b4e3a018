// Two tanh units whose weights rotate the state, so that it travels around a closed curve. The bit is
// stored in its phase. This module doesn't use the DOM.
import CONSTANTS from "./constants.json";
import { random } from "../lib/random.js";

const { DEGREES, GAIN, ONE_UNIT } = CONSTANTS;
export const { RUNS, STEPS } = CONSTANTS;
const TURN = (DEGREES / 180) * Math.PI;
/** The recurrent weights: a rotation that also stretches. */
export const W = [
  [GAIN * Math.cos(TURN), -GAIN * Math.sin(TURN)],
  [GAIN * Math.sin(TURN), GAIN * Math.cos(TURN)],
];
/** The two initial states, which store the two values of the bit. */
export const STARTS = [
  [1, 0],
  [-1, 0],
];

/** The next state h^(t), from h^(t-1) and the noise of this step. */
export const step = ([p, q], [e, f] = [0, 0]) => [
  Math.tanh(W[0][0] * p + W[0][1] * q + e),
  Math.tanh(W[1][0] * p + W[1][1] * q + f),
];

/** The states h^(0) … h^(STEPS) without noise. */
export function orbit(start) {
  const states = [start];
  for (let t = 0; t < STEPS; t++) states.push(step(states[t]));
  return states;
}

/** log10 of the norm of ∂h^(t)/∂h^(0) for the states of a run, t = 0 … STEPS. */
export function logGradient(states) {
  let [a, b, c, d] = [1, 0, 0, 1]; // the product of the Jacobians so far
  const logs = [0];
  for (const [p, q] of states.slice(1)) {
    const [r, s] = [1 - p * p, 1 - q * q];
    const row = (slope, [u, v]) => [slope * (u * a + v * c), slope * (u * b + v * d)];
    [[a, b], [c, d]] = [row(r, W[0]), row(s, W[1])];
    logs.push(Math.log10(norm(a, b, c, d)));
  }
  return logs;
}

/** The largest singular value of a 2 by 2 matrix. */
function norm(a, b, c, d) {
  const squares = a * a + b * b + c * c + d * d;
  const det = a * d - b * c;
  return Math.sqrt((squares + Math.sqrt(Math.max(squares * squares - 4 * det * det, 0))) / 2);
}

/** log10 of ∂h^(t)/∂h^(0) for a single tanh unit that rests in an attractor. */
export function logGradientOfOne() {
  let h = 1;
  for (let i = 0; i < 100; i++) h = Math.tanh(ONE_UNIT * h);
  const log = Math.log10(ONE_UNIT * (1 - h * h));
  return Array.from({ length: STEPS + 1 }, (_, t) => t * log);
}

/** Standard normal numbers, two for each step of each run. */
let drawn;
function normals() {
  if (drawn) return drawn;
  const { normal } = random(0);
  drawn = Float64Array.from({ length: 2 * RUNS * STEPS }, normal);
  return drawn;
}

/** The states of all runs after `t` steps. Each initial state has half of the runs. */
export function runs(noise, t) {
  const draws = normals();
  return Array.from({ length: RUNS }, (_, run) => {
    let state = STARTS[run < RUNS / 2 ? 0 : 1];
    for (let k = 0; k < t; k++) {
      const i = 2 * (run * STEPS + k);
      state = step(state, [noise * draws[i], noise * draws[i + 1]]);
    }
    return state;
  });
}

/** The number of runs that are closer to the noiseless state from their own start than to its opposite. */
export function kept(states, [p, q]) {
  return states.filter(([x, y], run) => (x * p + y * q) * (run < RUNS / 2 ? 1 : -1) > 0).length;
}
