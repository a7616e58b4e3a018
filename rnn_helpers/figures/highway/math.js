// The size of gradients by distance, in five kinds of new network that receive one sequence of noise.
// This module doesn't use the DOM.
import { random } from "../lib/random.js";
import { orthogonalise, over, sigmoid, size, times, transpose } from "../lib/vectors.js";
import CONSTANTS from "./constants.json";
import MEASURED from "./trained.json";

export { MEASURED };

/** SEED gives results near the median of ten seeds. */
export const { UNITS, SEED } = CONSTANTS;
export const STEPS = 60;

const each = (f, ...vectors) => vectors[0].map((_, i) => f(...vectors.map((v) => v[i])));
const sum = (...vectors) => each((...numbers) => numbers.reduce((p, q) => p + q, 0), ...vectors);

let made;
/**
 * Weights with PyTorch's distribution, uniform within ±1/√n, and biases of 0: a set for each of the
 * four sums of an LSTM, of which the GRU uses three and the other networks one. Further a rotation,
 * the inputs, and the last gradient.
 */
export function networks() {
  if (made) return made;
  const { uniform, normal } = random(SEED);
  const draw = () => (2 * uniform() - 1) / Math.sqrt(UNITS);
  const vector = (f) => Array.from({ length: UNITS }, f);
  const sums = Array.from({ length: 4 }, () => ({
    U: vector(draw),
    W: vector(() => vector(draw)),
    b: vector(() => 0),
  }));
  const rotation = orthogonalise(vector(() => vector(normal)));
  const last = vector(normal);
  made = { sums, rotation, last, x: Array.from({ length: STEPS }, () => 0.5 * normal()) };
  return made;
}

const affine = ({ U, W, b }, x, h) =>
  sum(
    b,
    U.map((u) => u * x),
    times(W, h),
  );

/** A leaky unit, (1 - α) tanh(…) + α h; the plain recurrent network, (G 10.8)-(G 10.9), is α = 0. */
export const leaky = {
  step([sum], alpha, x, { h }) {
    const c = affine(sum, x, h).map(Math.tanh);
    return { c, h: each((old, now) => alpha * old + (1 - alpha) * now, h, c) };
  },
  back([{ W }], alpha, now, _, { h: g }) {
    const through = times(
      transpose(W),
      each((c, g) => (1 - alpha) * (1 - c * c) * g, now.c, g),
    );
    return { h: each((straight, other) => alpha * straight + other, g, through) };
  },
};

/** (G 10.45)-(G 10.47): candidate, update gate, reset gate. */
export const gru = {
  step([sum, update, reset], _, x, { h }) {
    const u = affine(update, x, h).map(sigmoid);
    const r = affine(reset, x, h).map(sigmoid);
    const c = affine(
      sum,
      x,
      each((r, h) => r * h, r, h),
    ).map(Math.tanh);
    return { u, r, c, h: each((u, h, c) => u * h + (1 - u) * c, u, h, c) };
  },
  back([{ W }, update, reset], _, { u, r, c }, before, { h: g }) {
    const fresh = times(
      transpose(W),
      each((g, u, c) => g * (1 - u) * (1 - c * c), g, u, c),
    );
    const du = each((g, h, c, u) => g * (h - c) * u * (1 - u), g, before.h, c, u);
    const dr = each((f, h, r) => f * h * r * (1 - r), fresh, before.h, r);
    return {
      h: sum(
        each((g, u) => g * u, g, u),
        each((f, r) => f * r, fresh, r),
        times(transpose(update.W), du),
        times(transpose(reset.W), dr),
      ),
    };
  },
};

/** (G 10.40)-(G 10.44): cell input, forget, input and output gate. `bias` is the forget bias. */
export const lstm = {
  step([sum, forget, input, output], bias, x, { h, s: old }) {
    const c = affine(sum, x, h).map(Math.tanh);
    const f = affine(forget, x, h).map((a) => sigmoid(a + bias));
    const g = affine(input, x, h).map(sigmoid);
    const q = affine(output, x, h).map(sigmoid);
    const s = each((f, s, g, c) => f * s + g * c, f, old, g, c);
    return { c, f, g, q, s, h: each((s, q) => Math.tanh(s) * q, s, q) };
  },
  /** `s`, given and returned, is the whole gradient on the state, including the path through h. */
  back([inner, forget, input, output], _, { c, f, g, q, s }, before, { h: gh, s: gs }) {
    const dc = each((d, g, c) => d * g * (1 - c * c), gs, g, c);
    const df = each((d, s, f) => d * s * f * (1 - f), gs, before.s, f);
    const dg = each((d, c, g) => d * c * g * (1 - g), gs, c, g);
    const dq = each((d, s, q) => d * Math.tanh(s) * q * (1 - q), gh, s, q);
    const parts = [
      [inner, dc],
      [forget, df],
      [input, dg],
      [output, dq],
    ];
    const h = sum(...parts.map(([{ W }, d]) => times(transpose(W), d)));
    return {
      h,
      s: sum(
        each((d, f) => d * f, gs, f),
        before.q ? shown(before, h) : h.map(() => 0),
      ),
    };
  },
};

/** The gradient on s that a gradient on h gives, through h = tanh(s) q. */
export const shown = ({ s, q }, h) => each((s, q, h) => h * q * (1 - Math.tanh(s) ** 2), s, q, h);

const CELLS = { rnn: leaky, orthogonal: leaky, leaky, gru, lstm };

/**
 * log10 of the size of the gradient on the state, relative to the last step, for distances 0 to STEPS.
 * The state of an LSTM is s. `knob` is the leaky unit's α or the LSTM's forget bias.
 */
export function reach(kind, knob = 0) {
  const { sums, rotation, last, x } = networks();
  const cell = CELLS[kind];
  const params = kind === "orthogonal" ? [{ ...sums[0], W: rotation }] : sums;
  const zero = last.map(() => 0);
  const states = [{ h: zero, s: zero }];
  for (const input of x) states.push(cell.step(params, knob, input, states.at(-1)));
  let g = { h: last, s: kind === "lstm" ? shown(states[STEPS], last) : zero };
  const of = ({ h, s }) => size(kind === "lstm" ? s : h);
  const logs = [0];
  for (let t = STEPS; t > 0; t--) {
    const scale = of(g); // keep only the direction, because the size may underflow
    g = { h: over(g.h, scale), s: over(g.s, scale) };
    g = { s: zero, ...cell.back(params, knob, states[t], states[t - 1], g) };
    logs.push(logs.at(-1) + Math.log10(of(g)));
  }
  return logs;
}

/** The slope, in powers of ten, of a state that keeps the share σ(bias) of itself at each step. */
export const ideal = (bias) => -Math.log1p(Math.exp(-bias)) / Math.LN10;
/** The bias that gives a slope. */
export const biasOf = (slope) => {
  const kept = 10 ** Math.min(slope, -1e-9);
  return Math.log(kept / (1 - kept));
};

/** The forget biases of the LSTMs that were measured, and the nearest of these. */
export const BIASES = [0, 1, 3];
export const nearest = (bias) =>
  BIASES.reduce((p, q) => (Math.abs(q - bias) < Math.abs(p - bias) ? q : p));

/** log10 of the smallest, the median and the largest gradient of measured networks, at each distance. */
export const measured = (when, kind) =>
  MEASURED[when][kind].map((logs) =>
    Array.from({ length: STEPS + 1 }, (_, k) => {
      const [i, part] = [Math.floor(k / MEASURED.every), (k % MEASURED.every) / MEASURED.every];
      return part ? (1 - part) * logs[i] + part * logs[i + 1] : logs[i];
    }),
  );
