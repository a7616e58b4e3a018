// A trained neural Turing machine and an LSTM that copy a pattern. No DOM here.
import CONSTANTS from "./constants.json";
import STORED from "./trained.json";
import { oneHot, over, sigmoid, softmax, sum } from "../lib/vectors.js";
import { unpacked } from "../lib/weights.js";

/** BITS per column; CELLS with WIDTH numbers each; the most columns in training (KNOWN) and in the figure (MOST). */
export const { BITS, CELLS, WIDTH, KNOWN, MOST } = CONSTANTS;

const made = {};
/** Return the weights of a network: its LSTM units side by side, its heads and its output. */
export function network(way) {
  if (made[way]) return made[way];
  const all = unpacked(STORED.networks[way]);
  const layer = way === "machine" ? "controller" : "layers.0";
  const joined = (letter) =>
    ["", "f", "g", "o"].flatMap((gate) => all[`${layer}.${letter}${gate}`]);
  const W = joined("W");
  made[way] = {
    ...{ UW: joined("U").map((row, i) => [...row, ...W[i]]), b: joined("b"), V: all.V, c: all.c },
    ...{ heads: all["heads.W"], bias: all["heads.b"] },
  };
  return made[way];
}

// ---- the input

/** Return the bits of a pattern of hexadecimal digits; missing columns are 0. */
export const columns = (pattern, length) =>
  Array.from({ length }, (_, i) => {
    const digit = parseInt(pattern[i] ?? "0", 16) || 0;
    return Array.from({ length: BITS }, (_, k) => (digit >> (BITS - 1 - k)) & 1);
  });

/** Return the pattern with one bit of a column set to `bit`. */
export function painted(pattern, column, row, bit) {
  const digits = [...pattern.padEnd(column + 1, "0")];
  const mask = 1 << (BITS - 1 - row);
  const digit = parseInt(digits[column], 16) || 0;
  digits[column] = (bit ? digit | mask : digit & ~mask).toString(16);
  return digits.join("");
}

/** Return the inputs: the columns, the mark, and zeros. */
export const inputs = (shown) => [
  ...shown.map((column) => [...column, 0]),
  oneHot(BITS, BITS + 1),
  ...shown.map((column) => [...column.map(() => 0), 0]),
];

// ---- the networks

// Loops, to be fast: each stroke of the brush runs 65 steps.

/** `b + M v`, where v comes in parts. */
function affine(M, b, ...v) {
  return b.map((bias, i) => {
    let [all, at] = [bias, 0];
    for (const part of v) for (let j = 0; j < part.length; j++) all += M[i][at++] * part[j];
    return all;
  });
}

/** Return the output h and the cell state s of the LSTM units. */
export function cells({ UW, b }, x, { h, s }) {
  const n = h.length;
  const sums = affine(UW, b, ...x, h);
  const next = { h: Array(n), s: Array(n) };
  for (let i = 0; i < n; i++) {
    next.s[i] = sigmoid(sums[n + i]) * s[i] + sigmoid(sums[2 * n + i]) * Math.tanh(sums[i]);
    next.h[i] = sigmoid(sums[3 * n + i]) * Math.tanh(next.s[i]);
  }
  return next;
}

const EMPTY = 1e-8; // for a cell of zeros, so that its cosine is 0
const softplus = (a) => Math.max(a, 0) + Math.log1p(Math.exp(-Math.abs(a)));
function norm(v) {
  let squares = 0;
  for (let i = 0; i < v.length; i++) squares += v[i] * v[i];
  return Math.max(Math.sqrt(squares), EMPTY);
}
function cosine(v, key) {
  let all = 0;
  for (let i = 0; i < v.length; i++) all += v[i] * key[i];
  return all / (norm(v) * norm(key));
}

/** Return the numbers of a head, each brought into its range. */
const headOf = ({ k, beta, g, s, gamma }) => ({
  k: k.map(Math.tanh),
  beta: softplus(beta[0]),
  g: sigmoid(g[0]),
  s: softmax(s),
  gamma: 1 + softplus(gamma[0]),
});

/** Return the weights of a head: found by content, gated, shifted and sharpened. */
export function address(M, { k, beta, g, s, gamma }, before) {
  const found = softmax(M.map((cell) => beta * cosine(cell, k)));
  const gated = found.map((weight, i) => g * weight + (1 - g) * before[i]);
  const n = M.length;
  const shifted = gated.map(
    (_, i) => s[0] * gated[(i + 1) % n] + s[1] * gated[i] + s[2] * gated[(i + n - 1) % n],
  );
  const powers = shifted.map((weight) => weight ** gamma);
  return { found, gated, shifted, weights: over(powers, sum(powers)) };
}

/** Split the affine functions of h into the numbers of both heads. */
function parts(numbers) {
  const [write, read] = [{}, {}];
  let at = 0;
  const take = (head, sizes) => {
    for (const [name, n] of Object.entries(sizes)) {
      head[name] = numbers.slice(at, at + n);
      at += n;
    }
  };
  const where = { k: WIDTH, beta: 1, g: 1, s: 3, gamma: 1 };
  take(write, { ...where, e: WIDTH, a: WIDTH });
  take(read, where);
  return { write, read };
}

/** Return the state of LSTM units before the first step. */
const still = (way) => {
  const zeros = Array(network(way).b.length / 4).fill(0);
  return { h: zeros, s: zeros };
};

/** Return the first state of the machine: an empty memory, both heads on its first cell. */
export const start = () => ({
  ...still("machine"),
  M: Array.from({ length: CELLS }, () => Array(WIDTH).fill(0)),
  r: Array(WIDTH).fill(0),
  written: oneHot(0, CELLS),
  read: oneHot(0, CELLS),
});

/** Return the state and the output `o` after one step of the machine. */
export function step(x, before) {
  const net = network("machine");
  const { h, s } = cells(net, [x, before.r], before);
  const { write, read: reads } = parts(affine(net.heads, net.bias, h));
  const written = address(before.M, headOf(write), before.written).weights;
  const [e, a] = [write.e.map(sigmoid), write.a.map(Math.tanh)];
  const M = before.M.map((cell, i) => {
    const weight = written[i];
    return cell.map((value, j) => value * (1 - weight * e[j]) + weight * a[j]);
  });
  const read = address(M, headOf(reads), before.read).weights;
  const r = Array(WIDTH).fill(0);
  M.forEach((cell, i) => cell.forEach((value, j) => (r[j] += read[i] * value)));
  return { h, s, M, r, written, read, o: affine(net.V, net.c, h, r) };
}

/** Return every step of the machine. */
export function run(shown) {
  let now = start();
  return inputs(shown).map((x) => {
    now = step(x, now);
    return now;
  });
}

/** Return the outputs of the LSTM at every step. */
export function lstm(shown) {
  const net = network("lstm");
  let now = still("lstm");
  return inputs(shown).map((x) => {
    now = cells(net, [x], now);
    return affine(net.V, net.c, now.h);
  });
}

/** Return the output bits after the mark. */
export const said = (outputs) =>
  outputs.slice((outputs.length + 1) / 2).map((o) => o.map((value) => Number(value > 0)));

/** Count the right bits. */
export const right = (bits, shown) =>
  sum(bits.map((column, i) => sum(column.map((bit, k) => Number(bit === shown[i][k])))));
