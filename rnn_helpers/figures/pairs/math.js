// The tea of the figure unfold, computed step by step and from all earlier rooms at once. No DOM here.
import { START, ROOMS as STAYS, WEIGHTS } from "../lib/tea.js";
import { upTo } from "../lib/vectors.js";

export const { U, W } = WEIGHTS;
export { START };
export const ROOMS = STAYS.map(([, degrees]) => degrees);

/** The temperatures from the start to step T, each from the one before (G 10.7). */
export function stepByStep(T) {
  const states = [START];
  for (const t of upTo(T)) states.push(W * states[t - 1] + U * ROOMS[t - 1]);
  return states;
}

/** The terms of the temperature at step t, with the newest room first and the start last (G 10.6). */
export const terms = (t) => [
  ...upTo(t).map((k) => ({ from: t - k + 1, weight: U * W ** (k - 1), value: ROOMS[t - k] })),
  { from: 0, weight: W ** t, value: START },
];

/** The temperature at step t, as the sum of its terms. */
export const allAtOnce = (t) =>
  terms(t).reduce((sum, { weight, value }) => sum + weight * value, 0);

/** The number of temperatures that each way has computed after some rounds. */
export const ready = (T, round) => ({ steps: Math.min(T, round), pairs: round ? T : 0 });

/** The number of products that each way has computed after some rounds. */
export function products(T, round) {
  const { steps, pairs } = ready(T, round);
  return { steps: 2 * steps, pairs: (pairs * (pairs + 3)) / 2 };
}
