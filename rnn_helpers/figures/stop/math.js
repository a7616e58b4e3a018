// Five small networks that write recordings of popcorn. Each has another rule for the end. No DOM here.
import CONSTANTS from "./constants.json";
import STORED from "./trained.json";
import { random, sampled } from "../lib/random.js";
import { step as ofRNN } from "../lib/rnn.js";
import { oneHot, over, sigmoid, softmax, sum } from "../lib/vectors.js";
import { scaled } from "../lib/weights.js";

/**
 * WAYS: the rule of each network for the end. SHORTEST and LONGEST: the limits of the lengths in training,
 * which are all equally likely. MOST: the number of symbols after which a recording is cut off. MANY: the
 * largest number of recordings that a network writes.
 */
export const { WAYS, SYMBOLS, SHORTEST, LONGEST, MOST, MANY } = CONSTANTS;
/** The index of the end in a list of probabilities: it follows those of the symbols. */
export const END = SYMBOLS.length;
/** The index of the ding, which is the last symbol of each recording in training. */
export const DING = END - 1;

/** Whether a network draws the length of a recording before its first symbol. */
const drawsFirst = (way) => way !== "symbol" && way !== "coin";

const made = {};
/** The weights of a network. Only a network that draws the length first has the last array. */
export function network(way) {
  const kept = STORED.networks[way];
  made[way] ??= scaled(kept, CONSTANTS.ARRAYS.slice(0, kept.whole.length));
  return made[way];
}

/** The random numbers, from 0 to 1, that decide the n-th recording: one for its length, then one for each step. */
export function dice(seed, n) {
  const { uniform } = random(MANY * seed + n - 1);
  return Array.from({ length: MOST + 1 }, uniform);
}

/** The input of step t: the previous symbol, if there is one, then the length or the steps left, if the network receives them. */
export function given(way, tau, before, t) {
  const length = { total: [tau], left: [tau - t] }[way] ?? [];
  const symbol = oneHot(before, SYMBOLS.length);
  return [...symbol, ...over(length, LONGEST)];
}

/** Probabilities of the symbols and of the end, from the outputs of step t. */
export function probabilities(way, o, t) {
  if (way === "symbol") return softmax(o);
  const symbols = softmax(o.slice(0, END));
  // The coin is tossed from the second step on. A network that draws a length can't end a recording early.
  const stops = way === "coin" && t > 1 ? sigmoid(o[END]) : 0;
  return [...symbols.map((p) => (1 - stops) * p), stops];
}

/** Compute the state, the outputs and the probabilities of step t. */
export function step(way, before, x, t) {
  const { h, o } = ofRNN(network(way), x, before);
  return { h, o, yhat: probabilities(way, o, t) };
}

/** The probabilities of the lengths 1, 2, … in a network that draws the length first. */
export const lengthProbabilities = (way) => softmax(network(way).d);

const tree = new Map(); // many recordings start with the same symbols
/** Compute the step that follows the symbols `y`. */
function after(way, tau, y) {
  const key = [way, tau, ...y].join();
  if (!tree.has(key)) {
    const t = y.length + 1;
    const before = y.length ? after(way, tau, y.slice(0, -1)).h : network(way).b.map(() => 0);
    tree.set(key, step(way, before, given(way, tau, y.at(-1), t), t));
  }
  return tree.get(key);
}

/**
 * Let a network write until the recording ends or `most` steps have been taken. Return the length `tau`
 * (null if none is drawn), the symbols `y`, the index `drawn` at each step, the probabilities `yhat` of
 * each step, and whether the recording is `over`.
 */
export function write(way, u, most = MOST) {
  const tau = drawsFirst(way) ? 1 + sampled(lengthProbabilities(way), u[0]) : null;
  const y = [];
  const drawn = [];
  const all = [];
  while (y.length !== tau && drawn.length < Math.min(most, MOST)) {
    const { yhat } = after(way, tau, y);
    all.push(yhat);
    drawn.push(sampled(yhat, u[drawn.length + 1]));
    if (drawn.at(-1) === END) return { tau, y, drawn, yhat: all, over: true };
    y.push(drawn.at(-1));
  }
  return { tau, y, drawn, yhat: all, over: y.length === tau };
}

/** Whether a recording has a ding at its end and nowhere else. */
export const proper = (y) => y.length > 1 && y.indexOf(DING) === y.length - 1;

/** The number of steps after which the n-th recording of each network has ended or been cut off. */
export const stepsOf = (seed, n, ways = WAYS) =>
  Math.max(...ways.map((way) => writes(way, seed, n)[n - 1].drawn.length));

let done = {}; // the recordings of one seed
/** Return at least the first n recordings of a network, all complete. */
function writes(way, seed, n) {
  if (done.seed !== seed)
    done = { seed, dice: [], ...Object.fromEntries(WAYS.map((each) => [each, []])) };
  const list = done[way];
  while (list.length < n) {
    const i = list.length;
    done.dice[i] ??= dice(seed, i + 1); // all networks share the random numbers
    list.push(write(way, done.dice[i]));
  }
  return list;
}

/** Return the last few recordings, the n-th one up to step t. */
export function latest(way, seed, n, t, few) {
  const before = writes(way, seed, n - 1).slice(Math.max(0, n - few), n - 1);
  return [...before, write(way, dice(seed, n), t)];
}

/** Return, for each recording that has ended by step t of the n-th, its length and whether it is proper. */
export function lengths(way, seed, n, t) {
  const all = writes(way, seed, n).slice(0, n);
  const last = write(way, dice(seed, n), t);
  if (!last.over && last.y.length < MOST) all.pop();
  return all.map(({ y, over }) => [y.length, over && proper(y)]);
}

/** Count all recordings and the proper ones by length. The last count includes all lengths from `longest` on. */
export function counted(pairs, longest) {
  const all = Array(longest + 1).fill(0);
  const right = Array(longest + 1).fill(0);
  for (const [length, fine] of pairs) {
    all[Math.min(length, longest)]++;
    right[Math.min(length, longest)] += fine;
  }
  return { all, right, proper: sum(right) };
}
