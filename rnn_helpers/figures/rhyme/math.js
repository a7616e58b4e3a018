// A network that writes a rhyme and is made to choose a wrong letter, as figure.py
// computes it. This module doesn't use the DOM.
import CONSTANTS from "./constants.json";
import STORED from "./trained.json";
import { step } from "../lib/rnn.js";
import { argmax, oneHot } from "../lib/vectors.js";
import { bytes, scaled } from "../lib/weights.js";

export const { TEXT } = CONSTANTS;
export const LETTERS = [...new Set(TEXT)].sort();
/** The letters of the rhyme as tokens. */
export const Y = [...TEXT].map((letter) => LETTERS.indexOf(letter));
/** The weights of the network that was always fed the true letters, or that also practiced on its own. */
export function network(training) {
  const { weights, shapes, scales } = STORED[training];
  const all = bytes(weights);
  const numbers = all.flatMap((low, i) => (i % 2 ? [] : (low & 255) | (all[i + 1] << 8)));
  const take = ([n, wide]) =>
    wide ? Array.from({ length: n }, () => numbers.splice(0, wide)) : numbers.splice(0, n);
  const whole = CONSTANTS.ARRAYS.map((name) => take(shapes[name]));
  return scaled({ whole, scales }, CONSTANTS.ARRAYS);
}

const made = {};
const paramsOf = (training) => (made[training] ??= network(training));

/**
 * Write the rhyme: the token of each letter and all probabilities. At the letter `slip`, counted
 * from 1, the network chooses the second most likely letter. Its next input is its own letter or, unless
 * `own`, the true one. `training` names the network.
 */
export function run(slip, own, training = "truth") {
  const params = paramsOf(training);
  let h = params.b.map(() => 0);
  let fed = Y.at(-1); // a line break comes first
  return Y.map((y, i) => {
    const { yhat, ...now } = step(params, oneHot(fed, LETTERS.length), h);
    h = now.h;
    const first = argmax(yhat);
    const second = () => argmax(yhat.map((p, k) => (k === first ? -1 : p)));
    const token = i + 1 === slip ? second() : first;
    fed = own ? token : y;
    return { token, yhat };
  });
}

/** Count the wrong letters after the slip, up to letter t. */
export const wrong = (steps, slip, t) =>
  steps.slice(slip, t).filter(({ token }, i) => token !== Y[slip + i]).length;
