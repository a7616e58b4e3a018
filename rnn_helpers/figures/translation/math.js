// A trained network with attention that translates a few English words. This module doesn't use the DOM.
import CONSTANTS from "./constants.json";
import STORED from "./trained.json";
import { step as gated } from "../lib/gru.js";
import { add, argmax, dot, oneHot, softmax, times } from "../lib/vectors.js";
import { unpacked } from "../lib/weights.js";

export const { LONGEST, MOST } = CONSTANTS;
export const { english: ENGLISH, french: FRENCH } = STORED;
const END = FRENCH.length - 1;
const NET = { reader: {}, writer: {} };
for (const [name, array] of Object.entries(unpacked(STORED.network))) {
  const [part, own] = name.split("_");
  if (own) NET[part][own] = array;
  else NET[part] = array;
}

/** Split a text into words that the network has read in training, and others. */
export function known(text) {
  const words = text.split(/\s+/).filter(Boolean);
  const found = words.map((word) =>
    ENGLISH.find((one) => one.toLowerCase() === word.toLowerCase()),
  );
  return {
    source: found.filter(Boolean).slice(0, LONGEST),
    strange: words.filter((_, i) => !found[i]),
  };
}

/** Return the reader's state after each word. */
function read(source) {
  let h = NET.reader.b.map(() => 0);
  return source.map((word) => {
    h = gated(NET.reader, oneHot(ENGLISH.indexOf(word), ENGLISH.length), h);
    return h;
  });
}

/** Return the words of greedy decoding, and at each step the weights and the word's probability. */
export function translate(source) {
  const [steps, written] = [[], []];
  if (!source.length) return { steps, written };
  const notes = read(source);
  let [h, before] = [NET.h0, -1];
  while (written.length < MOST) {
    const query = times(NET.Q, h);
    const weights = softmax(notes.map((note) => dot(note, query)));
    const context = add(...notes.map((note, i) => note.map((value) => weights[i] * value)));
    h = gated(NET.writer, [...oneHot(before, FRENCH.length), ...context], h);
    const yhat = softmax(add(NET.c, times(NET.V, h)));
    before = argmax(yhat);
    steps.push({ weights, word: before === END ? "■" : FRENCH[before], p: yhat[before] });
    if (before === END) break;
    written.push(FRENCH[before]);
  }
  return { steps, written };
}

/** Return French words as a line of text: an apostrophe joins two words. */
export const joined = (words) => words.join(" ").replaceAll("' ", "’");
