// A stack of three recurrent networks over characters, and what is left in it of one of them. No DOM here.
import STORED from "../../../rnn_helpers/explore/trained/floors.json";
import { add, size, sum, times } from "../../lib/vectors.js";
import { unpacked } from "../../lib/weights.js";

export const LONGEST = 30;
export const FLOORS = 3;
export const LITTLE = 0.1; // below it, a letter counts as forgotten
const PLACES = new Map([...STORED.alphabet].map((character, token) => [character, token]));
const SPACE = PLACES.get(" ");
/** What a letter is replaced by, one after another: the small letters and the space. */
export const OTHERS = [...STORED.alphabet].filter(
  (letter) => letter === " " || /[a-z]/.test(letter),
);

/** Tokens of a text; what the network has never read is a space to it. */
export const encode = (text) => Array.from(text, (letter) => PLACES.get(letter) ?? SPACE);

const networks = {};
/** Weights of a stack, by the names of the reference. */
export function network(kind) {
  networks[kind] ??= unpacked(STORED.networks[kind]);
  return networks[kind];
}

/** States of all floors after one more token. */
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

/** States of all floors after each token, from `states` on. */
export function run(net, tokens, states = start(net)) {
  let now = states;
  return tokens.map((token) => (now = step(net, now, token)));
}

/**
 * How far the states of each floor move, at a letter and at each after it, if another stands in its
 * place: the root of the mean square over the others, in units of what lies between two places of a
 * text. `at` counts from 0.
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

/** Letters after which less than a tenth is left for good; none, if the text ends before. */
export function kept(shares) {
  const last = shares.findLastIndex((share) => share >= LITTLE);
  return last + 1 < shares.length ? last + 1 : null;
}
