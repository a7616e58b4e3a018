// Two trained networks that write dates, one of them with attention. This module doesn't use the DOM.
import CONSTANTS from "./constants.json";
import STORED from "./trained.json";
import { step as gated } from "../lib/gru.js";
import { add, argmax, dot, oneHot, softmax, sum, times } from "../lib/vectors.js";
import { unpacked } from "../lib/weights.js";

export const ALPHABET = STORED.alphabet;
/** Symbols of the output. The end symbol comes after them. */
export const OUTPUT = "0123456789-";
export const END = OUTPUT.length;
export const { MOST, LONGEST, BEAM } = CONSTANTS;

const made = {};
/** Return the weights of a network: its two readers, its writer, and its attention. */
export function network(way) {
  if (made[way]) return made[way];
  const net = { on: {}, back: {}, writer: {} };
  for (const [name, array] of Object.entries(unpacked(STORED.networks[way]))) {
    const [part, own] = name.split("_");
    if (own) net[part][own] = array;
    else net[part] = array;
  }
  made[way] = net;
  return net;
}

/** Return a text in lower case, without characters that the networks never read in training. */
export const cleaned = (text) =>
  [...text.toLowerCase()].filter((letter) => ALPHABET.includes(letter)).join("");

function states(cell, letters) {
  let h = cell.b.map(() => 0);
  return letters.map((letter) => {
    h = gated(cell, oneHot(ALPHABET.indexOf(letter), ALPHABET.length), h);
    return h;
  });
}

/** Return the annotation of each character: the states of both readers. */
export function read(way, text) {
  const letters = [...text];
  const on = states(network(way).on, letters);
  const back = states(network(way).back, letters.toReversed()).toReversed();
  return on.map((h, i) => [...h, ...back[i]]);
}

/** Take one step of the writer: a score for each annotation, a softmax, an average; then the cell. */
export function step(way, notes, before, h, sharpness = 1) {
  const { Q, V, c, writer } = network(way);
  const half = notes[0].length / 2;
  let query = [];
  let scores = [];
  let weights = [];
  let context = [...notes.at(-1).slice(0, half), ...notes[0].slice(half)];
  if (Q) {
    query = times(Q, h);
    scores = notes.map((note) => dot(note, query));
    weights = softmax(scores.map((score) => sharpness * score));
    context = add(...notes.map((note, i) => note.map((value) => weights[i] * value)));
  }
  const state = gated(writer, [...oneHot(before, END + 1), ...context], h);
  const yhat = softmax(add(c, times(V, state)));
  return { query, scores, weights, context, h: state, yhat };
}

/** Return the numbers that make the weight of character `k` at a step, and those made from it. */
export function sums({ step: { query, scores, weights, context }, notes, k, sharpness }) {
  const note = notes[k - 1];
  const products = note.map((value, i) => value * query[i]);
  const size = (i) => Math.abs(products[i]);
  const best = argmax(scores);
  const powers = scores.map((score) => Math.exp(sharpness * (score - scores[best])));
  return {
    note,
    query,
    products,
    largest: products
      .map((_, i) => i)
      .sort((i, j) => size(j) - size(i))
      .slice(0, 3),
    score: scores[k - 1],
    best,
    top: scores[best],
    powers,
    power: powers[k - 1],
    whole: sum(powers),
    weight: weights[k - 1],
    terms: notes.map((note, i) => weights[i] * note[0]),
    context: context[0],
  };
}

/** Return a network's greedy output, `written`, with every step. */
export function translate(way, text, sharpness = 1) {
  if (!text) return { written: "", steps: [] };
  const notes = read(way, text);
  const steps = [];
  let [h, before, written] = [network(way).h0, -1, ""];
  while (steps.length < MOST) {
    const now = step(way, notes, before, h, sharpness);
    [h, before] = [now.h, argmax(now.yhat)];
    steps.push({ ...now, symbol: before });
    if (before === END) break;
    written += OUTPUT[before];
  }
  return { written, steps, notes };
}

/** Return the most likely dates, which a beam search finds, with their probabilities. */
export function readings(way, text, sharpness = 1) {
  if (!text) return [];
  const notes = read(way, text);
  let beam = [{ written: "", p: 1, before: -1, h: network(way).h0 }];
  const goesOn = ({ before }) => before !== END;
  for (let t = 0; t < MOST && beam.some(goesOn); t++) {
    const longer = beam.flatMap((one) => {
      if (!goesOn(one)) return [one];
      const { h, yhat } = step(way, notes, one.before, one.h, sharpness);
      return yhat.map((share, k) => ({
        written: one.written + (OUTPUT[k] ?? ""),
        p: one.p * share,
        before: k,
        h,
      }));
    });
    beam = longer.sort((one, other) => other.p - one.p).slice(0, BEAM);
  }
  return beam.filter((one) => !goesOn(one)).map(({ written, p }) => [written, p]);
}
