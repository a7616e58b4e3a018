// Two trained networks that write dates, one of which looks back at what it has read. No DOM here.
import CONSTANTS from "../../../rnn_helpers/explore/figures/attention.json";
import STORED from "../../../rnn_helpers/explore/trained/attention.json";
import { bytes } from "../../lib/bytes.js";
import { step as gated } from "../../lib/gru.js";
import { add, argmax, dot, softmax, times } from "../../lib/vectors.js";

export const ALPHABET = STORED.alphabet;
export const MEASURED = STORED.measured;
/** Symbols that are written; the end is one more. */
export const OUTPUT = "0123456789-";
export const END = OUTPUT.length;
export const { MOST, LONGEST, BEAM } = CONSTANTS;

const made = {};
/** Weights of a network, which are whole numbers times a scale for each array. */
export function network(way) {
  if (made[way]) return made[way];
  const { weights, shapes, scales } = STORED.networks[way];
  const whole = bytes(weights);
  const net = { on: {}, back: {}, writer: {} };
  let at = 0;
  Object.entries(shapes).forEach(([name, [rows, columns]], i) => {
    const take = (n) => {
      at += n;
      return whole.slice(at - n, at).map((value) => value * scales[i]);
    };
    const array = columns ? Array.from({ length: rows }, () => take(columns)) : take(rows);
    const [part, own] = name.split("_");
    if (own) net[part][own] = array;
    else net[part] = array;
  });
  made[way] = net;
  return net;
}

/** A text in small letters, without what the networks have never read. */
export const cleaned = (text) =>
  [...text.toLowerCase()].filter((letter) => ALPHABET.includes(letter)).join("");

const oneHot = (k, n) => Array.from({ length: n }, (_, i) => Number(i === k));

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
  let scores = [];
  let weights = [];
  let told = [...notes.at(-1).slice(0, half), ...notes[0].slice(half)];
  if (Q) {
    const asked = times(Q, h);
    scores = notes.map((note) => dot(note, asked));
    weights = softmax(scores.map((score) => sharpness * score));
    told = add(...notes.map((note, i) => note.map((value) => weights[i] * value)));
  }
  const state = gated(writer, [...oneHot(before, END + 1), ...told], h);
  const yhat = softmax(add(c, times(V, state)));
  return { scores, weights, told, h: state, yhat };
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

/** The likeliest dates that a network may write, and their probabilities: a beam of a few. */
export function readings(way, text, sharpness = 1) {
  if (!text) return [];
  const notes = read(way, text);
  let beam = [{ written: "", p: 1, before: -1, h: network(way).h0 }];
  const done = [];
  for (let t = 0; t < MOST && beam.length; t++) {
    const longer = beam.flatMap((one) => {
      const { h, yhat } = step(way, notes, one.before, one.h, sharpness);
      return yhat.map((share, k) => ({ ...one, h, before: k, p: one.p * share }));
    });
    longer.sort((one, other) => other.p - one.p);
    const kept = longer.slice(0, BEAM);
    done.push(...kept.filter(({ before }) => before === END));
    beam = kept
      .filter(({ before }) => before !== END)
      .map((one) => ({ ...one, written: one.written + OUTPUT[one.before] }));
  }
  return done.sort((one, other) => other.p - one.p).map(({ written, p }) => [written, p]);
}
