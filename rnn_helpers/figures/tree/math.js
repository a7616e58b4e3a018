// One function at every node of a tree, and the share of a leaf's change that reaches the root. No DOM here.
import CONSTANTS from "./constants.json";
import { random } from "../lib/random.js";
import { balanced, chain, nodesOf, way } from "../lib/trees.js";
import { add, orthogonalise, size, times, transpose } from "../lib/vectors.js";

export const { UNITS, MOST, SIZE } = CONSTANTS;
export * from "../lib/trees.js";
/** The number of parameters: of U, W and b. */
export const PARAMETERS = 2 * UNITS ** 2 + UNITS;

/**
 * Return the words of a text and the tree that its brackets describe. More than two parts in a pair of
 * brackets are combined one after the other. A bracket that is never closed is closed at the end.
 */
export function read(text) {
  const words = [];
  const open = [[]];
  const close = () => {
    const group = open.pop();
    if (group.length) open.at(-1).push(group.reduce((tree, next) => [tree, next]));
  };
  for (const [token] of text.matchAll(/[()]|[^()\s]+/g)) {
    if (token === "(") open.push([]);
    else if (token === ")") open.length > 1 && close();
    else if (words.length < MOST) open.at(-1).push(words.push(token) - 1);
  }
  while (open.length > 1) close();
  const tree = open[0].length ? open[0].reduce((left, right) => [left, right]) : null;
  return { words, tree };
}

/** The number of edges between two leaves, averaged over all pairs. */
export function pairs(nodes, n) {
  let [total, count] = [0, 0];
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++, count++) total += way(nodes, i, j).length - 1;
  }
  return total / Math.max(count, 1);
}

/** The tree of a kind over the words. */
export const treeOf = (kind, { words, tree }) =>
  kind === "own" || words.length < 2 ? tree : { chain, balanced }[kind](words.length);

let made = null;
/** U for the left child and W for the right one, each a rotation times the strength, and b = 0. */
export function network(strength) {
  if (!made) {
    const { normal } = random(CONSTANTS.SEED);
    const square = () => Array.from({ length: UNITS }, () => Array.from({ length: UNITS }, normal));
    made = [orthogonalise(square()), orthogonalise(square())];
  }
  const [U, W] = made.map((Q) => Q.map((row) => row.map((value) => strength * value)));
  return { U, W, b: new Array(UNITS).fill(0) };
}

/** A word's vector V x, which depends on its letters alone. */
export function embedding(word) {
  let seed = 0;
  for (const letter of word.toLowerCase()) {
    seed = (Math.imul(seed, 31) + letter.codePointAt(0)) >>> 0;
  }
  const { normal } = random(seed);
  return Array.from({ length: UNITS }, () => SIZE * normal());
}

/** The vector of a node, from those of its children. */
export const step = ({ U, W, b }, left, right) =>
  add(b, times(U, left), times(W, right)).map(Math.tanh);

/** Go backward through a node: the rows of dh(root)/dh for each of its children. */
export function stepBack({ U, W }, h, rows) {
  const sloped = rows.map((row) => row.map((value, i) => value * (1 - h[i] * h[i])));
  return [U, W].map((M) => sloped.map((row) => times(transpose(M), row)));
}

/**
 * For each node, by its id, the share of a small change there that reaches the root: the size of the
 * root's Jacobian with respect to the node, a root mean square over all directions. 1 is all of it.
 */
export function arrivals(tree, words, strength) {
  const net = network(strength);
  const nodes = nodesOf(tree);
  const h = {};
  for (const { id, first, left, right } of nodes) {
    h[id] = left ? step(net, h[left], h[right]) : embedding(words[first]);
  }
  const whole = Array.from({ length: UNITS }, (_, i) =>
    Array.from({ length: UNITS }, (_, j) => Number(i === j)),
  );
  const J = { [nodes.at(-1).id]: whole };
  for (const { id, left, right } of nodes.toReversed()) {
    if (left) [J[left], J[right]] = stepBack(net, h[id], J[id]);
  }
  return Object.fromEntries(nodes.map(({ id }) => [id, size(J[id].flat()) / Math.sqrt(UNITS)]));
}
