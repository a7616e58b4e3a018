// Three networks that name the year in a sentence: one with weights of its own for each place, a
// convolution over three words, and an RNN, as `rnn_helpers.explore.figures.sharing` runs them. No DOM here.
import { add, argmax, softmax, times } from "../../lib/vectors.js";
import CONSTANTS from "../../../rnn_helpers/explore/figures/sharing.json";
import CARRIED from "../../../rnn_helpers/explore/trained/sharing.json";

export const { networks: NETWORKS, right: RIGHT } = CARRIED;

/**
 * WORDS that networks can tell apart; whatever else is written is the last of them. Then the YEARS.
 * LONGEST: places for which the MLP has weights; a sentence's other words are not read. TRAINING: what
 * each showed, places of the year, and words of the shortest and the longest sentence.
 */
export const { WORDS, YEARS, LONGEST, TRAINING } = CONSTANTS;
const FILLERS = ["I", "went", "to", "Nepal", ...WORDS.slice(4, 11)];
export const KINDS = ["mlp", "conv", "rnn"];
/** Units of each network, and kinds of words that it reads. */
export const UNITS = NETWORKS.any.rnn.b.length;
export const KNOWN = WORDS.length + YEARS.length;

/** The words of a sentence as they are written, those beyond the longest left out. */
export const split = (sentence) =>
  sentence
    .split(/\s+/)
    .filter((word) => bare(word))
    .slice(0, LONGEST);
const bare = (word) => word.replace(/^[.,;:!?]+|[.,;:!?]+$/g, "").toLowerCase();

/** Number of a word among those known. */
export function token(word) {
  const found = [...WORDS, ...YEARS].indexOf(bare(word));
  return found < 0 ? WORDS.length - 1 : found;
}
export const isYear = (known) => known >= WORDS.length;

const column = (U, known) => U.map((row) => row[known]);
/** States of all units, after each word or, of the MLP, after the sentence; the last is read out. */
export function states(kind, { U, W, b }, tokens) {
  if (kind === "mlp")
    return [add(b, ...tokens.map((known, t) => column(U[t], known))).map(Math.tanh)];
  if (kind === "conv")
    return tokens.map((_, t) =>
      add(
        b,
        ...U.map((weights, k) =>
          tokens[t + k - 1] === undefined ? b.map(() => 0) : column(weights, tokens[t + k - 1]),
        ),
      ).map(Math.tanh),
    );
  let h = b.map(() => 0);
  return tokens.map((known) => (h = add(b, times(W, h), column(U, known)).map(Math.tanh)));
}

/** What is read out: the last state, or the largest that each unit of the convolution had. */
export const pooled = (kind, all) =>
  kind === "conv" ? all[0].map((_, i) => Math.max(...all.map((h) => h[i]))) : all.at(-1);

/** Probability of each year. */
export function said(kind, params, tokens) {
  const o = add(params.c, times(params.V, pooled(kind, states(kind, params, tokens))));
  return softmax(o);
}

/** The sentence with its word number `from` moved to place `to`, both from 0. */
export function moved(words, from, to) {
  const others = words.toSpliced(from, 1);
  return others.toSpliced(to, 0, words[from]);
}

/** With the year at each place, and each of the years there in turn: how many of the three are named. */
export function named(kind, params, tokens) {
  const at = tokens.findIndex(isYear);
  if (at < 0) return tokens.map(() => null);
  return tokens.map((_, to) => {
    const there = moved(tokens, at, to);
    return YEARS.filter((_, year) => {
      const asked = there.with(to, WORDS.length + year);
      return argmax(said(kind, params, asked)) === year;
    }).length;
  });
}

/** Whether the weights that a year at place t (from 1) meets have met one in training. */
export const met = (kind, training, t) => kind !== "mlp" || TRAINING[training].places.includes(t);

/** Numbers to learn for sentences of up to T words, the output layer's among them. */
export function parameters(kind, T) {
  const inputs = { mlp: T, conv: 3, rnn: 1 }[kind] * UNITS * KNOWN;
  return inputs + (kind === "rnn" ? UNITS * UNITS : 0) + UNITS + YEARS.length * (UNITS + 1);
}

/** The sentence with `n` words: some are added at its end, or taken from there, never the year. */
export function resized(words, n) {
  let list = words;
  while (list.length > n) {
    const last = list.findLastIndex((word, i) => !isYear(token(word)) || i === 0);
    list = list.toSpliced(last, 1);
  }
  const has = (word) => list.some((other) => token(other) === token(word));
  const more = [...FILLERS.filter((word) => !has(word)), ...FILLERS];
  return [...list, ...more.slice(0, n - list.length)];
}

/** All that the figure shows of a sentence after a training. */
export function compute({ sentence, trained }) {
  const words = split(sentence);
  const tokens = words.map(token);
  const year = tokens.findIndex(isYear);
  const nets = KINDS.map((kind) => {
    const params = NETWORKS[trained][kind];
    const all = tokens.length ? states(kind, params, tokens) : [];
    return {
      kind,
      params,
      states: all,
      said: tokens.length ? said(kind, params, tokens) : null,
      named: named(kind, params, tokens),
      met: tokens.map((_, t) => met(kind, trained, t + 1)),
      parameters: parameters(kind, tokens.length),
    };
  });
  return { words, tokens, year, several: tokens.filter(isYear).length > 1, nets };
}
