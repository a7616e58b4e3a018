// The loss of a linear unit that should output 1 after one step and after τ, and five methods that
// reduce it, as in `two_spans` and `two_spans_step` of `rnn_helpers.reference`. No DOM here.
import CONSTANTS from "./constants.json";

export const STEPS = 200;
/** Distance from 0 at which a path ends. */
const FAR = 10;
/** A method has arrived when its loss is below this one. */
export const { FIRST } = CONSTANTS;
export const DEFAULTS = { lr: 0.01, momentum: 0.9, longest: 0.25 };
export const METHODS = ["descent", "momentum", "nesterov", "newton", "gauss_newton"];
/** The damping that represents none. */
const LEAST = 1e-40;

/** L = w^τ: its slope, its curvature and the ratio of the two. */
export const powers = (w, tau) => ({
  slope: tau * w ** (tau - 1),
  curvature: tau * (tau - 1) * w ** (tau - 2),
  ratio: w / (tau - 1),
});

export function loss([w, r], tau) {
  const [near, far] = [r * w - 1, r * w ** tau - 1];
  return (near * near + far * far) / 2;
}

/** Gradient, Hessian and Gauss–Newton matrix; a symmetric matrix [[a, b], [b, c]] is [a, b, c]. */
export function derivatives([w, r], tau) {
  const [power, { slope, curvature }] = [w ** tau, powers(w, tau)];
  const [near, far] = [r * w - 1, r * power - 1];
  const [a, b, c] = [r * r + (r * slope) ** 2, r * w + r * slope * power, w * w + power ** 2];
  return {
    gradient: [near * r + far * r * slope, near * w + far * power],
    hessian: [a + far * r * curvature, b + near + far * slope, c],
    gaussNewton: [a, b, c],
  };
}

/** One step from `theta`: the next point, and the step itself, because momentum keeps a share of it. */
export function step(method, theta, velocity, { tau, lr, momentum, longest }) {
  const kept = method === "descent" ? 0 : momentum;
  const from = method === "nesterov" ? theta.map((p, i) => p + kept * velocity[i]) : theta;
  const here = derivatives(from, tau);
  const move =
    method === "newton"
      ? newton(here, longest)
      : method === "gauss_newton"
        ? gaussNewton(here, longest)
        : here.gradient.map((g, i) => kept * velocity[i] - lr * g);
  return { theta: theta.map((p, i) => p + move[i]), velocity: move };
}

/** −H⁻¹ g, cut to `longest`. */
function newton({ gradient: g, hessian: [a, b, c] }, longest) {
  const towards = [b * g[1] - c * g[0], b * g[0] - a * g[1]]; // times the determinant
  const [determinant, length] = [a * c - b * b, Math.hypot(...towards)];
  if (length <= longest * Math.abs(determinant)) return towards.map((d) => d / (determinant || 1));
  return towards.map((d) => (d * (determinant >= 0 ? longest : -longest)) / length);
}

/** −(JᵀJ + λI)⁻¹ g, with the least λ that makes it no longer than `longest`. */
function gaussNewton({ gradient: g, gaussNewton: [a, b, c] }, longest) {
  const angle = Math.atan2(2 * b, a - c) / 2; // of the direction with the largest curvature
  const [x, y] = [Math.cos(angle), Math.sin(angle)];
  const parts = [x * g[0] + y * g[1], x * g[1] - y * g[0]];
  const large = (a + c) / 2 + Math.hypot((a - c) / 2, b);
  const small = large ? Math.max((a * c - b * b) / large, 0) : 0;
  const length = (damping) =>
    Math.hypot(parts[0] / (large + damping), parts[1] / (small + damping));
  let [low, high] = [LEAST, LEAST];
  if (length(low) > longest) {
    high = Math.hypot(...parts) / longest;
    for (let i = 0; i < 100; i++) {
      const middle = Math.sqrt(low * high);
      if (length(middle) > longest) low = middle;
      else high = middle;
    }
  }
  const [p, q] = [parts[0] / (large + high), parts[1] / (small + high)];
  return [y * q - x * p, -y * p - x * q];
}

/** The path of a method from (w, r), its losses, and the steps at which it arrives or is far away. */
export function descend(method, state) {
  const path = [[state.w, state.r]];
  for (let velocity = [0, 0]; path.length <= STEPS; ) {
    const next = step(method, path.at(-1), velocity, state);
    velocity = next.velocity;
    path.push(next.theta);
    if (!next.theta.every((p) => Math.abs(p) <= FAR)) break;
  }
  const losses = path
    .map((theta) => loss(theta, state.tau))
    .map((E) => (Number.isNaN(E) ? Infinity : E));
  const first = losses.findIndex((value) => value < FIRST);
  return { method, path, losses, first, gone: path.length <= STEPS ? path.length - 1 : -1 };
}
