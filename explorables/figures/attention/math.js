// Two trained networks that write dates, one of which looks back at what it has read. No DOM here.
import CONSTANTS from "../../../rnn_helpers/explore/figures/attention.json";
import STORED from "../../../rnn_helpers/explore/trained/attention.json";
import { step as gated } from "../../lib/gru.js";
import { add, argmax, dot, oneHot, softmax, sum, times } from "../../lib/vectors.js";
import { unpacked } from "../../lib/weights.js";

export const ALPHABET = STORED.alphabet;
export const MEASURED = STORED.measured;
/** Symbols that are written; the end is one more. */
export const OUTPUT = "0123456789-";
export const END = OUTPUT.length;
export const { MOST, LONGEST, BEAM } = CONSTANTS;

const made = {};
/** Weights of a network: of its two readers, its writer, and what it looks with. */
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

/** A text in small letters, without what the networks have never read. */
export const cleaned = (text) =>
  [...text.toLowerCase()].filter((letter) => ALPHABET.includes(letter)).join("");

function states(cell, letters) {
  let h = cell.b.map(() => 0);
  return letters.map((letter) => {
    h = gated(cell, oneHot(ALPHABET.indexOf(letter), ALPHABET.length), h);
    return h;
  });
}

/** What both readers hold at each character of a text. */
export function read(way, text) {
  const letters = [...text];
  const on = states(network(way).on, letters);
  const back = states(network(way).back, letters.toReversed()).toReversed();
  return on.map((h, i) => [...h, ...back[i]]);
}

/** One step of the writer: a score for each annotation, a softmax, an average; then the cell. */
export function step(way, notes, before, h, sharpness = 1) {
  const { Q, V, c, writer } = network(way);
  const half = notes[0].length / 2;
  let asked = [];
  let scores = [];
  let weights = [];
  let told = [...notes.at(-1).slice(0, half), ...notes[0].slice(half)];
  if (Q) {
    asked = times(Q, h);
    scores = notes.map((note) => dot(note, asked));
    weights = softmax(scores.map((score) => sharpness * score));
    told = add(...notes.map((note, i) => note.map((value) => weights[i] * value)));
  }
  const state = gated(writer, [...oneHot(before, END + 1), ...told], h);
  const yhat = softmax(add(c, times(V, state)));
  return { asked, scores, weights, told, h: state, yhat };
}

/** What a weight is made of, and what is made of it: of character `k` at a step of the writer. */
export function sums({ step: { asked, scores, weights, told }, notes, k, sharpness }) {
  const held = notes[k - 1];
  const products = held.map((value, i) => value * asked[i]);
  const size = (i) => Math.abs(products[i]);
  const best = argmax(scores);
  const powers = scores.map((score) => Math.exp(sharpness * (score - scores[best])));
  return {
    held,
    asked,
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
    told: told[0],
  };
}

/** What a network writes, always what is most probable: `written`, and every step. */
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

/** The likeliest dates that a network may write, and their probabilities: the beam of `beam_search`. */
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
