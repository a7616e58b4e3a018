// The reservoir of chapter 14: its weights, its inputs and its steps. No DOM here.
import CONSTANTS from "../reservoir/constants.json";
import { random } from "./random.js";

/** ROW is how many weights in each row of W are not 0. */
const { ROW, SEED } = CONSTANTS;
/**
 * FULL is how many steps the readouts learn from, and on how many others they are tested; the first
 * WASHOUT steps count for neither.
 */
export const { UNITS, FULL, WASHOUT } = CONSTANTS;
/** Spectral radius of W as drawn. */
export const DRAWN = 3.4402350725674817;

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
    x: numbers(WASHOUT + FULL[0] + FULL[1]),
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
export function run(settings, h, x) {
  return Array.from(x, (now) => (h = step(settings, h, now)));
}
