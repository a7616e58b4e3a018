// The points of the curve that have been computed. This module doesn't use the DOM.
import { curves, grid, LEVELS, REACH } from "./math.js";

const KEPT = 60000; // largest number of points in memory
export const WHOLE = [-REACH, REACH];

/** A store for the points of a network's curves, with heights and slopes at every depth. */
export function points() {
  let known; // the points, by their places on the line
  let compute;
  let level; // level of the finest complete grid of the window
  return {
    begin(seed, gain) {
      known = new Map();
      compute = curves(seed, gain);
    },
    at: (x) => known.get(x),
    known: (xs) => xs.filter((x) => known.has(x)),
    level: () => level,
    /** Compute missing points for `budget` milliseconds: the window's, down to a level, then the whole line's. Returns true when done. */
    refine(reach, budget, finest) {
      const end = performance.now() + budget;
      const complete = (xs) =>
        xs.every((x) => {
          if (known.has(x)) return true;
          if (performance.now() > end) return false;
          return known.set(x, compute(x));
        });
      if (known.size > KEPT) known.clear();
      level = LEVELS;
      if (!complete(grid(reach, level))) return false;
      while (level > finest && complete(grid(reach, level - 1))) level--;
      return level === 0 && complete(grid(WHOLE, 3));
    },
  };
}
