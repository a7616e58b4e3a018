// A stack of three recurrent networks that read characters, and how much one character still affects it.
// This module doesn't use the DOM.
import STORED from "./trained.json";
import { add, size, sum, times } from "../lib/vectors.js";
import { unpacked } from "../lib/weights.js";

export const LONGEST = 30;
export const FLOORS = 3;
export const LITTLE = 0.1; // a letter whose share is smaller counts as forgotten
const PLACES = new Map([...STORED.alphabet].map((character, token) => [character, token]));
const SPACE = PLACES.get(" ");
/** The characters that replace a letter, one after another: the lowercase letters and the space. */
const OTHERS = [...STORED.alphabet].filter((letter) => letter === " " || /[a-z]/.test(letter));

/** Return the tokens of a text. A character that the network was never trained on counts as a space. */
export const encode = (text) => Array.from(text, (letter) => PLACES.get(letter) ?? SPACE);

const networks = {};
/** Return the weights of a stack, by the names of the reference. */
export function network(kind) {
  networks[kind] ??= unpacked(STORED.networks[kind]);
  return networks[kind];
}

/** Return the states of all layers after one more token. */
export function step(net, before, token) {
  let below = null;
  return before.map((h, i) => {
    const [U, W, b] = ["U", "W", "b"].map((name) => net[`${name}${i + 1}`]);
    const read = below ? times(U, below) : U.map((row) => row[token]);
    below = add(b, times(W, h), read).map(Math.tanh);
    return below;
  });
}

const start = (net) => Array.from({ length: FLOORS }, (_, i) => net[`b${i + 1}`].map(() => 0));

/** Return the states of all layers after each token, starting from `states`. */
export function run(net, tokens, states = start(net)) {
  let now = states;
  return tokens.map((token) => (now = step(net, now, token)));
}

/**
 * Return how far the states of each layer move if the letter at `at` (from 0) is replaced: a share for
 * that letter and for each one after it. It is the root mean square over all replacements, divided by
 * the root mean square distance between the states at two places of a text.
 */
export function left(kind, tokens, at) {
  const net = network(kind);
  const steps = run(net, tokens);
  const before = at ? steps[at - 1] : start(net);
  const others = OTHERS.map((letter) => PLACES.get(letter)).filter((token) => token !== tokens[at]);
  const moved = others.map((token) => run(net, [token, ...tokens.slice(at + 1)], before));
  const squares = (floor, t) =>
    moved.map((run) => size(run[t][floor].map((value, i) => value - steps[at + t][floor][i])) ** 2);
  return STORED.spread[kind].map((spread, floor) =>
    tokens.slice(at).map((_, t) => Math.sqrt(sum(squares(floor, t)) / others.length) / spread),
  );
}

/** Return the number of letters after which the share stays below a tenth; null if the text ends earlier. */
export function kept(shares) {
  const last = shares.findLastIndex((share) => share >= LITTLE);
  return last + 1 < shares.length ? last + 1 : null;
}
