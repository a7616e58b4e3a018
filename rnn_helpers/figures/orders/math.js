// The sentences about a 3 to the left of a 7, written word by word. This module doesn't use the DOM.
import CONSTANTS from "./constants.json";
import { random, sampled } from "../lib/random.js";

export const { DIGITS, SENTENCES, MANY } = CONSTANTS;
export const LENGTH = SENTENCES.left.length;
const ORDERS = Object.keys(SENTENCES);
const [THREE] = SENTENCES.left;
const OTHERS = CONSTANTS.NUMBERS.filter((name) => name !== THREE);

/**
 * The best probabilities of word `t`, from 0 on, as pairs of a word and its probability. `before` are the
 * words that were drawn. `read` is "whole" or "strips", and `fed` is "nothing", "shares" or "word".
 */
export function choices(t, before, read, fed) {
  // When the first strip has passed, the other digit may be any but a three.
  if (t === 0 && read === "strips")
    return [[THREE, 0.5], ...OTHERS.map((name) => [name, 0.5 / OTHERS.length])];
  const order = fed === "word" && t ? (before[0] === THREE ? "left" : "right") : null;
  const fitting = new Set(order ? [SENTENCES[order][t]] : ORDERS.map((each) => SENTENCES[each][t]));
  return [...fitting].map((word) => [word, 1 / fitting.size]);
}

/** Write `many` sentences. Feeding back probabilities changes nothing, so they are the same as without. */
export function written(seed, read, fed, many = MANY) {
  const { uniform } = random(seed);
  return Array.from({ length: many }, () => {
    const words = [];
    for (let t = 0; t < LENGTH; t++) {
      const open = choices(t, words, read, fed);
      const k = sampled(
        open.map(([, p]) => p),
        uniform(),
      );
      words.push(open[k][0]);
    }
    return words;
  });
}

/** The order to which word `t` belongs: "left", "right", "both", or null if it fits neither sentence. */
export function orderOf(t, word) {
  const fits = ORDERS.filter((each) => SENTENCES[each][t] === word);
  return fits.length > 1 ? "both" : (fits[0] ?? null);
}

export const isTrue = (words) =>
  ORDERS.some((each) => words.every((word, t) => SENTENCES[each][t] === word));
