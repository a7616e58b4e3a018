// Five patterns of inputs and outputs, each with a small network whose weights are set by hand, as in
// figure.py. No DOM here.
import { step } from "../lib/rnn.js";
import { unfold } from "../lib/circuits.js";
import { argmax, dot } from "../lib/vectors.js";
import CONSTANTS from "./constants.json";

/**
 * SHAPES: pictures of 3 by 3 pixels, row after row; any two differ in at least four. MOST: the longest
 * countdown, review (in words), code and text of letters.
 */
export const { SHAPES, MOST } = CONSTANTS;
/**
 * GAIN multiplies each sum. Sums are multiples of 1/2, and tanh of 20 or more is 1 to the last digit,
 * so a unit is 1 for a sum above 0, -1 for one below 0, and 0 for 0. SCORES: what a word adds to the
 * count; other words add nothing. LEVELS: counts that have a unit.
 */
const { GAIN, SCORES, BRACKETS, LEVELS } = CONSTANTS;

const edge = (source, target, parameter, delay = 0) => ({ source, target, parameter, delay });
const once = [edge("x", "h", "U"), edge("h", "o", "V")];
/** The networks with and without a loop. */
const CIRCUITS = {
  plain: { nodes: ["x", "h", "o"], edges: once, last: [] },
  loop: { nodes: ["x", "h", "o"], edges: [once[0], edge("h", "h", "W", 1), once[1]], last: [] },
};

const fill = (n, m, entry) =>
  Array.from({ length: n }, (_, i) => Array.from({ length: m }, (_, j) => entry(i, j)));
const row = (n, entry) => Array.from({ length: n }, (_, i) => entry(i));
/** The weights of a network. Those that lead into the units are multiplied by the gain. */
const network = (U, W, b, V, c) => {
  const loud = (M) => M.map((line) => line.map((weight) => GAIN * weight));
  return { U: loud(U), W: loud(W), b: b.map((bias) => GAIN * bias), V, c };
};

export const words = (review) => review.split(" ").filter(Boolean).slice(0, MOST.review);

/**
 * The inputs and outputs of each pattern, and its network: `reads`, the input of each step, or null;
 * `x`, the same as vectors; `writes`, whether a step has an output; `right`, the right output, or null
 * if any is right; `units`, the meaning of each unit.
 */
const TASKS = {
  "one-one"({ image }) {
    const names = Object.keys(SHAPES);
    const agree = names.map((name) => [...SHAPES[name]].map((pixel) => (pixel === "1" ? 1 : -1)));
    return {
      reads: [image],
      x: [[...image].map(Number)],
      writes: [true],
      right: [null],
      units: names.map((name) => `like ${name}`),
      answers: [...names, "none"],
      // The sum is the number of pixels that agree, minus 7.5.
      net: network(
        agree,
        fill(3, 3, () => 0),
        row(3, () => -3.5),
        fill(4, 3, (i, j) => Number(i === j)),
        row(4, () => 0),
      ),
    };
  },
  "one-many"({ n }) {
    const m = MOST.n;
    const is = (i, j) => Number(i === j);
    return {
      reads: row(n + 1, (t) => (t ? null : String(n))),
      x: fill(n + 1, m, (t, j) => Number(t === 0 && j === n - 1)),
      writes: row(n + 1, () => true),
      right: row(n + 1, (t) => (t === n ? "stop" : String(n - t))),
      units: row(m, (i) => `${i + 1} or more`),
      answers: ["stop", ...row(m, (i) => String(i + 1))],
      net: network(
        fill(m, m, (i, j) => (j >= i ? 2 : 0)),
        fill(m, m, (i, j) => is(i + 1, j)),
        row(m, () => -0.5),
        fill(m + 1, m, (i, j) => (i ? is(i - 1, j) - is(i, j) : -is(0, j))),
        row(m + 1, (i) => is(i, m)),
      ),
    };
  },
  "many-one"({ review }) {
    const list = words(review);
    const scores = (list.length ? list : [""]).map((word) => SCORES[word] ?? 0);
    const last = scores.length - 1;
    const sum = scores.reduce((p, q) => p + q);
    const half = (sign) => row(LEVELS.length, () => sign / 2);
    return {
      reads: scores.map((score) => (score > 0 ? `+${score}` : String(score).replace("-", "−"))),
      x: scores.map((score) => [score]),
      writes: scores.map((_, t) => t === last),
      right: scores.map((_, t) =>
        t === last ? ["bad", "so-so", "good"][Math.sign(sum) + 1] : null,
      ),
      units: LEVELS.map((level) => `${String(level).replace("-", "−")} or more`),
      answers: ["good", "bad", "so-so"],
      net: network(
        LEVELS.map(() => [1]),
        LEVELS.map(() => half(1)),
        LEVELS.map((level) => 0.5 - level),
        [half(1), half(-1), half(0)],
        [-0.5, -0.5, 0],
      ),
    };
  },
  delayed({ letters, k }) {
    const T = letters.length + k;
    return {
      reads: row(T, (t) => letters[t] ?? null),
      x: row(T, (t) => [{ a: 1, b: -1 }[letters[t]] ?? 0]),
      writes: row(T, (t) => t >= k),
      right: row(T, (t) => letters[t - k] ?? null),
      units: row(k + 1, (i) => (i === 0 ? "now" : `${i} ago`)),
      answers: ["a", "b"],
      net: network(
        fill(k + 1, 1, (i) => Number(i === 0)),
        fill(k + 1, k + 1, (i, j) => Number(j === i - 1)),
        row(k + 1, () => 0),
        [1, -1].map((sign) => row(k + 1, (j) => (j === k ? sign : 0))),
        [0, 0],
      ),
    };
  },
  aligned({ code }) {
    const list = [...code];
    return {
      reads: list,
      x: list.map((letter) => [...BRACKETS].map((bracket) => Number(bracket === letter))),
      writes: list.map(() => true),
      right: open(list),
      units: ["in ( )", "in [ ]"],
      answers: ["–", "(", "[", "(["],
      net: network(
        [
          [2, -2, 0, 0],
          [0, 0, 2, -2],
        ],
        [
          [1, 0],
          [0, 1],
        ],
        [-0.5, -0.5],
        [
          [-1, -1],
          [1, -1],
          [-1, 1],
          [1, 1],
        ],
        [0, 0, 0, 0],
      ),
    };
  },
};

/** The kinds of bracket that are open after each symbol. A closing one too many changes nothing. */
function open(list) {
  const depth = [0, 0];
  return list.map((letter) => {
    const at = BRACKETS.indexOf(letter);
    if (at >= 0) depth[at >> 1] = Math.max(0, depth[at >> 1] + (at % 2 ? -1 : 1));
    return ["–", "(", "[", "(["][Number(depth[0] > 0) + 2 * Number(depth[1] > 0)];
  });
}

/** Every step of a pattern: what `step` computes, the parts of each sum without the gain, and the output. */
export function run(state) {
  const task = TASKS[state.pattern](state);
  const { net, x, answers } = task;
  let h = net.b.map(() => 0);
  const steps = x.map((input, t) => {
    const now = step(net, input, h);
    const parts = net.b.map((bias, i) => ({
      input: dot(net.U[i], input) / GAIN,
      before: dot(net.W[i], h) / GAIN,
      bias: bias / GAIN,
      sum: now.a[i] / GAIN,
    }));
    h = now.h;
    const says = task.writes[t] ? answers[argmax(now.o)] : null;
    return {
      ...now,
      parts,
      says,
      wrong: says !== null && task.right[t] !== null && says !== task.right[t],
    };
  });
  return { ...task, steps, T: x.length, ...counts(task), graph: graph(task) };
}

/** Count the outputs, and those before the last input. */
function counts({ reads, writes }) {
  const last = reads.findLastIndex((word) => word !== null);
  return {
    outputs: writes.filter(Boolean).length,
    early: writes.filter((written, t) => written && t < last).length,
    last: last + 1,
  };
}

/** The unfolded circuit from step 1 on, with only the inputs and outputs that exist. */
export function graph({ reads, writes }) {
  const { nodes, edges } = unfold(CIRCUITS[reads.length > 1 ? "loop" : "plain"], reads.length);
  const there = ([name, t]) =>
    t > 0 && { x: reads[t - 1] !== null, h: true, o: writes[t - 1] }[name];
  return {
    nodes: nodes.filter(there),
    edges: edges.filter(({ source, target }) => there(source) && there(target)),
  };
}
