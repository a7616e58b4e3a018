// Two small networks trained to predict the characters of Python code. No DOM here.
// rnn_helpers/explore/characters.py has the same networks, and describes how they were trained.
import { sigmoid, softmax } from "./vectors.js";
import { bytes } from "./weights.js";
import STORED from "../characters/trained.json";

const LETTERS = { rnn: ["U", "W", "b", "V", "c"], lstm: [] };
for (const M of "UWb") for (const part of ["", "f", "g", "o"]) LETTERS.lstm.push(M + part);
LETTERS.lstm.push("V", "c");

/** The characters that the networks know. A character's token is its index. */
export const ALPHABET = [...STORED.alphabet];
/** For each network: bits per character, and the units' correlations with features, on unseen text. */
export const MEASURED = { rnn: STORED.networks.rnn.measured, lstm: STORED.networks.lstm.measured };
export const UNITS = { rnn: MEASURED.rnn.brackets.length, lstm: MEASURED.lstm.brackets.length };

const STRANGE = ALPHABET.indexOf("\u2022");
const PLACES = new Map(ALPHABET.map((character, token) => [character, token]));

/** The tokens of a text. An unknown character gets the token of a bullet. */
export const encode = (text) => Array.from(text, (character) => PLACES.get(character) ?? STRANGE);

const made = {};
/** Weights of a network as the reference names them, row after row. */
export function params(kind) {
  if (made[kind]) return made[kind];
  const { weights, scales } = STORED.networks[kind];
  const whole = bytes(weights);
  const [n_h, n_y] = [UNITS[kind], ALPHABET.length];
  const sizes = { U: n_h * n_y, W: n_h * n_h, b: n_h, V: n_y * n_h, c: n_y };
  const arrays = {};
  let at = 0;
  LETTERS[kind].forEach((name, i) => {
    const size = sizes[name[0]];
    arrays[name] = Float64Array.from(whole.slice(at, at + size), (value) => value * scales[i]);
    at += size;
  });
  made[kind] = arrays;
  return arrays;
}

/** The state before the first character: h and, in the LSTM, s are 0. */
export function start(kind) {
  const zeros = () => new Float64Array(UNITS[kind]);
  return kind === "lstm" ? { h: zeros(), s: zeros() } : { h: zeros() };
}

/** The state after one more character, with the probabilities of the next, `yhat`. */
export function step(kind, state, token) {
  const weights = params(kind);
  const next =
    kind === "lstm"
      ? cells(weights, state, token)
      : { h: sums(weights, "", state.h, token).map(Math.tanh) }; // (G 10.8)-(G 10.9)
  return { ...next, yhat: softmax(outputs(weights, next.h)) };
}

/** A step of the LSTM's cells. */
function cells(weights, { h, s }, token) {
  const [input, forget, added, shown] = ["", "f", "g", "o"].map((part) =>
    sums(weights, part, h, token),
  );
  const next = { h: new Float64Array(h.length), s: new Float64Array(h.length) };
  for (let i = 0; i < h.length; i++) {
    next.s[i] = sigmoid(forget[i]) * s[i] + sigmoid(added[i]) * Math.tanh(input[i]); // (G 10.41)
    next.h[i] = Math.tanh(next.s[i]) * sigmoid(shown[i]); // (G 10.42)
  }
  return next;
}

/** b + U x + W h of one part of the cells. */
function sums(weights, part, h, token) {
  const [U, W, b] = [weights[`U${part}`], weights[`W${part}`], weights[`b${part}`]];
  const found = new Float64Array(b.length);
  for (let i = 0, at = 0; i < b.length; i++) {
    let a = b[i] + U[i * ALPHABET.length + token];
    for (let j = 0; j < b.length; j++, at++) a += W[at] * h[j];
    found[i] = a;
  }
  return found;
}

/** o = c + V h, (G 10.10). */
function outputs({ V, c }, h) {
  const o = new Float64Array(c.length);
  for (let k = 0, at = 0; k < c.length; k++) {
    let sum = c[k];
    for (let j = 0; j < h.length; j++, at++) sum += V[at] * h[j];
    o[k] = sum;
  }
  return o;
}
