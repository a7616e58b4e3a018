// Three small networks that say what they were told of a picture. No DOM here.
import CONSTANTS from "../../../rnn_helpers/explore/figures/context.json";
import STORED from "../../../rnn_helpers/explore/trained/context.json";
import { step as ofRNN } from "../../lib/rnn.js";
import { argmax, oneHot, times } from "../../lib/vectors.js";
import { scaled } from "../../lib/weights.js";

export const { DOORS, LETTERS, LENGTH, PICTURES, SENTENCES } = CONSTANTS;

/** Weights of a network, which are whole numbers times a scale for each array. */
export const network = (door) => scaled(STORED.networks[door], CONSTANTS.ARRAYS);
const NETWORKS = Object.fromEntries(DOORS.map((door) => [door, network(door)]));

/** One step: what it hears is the letter before, then the picture. */
export function step(door, h, before, picture) {
  return ofRNN(NETWORKS[door], [...oneHot(before, LETTERS.length), ...picture], h);
}

/** What a network says of a picture that is gone from a step on: letters, and the probabilities of each. */
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

/** How many letters are those of the sentence that goes with a picture. */
export const right = (letters, picture) =>
  letters.filter((k, t) => LETTERS[k] === SENTENCES[picture][t]).length;

/** How many letters of all pictures' sentences a network gets right. */
export const rightInAll = (door, gone) =>
  PICTURES.reduce((all, picture, i) => all + right(says(door, picture, gone).letters, i), 0);
