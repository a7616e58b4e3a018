// Vectors and matrices as lists of numbers, and operations on them. No DOM here.

export const dot = (p, q) => p.reduce((sum, value, i) => sum + value * q[i], 0);
export const times = (M, v) => M.map((row) => dot(row, v));
export const transpose = (M) => M[0].map((_, j) => M.map((row) => row[j]));
export const add = (...vectors) => vectors.reduce((p, q) => p.map((value, i) => value + q[i]));
export const sum = (values) => values.reduce((p, q) => p + q, 0);
/** A vector divided by a number. */
export const over = (v, s) => v.map((value) => value / s);
/** Euclidean length. */
export const size = (v) => Math.hypot(...v);

/** 1, 2, … n. */
export const upTo = (n) => Array.from({ length: n }, (_, i) => i + 1);

/** A vector of n zeros with a 1 at index k, or of zeros only if k isn't an index. */
export const oneHot = (k, n) => Array.from({ length: n }, (_, i) => Number(i === k));

/** Index of the largest entry: the first, if several are equal. */
export const argmax = (values) => values.indexOf(Math.max(...values));

export const sigmoid = (a) => 1 / (1 + Math.exp(-a));

/** (G 10.11). The largest score is subtracted first, so that nothing overflows. */
export function softmax(o) {
  const top = Math.max(...o);
  const powers = o.map((value) => Math.exp(value - top));
  return over(powers, sum(powers));
}

/** Make the rows orthonormal, one after another (Gram and Schmidt, twice for accuracy). */
export function orthogonalise(rows) {
  const out = [];
  for (let row of rows) {
    for (let twice = 0; twice < 2; twice++)
      for (const other of out) {
        const along = dot(row, other);
        row = row.map((value, i) => value - along * other[i]);
      }
    out.push(over(row, size(row)));
  }
  return out;
}
