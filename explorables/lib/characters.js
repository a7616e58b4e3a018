// Two small networks that have learned to read Python, and what the figures ask them. No DOM here.
// rnn_helpers/explore/characters.py holds the same networks, and says how they were made.
import STORED from "../../rnn_helpers/explore/characters.json";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const LETTERS = { rnn: ["U", "W", "b", "V", "c"], lstm: [] };
for (const M of "UWb") for (const part of ["", "f", "g", "o"]) LETTERS.lstm.push(M + part);
LETTERS.lstm.push("V", "c");

/** Characters that the networks know; a character's token is its place. */
export const ALPHABET = [...STORED.alphabet];
export const UNITS = { rnn: 30, lstm: 40 };
/** For each network: bits per character, and the units' correlations with features, on unseen text. */
export const MEASURED = { rnn: STORED.networks.rnn.measured, lstm: STORED.networks.lstm.measured };

const STRANGE = ALPHABET.indexOf("\u2022");
const PLACES = new Map(ALPHABET.map((character, token) => [character, token]));

/** Tokens of a text; characters that the networks do not know become a bullet's. */
export const encode = (text) => Array.from(text, (character) => PLACES.get(character) ?? STRANGE);

/** Bytes, -127 to 127, from base 64. */
function bytes(text) {
  const found = [];
  for (let at = 0; at < text.length; at += 4) {
    let word = 0;
    for (let i = 0; i < 4; i++) word = (word << 6) | Math.max(DIGITS.indexOf(text[at + i]), 0);
    for (const shift of [16, 8, 0]) found.push(((word >> shift) << 24) >> 24);
  }
  return found;
}

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
  return (made[kind] = arrays);
}

/** The state before the first character: h, and of the LSTM s, all 0. */
export function start(kind) {
  const zeros = () => new Float64Array(UNITS[kind]);
  return kind === "lstm" ? { h: zeros(), s: zeros() } : { h: zeros() };
}

/** The state after one more character, with the probabilities of the next, `yhat`. */
export function step(kind, state, token) {
  const weights = params(kind);
  const n_h = UNITS[kind];
  const n_y = ALPHABET.length;
  const sum = (part, i) => {
    const W = weights[`W${part}`];
    let a = weights[`b${part}`][i] + weights[`U${part}`][i * n_y + token];
    for (let j = 0, at = i * n_h; j < n_h; j++, at++) a += W[at] * state.h[j];
    return a;
  };
  const next = start(kind);
  for (let i = 0; i < n_h; i++) {
    if (kind === "lstm") {
      next.s[i] = sigmoid(sum("f", i)) * state.s[i] + sigmoid(sum("g", i)) * Math.tanh(sum("", i)); // (10.41)
      next.h[i] = Math.tanh(next.s[i]) * sigmoid(sum("o", i)); // (10.42)
    } else next.h[i] = Math.tanh(sum("", i)); // (10.8)-(10.9)
  }
  return { ...next, yhat: softmax(outputs(weights, next.h, n_y)) };
}

/** o = c + V h, (10.10). */
function outputs({ V, c }, h, n_y) {
  const o = Float64Array.from(c);
  for (let k = 0, at = 0; k < n_y; k++) for (let j = 0; j < h.length; j++, at++) o[k] += V[at] * h[j];
  return o;
}

/** Probabilities from outputs, divided by a temperature above 0. */
export function softmax(o, temperature = 1) {
  const most = Math.max(...o);
  const heights = o.map((value) => Math.exp((value - most) / temperature));
  const whole = heights.reduce((p, q) => p + q);
  return heights.map((value) => value / whole);
}

const sigmoid = (a) => 1 / (1 + Math.exp(-a));
