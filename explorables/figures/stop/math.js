// Five small networks that write letters and determine the end in different ways. No DOM here.
import CONSTANTS from "../../../rnn_helpers/explore/figures/stop.json";
import STORED from "../../../rnn_helpers/explore/trained/stop.json";
import { random } from "../../lib/random.js";
import { step as ofRNN } from "../../lib/rnn.js";
import { oneHot, over, softmax, sum } from "../../lib/vectors.js";
import { scaled } from "../../lib/weights.js";

/**
 * WAYS to determine the end. SHORTEST and LONGEST: limits of the lengths in training, which are equally
 * likely. MOST: letters after which a sequence is stopped. MANY: sequences that a network writes.
 */
export const { WAYS, LETTERS, SHORTEST, LONGEST, MOST, MANY } = CONSTANTS;
/** The index of the end in a distribution, after those of the letters. */
export const END = LETTERS.length;

/** Whether a network draws the length before it writes. */
export const drawsFirst = (way) => way !== "symbol" && way !== "coin";

const made = {};
/** Weights of a network, which are whole numbers times a scale for each array. */
export function network(way) {
  if (made[way]) return made[way];
  const kept = STORED.networks[way];
  made[way] = scaled(kept, CONSTANTS.ARRAYS.slice(0, kept.whole.length));
  return made[way];
}

/** Random numbers from 0 to 1 for the n-th sequence: the first for its length, the others for its steps. */
export function dice(seed, n) {
  const { uniform } = random(MANY * seed + n - 1);
  return Array.from({ length: MOST + 1 }, uniform);
}

/** The input of step t: the letter before it, if there is one, and what it is told of the length. */
export function heard(way, tau, before, t) {
  const told = { total: [tau], left: [tau - t] }[way] ?? [];
  const letter = oneHot(before, LETTERS.length);
  return [...letter, ...over(told, LONGEST)];
}

/** Probabilities of the letters and of the end, from the outputs of step t. */
export function probabilities(way, o, t) {
  if (way === "symbol") return softmax(o);
  const letters = softmax(o.slice(0, END));
  // The coin is thrown from the second step on. Networks that draw a length never stop by themselves.
  const stops = way === "coin" && t > 1 ? 1 / (1 + Math.exp(-o[END])) : 0;
  return [...letters.map((p) => (1 - stops) * p), stops];
}

/** The state, the outputs and the probabilities of step t. */
export function step(way, before, x, t) {
  const { h, o } = ofRNN(network(way), x, before);
  return { h, o, yhat: probabilities(way, o, t) };
}

/** The first index at which the sum of the probabilities passes u. */
export function draw(p, u) {
  let below = 0;
  let last = 0;
  for (const [i, share] of p.entries()) {
    if (!share) continue;
    below += share;
    last = i;
    if (u < below) break;
  }
  return last;
}

/** Probabilities of the lengths from 1 on, for a network that draws its length first. */
export const lengthProbabilities = (way) => softmax(network(way).d);

const tree = new Map(); // the same few beginnings come again and again
/** The step after some letters. */
function after(way, tau, y) {
  const key = [way, tau, ...y].join();
  if (!tree.has(key)) {
    const t = y.length + 1;
    const before = y.length ? after(way, tau, y.slice(0, -1)).h : network(way).b.map(() => 0);
    tree.set(key, step(way, before, heard(way, tau, y.at(-1), t), t));
  }
  return tree.get(key);
}

/**
 * Let a network write until it stops or has taken `most` steps. Return the length `tau`, if it is drawn
 * first, the letters `y`, the letter or end `drawn` at each step, and its probabilities `yhat`.
 */
export function write(way, u, most = MOST) {
  const tau = drawsFirst(way) ? 1 + draw(lengthProbabilities(way), u[0]) : null;
  const y = [];
  const drawn = [];
  const all = [];
  while (y.length !== tau && drawn.length < Math.min(most, MOST)) {
    const { yhat } = after(way, tau, y);
    all.push(yhat);
    drawn.push(draw(yhat, u[drawn.length + 1]));
    if (drawn.at(-1) === END) return { tau, y, drawn, yhat: all, over: true };
    y.push(drawn.at(-1));
  }
  return { tau, y, drawn, yhat: all, over: y.length === tau };
}

/** Whether letters end as they should: a and b in turn, then a z. */
export const proper = (y) =>
  y.length > 1 &&
  y.every((letter, i) =>
    i === y.length - 1 ? letter === 2 : letter !== 2 && letter === (y[0] + i) % 2,
  );

/** The number of steps after which all networks have finished or stopped the n-th sequence. */
export const stepsOf = (seed, n) =>
  Math.max(...WAYS.map((way) => writes(way, seed, n)[n - 1].drawn.length));

let done = {}; // of one seed
/** All that a network writes up to the n-th sequence, each to its end. */
function writes(way, seed, n) {
  if (done.seed !== seed)
    done = { seed, dice: [], ...Object.fromEntries(WAYS.map((each) => [each, []])) };
  const list = done[way];
  while (list.length < n) {
    const i = list.length;
    done.dice[i] ??= dice(seed, i + 1); // the same for all networks
    list.push(write(way, done.dice[i]));
  }
  return list;
}

/** Return the length of each sequence that is over at step t of the n-th, and whether it ends properly. */
export function lengths(way, seed, n, t) {
  const all = writes(way, seed, n).slice(0, n);
  const last = write(way, dice(seed, n), t);
  if (!last.over && last.y.length < MOST) all.pop();
  return all.map(({ y, over }) => [y.length, over && proper(y)]);
}

/** Count the sequences of each length, with those of `longest` or more together: all, and those that end properly. */
export function counted(pairs, longest) {
  const all = Array(longest + 1).fill(0);
  const right = Array(longest + 1).fill(0);
  for (const [length, fine] of pairs) {
    all[Math.min(length, longest)]++;
    right[Math.min(length, longest)] += fine;
  }
  return { all, right, proper: sum(right) };
}
