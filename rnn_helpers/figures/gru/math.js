// One gated recurrent unit, (G 10.45)-(G 10.47), beside one LSTM unit, (G 10.40)-(G 10.42), for a few
// inputs. This module doesn't use the DOM.
import CONSTANTS from "./constants.json";
import { clamp } from "../lib/scales.js";
import { sigmoid } from "../lib/vectors.js";

/** The longest sequence that the figure accepts. */
export const LONGEST = 12;

/**
 * Weights set by hand. An input of 1 closes the GRU's update gate, so that the unit takes in the new
 * value; an input of 0 opens it. Both gates of the LSTM stay open, because an input of 0 adds nothing.
 */
export const { PARAMS } = CONSTANTS;

/** The two gates for an input and a state, unless the reader holds them. */
export const gates = (p, x, h, hand = {}) => ({
  u: hand.u ?? sigmoid(p.bu + p.Uu * x + p.Wu * h), // (G 10.46)
  r: hand.r ?? sigmoid(p.br + p.Ur * x + p.Wr * h), // (G 10.47)
});

/** (G 10.45): the candidate and the new state, from the previous state and the gates. */
export function mix({ b, U, W }, x, h, { u, r }) {
  const fresh = Math.tanh(b + U * x + W * (r * h));
  return { fresh, h: u * h + (1 - u) * fresh };
}

/** One step of the LSTM's state, which takes the place of its output. */
export function store(p, x, s) {
  const f = sigmoid(p.bf + p.Uf * x + p.Wf * s); // (G 10.40)
  const g = sigmoid(p.bg + p.Ug * x + p.Wg * s); // (G 10.42)
  const fresh = Math.tanh(p.b + p.U * x + p.W * s);
  return { f, g, fresh, s: f * s + g * fresh }; // (G 10.41), with tanh
}

/** The numbers of a text such as "01-", in which "-" is -1. */
export const read = (text) => [...text].map((letter) => (letter === "-" ? -1 : Number(letter)));
const LETTER = { 0: "0", 1: "1", "-1": "-" };
export const write = (xs) => xs.map((x) => LETTER[x]).join("");

/** The gates that the reader holds: { 2: 0.5, 5: 1 } from "2:0.5 5:1". Anything else is left out. */
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
 * All steps. `gru[t - 1]` has x^(t), u^(t), r^(t), the candidate and h^(t); `lstm[t - 1]` has the same
 * for the other unit.
 */
export function run({ x: text, u = "", r = "" }, { gru: p, lstm } = PARAMS) {
  const [xs, us, rs] = [read(text), held(u), held(r)];
  let [h, s] = [0, 0];
  const steps = [];
  const stores = [];
  xs.forEach((x, i) => {
    const t = i + 1;
    const hand = { u: us[t], r: rs[t] };
    const before = h;
    const gate = gates(p, x, h, hand);
    const now = mix(p, x, h, gate);
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

/** The share of each step's candidate in the last state, from the shares taken in and kept. */
export function shares(steps) {
  let left = 1;
  return steps.reduceRight((out, [taken, kept]) => {
    out.unshift(taken * left);
    left *= kept;
    return out;
  }, []);
}

/** The sum of the shares of all inputs that aren't 0. */
export const total = (xs, parts) => xs.reduce((sum, x, i) => sum + (x ? parts[i] : 0), 0);
