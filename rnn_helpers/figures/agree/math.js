// Networks that choose the verb of a sentence, each along its own kind of tree. No DOM here.
import { LEARNED, NOUNS, OLD, PREPOSITIONS } from "./constants.json";
import STORED from "./trained.json";
import { balanced, chain, nodesOf } from "../lib/trees.js";
import { add, oneHot, softmax, times } from "../lib/vectors.js";
import { unpacked } from "../lib/weights.js";

export { LEARNED };
export const KINDS = Object.keys(STORED.networks);
export const VERBS = ["is", "are"];
/** The most phrases after the subject. */
export const MOST = NOUNS.length - 1;
const WORDS = ["the", "old", ...PREPOSITIONS, ...NOUNS.flat()];

const networks = {};
/** Weights of a network, by the names of the reference. */
export function network(kind) {
  networks[kind] ??= unpacked(STORED.networks[kind]);
  return networks[kind];
}

/**
 * The sentence up to its verb. Each of its `words` has a `text`, a `role` and the number `k` of its
 * phrase, which is 0 for the subject; `tree` is its parse tree, and `verb` the number of the right verb.
 */
export function sentence({ phrases, front, plural }) {
  const first = front && phrases > 0;
  const last = first ? phrases - 1 : phrases;
  const words = [];
  const starts = {};
  const many = (k) => (plural >> k) & 1;
  const put = (role, k, text) => words.push({ role, k, text }) - 1;
  const inOrder = Array.from({ length: last + 1 }, (_, k) => k);
  for (const k of first ? [phrases, ...inOrder] : inOrder) {
    starts[k] = words.length;
    if (k) put("preposition", k, PREPOSITIONS[k - 1]);
    put("the", k, "the");
    if (k === OLD) put("old", k, "old");
    put("noun", k, NOUNS[k][many(k)]);
  }
  const noun = (k) => {
    const the = starts[k] + (k ? 1 : 0);
    return [the, k === OLD ? [the + 1, the + 2] : the + 1];
  };
  let tree = noun(last);
  for (let k = last; k > 0; k--) tree = [noun(k - 1), [starts[k], tree]];
  if (first) tree = [[starts[phrases], noun(phrases)], tree];
  return { words, tree, verb: many(0) };
}

/** The place of the noun with which a verb would agree after these words; null if none could follow. */
export function subject(words) {
  const roles = words.map(({ role }) => role);
  let at = 0;
  let found = null;
  const noun = () => {
    if (roles[at++] !== "the") return null;
    if (roles[at] === "old") at++;
    return roles[at] === "noun" ? at++ : null;
  };
  if (roles[0] === "preposition") {
    at = 1;
    if (noun() === null) return null;
  }
  found = noun();
  if (found === null) return null;
  while (at < roles.length) if (roles[at++] !== "preposition" || noun() === null) return null;
  return found;
}

/** The state of a node from those of its children. */
export const step = ({ U, W, b }, left, right) =>
  add(b, times(U, left), times(W, right)).map(Math.tanh);

/** Probabilities of the two verbs at a node. */
export const say = ({ R, c }, h) => softmax(add(c, times(R, h)));

/**
 * Every node of a network's tree over a sentence, with the probabilities `yhat` of the verbs. `truth` is
 * the number of the verb that is right after the words below it, or null if these can't be a subject.
 */
export function choose(kind, { words, tree }) {
  const params = network(kind);
  const along = kind === "parse" ? tree : { chain, balanced }[kind](words.length);
  const h = {};
  return nodesOf(along).map((node) => {
    const { id, first, end, left, right } = node;
    const place = left ? subject(words.slice(first, end)) : null;
    h[id] = left
      ? step(params, h[left], h[right])
      : times(params.V, oneHot(WORDS.indexOf(words[first].text), WORDS.length));
    const truth =
      place === null
        ? null
        : (WORDS.indexOf(words[first + place].text) - 2 - PREPOSITIONS.length) % 2;
    return { ...node, yhat: say(params, h[id]), truth };
  });
}
