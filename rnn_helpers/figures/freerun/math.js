// Three trained networks that predict the next value of a wave, and run free when they are no longer fed
// the truth. This module doesn't use the DOM.
import { random } from "../lib/random.js";
import { dot, times } from "../lib/vectors.js";
import { scaled } from "../lib/weights.js";
import CONSTANTS from "./constants.json";
import STORED from "./trained.json";

/**
 * OVERTONE: amplitude of the second wave, which is twice as fast. READS: the least number of steps
 * with the truth as input. LENGTH: the number of all steps. NETWORKS: named for their input in training.
 */
export const { PERIOD, OVERTONE, READS, LENGTH, NETWORKS, ARRAYS } = CONSTANTS;
/** The steps after which the truth may end, and the largest push of the first input without it. */
export const SINCE = [READS, LENGTH - PERIOD];
export const PUSH = 1;

const made = {};
/** Weights of a network, which are whole numbers times a scale for each array. */
export function network(name) {
  if (made[name]) return made[name];
  made[name] = scaled(STORED.networks[name], ARRAYS);
  return made[name];
}

/** A wave and its overtone with a random phase, at the steps 1 to LENGTH + 1. */
export function signal(seed) {
  const phase = 2 * Math.PI * random(seed).uniform();
  return Array.from({ length: LENGTH + 1 }, (_, t) => {
    const angle = (2 * Math.PI * t) / PERIOD + phase;
    return Math.sin(angle) + OVERTONE * Math.sin(2 * angle);
  });
}

/** One step: the state, from the last state and the input, and the output. */
export function step({ R, W, b, V, c }, fed, before) {
  const Wh = times(W, before);
  const h = b.map((bias, i) => Math.tanh(bias + Wh[i] + R[i][0] * fed));
  return { h, o: c[0] + dot(V[0], h) };
}

/**
 * All steps. The input `fed` is the truth up to step `since` and then the network's own last output,
 * with `push` added to the first of these.
 */
export function run(params, { seed, since, push }) {
  const values = signal(seed);
  let h = params.b.map(() => 0);
  let o = 0;
  return Array.from({ length: LENGTH }, (_, i) => {
    const own = i >= since;
    const fed = own ? o + (i === since ? push : 0) : values[i];
    const next = step(params, fed, h);
    h = next.h;
    o = next.o;
    return { t: i + 1, own, fed, h, o, y: values[i + 1] };
  });
}

/** Root of the mean squared error over the last READS steps. It starts again when the truth ends. */
export function errors(steps, since) {
  const squares = steps.map(({ o, y }) => (o - y) ** 2);
  return squares.map((_, i) => {
    const part = squares.slice(Math.max(i - READS + 1, i >= since ? since : 0), i + 1);
    return Math.sqrt(part.reduce((p, q) => p + q) / part.length);
  });
}
