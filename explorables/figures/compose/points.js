// The points of the curve that are known. No DOM here.
import { curves, grid, LEVELS, REACH } from "./math.js";

const KEPT = 60000; // points
export const WHOLE = [-REACH, REACH];

/** Points of a network’s curve; each is its heights and its slopes at every depth. */
export function points() {
  let known; // by their places along the line
  let compute;
  let level; // how coarse is the finest grid of the window that is complete
  return {
    begin(seed, gain) {
      known = new Map();
      compute = curves(seed, gain);
    },
    at: (x) => known.get(x),
    known: (xs) => xs.filter((x) => known.has(x)),
    level: () => level,
    /** Compute for so many milliseconds what a window lacks, down to a level, then some of the whole line: true when done. */
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
