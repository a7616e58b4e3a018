// One step of a gated recurrent unit, (10.45)-(10.47) with the reset gate after the product, as
// `gru_forward(..., reset="after")` computes it. No DOM here.
import { sigmoid, times } from "./vectors.js";

/** The state after one more step; `p` holds U, W, b for the target, and the same for u and r. */
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
