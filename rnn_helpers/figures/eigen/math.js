// A real 2 by 2 matrix W that is applied at each step, h^(t) = W h^(t-1): its powers, their norms and
// its modes, as in `rnn_helpers.reference`. This module doesn't use the DOM.
import { apply, norm, powers, start } from "../lib/planar.js";
import { size } from "../lib/vectors.js";

/** Number of steps in the figure. */
export const STEPS = 60;

/** Smallest sine of the angle between eigenvectors at which modes are shown. Below it, they nearly cancel. */
const PARALLEL = 5e-3;

/**
 * The matrix with given eigenvalues (re ± i im, or re and re2 if im is 0) and non-normality `c`, in
 * standard real Schur form:
 *
 *   real pair  [[re, c], [0, re2]]          complex pair  [[re, β], [-im²/β, re]],  β - im²/β = c.
 *
 * In both, the sum of all squared entries exceeds the sum of |λ|² by c². So c is Henrici's departure
 * from normality, and W is normal if c is 0. For im → 0, the second form becomes the first one with
 * re2 = re.
 */
export function matrix({ re, im, re2, c }) {
  if (im === 0)
    return [
      [re, c],
      [0, re2],
    ];
  const beta = c / 2 + Math.hypot(c / 2, im);
  return [
    [re, beta],
    [(-im * im) / beta, re],
  ];
}

/** The settings to draw. A pair very close to the real axis becomes a double eigenvalue, to avoid rounding errors. */
export const tidy = (state) =>
  state.im !== 0 && Math.abs(state.im) < 1e-9 ? { ...state, im: 0, re2: state.re } : state;

/** Both eigenvalues, each as [real part, imaginary part]. */
export const eigenvalues = ({ re, im, re2 }) =>
  im === 0 ? complex(re, re2) : [im, -im].map((side) => [re, side]);

export const radius = (state) => Math.max(...eigenvalues(state).map(size));

/** The states h^(0), h^(1), ... h^(T). */
function trajectory(W, h0, T = STEPS) {
  const list = [h0];
  while (list.length <= T) list.push(apply(W, list.at(-1)));
  return list;
}

const times = ([a, b], [c, d]) => [a * c - b * d, a * d + b * c];

/** The power z^t of a complex number. */
export function power(z, t) {
  const [r, turn] = [size(z) ** t, t * Math.atan2(z[1], z[0])];
  return z[1] === 0 ? [z[0] ** t, 0] : [r * Math.cos(turn), r * Math.sin(turn)];
}

/**
 * Eigenvectors q_i of length 1, with complex entries. The second one of a real pair points up. The
 * result is null if they are (nearly) parallel, as for a defective matrix, which has only one.
 */
export function eigenvectors(state) {
  const { re, im, re2, c } = state;
  if (im !== 0) {
    const beta = matrix(state)[0][1];
    const length = Math.hypot(beta, im);
    if ((2 * beta * Math.abs(im)) / length ** 2 < PARALLEL) return null;
    return [im, -im].map((side) => [
      [beta / length, 0],
      [0, side / length],
    ]);
  }
  const gap = re - re2;
  const length = Math.hypot(c, gap);
  if (c === 0) return [complex(1, 0), complex(0, 1)];
  if (Math.abs(gap) / length < PARALLEL) return null;
  const up = gap > 0 ? -1 : 1;
  return [complex(1, 0), complex((up * c) / length, Math.abs(gap) / length)];
}

/** A list of real numbers as complex ones. */
const complex = (...numbers) => numbers.map((number) => [number, 0]);

/** The angle between two real eigenvectors in degrees, or null for a complex pair. */
export function between({ re, im, re2, c }) {
  if (im !== 0) return null;
  if (c === 0) return 90;
  return (Math.atan2(Math.abs(re - re2), c) * 180) / Math.PI;
}

/** The modes of h^(t) = sum_i alpha_i lambda_i^t q_i, or null if `eigenvectors` returns null. */
export function modes(state, h0) {
  const vectors = eigenvectors(state);
  if (!vectors) return null;
  const [x, y] = h0;
  let coefficients;
  if (state.im !== 0) {
    const [[beta], [, b]] = vectors[0];
    coefficients = [
      [x / beta / 2, -y / b / 2],
      [x / beta / 2, y / b / 2],
    ];
  } else {
    const [[px], [py]] = vectors[1];
    coefficients = complex(x - (y / py) * px, y / py);
  }
  return { eigenvalues: eigenvalues(state), coefficients, vectors };
}

/** The modes at time t, alpha_i lambda_i^t q_i, with complex entries. */
export const shares = ({ eigenvalues, coefficients, vectors }, t) =>
  eigenvalues.map((lambda, i) => {
    const weight = times(coefficients[i], power(lambda, t));
    return vectors[i].map((entry) => times(weight, entry));
  });

/** Everything the figure shows for its settings. */
export function compute(state) {
  const W = matrix(state);
  const h0 = start(state.angle);
  const all = powers(W, STEPS);
  const path = trajectory(W, h0);
  const norms = all.map(norm);
  const peak = norms.reduce((best, value, k) => (value > norms[best] ? k : best), 0);
  return {
    W,
    h0,
    powers: all,
    path,
    norms,
    peak,
    lengths: path.map(size),
    eigenvalues: eigenvalues(state),
    radius: radius(state),
    /** The step from which no state is longer than its start, or STEPS + 1 if there is none. */
    calm: norms.findLastIndex((value) => value > 1 + 1e-12) + 1,
    modes: modes(state, h0),
  };
}
