// A rhythm in a reservoir: its echo, readouts that repeat it, and how both sound. No DOM here.
import { factorise, inner, mean, solve } from "../lib/least.js";
import { clamp } from "../lib/scales.js";
import { reservoir, run, UNITS } from "../lib/untrained.js";

/** Steps of a rhythm, and all steps that are shown. */
export const BAR = 16;
export const STEPS = 48;
/** Units that are shown and heard. */
export const SHOWN = 24;
/** Seconds of a step. */
export const BEAT = 0.125;
const SCALE = 0.1;

/** The input of each step: 1 for a clap. */
export const claps = (rhythm) => Array.from({ length: STEPS }, (_, t) => Number(rhythm[t] === "x"));

const settings = ({ radius, leak }) => ({ radius, leak, scale: SCALE });

/** The states of all steps. */
export const echo = (state) => run(settings(state), new Float64Array(UNITS), claps(state.rhythm));

/** The length of the state at each step. */
export const loudness = (states) => states.map((h) => Math.hypot(...h));

/** Random rhythms from which every readout is fitted, each from the state 0 and for STEPS steps. */
const TAKES = 100;
const LEARN = TAKES * STEPS;

let last;
/** The network's states in these takes, less their means, and what every fit needs. */
function practice({ radius, leak }) {
  if (last?.radius === radius && last.leak === leak) return last;
  const x = new Float64Array(LEARN);
  const rows = Array.from({ length: UNITS }, () => new Float64Array(LEARN));
  for (let take = 0; take < TAKES; take++) {
    const bar = reservoir().x.subarray(BAR * take, BAR * (take + 1));
    bar.forEach((value, t) => (x[STEPS * take + t] = Number(value > 0)));
    const heard = x.subarray(STEPS * take, STEPS * (take + 1));
    run(settings({ radius, leak }), new Float64Array(UNITS), heard).forEach((h, t) => {
      for (let i = 0; i < UNITS; i++) rows[i][STEPS * take + t] = h[i];
    });
  }
  const means = rows.map((row) => mean(row, 0, LEARN));
  rows.forEach((row, i) => row.forEach((value, t) => (row[t] = value - means[i])));
  const L = rows.map(() => new Float64Array(UNITS));
  for (let i = 0; i < UNITS; i++) {
    for (let j = 0; j <= i; j++) L[i][j] = inner(rows[i], 0, rows[j], 0, LEARN);
    L[i][i] += 1e-8 * SCALE ** 2;
  }
  factorise(L);
  last = { radius, leak, x, rows, means, L, known: {} };
  return last;
}

/** The readout of the first n units that repeats the input of k steps before: its weights V and bias c. */
export function readout(state, k, n) {
  const { x, rows, means, L, known } = practice(state);
  const name = `${k} ${n}`;
  if (!known[name]) {
    const wanted = new Float64Array(LEARN);
    for (let from = 0; from < LEARN; from += STEPS)
      wanted.set(x.subarray(from, from + STEPS - k), from + k);
    const V = Float64Array.from(rows.slice(0, n), (row) => inner(row, 0, wanted, 0, LEARN));
    solve(L, V, n);
    known[name] = { V, c: mean(wanted, 0, LEARN) - inner(V, 0, means, 0, n) };
  }
  return known[name];
}

const output = ({ V, c }, h) => c + inner(V, 0, h, 0, V.length);

/** The readout's output at each step. */
export function answer(state) {
  const fitted = readout(state, state.k, state.units);
  return echo(state).map((h) => output(fitted, h));
}

/** Each step of the rhythm, as readouts recover it from the state of one step. */
export function recalled(state) {
  const h = echo(state)[state.at - 1];
  return Array.from({ length: BAR }, (_, s) => output(readout(state, state.at - 1 - s, UNITS), h));
}

/** How many of the rhythm's claps are found, if a value above one half is a clap, and how many others. */
export function score(found, rhythm) {
  const steps = Array.from({ length: BAR }, (_, s) => [found[s] > 0.5, rhythm[s] === "x"]);
  return {
    hits: steps.filter(([said, true_]) => said && true_).length,
    claps: steps.filter(([, true_]) => true_).length,
    others: steps.filter(([said, true_]) => said && !true_).length,
  };
}

/** Random rhythms before a clap, and the steps of each. */
export const PASTS = 4;
const PAST = 100;
/** Steps for which the trace of a clap is shown. */
export const TRACE = 11;

/** What one clap changes in every unit, at its step and later, after each of several pasts. */
export function traces(state) {
  const { x } = reservoir();
  return Array.from({ length: PASTS }, (_, past) => {
    const before = x.slice(PAST * past, PAST * (past + 1)).map((value) => Number(value > 0));
    const h = run(settings(state), new Float64Array(UNITS), before).at(-1);
    const silence = new Float64Array(TRACE);
    const without = run(settings(state), h, silence);
    silence[0] = 1;
    return run(settings(state), h, silence).map((after, t) =>
      after.map((v, i) => v - without[t][i]),
    );
  });
}

/** The share of the traces' squared length, some steps after the clap, that their mean accounts for. */
export function alike(all, t) {
  let [common, whole] = [0, 0];
  for (let i = 0; i < UNITS; i++) {
    const values = all.map((trace) => trace[t][i]);
    common += (values.reduce((p, q) => p + q) / PASTS) ** 2;
    whole += values.reduce((sum, value) => sum + value ** 2, 0) / PASTS;
  }
  return whole ? common / whole : 1;
}

// ---- the sound

const SCALE_STEPS = [0, 2, 4, 7, 9];
/** The pitch of a unit in hertz, on a scale without dissonances; the first unit's is the highest. */
export function pitch(i) {
  const place = SHOWN - 1 - i;
  return 110 * 2 ** (Math.floor(place / 5) + SCALE_STEPS[place % 5] / 12);
}

/** What Play plays, as samples between −1 and 1, `rate` per second. */
export function sound(state, rate) {
  const samples = new Float32Array(Math.round((STEPS * BEAT + 0.25) * rate));
  claps(state.rhythm).forEach((x, t) => x && clapAt(samples, t * BEAT * rate, rate));
  if (state.view === "ring") tones(samples, echo(state), rate);
  else
    answer(state).forEach((o, t) => knockAt(samples, t * BEAT * rate, clamp(o, -1.5, 1.5), rate));
  const most = samples.reduce((high, value) => Math.max(high, Math.abs(value)), 0.9);
  return samples.map((value) => (0.9 * value) / most);
}

/** A clap: noise that dies within a few hundredths of a second. */
function clapAt(samples, start, rate) {
  const from = Math.round(start);
  const length = Math.round(0.08 * rate);
  for (let n = 0, noise = 1; n < length && from + n < samples.length; n++) {
    noise = (noise * 16807) % 2147483647;
    samples[from + n] += 0.7 * (noise / 1073741824 - 1) * Math.exp(-n / (0.014 * rate));
  }
}

/** A knock on wood, as loud as the readout's output is large. */
function knockAt(samples, start, size, rate) {
  const from = Math.round(start);
  const length = Math.round(0.12 * rate);
  for (let n = 0; n < length && from + n < samples.length; n++) {
    const turn = (2 * Math.PI * n) / rate;
    samples[from + n] +=
      0.5 *
      size *
      Math.exp(-n / (0.03 * rate)) *
      (Math.sin(540 * turn) + 0.5 * Math.sin(1130 * turn));
  }
}

/** The units as tones. Each follows its state within a fiftieth of a second. */
function tones(samples, states, rate) {
  const ease = 1 - Math.exp(-1 / (0.02 * rate));
  const beat = BEAT * rate;
  for (let i = 0; i < SHOWN; i++) {
    const hertz = pitch(i);
    const turn = (2 * Math.PI * hertz) / rate;
    const gain = Math.sqrt(220 / hertz) * 1.2;
    for (let n = 0, size = 0; n < samples.length; n++) {
      const t = Math.floor(n / beat);
      size += ease * ((t < STEPS ? states[t][i] : 0) - size);
      samples[n] += gain * size * Math.sin(turn * n);
    }
  }
}
