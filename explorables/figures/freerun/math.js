// Three trained networks that say what comes next, and go on alone when the truth is taken away.
// No DOM here.
import { random } from "../../lib/random.js";
import { dot, times } from "../../lib/vectors.js";
import { scaled } from "../../lib/weights.js";
import CONSTANTS from "../../../rnn_helpers/explore/figures/freerun.json";
import STORED from "../../../rnn_helpers/explore/trained/freerun.json";

/**
 * OVERTONE: amplitude of the second wave, twice as fast. READS: the fewest steps at which the truth is
 * fed; LENGTH: all. NETWORKS: by what they were fed as they learned.
 */
export const { PERIOD, OVERTONE, READS, LENGTH, NETWORKS, ARRAYS } = CONSTANTS;
/** What was measured of each network: `told`, its error while it is fed the truth, on waves of 50 phases. */
export const { training } = STORED;
/** Where the truth may be taken away, and how hard the first word without it may be pushed. */
export const SINCE = [READS, LENGTH - PERIOD];
export const PUSH = 1;

const made = {};
/** Weights of a network, which are whole numbers times a scale for each array. */
export function network(name) {
  if (made[name]) return made[name];
  made[name] = scaled(STORED.networks[name], ARRAYS);
  return made[name];
}

/** A wave and its overtone, from a phase that is drawn, at the steps 1 to LENGTH + 1. */
export function signal(seed) {
  const phase = 2 * Math.PI * random(seed).uniform();
  return Array.from({ length: LENGTH + 1 }, (_, t) => {
    const angle = (2 * Math.PI * t) / PERIOD + phase;
    return Math.sin(angle) + OVERTONE * Math.sin(2 * angle);
  });
}

/** A step: the state from the last one and what is fed, as in figure 10.10, and the output. */
export function step({ R, W, b, V, c }, fed, before) {
  const heard = times(W, before);
  const h = b.map((bias, i) => Math.tanh(bias + heard[i] + R[i][0] * fed));
  return { h, o: c[0] + dot(V[0], h) };
}

/** All steps: what a network is fed, the truth up to `since`, then its own last output, the first of these pushed. */
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

/** Root of the mean squared error over the last READS steps, from where the truth is taken away anew. */
export function errors(steps, since) {
  const squares = steps.map(({ o, y }) => (o - y) ** 2);
  return squares.map((_, i) => {
    const part = squares.slice(Math.max(i - READS + 1, i >= since ? since : 0), i + 1);
    return Math.sqrt(part.reduce((p, q) => p + q) / part.length);
  });
}
