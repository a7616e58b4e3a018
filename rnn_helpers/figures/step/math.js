// One step of the recurrent network over a sentence, with the sum behind every number. No DOM here.
import { ALPHABET, PARAMS, PERIOD } from "../lib/knock.js";
import { forward } from "../lib/rnn.js";

export { step, SQUASH } from "../lib/rnn.js";

/** The words of the longest sentence that the figure accepts. */
export const LONGEST = 7;

/** The words of a sentence, without the periods at its ends. Unknown words are left out. */
export const wordsOf = (text) =>
  text
    .trim()
    .split(/[\s.]+/)
    .filter((word) => ALPHABET.includes(word))
    .slice(0, LONGEST);

/**
 * Read a sentence: every step with its input, its target, the loss of this step and the running total.
 * The input is the symbol before the target, so the first is the period of the sentence before.
 */
export function read(text, squash = "tanh") {
  const tokens = wordsOf(text).map((word) => ALPHABET.indexOf(word));
  const [inputs, targets] = [
    [PERIOD, ...tokens],
    [...tokens, PERIOD],
  ];
  let total = 0;
  return forward(PARAMS[squash], inputs, squash).map((now, t) => {
    const loss = -Math.log(now.yhat[targets[t]]);
    total += loss;
    return { ...now, input: inputs[t], target: targets[t], loss, total };
  });
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
