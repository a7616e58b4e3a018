// One number that follows a row of marks or of opening brackets, in several ways. No DOM here.

export const KEEP = 0.8; // the factor of the linear loop, which is positive

/** The next value of each number at the mark n. */
export const WAYS = {
  flip: (h) => -h,
  count: (h) => h + 1,
  shrink: (h) => KEEP * h + (1 - KEEP),
  average: (h, n) => (h * n + 1) / (n + 1), // of n marks, which count 1, and one word that counts 0
};
const STARTS = { flip: 1, count: 0, shrink: 0, average: 0 };

/** The numbers after 0 to n marks. */
export function values(way, n) {
  const found = [STARTS[way]];
  for (let k = 1; k <= n; k++) found.push(WAYS[way](found[k - 1], k));
  return found;
}

/** How far apart a number is after the last mark and the one before. */
export function gap(way, n) {
  const found = values(way, n);
  return Math.abs(found[n] - found[n - 1]);
}
