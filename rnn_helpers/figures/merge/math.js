// The moves of an elevator, merged round by round. No DOM here.
import CONSTANTS from "./constants.json";
import { upTo } from "../lib/vectors.js";

export const { STEPS, KINDS } = CONSTANTS;
/** The number of rounds after which every rule has merged all moves up to its own. */
export const ROUNDS = Math.ceil(Math.log2(STEPS));
/** The rule of each move, which turns floor h into `keep · h + add`. */
const RULES = {
  up: { keep: 1, add: 1 },
  down: { keep: 1, add: -1 },
  ground: { keep: 0, add: 0 },
};

const digit = (moves, t) => Math.floor(moves / KINDS.length ** (t - 1)) % KINDS.length;
/** The kind of each move; its number is a digit of `moves` in base 3. */
export const kinds = (moves) => upTo(STEPS).map((t) => KINDS[digit(moves, t)]);
/** The moves after move t has been replaced by the next kind. */
export const turned = (moves, t) =>
  moves + (((digit(moves, t) + 1) % KINDS.length) - digit(moves, t)) * KINDS.length ** (t - 1);

/** The rule that does what two rules do, one after the other. */
export const merged = (earlier, later) => ({
  keep: later.keep * earlier.keep,
  add: later.keep * earlier.add + later.add,
});

/** How far back a round reaches: 1, 2, 4 and so on. */
export const reach = (round) => 2 ** (round - 1);

/** The rules of all moves after each number of rounds. */
export function rounds(moves) {
  const rows = [kinds(moves).map((kind) => RULES[kind])];
  for (const round of upTo(ROUNDS)) {
    const [before, back] = [rows.at(-1), reach(round)];
    rows.push(before.map((rule, i) => (i < back ? rule : merged(before[i - back], rule))));
  }
  return rows;
}

/** The floors after all moves, one move at a time, from floor 0. */
export function floors(moves) {
  let floor = 0;
  return kinds(moves).map((kind) => (floor = RULES[kind].keep * floor + RULES[kind].add));
}

/** The number of floors that are known after some rounds, if moves are merged and if they aren't. */
export const known = (round) => ({ merged: Math.min(2 ** round, STEPS), single: round + 1 });

/** The first of the moves that the rule of move t has merged. */
export const from = (t, round) => Math.max(1, t - 2 ** round + 1);

/** The places, as `[t, round]`, on which the last rule of move t depends. */
export function needed(t, round = ROUNDS) {
  if (round === 0) return [[t, 0]];
  const back = reach(round);
  return [[t, round], ...needed(t, round - 1), ...(t > back ? needed(t - back, round - 1) : [])];
}
