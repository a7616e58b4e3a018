// The paths up a staircase in single steps and jumps of d steps, which are the paths back through a
// network with skip connections. No DOM here.
import CONSTANTS from "./constants.json";

/** The weights of a single step and of a jump. */
export const { W, JUMP } = CONSTANTS;

export const LONGEST = 30;

export function choose(n, k) {
  let count = 1;
  for (let i = 1; i <= k; i++) count = (count * (n - k + i)) / i;
  return Math.round(count);
}

/** The paths over k steps by their number of jumps: how many, the product along each, and their sum. */
export function groups(k, d) {
  return Array.from({ length: Math.floor(k / d) + 1 }, (_, jumps) => {
    const singles = k - jumps * d;
    const count = choose(singles + jumps, jumps);
    const each = W ** singles * JUMP ** jumps;
    return { jumps, singles, count, each, together: count * each };
  });
}

/** The path of a group with this rank, as its moves. Those that begin with a single step come first. */
export function pathOf(k, d, jumps, rank) {
  const moves = [];
  let [singles, left, skipped] = [k - jumps * d, jumps, rank];
  while (singles + left) {
    const first = singles ? choose(singles - 1 + left, left) : 0;
    const isSingle = skipped < first;
    moves.push(isSingle ? 1 : d);
    if (isSingle) singles -= 1;
    else [left, skipped] = [left - 1, skipped - first];
  }
  return moves;
}

/** The rank of a path in its group. */
export function rankOf(moves, d) {
  let left = moves.filter((move) => move === d).length;
  let singles = moves.length - left;
  let rank = 0;
  for (const move of moves) {
    if (move === 1) singles -= 1;
    else {
      if (singles) rank += choose(singles - 1 + left, left);
      left -= 1;
    }
  }
  return rank;
}
