// Three small networks that describe a picture in a sentence. This module doesn't use the DOM.
import CONSTANTS from "./constants.json";
import STORED from "./trained.json";
import { step as ofRNN } from "../lib/rnn.js";
import { argmax, oneHot, times } from "../lib/vectors.js";
import { scaled } from "../lib/weights.js";

export const { DOORS, LETTERS, LENGTH, PICTURES, SENTENCES } = CONSTANTS;

/** Return the weights of a network: whole numbers times a scale for each array. */
export const network = (door) => scaled(STORED.networks[door], CONSTANTS.ARRAYS);
const NETWORKS = Object.fromEntries(DOORS.map((door) => [door, network(door)]));

/** Return the result of one step, whose input is the letter before and the picture. */
export function step(door, h, before, picture) {
  return ofRNN(NETWORKS[door], [...oneHot(before, LETTERS.length), ...picture], h);
}

/** Return a network's letters and their probabilities for a picture that is gone from step `gone` on. */
export function says(door, picture, gone) {
  let h = times(NETWORKS[door].S, picture);
  const letters = [];
  const p = [];
  for (let t = 1; t <= LENGTH; t++) {
    const now = step(
      door,
      h,
      letters.at(-1),
      picture.map((pixel) => (t < gone ? pixel : 0)),
    );
    h = now.h;
    p.push(now.yhat);
    letters.push(argmax(now.yhat));
  }
  return { letters, p };
}

/** Count the letters that agree with the sentence of a picture. */
export const right = (letters, picture) =>
  letters.filter((k, t) => LETTERS[k] === SENTENCES[picture][t]).length;

/** Count the letters that a network gets right in the sentences of all pictures. */
export const rightInAll = (door, gone) =>
  PICTURES.reduce((all, picture, i) => all + right(says(door, picture, gone).letters, i), 0);
