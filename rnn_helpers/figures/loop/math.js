// A recurrent network of two units that are on or off: eight numbers. This module doesn't use the DOM.
import { dot } from "../lib/vectors.js";

export const LONGEST = 32; // a slide has no room for more symbols
export const UNITS = ["A", "B"];
/** The inputs of a unit, in the order of its weights. */
export const TERMS = ["x", "A", "B", "own"];
const MARKS = '"“”„';

/** Return the weights of each unit, in a row each, from the values of the controls. */
export const rows = (state) => UNITS.map((unit) => TERMS.map((term) => state[`${unit}_${term}`]));

/** Return the units after a symbol: the sum of each, and whether it is above 0. */
export function step(weights, x, h) {
  const terms = [x, ...h, 1];
  const sums = weights.map((row) => dot(row, terms));
  return { terms, sums, h: sums.map((sum) => Number(sum > 0)) };
}

/**
 * Return all steps along a text. `right` tells whether the units do the task: to distinguish inside
 * from outside or, if `task` is "seen", to have A on from the first mark on, and B at each mark.
 */
export function run(state) {
  let h = [0, 0];
  let open = false;
  let seen = 0;
  return [...state.text].slice(0, LONGEST).map((symbol) => {
    const x = Number(MARKS.includes(symbol));
    if (x) open = !open;
    const now = step(rows(state), x, h);
    h = now.h;
    seen ||= x;
    const inside = h[0] > h[1];
    const right = state.task === "seen" ? h[0] === seen && h[1] === x : inside === open;
    return { symbol, x, ...now, inside, right };
  });
}
