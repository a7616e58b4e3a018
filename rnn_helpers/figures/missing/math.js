// A line of bits, each most likely the parity of the four before it, and three ways to fill gaps in it
// by the probabilities of that rule. No DOM here.
import CONSTANTS from "./constants.json";
import { random } from "../lib/random.js";
import { over, sigmoid } from "../lib/vectors.js";

export const { ORDER, LENGTH } = CONSTANTS;

/** Probability that bit t is a one, given those before it. */
export function following(y, t, noise) {
  if (t < ORDER) return 0.5;
  let odd = 0;
  for (let i = t - ORDER; i < t; i++) odd ^= y[i];
  return odd ? 1 - noise : noise;
}

/** The line. Its first bits are fair coins. */
export function line(noise, seed) {
  const { uniform } = random(seed);
  const coins = Array.from({ length: LENGTH }, uniform);
  const y = [];
  for (const [t, u] of coins.entries()) {
    const usual = t < ORDER ? 0 : +(following(y, t, noise) > noise);
    y.push(usual ^ +(u < (t < ORDER ? 0.5 : noise)));
  }
  return y;
}

/** Places, from 0, that are hidden. */
export const gaps = (hidden) =>
  Array.from({ length: LENGTH }, (_, t) => t).filter((t) => (hidden >> t) & 1);

/** Log-probability of a line. */
export function logProbability(y, noise) {
  let sum = 0;
  for (let t = 0; t < y.length; t++) {
    const p = following(y, t, noise);
    sum += Math.log(y[t] ? p : 1 - p);
  }
  return sum;
}

/** Return the exact probabilities of a one, from all ways to fill the gaps. */
export function exact(y, places, noise) {
  const tried = [...y];
  const ones = places.map(() => 0);
  let whole = 0;
  const ways = 2 ** places.length;
  for (let way = 0; way < ways; way++) {
    places.forEach((place, i) => (tried[place] = (way >> i) & 1));
    const p = Math.exp(logProbability(tried, noise));
    whole += p;
    places.forEach((place, i) => (ones[i] += tried[place] * p));
  }
  return { ones: over(ones, whole), passes: ways };
}

/** Fill each gap from the bits before it, and from the guesses in the gaps before it. */
export function forward(y, places, noise) {
  const filled = [...y];
  const ones = places.map((place) => {
    const p = following(filled, place, noise);
    filled[place] = +(p > 0.5);
    return p;
  });
  return { ones, passes: places.length ? 1 : 0 };
}

/** Probability that one bit is a one, given all others. */
export function oneGivenAll(y, place, noise) {
  const tried = [...y];
  const [zero, one] = [0, 1].map((bit) => {
    tried[place] = bit;
    return logProbability(tried, noise);
  });
  return sigmoid(one - zero);
}

/** Run Gibbs sampling from random bits: `ones` is the share of ones among the draws of each gap, or 1/2. */
export function sampled(y, places, noise, draws, seed) {
  const { uniform } = random(seed);
  const line = [...y];
  for (const place of places) line[place] = +(uniform() < 0.5);
  const [ones, times] = [places.map(() => 0), places.map(() => 0)];
  let last = null;
  for (let draw = 0; places.length && draw < draws; draw++) {
    const gap = draw % places.length;
    const place = places[gap];
    const p = oneGivenAll(line, place, noise);
    line[place] = +(uniform() < p);
    ones[gap] += line[place];
    times[gap] += 1;
    last = { place, p, bit: line[place] };
  }
  return {
    ones: ones.map((count, i) => (times[i] ? count / times[i] : 0.5)),
    passes: places.length ? 2 * draws : 0,
    now: places.map((place) => line[place]),
    last,
  };
}

/** Everything the figure shows of a state. */
export function fill({ hidden, noise, seed, at, coins }) {
  const y = line(noise, seed);
  const places = gaps(hidden);
  const ways = {
    forward: forward(y, places, noise),
    exact: exact(y, places, noise),
    sampled: sampled(y, places, noise, at, coins),
  };
  for (const way of Object.values(ways)) {
    way.right = places.filter((place, i) => guess(way.ones[i]) === y[place]).length;
  }
  return { y, places, ...ways };
}

/** The likelier bit, or 0 if both are equally likely. */
export const guess = (p) => +(p > 0.5 + 1e-9);
