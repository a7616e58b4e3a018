// The gradient of *are* on its way back through the sentence, and each word's part in the gradient of W.
// This module doesn't use the DOM.
import { WORDS } from "./constants.json";
import { over, size, sum, times, transpose } from "../lib/vectors.js";
import STORED from "./trained.json";

export { WORDS };
export const STEPS = WORDS.length;
const KEYS = WORDS.indexOf("keys"); // counted from 0, so this is the number of states before it

/** One step, (G 10.8) and (G 10.9): what the input adds is given. */
export const step = (W, h, added) => times(W, h).map((a, i) => Math.tanh(a + added[i]));

/**
 * A run with the weights w Q and inputs of a size, and its gradient. `sizes[t - 1]` is the norm of the
 * gradient at h^(t), relative to the last one, and `bound[t - 1]` what the weights alone would leave.
 * `terms[t - 1]` is the norm of step t's part of dL/dW, relative to the largest part. `keys` is the
 * gradient at *keys*, and its factors by the weights and by the slopes.
 */
export function compute({ w, input }) {
  const W = STORED.Q.map((row) => row.map((value) => w * value));
  const states = [STORED.g.map(() => 0)];
  for (const x of STORED.x) {
    states.push(
      step(
        W,
        states.at(-1),
        x.map((value) => Number(input) * value),
      ),
    );
  }
  const [sizes, terms] = [[], []];
  let g = over(STORED.g, size(STORED.g));
  for (let t = STEPS; t > 0; t--) {
    sizes[t - 1] = size(g);
    const gated = g.map((value, i) => (1 - states[t][i] ** 2) * value);
    terms[t - 1] = size(gated) * size(states[t - 1]); // the norm of an outer product, (G 10.26)
    g = times(transpose(W), gated); // (G 10.21)
  }
  const largest = Math.max(...terms);
  const bound = sizes.map((_, i) => w ** (STEPS - 1 - i));
  return {
    states: states.slice(1),
    sizes,
    bound,
    terms: terms.map((term) => term / largest),
    keys: { left: sizes[KEYS], weights: bound[KEYS], slopes: sizes[KEYS] / bound[KEYS] },
    slope: mean(states.slice(1).map((h) => mean(h.map((value) => 1 - value ** 2)))),
  };
}

const mean = (values) => sum(values) / values.length;
