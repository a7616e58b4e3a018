// Least squares by the normal equations. No DOM here.

export function mean(v, from, n) {
  let sum = 0;
  for (let t = from; t < from + n; t++) sum += v[t];
  return sum / n;
}

/** The inner product of n numbers of v, starting at `from`, and of w, starting at `begin`. */
export function inner(v, from, w, begin, n) {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let t = 0;
  for (; t + 3 < n; t += 4) {
    a += v[from + t] * w[begin + t];
    b += v[from + t + 1] * w[begin + t + 1];
    c += v[from + t + 2] * w[begin + t + 2];
    d += v[from + t + 3] * w[begin + t + 3];
  }
  for (; t < n; t++) a += v[from + t] * w[begin + t];
  return a + b + c + d;
}

/** Replace A by L, where A = L Lᵀ. Pivots stay above 0, whatever rounding does. */
export function factorise(A) {
  const least = 1e-15 * A.reduce((sum, row, i) => sum + row[i], 0);
  for (let i = 0; i < A.length; i++)
    for (let j = 0; j <= i; j++) {
      const rest = A[i][j] - inner(A[i], 0, A[j], 0, j);
      A[i][j] = i === j ? Math.sqrt(Math.max(rest, least)) : rest / A[j][j];
    }
}

/** Replace the first n entries of b by the solution v of L Lᵀ v = b, with the first n rows of L. */
export function solve(L, b, n = L.length) {
  for (let i = 0; i < n; i++) b[i] = (b[i] - inner(L[i], 0, b, 0, i)) / L[i][i];
  for (let i = n - 1; i >= 0; i--) {
    const row = L[i];
    b[i] /= row[i];
    const value = b[i];
    for (let j = 0; j < i; j++) b[j] -= row[j] * value;
  }
}
