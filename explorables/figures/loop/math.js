// A recurrent network of two units that are on or off: eight numbers. No DOM here.
import { dot } from "../../lib/vectors.js";

export const LONGEST = 32; // what a slide has room for
export const UNITS = ["A", "B"];
/** What a unit adds up, in the order of its weights. */
export const TERMS = ["x", "A", "B", "own"];
const MARKS = '"“”„';

/** Weights of each unit, a row each, as the controls hold them. */
export const rows = (state) => UNITS.map((unit) => TERMS.map((term) => state[`${unit}_${term}`]));

/** The units after a symbol: what each has added up, and whether that is above 0. */
export function step(weights, x, h) {
  const terms = [x, ...h, 1];
  const sums = weights.map((row) => dot(row, terms));
  return { terms, sums, h: sums.map((sum) => Number(sum > 0)) };
}

/**
 * All that happens along a text. `right` is whether the units do the task: to tell inside from
 * outside, or, where `task` is "seen", to have A on from the first mark on, and B at each mark.
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
