// Gated recurrent units, (G 10.45)-(G 10.47), as `gru_forward` computes them: `p` holds U, W, b for the
// target, and the same for u and r. No DOM here.
import { add, sigmoid, times } from "./vectors.js";

/** The states for a list of inputs, from an initial state of zeros. The reset gate precedes the product. */
export function states(p, inputs) {
  const gate = (name, x, h) =>
    add(p[`b${name}`], times(p[`U${name}`], x), times(p[`W${name}`], h)).map(sigmoid);
  let h = p.b.map(() => 0);
  return inputs.map((x) => {
    const [u, r] = [gate("u", x, h), gate("r", x, h)];
    const kept = h.map((value, i) => r[i] * value);
    const target = add(p.b, times(p.U, x), times(p.W, kept)).map(Math.tanh);
    h = h.map((before, i) => u[i] * before + (1 - u[i]) * target[i]);
    return h;
  });
}

/** The state after one more step. Here the reset gate follows the product. */
export function step(p, x, h) {
  const [Ux, Uux, Urx] = [p.U, p.Uu, p.Ur].map((U) => times(U, x));
  const [Wh, Wuh, Wrh] = [p.W, p.Wu, p.Wr].map((W) => times(W, h));
  return h.map((before, i) => {
    const u = sigmoid(p.bu[i] + Uux[i] + Wuh[i]);
    const r = sigmoid(p.br[i] + Urx[i] + Wrh[i]);
    const target = Math.tanh(p.b[i] + Ux[i] + r * (Wh[i] + p.bh[i]));
    return u * before + (1 - u) * target;
  });
}
