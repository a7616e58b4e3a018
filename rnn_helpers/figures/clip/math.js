// Clipping the gradients of minibatches, as `rnn_helpers.reference` does it. No DOM here.
import { clamp } from "../lib/scales.js";
import { dot, size, sum } from "../lib/vectors.js";

/** The minibatches that the figure has room for, each with its number of copies. */
export const ARROWS = [1, 2, 3, 4];

/** A gradient clipped at `v`: each element by itself, or the whole by its norm, (G 10.48) and (G 10.49). */
export function clip(g, v, kind) {
  if (kind === "element") return g.map((entry) => clamp(entry, -v, v));
  const norm = size(g);
  return norm > v ? g.map((entry) => (entry * v) / norm) : g;
}

/** The mean of vectors, each as often as `counts` says. */
function average(vectors, counts) {
  const all = sum(counts);
  return [0, 1].map((i) => vectors.reduce((sum, g, k) => sum + counts[k] * g[i], 0) / all);
}

/**
 * Compare a direction with the true mean: their product and the cosine of their angle, which is null
 * if one of them is 0. A step against it goes "down" or "up" the true loss, or neither ("level", "none").
 */
export function compare(u, mean) {
  const product = dot(u, mean);
  const lengths = size(u) * size(mean);
  if (!(lengths > 0)) return { vector: u, product, cosine: null, angle: null, way: "none" };
  const cosine = clamp(product / lengths, -1, 1);
  const across = Math.abs(u[0] * mean[1] - u[1] * mean[0]);
  const angle = (Math.atan2(across, product) * 180) / Math.PI;
  const way = Math.abs(cosine) < 1e-9 ? "level" : cosine > 0 ? "down" : "up";
  return { vector: u, product, cosine, angle, way };
}

/** All that the figure shows in a state, where `x1` and `y1` are the first gradient and `m1` is its number of copies. */
export function compute(state) {
  const { v, kind } = state;
  const all = ARROWS.map((i) => ({
    i,
    g: [state[`x${i}`], state[`y${i}`]],
    count: state[`m${i}`],
  }));
  const arrows = all.filter(({ count }) => count > 0);
  const counts = arrows.map(({ count }) => count);
  const mean = average(
    arrows.map(({ g }) => g),
    counts,
  );
  const clipped = arrows.map(({ g }) => compare(clip(g, v, kind), mean));
  return {
    arrows: arrows.map((arrow, k) => ({ ...arrow, clipped: clipped[k] })),
    total: sum(counts),
    mean: compare(mean, mean),
    /** The true gradient clipped, and the mean of the clipped minibatches. */
    after: compare(clip(mean, v, kind), mean),
    before: compare(
      average(
        clipped.map(({ vector }) => vector),
        counts,
      ),
      mean,
    ),
    uphill: arrows.reduce((sum, { count }, k) => sum + (clipped[k].way === "up" ? count : 0), 0),
  };
}
