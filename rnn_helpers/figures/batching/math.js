// Real sentences in minibatches: their order, the cuts between minibatches, the padding as in
// `rnn_helpers.tasks.batching`, and the loss with and without it. This module doesn't use the DOM.
import { random } from "../lib/random.js";
import { sum } from "../lib/vectors.js";
import CONSTANTS from "./constants.json";
import TEXTS from "./trained.json";

export const sentences = TEXTS.map((text) => text.split(" "));
export const MANY = sentences.length;
/** Steps of each sentence: the input is <s> and its words, the targets are its words and </s>. */
export const lengths = sentences.map((words) => words.length + 1);
/** A letter for each sentence. The reader's own arrangement is written in these letters. */
export const { LETTERS } = CONSTANTS;

const numbers = (n) => Array.from({ length: n }, (_, i) => i);
const by = (keys) => numbers(keys.length).sort((i, j) => keys[i] - keys[j]);

/** Cut a list at these places. */
export const cut = (list, cuts) =>
  [...cuts, list.length].map((end, i) => list.slice(i ? cuts[i - 1] : 0, end));

/** The cuts between minibatches, each as the number of sentences before it. */
export const cutsOf = (groups) =>
  groups.slice(0, -1).map((_, g) => sum(groups.slice(0, g + 1).map((group) => group.length)));

/** An arrangement in letters, with a dot at each cut. */
export const written = (groups) =>
  groups.map((group) => group.map((i) => LETTERS[i]).join("")).join(".");

/** The arrangement in letters, or null unless each sentence occurs once and no minibatch is empty. */
export function read(own) {
  const groups = own.split(".").map((part) => [...part].map((letter) => LETTERS.indexOf(letter)));
  const all = groups.flat();
  const whole =
    all.length === MANY && new Set(all).size === MANY && groups.every((group) => group.length);
  return whole ? groups : null;
}

/**
 * The sentences of each minibatch, by their places in the text. They are in the order of the text,
 * shuffled, sorted by length, or sorted in shuffled minibatches, as by `length_sorted_batches`.
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

/** Move the sentence at one place to another. The minibatches keep their sizes. */
export function moved(groups, from, to) {
  const list = groups.flat();
  list.splice(to, 0, ...list.splice(from, 1));
  return cut(list, cutsOf(groups));
}

/** The first and the last place for cut k that leave no minibatch empty. */
export function room(groups, k) {
  const cuts = [0, ...cutsOf(groups), MANY];
  return [cuts[k] + 1, cuts[k + 2] - 1];
}

/** Move cut k to another place. */
export const recut = (groups, k, place) => cut(groups.flat(), cutsOf(groups).with(k, place));

/** The number of times that each target occurs. Each sentence has one </s>. */
export const counts = new Map([["</s>", MANY]]);
for (const word of sentences.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
export const WORDS = sum(lengths);

const bitsOf = (count, total) => (count ? -Math.log2(count / total) : 0);

/** Return the mean loss, in bits, of a model that knows only how frequent each target is. */
const entropy = (each, total) => sum(each.map((count) => (count / total) * bitsOf(count, total)));

/** Everything that the figure shows of an arrangement. */
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
      // The weight of a word in the mean over minibatches of their means over words, relative to its
      // weight in the mean over all words.
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
    // Of the unmasked loss: its mean over the words, and over the padding.
    parts: [entropy([...counts.values()], WORDS) + Math.log2(steps / WORDS), bitsOf(pads, steps)],
  };
}

/** The loss of each target of a sentence, and of <pad>, in bits. A masked <pad> costs nothing. */
export function losses(sentence, { steps, pads }, mask) {
  const total = mask ? WORDS : steps;
  return {
    words: [...sentences[sentence], "</s>"].map((word) => bitsOf(counts.get(word), total)),
    pad: mask ? 0 : bitsOf(pads, total),
  };
}
