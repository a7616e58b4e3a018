// Two runs that start a small distance apart, through one linear map or through tanh, as
// `rnn_helpers.reference` computes them. This module doesn't use the DOM.
import { apply, norm, powers, product, start, widest } from "../lib/planar.js";
import CONSTANTS from "./constants.json";
import { clamp } from "../lib/scales.js";
import { size } from "../lib/vectors.js";

/** The number of linear steps, and of steps with tanh. */
export const STEPS = 30;
export const TIMES = 80;

/** Both matrices have the eigenvalues 0.9 and 0.5. The eigenvectors of the second are orthogonal. */
export const { MATRICES } = CONSTANTS;
export const EIGENVALUES = [0.9, 0.5];

/** The start of the first run. The distance between the runs doesn't depend on it. */
const FIRST = [0.6, 0.8];

/** The matrix of one step: J, or its transpose for gradients, which go back. */
export function matrix(map, way) {
  const [[a, b], [c, d]] = MATRICES[map];
  return way === "forward"
    ? [
        [a, b],
        [c, d],
      ]
    : [
        [a, c],
        [b, d],
      ];
}

/** The eigenvector of length 1 for an eigenvalue of M, its larger entry positive. */
export function eigenvector([[a, b], [c, d]], value) {
  const rows = [
    [a - value, b],
    [c, d - value],
  ];
  const [p, q] = size(rows[0]) > size(rows[1]) ? rows[0] : rows[1];
  const sign = Math.abs(q) > Math.abs(p) ? -Math.sign(q) : Math.sign(p);
  return [(-sign * q) / size([p, q]), (sign * p) / size([p, q])].map((entry) => entry + 0);
}

/** Two runs of M from g and from g + v, after 0, 1, ... n steps. */
export function runs(M, v, n = STEPS, g = FIRST) {
  const both = [[g, g.map((entry, i) => entry + v[i])]];
  while (both.length <= n) both.push(both.at(-1).map((run) => apply(M, run)));
  return both;
}

const difference = ([one, other]) => other.map((entry, i) => entry - one[i]);

/**
 * Half the angle, in radians, of the arc of directions around the widest one that M stretches by more
 * than `least`; 0 if there is none.
 */
function beaten(M, least) {
  const most = norm(M);
  const determinant = M[0][0] * M[1][1] - M[0][1] * M[1][0];
  const narrow = determinant / most;
  if (!(most > least * (1 + 1e-12))) return 0;
  return Math.acos(Math.sqrt(clamp((least ** 2 - narrow ** 2) / (most ** 2 - narrow ** 2), 0, 1)));
}

/** All that the figure shows of two runs through one linear map. */
export function compare({ map, way, angle, n }) {
  const M = matrix(map, way);
  const v = start(angle);
  const all = powers(M, STEPS);
  const both = runs(M, v);
  const gaps = both.map(difference);
  const along = all.map((_, k) => EIGENVALUES[0] ** k);
  const arc = beaten(all[n], along[n]);
  return {
    M,
    ...{ v, both, gaps, along, arc },
    power: all[n],
    apart: gaps.map(size),
    most: all.map(norm),
    top: widest(all[n]),
    vectors: EIGENVALUES.map((value) => eigenvector(M, value)),
    /** The distance along the eigenvector of J itself, which isn't one of its transpose. */
    own: size(apply(all[n], eigenvector(MATRICES[map], EIGENVALUES[0]))),
    /** The number of directions, out of 100 evenly spread ones, that separate the runs more than the eigenvector. */
    better: (200 * arc) / Math.PI,
  };
}

/** Weights that rotate a state by half a radian and make it 1.5 times as long. */
export const { GAIN } = CONSTANTS;
const [cos, sin] = [Math.cos(CONSTANTS.TURN), Math.sin(CONSTANTS.TURN)];
export const TURNING = [
  [cos, -sin],
  [sin, cos],
].map((row) => row.map((entry) => GAIN * entry));

/** One step h^(t) = tanh(a), where a = W h^(t-1), and the slopes of its units. */
export function step(h) {
  const a = apply(TURNING, h);
  const next = a.map(Math.tanh);
  return { a, h: next, slopes: next.map((value) => 1 - value * value) };
}

/** ∂h^(t)/∂h^(t-1), (G 10.20): the slopes of a step, times the weights. */
export const jacobian = (slopes) => TURNING.map((row, i) => row.map((entry) => slopes[i] * entry));

/** The network without inputs, from a state of length `length`. */
export function drift(length) {
  const steps = [
    {
      a: null,
      h: [length, 0],
      slopes: null,
      P: [
        [1, 0],
        [0, 1],
      ],
    },
  ];
  while (steps.length <= TIMES) {
    const next = step(steps.at(-1).h);
    steps.push({ ...next, P: product(jacobian(next.slopes), steps.at(-1).P) });
  }
  return {
    steps,
    lengths: steps.map(({ h }) => size(h)),
    /** ||∂h^(t)/∂h^(0)||: the largest factor by which a small change of the start has grown. */
    growth: steps.map(({ P }) => norm(P)),
    free: steps.map((_, t) => GAIN ** t),
    /** The first step at which a slope is below 0.9; Infinity if there is none. */
    bends: ((at) => (at < 0 ? Infinity : at))(
      steps.findIndex(({ slopes }) => slopes && Math.min(...slopes) < 0.9),
    ),
  };
}
