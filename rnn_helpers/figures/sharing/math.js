// Three networks that name the year in a sentence: one with separate weights for each position, a
// convolution over three words, and an RNN, as figure.py runs them.
import { sentence as row, written } from "../lib/sentence.js";
import { add, argmax, softmax, times, upTo } from "../lib/vectors.js";
import { unpacked } from "../lib/weights.js";
import CONSTANTS from "./constants.json";
import CARRIED from "./trained.json";

/**
 * WORDS and YEARS that the networks can read; YEAR is the one that the figure shows. The MLP has
 * weights for LONGEST positions.
 */
export const { WORDS, YEARS, YEAR, LONGEST } = CONSTANTS;
export const KINDS = ["mlp", "conv", "rnn"];

const networks = {};
/** The weights of a network, unpacked when they are first needed. */
export const network = (trained, kind) =>
  (networks[`${trained} ${kind}`] ??= unpacked(CARRIED.networks[trained][kind]));

/** Tokens of the sentence with a year at `place` (from 1). */
export const sentence = (place, words, year = YEARS.indexOf(YEAR)) =>
  row(place, words, WORDS.length + year);

const column = (U, token) => U.map((row) => row[token]);
/** States after each word; for the MLP, its one state after the sentence. */
export function states(kind, { U, W, b }, tokens) {
  if (kind === "mlp")
    return [add(b, ...tokens.map((token, t) => column(U[t], token))).map(Math.tanh)];
  if (kind === "conv")
    return tokens.map((_, t) => {
      const seen = [-1, 0, 1].filter((k) => tokens[t + k] !== undefined);
      return add(b, ...seen.map((k) => column(U[k + 1], tokens[t + k]))).map(Math.tanh);
    });
  let h = b.map(() => 0);
  return tokens.map((token) => (h = add(b, times(W, h), column(U, token)).map(Math.tanh)));
}

/** The output layer's input: the last state, or the largest value of each unit of the convolution. */
export const pooled = (kind, all) =>
  kind === "conv" ? all[0].map((_, i) => Math.max(...all.map((h) => h[i]))) : all.at(-1);

/** Probability of each year. */
export const said = (kind, params, tokens) =>
  softmax(add(params.c, times(params.V, pooled(kind, states(kind, params, tokens)))));

const counted = {};
/** How many of the years a network names, with the year at each position of a sentence. */
export function named(kind, trained, words) {
  const key = [kind, trained, words].join();
  if (!counted[key]) {
    const params = network(trained, kind);
    const right = (place) => (_, year) =>
      argmax(said(kind, params, sentence(place, words, year))) === year;
    counted[key] = upTo(words).map((place) => YEARS.filter(right(place)).length);
  }
  return counted[key];
}

/** Everything that the figure shows. A position beyond the sentence gives way to the last one. */
export function compute({ place: asked, words: T, trained, view }) {
  const place = Math.min(asked, T);
  const tokens = sentence(place, T);
  const nets = (view === "three" ? KINDS : ["mlp"]).map((kind) => {
    const probabilities = said(kind, network(trained, kind), tokens);
    return {
      kind,
      said: probabilities,
      says: YEARS[argmax(probabilities)],
      named: named(kind, trained, T),
    };
  });
  return { place, words: written(tokens, [...WORDS, ...YEARS]), tokens, nets };
}
