// One LSTM cell of one unit, step by step, forward and backward, with any of its gates held. This
// module doesn't use the DOM. Its names are the book's: input gate g, forget gate f, output gate q,
// state s, output h.
import CONSTANTS from "./constants.json";
import { clamp } from "../lib/scales.js";
import { sigmoid, sum } from "../lib/vectors.js";

export const GATES = ["g", "f", "q"];
/** The letter of a gate's parameters: the output gate is q, and its bias is b^o. */
const LETTER = { g: "g", f: "f", q: "o" };

/** Each input is a number and a mark: 1 if the number should be kept, −1 if it should be output. */
const { NOISE } = CONSTANTS;
export const { KEEP } = CONSTANTS;
export const STEPS = NOISE.length;
export const inputs = (value) =>
  NOISE.map((noise, i) => {
    const t = i + 1;
    return [t === KEEP ? value : noise, t === KEEP ? 1 : t === STEPS ? -1 : 0];
  });

/** Weights set by hand, so that the marks control the gates. The peepholes are `p…`. */
const { PARAMS } = CONSTANTS;

/** The terms of a gate's sum: bias, input, previous output and, with a peephole, the state. */
export function terms(params, letter, x, hPrev, state) {
  const U = params[`U${letter}`];
  const seen = params[`p${letter}`];
  return [
    params[`b${letter}`],
    U.reduce((sum, weight, i) => sum + weight * x[i], 0),
    params[`W${letter}`] * hPrev,
    ...(seen === undefined ? [] : [seen * state]),
  ];
}

/**
 * One step, (G 10.40)-(G 10.44). `set` holds gates at a value; the weights determine the others.
 * Peepholes show the old state to the input and forget gates and the new one to the output gate.
 */
export function step(params, x, sPrev, hPrev, set = {}) {
  const gate = (name, state) =>
    set[name] ?? sigmoid(sum(terms(params, LETTER[name], x, hPrev, state)));
  const [f, g] = [gate("f", sPrev), gate("g", sPrev)];
  const c = Math.tanh(sum(terms(params, "", x, hPrev, 0)));
  const s = f * sPrev + g * c;
  const q = gate("q", s);
  return { x, sPrev, hPrev, f, g, c, s, q, h: Math.tanh(s) * q };
}

/**
 * One step backward. Given are the derivatives of the last output with respect to h^(t) and, through
 * the next step, s^(t). Returned are its whole derivative with respect to s^(t), and both derivatives
 * one step earlier. A gate that is held passes nothing on.
 */
export function back(params, now, dh, ds, set = {}) {
  const { sPrev, f, g, c, s, q } = now;
  const slope = (name, value) => (name in set ? 0 : value * (1 - value));
  const dq = dh * Math.tanh(s) * slope("q", q);
  const { pf = 0, pg = 0, po = 0 } = params;
  const whole = ds + dh * q * (1 - Math.tanh(s) ** 2) + po * dq;
  const df = whole * sPrev * slope("f", f);
  const dg = whole * c * slope("g", g);
  const dc = whole * g * (1 - c * c);
  return {
    s: whole,
    dh: params.W * dc + params.Wf * df + params.Wg * dg + params.Wo * dq,
    ds: whole * f + pf * df + pg * dg,
  };
}

/** Gates held by the reader: `{ f5: 0.25, q8: 1 }` from `"f5:0.25,q8:1"`. Anything else is left out. */
export function read(text) {
  const held = {};
  for (const part of text.split(",")) {
    const [, gate, value] = /^([fgq][1-8]):(\d+|\d*\.\d+)$/.exec(part.trim()) ?? [];
    if (gate) held[gate] = clamp(Number(value), 0, 1);
  }
  return held;
}
/** The reverse, sorted by gate and step. */
export const write = (held) =>
  Object.keys(held)
    .sort()
    .map((gate) => `${gate}:${Number(held[gate].toFixed(2))}`)
    .join(",");

/** The parameters of a cell, with or without peepholes. */
const paramsOf = (cell) =>
  cell === "peepholes"
    ? PARAMS
    : Object.fromEntries(Object.entries(PARAMS).filter(([name]) => !name.startsWith("p")));

/**
 * All steps from s = h = 0, each with the gradient `grad` of the last output with respect to its state,
 * and with `path`, the product of the later forget gates.
 */
export function compute({ cell, value, held }) {
  const [params, hand] = [paramsOf(cell), read(held)];
  const steps = [];
  let [s, h] = [0, 0];
  for (const x of inputs(value)) {
    const t = steps.length + 1;
    const set = {};
    for (const gate of GATES) if (gate + t in hand) set[gate] = hand[gate + t];
    const now = step(params, x, s, h, set);
    ({ s, h } = now);
    steps.push({ t, set, ...now });
  }
  let [dh, ds, path] = [1, 0, 1];
  for (const now of [...steps].reverse()) {
    now.path = path;
    path *= now.f;
    ({ s: now.grad, dh, ds } = back(params, now, dh, ds, now.set));
  }
  return { params, steps };
}

/** The terms of a sum at a step, for the line of arithmetic. */
export const sumOf = (params, now, name) =>
  name === "c"
    ? terms(params, "", now.x, now.hPrev, 0)
    : terms(params, LETTER[name], now.x, now.hPrev, name === "q" ? now.s : now.sPrev);
