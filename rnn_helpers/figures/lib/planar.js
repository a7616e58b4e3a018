// Two by two matrices, and the directions of their plane. No DOM here.
import { size } from "./vectors.js";

/** M h. */
export const apply = (M, h) => M.map((row) => row[0] * h[0] + row[1] * h[1]);

/** A B. */
export const product = (A, B) =>
  A.map((row) => [0, 1].map((j) => row[0] * B[0][j] + row[1] * B[1][j]));

/** W^0, W^1, ... W^T. */
export function powers(W, T) {
  const identity = [
    [1, 0],
    [0, 1],
  ];
  const list = [identity];
  while (list.length <= T) list.push(product(W, list.at(-1)));
  return list;
}

/** ||M||_2: the largest factor by which M stretches a state, its largest singular value. */
export const norm = ([[a, b], [c, d]]) => (Math.hypot(a + d, b - c) + Math.hypot(a - d, b + c)) / 2;

/** The ratio of the largest to the smallest factor by which M stretches a state. */
export function stretch([[a, b], [c, d]]) {
  const [p, q] = [size([a + d, b - c]), size([a - d, b + c])];
  return (p + q) / Math.max(Math.abs(p - q), 1e-300);
}

/** The unit vector that M stretches most: its first right singular vector, with x not negative. */
export function widest([[a, b], [c, d]]) {
  const angle = Math.atan2(2 * (a * b + c * d), a * a + c * c - b * b - d * d) / 2;
  return [Math.cos(angle), Math.sin(angle)];
}

/** The vector of length 1 at an angle in degrees; a multiple of 90 is exact. */
export const start = (angle) =>
  [angle, angle - 90].map((degrees) =>
    degrees % 90 ? Math.cos((degrees * Math.PI) / 180) : [1, 0, -1, 0][(degrees / 90 + 4) % 4],
  );

/** Such vectors in all directions. The last is the first again. */
export const CIRCLE = Array.from({ length: 73 }, (_, i) => start(5 * i));
