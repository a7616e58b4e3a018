// A network that outputs the floor of an elevator, and the floor that it is fed at each step: the true one,
// or its own last output. This module doesn't use the DOM.
import CONSTANTS from "./constants.json";
import { random, sampled } from "../lib/random.js";
import { clamp } from "../lib/scales.js";
import { argmax, dot, softmax } from "../lib/vectors.js";

/**
 * MOVES of the elevator, one at each step, from the ground floor, 0. SHARP: the weights into a hidden unit.
 * DOUBT: how much lower the output is for each floor too low, and for each floor too high.
 */
export const { FLOORS, MOVES, KINDS, SHARP, DOUBT } = CONSTANTS;
export const STEPS = MOVES.length;
/** The moves of the elevator as tokens, and the true floor after each. */
export const X = MOVES.map((move) => KINDS.indexOf(move));
export const Y = [];
for (const move of MOVES) Y.push(floorAfter(Y.at(-1) ?? 0, move));

function floorAfter(floor, move) {
  return move === "ground" ? 0 : clamp(floor + (move === "up" ? 1 : -1), 0, FLOORS - 1);
}

let made;
/** Weights: a hidden unit for each floor and move, which is on if the last output was that floor and the input is that move. */
export function network() {
  if (made) return made;
  const units = Array.from({ length: FLOORS }, (_, floor) =>
    KINDS.map((move) => ({ floor, move, next: floorAfter(floor, move) })),
  ).flat();
  const R = units.map(({ floor }) =>
    Array.from({ length: FLOORS }, (_, i) => (i === floor ? SHARP : 0)),
  );
  const U = units.map(({ move }) => KINDS.map((kind) => (kind === move ? SHARP : 0)));
  const b = units.map(() => -1.5 * SHARP);
  const V = Array.from({ length: FLOORS }, (_, floor) =>
    units.map(({ next }) => -(floor < next ? DOUBT[0] : DOUBT[1]) * (Math.abs(floor - next) / 2)),
  );
  const c = V.map((row) => row.reduce((p, q) => p + q)); // the units that are off give -V each
  made = { U, R, V, b, c };
  return made;
}

/** One step: the hidden units and the output, from the move and the floor that is fed. */
export function step({ U, R, V, b, c }, x, fed) {
  const h = b.map((bias, i) => Math.tanh(bias + R[i][fed] + U[i][x]));
  const o = c.map((bias, k) => bias + dot(V[k], h));
  return { x, fed, h, o, yhat: softmax(o) };
}

/** Whether each step after the first is fed the truth: at random with probability `share`, reversed by a bit in `flips`. */
export function switches({ share, flips, seed }) {
  const { uniform } = random(seed);
  return Array.from(
    { length: STEPS - 1 },
    (_, i) => uniform() < share !== Boolean((flips >> i) & 1),
  );
}

/** The second most likely token. */
const second = (yhat) => {
  const first = argmax(yhat);
  return argmax(yhat.map((p, k) => (k === first ? -1 : p)));
};

/** All steps. Those with the same `round` can be computed at once. */
export function run({ share, flips, seed, own, slip }) {
  const truth = switches({ share, flips, seed });
  const coins = random(seed + 1000);
  const steps = [];
  X.forEach((x, i) => {
    const before = steps[i - 1];
    const forced = i === 0 || truth[i - 1];
    const fed = i === 0 ? 0 : forced ? Y[i - 1] : before.said;
    const now = step(network(), x, fed);
    const u = coins.uniform();
    const free = own === "drawn" ? sampled(now.yhat, u) : argmax(now.yhat);
    const said = slip === i + 1 ? second(now.yhat) : free;
    steps.push({
      ...now,
      t: i + 1,
      y: Y[i],
      forced,
      said,
      wrong: said !== Y[i],
      round: forced ? 1 : before.round + 1,
    });
  });
  return steps;
}

/** Counts over all steps. */
export function sums(steps) {
  return {
    wrong: steps.filter(({ wrong }) => wrong).length,
    rounds: Math.max(...steps.map(({ round }) => round)),
    truths: steps.filter(({ t, forced }) => t > 1 && forced).length,
  };
}
