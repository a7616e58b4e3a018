// One step of the recurrent network, as `rnn_helpers.reference` computes it. No DOM here.
import CONSTANTS from "../../../rnn_helpers/explore/figures/step.json";

/** Chiang's alphabet, in his order. </s> is only ever predicted, never read: its column of U is 0. */
export const { ALPHABET } = CONSTANTS;
const START = 2;
const END = 3;

/** Weights fitted to the one string aba</s>, with tanh and with the sigmoid at once, then rounded. */
export const { PARAMS } = CONSTANTS;

/** Longest string the figure takes. */
export const LONGEST = 12;

export const dot = (p, q) => p.reduce((sum, value, i) => sum + value * q[i], 0);
export const times = (M, v) => M.map((row) => dot(row, v));
export const transpose = (M) => M[0].map((_, j) => M.map((row) => row[j]));
const oneHot = (k, n) => Array.from({ length: n }, (_, i) => Number(i === k));

export const SQUASH = { tanh: Math.tanh, sigmoid: (z) => 1 / (1 + Math.exp(-z)) };

/** (10.11), with the largest score taken off every score first, so that nothing overflows. */
export function softmax(o) {
  const top = Math.max(...o);
  const powers = o.map((value) => Math.exp(value - top));
  const total = powers.reduce((p, q) => p + q, 0);
  return powers.map((power) => power / total);
}

/** Equations (10.8)-(10.11), or (5.5)-(5.9) with the sigmoid, for one input vector. */
export function step(params, x, hPrev, squash = "tanh") {
  const Wh = times(params.W, hPrev);
  const Ux = times(params.U, x);
  const a = params.b.map((b, i) => b + Wh[i] + Ux[i]); // (10.8)
  const h = a.map(SQUASH[squash]); // (10.9)
  const Vh = times(params.V, h);
  const o = params.c.map((c, i) => c + Vh[i]); // (10.10)
  return { x, hPrev, a, h, o, yhat: softmax(o) }; // (10.11)
}

/** Every step over a sequence of tokens, from h0. */
export function forward(params, tokens, squash = "tanh", h0 = params.b.map(() => 0)) {
  let h = h0;
  return tokens.map((token) => {
    const now = step(params, oneHot(token, params.U[0].length), h, squash);
    h = now.h;
    return now;
  });
}

/**
 * The string w_1 ... w_n as typed, </s> added if it is missing. `inputs` are w_0 = <s> to w_{n-1},
 * each step's *previous* symbol; `targets` are w_1 to w_n. What cannot be read is named in `strange`
 * and left out; so is what is beyond the longest string, and then `cut` is true.
 */
export function read(text) {
  const typed = [...text.trim().replace(/<\/s>$/, "")];
  const strange = [...new Set(typed.filter((symbol) => !"ab".includes(symbol)))];
  const known = typed.filter((symbol) => "ab".includes(symbol));
  const tokens = known.slice(0, LONGEST).map((symbol) => ALPHABET.indexOf(symbol));
  return {
    inputs: [START, ...tokens],
    targets: [...tokens, END],
    strange,
    cut: known.length > LONGEST,
  };
}

/**
 * The sum behind a_i ("a") or o_i ("o"): one term for the bias and one per weight. Their products
 * add up to the number at that node.
 */
export function terms(params, now, kind, i) {
  const product = (matrix, vector, values) =>
    values.map((value, j) => ({
      matrix,
      vector,
      j,
      weight: params[matrix][i][j],
      value,
      product: params[matrix][i][j] * value,
    }));
  const bias = (name) => ({
    matrix: name,
    weight: params[name][i],
    value: 1,
    product: params[name][i],
  });
  return kind === "a"
    ? [bias("b"), ...product("W", "hPrev", now.hPrev), ...product("U", "x", now.x)]
    : [bias("c"), ...product("V", "h", now.h)];
}

/** Index of the largest entry: the first, if several are equal. */
export const argmax = (values) => values.indexOf(Math.max(...values));
