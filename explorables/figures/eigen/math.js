// A real 2 by 2 matrix W that acts again and again, h^(t) = W h^(t-1): its powers, their norms and
// its modes, as `rnn_helpers.reference` computes them. No DOM here.
import { apply, norm, powers, start } from "../../lib/planar.js";
import { size } from "../../lib/vectors.js";

export { start, stretch, widest } from "../../lib/planar.js";

/** Steps that the figure follows. */
export const STEPS = 60;

/** Sine of the angle between eigenvectors below which modes are not shown: they would cancel to 1 %. */
const PARALLEL = 5e-3;

/**
 * The matrix with given eigenvalues (re ± i im; if im is 0, re and re2) whose eigenvectors are as far
 * from orthogonal as the coupling `c` says: the standard real Schur form,
 *
 *   real pair  [[re, c], [0, re2]]          complex pair  [[re, β], [-im²/β, re]],  β - im²/β = c.
 *
 * In both, the sum of all squared entries exceeds the sum of |λ|² by c², so c is Henrici's departure
 * from normality; 0 makes W normal, and for im → 0 the second form becomes the first with re2 = re.
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

/** The state that is drawn: a pair too near to the real axis for arithmetic is a double eigenvalue. */
export const tidy = (state) =>
  state.im !== 0 && Math.abs(state.im) < 1e-9 ? { ...state, im: 0, re2: state.re } : state;

/** Both eigenvalues, each as [real part, imaginary part]. */
export const eigenvalues = ({ re, im, re2 }) =>
  im === 0
    ? [
        [re, 0],
        [re2, 0],
      ]
    : [
        [re, im],
        [re, -im],
      ];

export const radius = (state) => Math.max(...eigenvalues(state).map(size));

/** h^(0), h^(1), ... h^(T), each from the one before. */
function trajectory(W, h0, T = STEPS) {
  const list = [h0];
  while (list.length <= T) list.push(apply(W, list.at(-1)));
  return list;
}

const times = ([a, b], [c, d]) => [a * c - b * d, a * d + b * c];

/** z^t of a complex number. */
export function power(z, t) {
  const [r, turn] = [size(z) ** t, t * Math.atan2(z[1], z[0])];
  return z[1] === 0 ? [z[0] ** t, 0] : [r * Math.cos(turn), r * Math.sin(turn)];
}

/**
 * Eigenvectors q_i of length 1, entries complex, the second of a real pair pointing up. Null where
 * they are parallel, or nearly so: a defective matrix has only one, and no mode sum.
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
  if (c === 0)
    return [
      [
        [1, 0],
        [0, 0],
      ],
      [
        [0, 0],
        [1, 0],
      ],
    ];
  if (Math.abs(gap) / length < PARALLEL) return null;
  const up = gap > 0 ? -1 : 1;
  return [
    [
      [1, 0],
      [0, 0],
    ],
    [
      [(up * c) / length, 0],
      [Math.abs(gap) / length, 0],
    ],
  ];
}

/** Angle between the eigenvectors of a real pair, in degrees; null for a complex pair. */
export function between({ re, im, re2, c }) {
  if (im !== 0) return null;
  if (c === 0) return 90;
  return (Math.atan2(Math.abs(re - re2), c) * 180) / Math.PI;
}

/** The modes of h^(t) = sum_i alpha_i lambda_i^t q_i, or null where there are none (`eigenvectors`). */
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
    coefficients = [
      [x - (y / py) * px, 0],
      [y / py, 0],
    ];
  }
  return { eigenvalues: eigenvalues(state), coefficients, vectors };
}

/** Each mode's share of the state at time t, alpha_i lambda_i^t q_i, entries complex. */
export const shares = ({ eigenvalues, coefficients, vectors }, t) =>
  eigenvalues.map((lambda, i) => {
    const weight = times(coefficients[i], power(lambda, t));
    return vectors[i].map((entry) => times(weight, entry));
  });

/** The sum of the shares. */
export const total = (parts) => [0, 1].map((i) => parts[0][i][0] + parts[1][i][0]);

/** All that the figure shows of a state. */
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
    /** The first step from which on no state is longer than at its start; STEPS + 1 if none is. */
    calm: norms.findLastIndex((value) => value > 1 + 1e-12) + 1,
    modes: modes(state, h0),
  };
}
