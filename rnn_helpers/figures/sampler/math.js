// Text that a network writes by itself, as model.py writes it. This module doesn't use the DOM.
import CONSTANTS from "./constants.json";
import { alphabet, network } from "../manual/trained.json";
import { readers } from "../lib/characters.js";
import { random } from "../lib/random.js";
import { argmax, over, sum } from "../lib/vectors.js";
import { letters } from "../lib/weights.js";

export const LENGTH = 400; // characters that are shown
export const AHEAD = 1200; // characters that are searched for a cycle
const { SAME } = CONSTANTS; // states that differ by less in every unit count as the same
const ROUNDS = 3; // that a cycle must have completed

/** Sort the tokens, the most likely first. */
export const ranked = (yhat) => [...yhat.keys()].sort((i, j) => yhat[j] - yhat[i] || i - j);

/** Divide the logits of a softmax by a temperature; at 0 the most likely token gets everything. */
export function tempered(yhat, temperature) {
  const first = argmax(yhat);
  const heights = yhat.map((p, i) =>
    temperature ? (p / yhat[first]) ** (1 / temperature) : +(i === first),
  );
  return over(heights, sum(heights));
}

/** Find the token whose piece of the line from 0 to 1 contains u; the most likely ones come first. */
export function draw(yhat, temperature, u) {
  const first = argmax(yhat);
  if (!temperature) return first;
  const likely = tempered(yhat, temperature);
  const left = Float64Array.from(yhat); // of the tokens that are still to come
  let token = first;
  for (let below = likely[token]; u >= below; below += likely[token]) {
    left[token] = -1;
    token = left.reduce((best, p, i) => (p > left[best] ? i : best), 0);
    if (left[token] < 0) return first; // rounding left u beyond the last piece
  }
  return token;
}

const NET = "lstm";
const { encode, start, step } = readers(alphabet, { [NET]: network }, letters);

/** Return the state after a prompt. White space, which the network knows only as single spaces, is one. */
export const read = (prompt) =>
  encode(prompt.replace(/\s+/g, " ") || " ").reduce(
    (state, token) => step(NET, state, token),
    start(NET),
  );

/**
 * Write a text: the token of each character, the u that drew it, and the state it was drawn from.
 * `until(n)` continues the same text to n characters.
 */
export function write(prompt, temperature, seed) {
  const { uniform } = random(seed);
  const written = [];
  let state = read(prompt);
  const until = (n) => {
    while (written.length < n) {
      const u = uniform();
      const token = draw(state.yhat, temperature, u);
      written.push({ token, u, ...state });
      state = step(NET, state, token);
    }
    return written;
  };
  return { written, until };
}

export const character = (token) => alphabet[token];

/** Count the characters that were not the most likely. */
export const unlikely = (written) =>
  written.filter(({ token, yhat }) => yhat[token] < Math.max(...yhat)).length;

/**
 * Find the cycle that fills the second half of the tokens, at least three times: its `length`, and
 * the number of characters `before` it. Return null if there is none.
 */
export function cycle(tokens) {
  const tail = tokens.slice(tokens.length >> 1);
  for (let length = 1; ROUNDS * length <= tail.length; length++) {
    if (tail.some((token, i) => i >= length && token !== tail[i - length])) continue;
    let before = tokens.length;
    while (before > length && tokens[before - 1] === tokens[before - 1 - length]) before--;
    return { length, before: before - length };
  }
  return null;
}

/** Find the first character whose state is the same as `length` characters before; or null. */
export function returns(written, length) {
  const near = (p, q) => !p || p.every((value, i) => Math.abs(value - q[i]) < SAME);
  const at = written.findIndex((now, t) => {
    const before = written[t - length];
    return before && near(now.h, before.h) && near(now.s, before.s);
  });
  return at < 0 ? null : at;
}
