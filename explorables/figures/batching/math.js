// Real sentences in minibatches: how they are ordered and cut, what is padding, and what a loss that
// counts the padding says, as `rnn_helpers.tasks.batching` pads them. No DOM here.
import { random } from "../../lib/random.js";
import { sum } from "../../lib/vectors.js";
import CONSTANTS from "../../../rnn_helpers/explore/figures/batching.json";
import TEXTS from "../../../rnn_helpers/explore/trained/batching.json";

export const sentences = TEXTS.map((text) => text.split(" "));
export const MANY = sentences.length;
/** Steps of a sentence: <s> and its words are read, its words and </s> are to be predicted. */
export const lengths = sentences.map((words) => words.length + 1);
/** A letter for each sentence, in which an arrangement of the reader's own is written. */
export const { LETTERS } = CONSTANTS;

const numbers = (n) => Array.from({ length: n }, (_, i) => i);
const by = (keys) => numbers(keys.length).sort((i, j) => keys[i] - keys[j]);

/** Cut a list at these places. */
export const cut = (list, cuts) =>
  [...cuts, list.length].map((end, i) => list.slice(i ? cuts[i - 1] : 0, end));

/** The places between minibatches, in sentences from the first. */
export const cutsOf = (groups) =>
  groups.slice(0, -1).map((_, g) => sum(groups.slice(0, g + 1).map((group) => group.length)));

/** An arrangement in letters, a dot at each cut. */
export const written = (groups) =>
  groups.map((group) => group.map((i) => LETTERS[i]).join("")).join(".");

/** What letters say, or null where they are not each sentence once, in minibatches of at least one. */
export function read(own) {
  const groups = own.split(".").map((part) => [...part].map((letter) => LETTERS.indexOf(letter)));
  const all = groups.flat();
  const whole =
    all.length === MANY && new Set(all).size === MANY && groups.every((group) => group.length);
  return whole ? groups : null;
}

/**
 * The sentences of each minibatch, by their places in the text: as they come there, shuffled, sorted
 * by length, or sorted with the order of the minibatches shuffled, as `length_sorted_batches` gives.
 */
export function arrange({ order, size, seed, own }) {
  const mine = read(own);
  if (mine) return mine;
  const chance = random(seed);
  const shuffle = (list) => by(list.map(() => chance.uniform())).map((i) => list[i]);
  const places =
    { given: numbers, random: (n) => shuffle(numbers(n)) }[order]?.(MANY) ?? by(lengths);
  const groups = cut(
    places,
    numbers(Math.ceil(MANY / size) - 1).map((g) => (g + 1) * size),
  );
  return order === "groups" ? shuffle(groups) : groups;
}

/** Put the sentence at one place to another; minibatches keep their sizes. */
export function moved(groups, from, to) {
  const list = groups.flat();
  list.splice(to, 0, ...list.splice(from, 1));
  return cut(list, cutsOf(groups));
}

/** Between which places cut k can be: no minibatch may go. */
export function room(groups, k) {
  const cuts = [0, ...cutsOf(groups), MANY];
  return [cuts[k] + 1, cuts[k + 2] - 1];
}

/** Put cut k to another place. */
export const recut = (groups, k, place) => cut(groups.flat(), cutsOf(groups).with(k, place));

/** How often each target occurs: every word, and one </s> a sentence. */
export const counts = new Map([["</s>", MANY]]);
for (const word of sentences.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
export const WORDS = sum(lengths);

const bitsOf = (count, total) => (count ? -Math.log2(count / total) : 0);

/** Return the mean loss, in bits, of a model that knows only how frequent each target is. */
const entropy = (each, total) => sum(each.map((count) => (count / total) * bitsOf(count, total)));

/** All that the figure shows of an arrangement. */
export function compute(groups) {
  const batches = groups.map((group) => {
    const own = group.map((i) => lengths[i]);
    const T = Math.max(...own);
    const words = sum(own);
    return {
      group,
      T,
      words,
      steps: T * group.length,
      padding: 1 - words / (T * group.length),
      // The mean over minibatches of means over words, against the mean over all words.
      weight: WORDS / (groups.length * words),
    };
  });
  const steps = sum(batches.map((batch) => batch.steps));
  const pads = steps - WORDS;
  return {
    batches,
    steps,
    pads,
    padding: pads / steps,
    turns: sum(batches.map(({ T }) => T)),
    masked: entropy([...counts.values()], WORDS),
    unmasked: entropy([...counts.values(), pads], steps),
  };
}

/** Bits of each target of a sentence, and of <pad>: a masked one costs nothing. */
export function losses(sentence, { steps, pads }, mask) {
  const total = mask ? WORDS : steps;
  return {
    words: [...sentences[sentence], "</s>"].map((word) => bitsOf(counts.get(word), total)),
    pad: mask ? 0 : bitsOf(pads, total),
  };
}
