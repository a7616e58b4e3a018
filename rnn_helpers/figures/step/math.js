// One step of the recurrent network over a string, with the sum behind every number. No DOM here.
import CONSTANTS from "./constants.json";
import { spelled } from "../lib/typed.js";

export { forward, SQUASH, step } from "../lib/rnn.js";

/** Chiang's alphabet, in his order. </s> is predicted but never read, so its column of U is 0. */
export const { ALPHABET } = CONSTANTS;
const START = 2;
const END = 3;

/** Weights fitted to the single string aba</s>, for tanh and the sigmoid at once, then rounded. */
export const { PARAMS } = CONSTANTS;

/** The length of the longest string that the figure accepts. */
export const LONGEST = 12;

/**
 * The string w_1 ... w_n as typed, with </s> added if it is missing. `inputs` are w_0 = <s> to w_{n-1},
 * each step's *previous* symbol; `targets` are w_1 to w_n. Letters that can't be read are left out and
 * listed in `strange`. Letters beyond the longest string are left out too, and then `cut` is true.
 */
export function read(text) {
  const { known, ...rest } = spelled(text, "ab", LONGEST);
  const tokens = known.map((symbol) => ALPHABET.indexOf(symbol));
  return { inputs: [START, ...tokens], targets: [...tokens, END], ...rest };
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
