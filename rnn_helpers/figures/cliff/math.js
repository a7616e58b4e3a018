// The network with two parameters, its loss, and gradient descent on it, as `rnn_helpers.reference`
// computes them: h_t = w sigmoid(h_{t-1}) + b, L = (sigmoid(h_T) - 0.7)^2. No DOM here.
import { random } from "../lib/random.js";
import { sigmoid } from "../lib/vectors.js";

/** The part of the plane that is drawn. */
export const W = [3.4, 5.8];
export const B = [-3.5, -1.1];
/** Number of updates in a descent. */
export const STEPS = 150;
/** Loss of a unit that always outputs 1. */
export const ALWAYS = 0.3 ** 2;

/** The loss alone. */
export function loss(w, b, T) {
  let x = 0.5;
  for (let t = 0; t < T; t++) x = w / (1 + Math.exp(-x)) + b;
  return (sigmoid(x) - 0.7) ** 2;
}

/** `[E, dE/dw, dE/db]`: the derivatives of the state go forward with it. */
export function gradient(w, b, T) {
  let [x, dw, db] = [0.5, 0, 0];
  for (let t = 0; t < T; t++) {
    const y = 1 / (1 + Math.exp(-x));
    const m = (w * y) / (1 + Math.exp(x));
    dw = (m ? m * dw : 0) + y;
    db = (m ? m * db : 0) + 1;
    x = w * y + b;
  }
  const y = sigmoid(x);
  const slope = 2 * (y - 0.7) * y * sigmoid(-x);
  return [(y - 0.7) ** 2, ...[dw, db].map((d) => (slope ? slope * d : 0))];
}

/** The vector that a step uses in place of the gradient [gw, gb]; `normal` draws a random direction. */
export function clipped([gw, gb], kind, v, normal) {
  const length = Math.hypot(gw, gb);
  if (kind === "none") return [gw, gb];
  if (kind === "element") return [gw, gb].map((g) => Math.min(Math.max(g, -v), v));
  if (length <= v) return [gw, gb];
  if (kind === "norm") return [gw, gb].map((g) => g * (v / length));
  const [a, c] = [normal(), normal()];
  return [a, c].map((d) => (d * v) / Math.hypot(a, c));
}

/** Gradient descent: `{ w, b, E, norm }`, each a number for every update from 0 to `steps`. */
export function descend({ w, b, lr, v, T }, kind, steps = STEPS, seed = 0) {
  const way = { w: [], b: [], E: [], norm: [] };
  const { normal } = random(seed);
  for (let k = 0; k <= steps; k++) {
    const [E, ...g] = gradient(w, b, T);
    way.w.push(w);
    way.b.push(b);
    way.E.push(E);
    way.norm.push(Math.hypot(...g));
    const [dw, db] = clipped(g, kind, v, normal);
    w -= lr * dw;
    b -= lr * db;
  }
  return way;
}

const inside = (w, b) => w >= W[0] && w <= W[1] && b >= B[0] && b <= B[1];

/** The first update outside the picture, or -1. */
export const leaves = ({ w, b }) => w.findIndex((_, k) => !inside(w[k], b[k]));

/** The loss from a point on, against the direction of the gradient there: `[distance, E]`, or []. */
export function along(w, b, T, [low, high], points = 181) {
  const [, gw, gb] = gradient(w, b, T);
  const length = Math.hypot(gw, gb);
  if (!length) return [];
  return Array.from({ length: points }, (_, i) => {
    const s = low + ((high - low) * i) / (points - 1);
    return [s, loss(w - (s * gw) / length, b - (s * gb) / length, T)];
  });
}

/** Losses on a grid over the plane, row by row from the top; yields after each row. */
export function* field(T, n) {
  const values = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    const b = B[1] - ((B[1] - B[0]) * (j + 0.5)) / n;
    for (let i = 0; i < n; i++)
      values[j * n + i] = loss(W[0] + ((W[1] - W[0]) * (i + 0.5)) / n, b, T);
    yield;
  }
  return values;
}
