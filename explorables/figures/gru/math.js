// One gated recurrent unit, (G 10.45)-(G 10.47), beside one LSTM unit, (G 10.40)-(G 10.42), over a few
// numbers. No DOM here.
import CONSTANTS from "../../../rnn_helpers/explore/figures/gru.json";
import { clamp } from "../../lib/scales.js";
import { sigmoid } from "../../lib/vectors.js";

/** Longest sequence the figure takes. */
export const LONGEST = 12;

/**
 * Weights set by hand. GRU: an input of 1 opens it to the new, 0 keeps the old; `bh` is the bias that
 * stands beside W h, and the place of the reset gate decides whether it is reset too. LSTM: both of
 * its gates stay open, for an input of 0 adds nothing.
 */
export const { PARAMS } = CONSTANTS;

/** The candidate: what the unit would become if nothing of the old were kept. */
export function candidate({ b, U, W, bh }, form, x, h, r) {
  if (form === "after") return Math.tanh(b + U * x + r * (W * h + bh)); // as in PyTorch
  return Math.tanh(b + bh + U * x + W * (r * h));
}

/** The two gates from one input and one state, unless a hand holds them. */
export const gates = (p, x, h, hand = {}) => ({
  u: hand.u ?? sigmoid(p.bu + p.Uu * x + p.Wu * h), // (G 10.46)
  r: hand.r ?? sigmoid(p.br + p.Ur * x + p.Wr * h), // (G 10.47)
});

/** (G 10.45): the state from the one before, its gates and the candidate. */
export function mix(p, form, x, h, { u, r }) {
  const fresh = candidate(p, form, x, h, r);
  return { fresh, h: u * h + (1 - u) * fresh };
}

/** One step of the LSTM's store, whose output is taken to be the store itself. */
export function store(p, x, s) {
  const f = sigmoid(p.bf + p.Uf * x + p.Wf * s); // (G 10.40)
  const g = sigmoid(p.bg + p.Ug * x + p.Wg * s); // (G 10.42)
  const fresh = Math.tanh(p.b + p.U * x + p.W * s);
  return { f, g, fresh, s: f * s + g * fresh }; // (G 10.41), with tanh
}

/** "01-" as numbers: "-" is -1. */
export const read = (text) => [...text].map((letter) => (letter === "-" ? -1 : Number(letter)));
const LETTER = { 0: "0", 1: "1", "-1": "-" };
export const write = (xs) => xs.map((x) => LETTER[x]).join("");

/** What a hand holds, "2:0.5 5:1", as { 2: 0.5, 5: 1 }. What makes no sense is left out. */
export function held(text) {
  const pairs = [...text.matchAll(/(\d+):(\d*\.?\d+)/g)].map(([, t, value]) => [
    Number(t),
    Number(value),
  ]);
  return Object.fromEntries(pairs.map(([t, value]) => [t, clamp(value, 0, 1)]));
}
export const hold = (hands) =>
  Object.entries(hands)
    .map(([t, value]) => `${t}:${Number(value.toFixed(2))}`)
    .join(" ");

/**
 * The whole sequence. `gru[t - 1]` holds x^(t), u^(t), r^(t), the candidate made of them, and h^(t);
 * `lstm[t - 1]` the other unit.
 */
export function run({ x: text, u = "", r = "", form }, { gru: p, lstm } = PARAMS) {
  const [xs, us, rs] = [read(text), held(u), held(r)];
  let [h, s] = [0, 0];
  const steps = [];
  const stores = [];
  xs.forEach((x, i) => {
    const t = i + 1;
    const hand = { u: us[t], r: rs[t] };
    const before = h;
    const gate = gates(p, x, h, hand);
    const now = mix(p, form, x, h, gate);
    h = now.h;
    steps.push({ x, ...gate, ...now, before, hand });
    const stored = { ...store(lstm, x, s), before: s };
    s = stored.s;
    stores.push(stored);
  });
  return {
    gru: steps,
    lstm: stores,
    gruShares: shares(steps.map(({ u }) => [1 - u, u])),
    lstmShares: shares(stores.map(({ f, g }) => [g, f])),
  };
}

/** How much of each step's candidate the last state still holds, from what is taken in and kept. */
export function shares(steps) {
  let left = 1;
  return steps.reduceRight((out, [taken, kept]) => {
    out.unshift(taken * left);
    left *= kept;
    return out;
  }, []);
}

/** What the last state holds of all inputs that are not 0. */
export const total = (xs, parts) => xs.reduce((sum, x, i) => sum + (x ? parts[i] : 0), 0);
