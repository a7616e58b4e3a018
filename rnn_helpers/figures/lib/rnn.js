// The recurrent network of (G 10.8)-(G 10.11), as `rnn_helpers.reference` computes it. No DOM here.
import { oneHot, sigmoid, softmax, times } from "./vectors.js";

export const SQUASH = { tanh: Math.tanh, sigmoid };

/** Equations (G 10.8)-(G 10.11), or (C 5.5)-(C 5.9) with the sigmoid, for one input vector. */
export function step(params, x, hPrev, squash = "tanh") {
  const Wh = times(params.W, hPrev);
  const Ux = times(params.U, x);
  const a = params.b.map((b, i) => b + Wh[i] + Ux[i]); // (G 10.8)
  const h = a.map(SQUASH[squash]); // (G 10.9)
  const Vh = times(params.V, h);
  const o = params.c.map((c, i) => c + Vh[i]); // (G 10.10)
  return { x, hPrev, a, h, o, yhat: softmax(o) }; // (G 10.11)
}

/** Every step for a sequence of tokens, from the initial state h0. */
export function forward(params, tokens, squash = "tanh", h0 = params.b.map(() => 0)) {
  let h = h0;
  return tokens.map((token) => {
    const now = step(params, oneHot(token, params.U[0].length), h, squash);
    h = now.h;
    return now;
  });
}
