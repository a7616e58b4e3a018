// The unfolded network forward and backward, as `rnn_helpers.reference` computes
// it, and the order in which the figure shows its steps. No DOM here.
import { PARAMS, SENTENCES, VERB, VERBS, WORDS } from "../lib/boats.js";
import { forward } from "../lib/rnn.js";
import { add, times, transpose } from "../lib/vectors.js";

export { PARAMS, VERBS, WORDS };

/** Tokens, targets and the mask of scored steps for T = 3, 4 or 5. */
const task = (T, loss) => ({
  x: SENTENCES[T],
  y: SENTENCES[T].map(() => VERB),
  mask: SENTENCES[T].map((_, t) => Number(loss === "every" || t === T - 1)),
});

const hadamard = (p, q) => p.map((value, i) => value * q[i]);
export const outer = (p, q) => p.map((value) => q.map((other) => value * other));
export const size = (v) => Math.hypot(...v.flat());
export const slope = (h) => h.map((value) => 1 - value ** 2);

/** The part of the gradient on h^(t) that comes from h^(t+1): the first term of (G 10.21). */
export const chained = (W, gradNext, hNext) =>
  times(transpose(W), hadamard(slope(hNext), gradNext));

/** The loss of each step and their sum, (G 10.12)-(G 10.14); a step without a target has loss 0. */
export function losses(run, y, mask) {
  const each = run.map(({ o }, t) => {
    const top = Math.max(...o);
    const total = Math.log(o.reduce((sum, value) => sum + Math.exp(value - top), 0));
    return mask[t] * (top + total - o[y[t]]);
  });
  return { each, total: each.reduce((p, q) => p + q, 0) };
}

/**
 * Back-propagation through time, (G 10.17)-(G 10.28). `gradO`, `own` and `chain` (the two terms of
 * `gradH`), `gradH` and `gradA` hold a vector for each step. For each parameter, `copies` holds the
 * gradients of the steps' copies, and `grads` their sum.
 */
export function backward(params, run, y, mask) {
  const T = run.length;
  const gradO = run.map(
    ({ yhat }, t) => yhat.map((p, i) => mask[t] * (p - Number(i === y[t]))), // (G 10.17), (G 10.18)
  );
  const own = gradO.map((g) => times(transpose(params.V), g));
  const chain = [];
  const gradH = [];
  for (let t = T - 1; t >= 0; t--) {
    const next = run[t + 1];
    chain[t] = next ? chained(params.W, gradH[t + 1], next.h) : params.b.map(() => 0);
    gradH[t] = add(chain[t], own[t]); // (G 10.19), (G 10.21)
  }
  const gradA = run.map(({ h }, t) => hadamard(slope(h), gradH[t]));
  const copies = {
    U: run.map(({ x }, t) => outer(gradA[t], x)), // (G 10.28)
    W: run.map(({ hPrev }, t) => outer(gradA[t], hPrev)), // (G 10.26)
    V: run.map(({ h }, t) => outer(gradO[t], h)), // (G 10.24)
    b: gradA, // (G 10.23)
    c: gradO, // (G 10.22)
  };
  const grads = Object.fromEntries(Object.entries(copies).map(([name, each]) => [name, sum(each)]));
  return { gradO, own, chain, gradH, gradA, copies, grads };
}

/** Sum of a list of vectors, or of a list of matrices. */
export const sum = (list) =>
  list.reduce((p, q) =>
    p.map((value, i) => (Array.isArray(value) ? add(value, q[i]) : value + q[i])),
  );

/** The derivative along the arrow from a sum to its state. */
export const slopes = (run) => run.map(({ h }) => slope(h)[0]);

/** Everything that the figure shows with these settings. */
export function compute(T, loss) {
  const { x, y, mask } = task(T, loss);
  const run = forward(PARAMS, x);
  return { x, y, mask, run, back: backward(PARAMS, run, y, mask), loss: losses(run, y, mask) };
}

/**
 * The steps in order, as `{ id, kind, t }`: forward, h, o and L for each word, and the total loss; then
 * ∂L/∂L^(t); then backward from the last word: o, h, a and the copy of W; then the other parameters. If
 * only the last word has a loss, it is the total.
 */
export function steps(T, loss) {
  const all = task(T, loss).mask.map((scored, index) => [index + 1, scored]);
  const forwards = all.flatMap(([t, scored]) =>
    ["h", ...(scored ? ["o", "L"] : [])].map((kind) => ({ kind, t })),
  );
  const backwards = all
    .toReversed()
    .flatMap(([t, scored]) =>
      [...(scored ? ["do"] : []), "dh", "da", "dW"].map((kind) => ({ kind, t })),
    );
  const once = (...kinds) => kinds.map((kind) => ({ kind, t: 0 }));
  return [
    ...once("start"),
    ...forwards,
    ...(loss === "every" ? once("L", "dL") : []),
    ...backwards,
    ...once("dU", "dV", "db", "dc"),
  ].map((step) => ({ ...step, id: step.kind + (step.t || "") }));
}

/** Return the index of step `id` in `list`, or of the nearest step of the same kind. */
export function find(list, id) {
  const [, kind, digits] = /^([a-zA-Z]+)(\d*)$/.exec(id) ?? [];
  const exact = list.findIndex((step) => step.id === id);
  if (exact >= 0) return exact;
  const t = Number(digits || 9);
  const alike = list.filter((step) => step.kind === (kind === "dL" ? "do" : kind) && step.t > 0);
  if (!alike.length) return 0;
  const nearest = alike.reduce((p, q) => (Math.abs(q.t - t) < Math.abs(p.t - t) ? q : p));
  return list.indexOf(nearest);
}

/** All ids, for any T: the values that an address and `explore.show` may give. */
export const IDS = [...new Set([5, 4, 3].flatMap((T) => steps(T, "every").map(({ id }) => id)))];
