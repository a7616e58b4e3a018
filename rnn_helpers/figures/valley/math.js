// The loss of the network of ../lib/boats.js as a function of its recurrent weight, as
// `rnn_helpers.reference` computes it. This module doesn't use the DOM.
import { PARAMS, SENTENCES } from "../lib/boats.js";

export const W = PARAMS.W[0][0];
const WORDS = SENTENCES[3].map((token) => PARAMS.U[0][token]);
const [V, C] = [PARAMS.V.flat(), PARAMS.c];

/** The states for a weight. */
function states(w) {
  let h = 0;
  return WORDS.map((word) => {
    h = Math.tanh(w * h + word);
    return h;
  });
}

/** By how much the logit of the wrong verb is higher than that of the right one. */
const ahead = (w) => (V[0] - V[1]) * states(w).at(-1) + C[0] - C[1];

/** The loss for a weight. */
export const loss = (w) => Math.log(1 + Math.exp(ahead(w)));

/** The gradient of the loss with respect to the weight, by (G 10.18), (G 10.21) and (G 10.26). */
export function gradient(w) {
  const h = states(w);
  let back = (V[0] - V[1]) / (1 + Math.exp(-ahead(w)));
  let total = 0;
  for (let t = h.length - 1; t >= 0; t--) {
    const onSum = (1 - h[t] ** 2) * back;
    total += onSum * (h[t - 1] ?? 0);
    back = w * onSum;
  }
  return total;
}

/** The points at which the loss is compared, left and right. */
export const points = (eps, sides) => [sides === "two" ? W - eps : W, W + eps];

/** The difference quotient. */
export function quotient(eps, sides) {
  const [left, right] = points(eps, sides);
  return (loss(right) - loss(left)) / (right - left);
}

/** The weights of gradient descent: the start, and one after each step. */
export function path(eta, steps) {
  const weights = [W];
  for (let i = 0; i < steps; i++) weights.push(weights[i] - eta * gradient(weights[i]));
  return weights;
}
