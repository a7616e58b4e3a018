// Vectors and matrices as lists of numbers, and what networks do to them. No DOM here.

export const dot = (p, q) => p.reduce((sum, value, i) => sum + value * q[i], 0);
export const times = (M, v) => M.map((row) => dot(row, v));
export const transpose = (M) => M[0].map((_, j) => M.map((row) => row[j]));
export const add = (...vectors) => vectors.reduce((p, q) => p.map((value, i) => value + q[i]));
export const sum = (values) => values.reduce((p, q) => p + q, 0);
/** A vector over a number. */
export const over = (v, s) => v.map((value) => value / s);
/** Euclidean length. */
export const size = (v) => Math.hypot(...v);

/** 1, 2, … n. */
export const upTo = (n) => Array.from({ length: n }, (_, i) => i + 1);

/** A vector of n zeros with a 1 at place k; zeros alone if there is no such place. */
export const oneHot = (k, n) => Array.from({ length: n }, (_, i) => Number(i === k));

/** Index of the largest entry: the first, if several are equal. */
export const argmax = (values) => values.indexOf(Math.max(...values));

export const sigmoid = (a) => 1 / (1 + Math.exp(-a));

/** (G 10.11), with the largest score taken off every score first, so that nothing overflows. */
export function softmax(o) {
  const top = Math.max(...o);
  const powers = o.map((value) => Math.exp(value - top));
  return over(powers, sum(powers));
}

/** Rows made orthogonal one after another, and of length 1 (Gram and Schmidt, twice for accuracy). */
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
