// A picture of two digits, an encoder with two layers of convolutions, and three decoders. This module
// doesn't use the DOM.
import CONSTANTS from "./constants.json";
import STORED from "./trained.json";
import { step as gru } from "../lib/gru.js";
import { random, sampled } from "../lib/random.js";
import { add, argmax, oneHot, softmax, times } from "../lib/vectors.js";
import { unpacked } from "../lib/weights.js";

export const { WORDS, MOST, SIDE } = CONSTANTS;
export const END = WORDS.length - 1;
export const HALF = 8; // pixels in a row of one digit
const SHADES = 15; // shades of a pixel besides white; a text has a hexadecimal digit for each pixel

export const network = (part) => unpacked(STORED.networks[part]);
const NETWORKS = Object.fromEntries(
  Object.keys(STORED.networks).map((part) => [part, network(part)]),
);

/** Return the shades of one digit as text: those of one of the ten stored digits, or of a drawn one. */
const shadesOf = (text) =>
  /^[0-9]$/.test(text) ? CONSTANTS.DIGITS[Number(text)] : text.padEnd(64, "0");

/** Return the 64 pixels of one digit, from 0 to 1. */
export const half = (text) => [...shadesOf(text)].map((shade) => parseInt(shade, 16) / SHADES);

/** Return the row and the column of the corners of both digits. */
export function corners(place) {
  const middle = (SIDE - HALF) / 2;
  return [2, 2 + HALF].map((near) => (place === "left" ? [middle, near] : [near, middle]));
}

/** Return the whole picture, row by row. */
export function picture(first, second, place) {
  const made = new Array(SIDE * SIDE).fill(0);
  corners(place).forEach(([row, column], i) =>
    half(i ? second : first).forEach((ink, k) => {
      made[(row + Math.floor(k / HALF)) * SIDE + column + (k % HALF)] = ink;
    }),
  );
  return made;
}

/** Return the text of a digit after the pen has moved in it from `a` to `b`. */
export function stroke(text, a, b) {
  const [wx, wy] = [b[0] - a[0], b[1] - a[1]];
  const long = Math.max(wx * wx + wy * wy, 1e-9);
  return half(text)
    .map((ink, k) => {
      const [x, y] = [(k % HALF) + 0.5 - a[0], Math.floor(k / HALF) + 0.5 - a[1]];
      const along = Math.min(Math.max((x * wx + y * wy) / long, 0), 1);
      const gap = Math.hypot(x - along * wx, y - along * wy);
      const shade = Math.max(ink, Math.min(Math.max(1.5 - gap, 0), 1));
      return Math.round(SHADES * shade).toString(16);
    })
    .join("");
}

/** Return the maps of 3 x 3 convolutions with stride 2, followed by ReLU. */
function convolved(maps, side, K, k) {
  const half = Math.ceil(side / 2);
  return K.map((weights, n) =>
    Array.from({ length: half * half }, (_, at) => {
      const [row, column] = [2 * Math.floor(at / half) - 1, 2 * (at % half) - 1];
      let a = k[n];
      for (let w = 0; w < weights.length; w++) {
        const [r, c] = [row + (Math.floor(w / 3) % 3), column + (w % 3)];
        if (r >= 0 && c >= 0 && r < side && c < side)
          a += weights[w] * maps[Math.floor(w / 9)][r * side + c];
      }
      return Math.max(a, 0);
    }),
  );
}

/** Return the encoder's maps of both layers, and the context. */
export function look(picture) {
  const { K1, k1, K2, k2, C, d } = NETWORKS.eye;
  const one = convolved([picture], SIDE, K1, k1);
  const two = convolved(one, SIDE / 2, K2, k2);
  return { one, two, context: add(times(C, two.flat()), d).map(Math.tanh) };
}

/** Return the state and the probabilities after one step. In the `first` step, the picture enters before any word. */
export function step(door, context, before, h, first = false) {
  const params = NETWORKS[door];
  const told = first || door !== "start" ? context : context.map(() => 0);
  const state = gru(params, [...oneHot(before, WORDS.length), ...told], h);
  return { h: state, p: softmax(add(times(params.V, state), params.c)) };
}

/**
 * Return the words of a decoder: the most likely one at each step or, if `draw` is at least 1, a sample.
 * Step 2 receives the decoder's own first word, or else the word `told`.
 */
export function says(door, context, draw = 0, told = "own") {
  const { uniform } = random(draw);
  let h = NETWORKS[door].b.map(() => 0);
  if (door !== "step") ({ h } = step(door, context, null, h, true));
  const [words, p] = [[], []];
  while (words.length < MOST && words.at(-1) !== END) {
    const lie = words.length === 1 && told !== "own";
    const now = step(door, context, lie ? WORDS.indexOf(told) : words.at(-1), h);
    h = now.h;
    p.push(now.p);
    words.push(draw ? sampled(now.p, uniform()) : argmax(now.p));
  }
  return { words, p };
}
