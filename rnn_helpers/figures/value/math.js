// Networks that evaluate expressions, each along a different kind of tree. No DOM here.
import STORED from "./trained.json";
import { balanced, chain, nodesOf } from "../lib/trees.js";
import { add, dot, oneHot, softmax, times } from "../lib/vectors.js";
import { unpacked } from "../lib/weights.js";

export const { modulus: MODULUS, learned: LEARNED, deepest: DEEPEST, symbols: TOKENS } = STORED;
export const MEASURED = STORED.measured;
export const KINDS = Object.keys(STORED.networks);
const known = (letter) => TOKENS.includes(letter);

const networks = {};
/** Weights of a network, by the names of the reference. */
export function network(kind) {
  networks[kind] ??= unpacked(STORED.networks[kind]);
  return networks[kind];
}

/** The state of a node from those of its children, as in (G 10.8), with a tensor if the network has one. */
export function step({ U, W, b, T }, left, right) {
  const a = add(b, times(U, left), times(W, right));
  return a.map((value, k) => Math.tanh(T ? value + dot(left, times(T[k], right)) : value));
}

/** Probabilities of the values of a node. */
export const say = ({ R, c }, h) => softmax(add(c, times(R, h)));

/**
 * Read an expression. Return its `tokens`, with brackets around every sum but the outermost; the `tree`
 * of a parser over the tokens that aren't brackets, and the `places` of these; its value `truth`; and its
 * nesting `depth`. `truths` gives, by its tokens, what each part that is an expression is `worth`, and
 * the `range` of its tokens; `parts` gives the same by leaves. If the text can't be read, return `problem`.
 */
export function read(text) {
  const letters = [...text.replaceAll("−", "-")].filter(known);
  const { expression, problem } = parse(letters);
  if (problem) return { problem };
  const row = { tokens: [], places: [], truths: {}, parts: {} };
  const { tree, worth, depth } = lay(expression, row, true);
  return { ...row, tree, truth: worth, depth };
}

/** Parse sums from left to right. A minus before a number, a bracket or another minus is a sign. */
function parse(letters) {
  let at = 0;
  const fail = (problem) => ({ problem });
  function one() {
    const letter = letters[at++];
    if (letter === undefined) return fail("Something is missing at the end.");
    if (letter >= "0" && letter <= "9") return { expression: { digit: Number(letter) } };
    if (letter === "-") {
      const { expression: of, problem } = one();
      return problem ? { problem } : { expression: { of } };
    }
    if (letter !== "(") return fail(`A number is missing before ${letter}.`);
    const inside = sum();
    if (inside.problem) return inside;
    return letters[at++] === ")" ? inside : fail("A bracket is not closed.");
  }
  function sum() {
    let found = one();
    while (!found.problem && (letters[at] === "+" || letters[at] === "-")) {
      const operator = letters[at++];
      const next = one();
      if (next.problem) return next;
      found = { expression: { operator, left: found.expression, right: next.expression } };
    }
    return found;
  }
  const found = sum();
  if (found.problem || at === letters.length) return found;
  return fail(letters[at] === ")" ? "A bracket too many." : "Between two numbers stands + or −.");
}

const within = (value) => ((value % MODULUS) + MODULUS) % MODULUS;

/** Write an expression into the row. Return its tree, its value and its nesting depth. */
function lay(expression, row, top = false) {
  const { digit, of, operator, left, right } = expression;
  const leaf = (token) => row.places.push(row.tokens.push(token) - 1) - 1;
  const [from, first] = [row.tokens.length, row.places.length];
  let made;
  if (digit !== undefined) made = { tree: leaf(String(digit)), worth: digit, depth: 0 };
  else if (of) {
    const sign = leaf("-");
    const { tree, worth, depth } = lay(of, row);
    made = { tree: [sign, tree], worth: within(-worth), depth: depth + 1 };
  } else {
    if (!top) row.tokens.push("(");
    const one = lay(left, row);
    const between = leaf(operator);
    const two = lay(right, row);
    if (!top) row.tokens.push(")");
    made = {
      tree: [[one.tree, between], two.tree],
      worth: within(one.worth + (operator === "+" ? 1 : -1) * two.worth),
      depth: 1 + Math.max(one.depth, two.depth),
    };
  }
  const part = { worth: made.worth, range: [from, row.tokens.length] };
  row.truths[part.range] = row.parts[[first, row.places.length]] = part;
  return made;
}

/**
 * Evaluate an expression with a network. Return every node of its tree, with the probabilities `yhat` of
 * its values, the `range` of its tokens, and the `truth` if these are an expression.
 */
export function evaluate(kind, { tokens, places, tree, truths, parts }) {
  const params = network(kind);
  const parsed = kind === "parse" || kind === "tensor";
  const leaves = parsed ? places.map((place) => tokens[place]) : tokens;
  const worth = parsed ? parts : truths;
  const along = parsed ? tree : { chain, balanced }[kind](tokens.length);
  const [h, ranges] = [{}, {}];
  return nodesOf(along).map((node) => {
    const { id, first, end, left, right } = node;
    const part = worth[[first, end]];
    const token = parsed ? places[first] : first;
    ranges[id] = part?.range ?? (left ? [ranges[left][0], ranges[right][1]] : [token, token + 1]);
    h[id] = left
      ? step(params, h[left], h[right])
      : times(params.V, oneHot(TOKENS.indexOf(leaves[first]), TOKENS.length));
    return { ...node, yhat: say(params, h[id]), range: ranges[id], truth: part?.worth ?? null };
  });
}
