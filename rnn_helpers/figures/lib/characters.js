// Small networks that predict the next character, as ../characters/trained.py and ../manual/trained.py
// store them. No DOM here.
import { sigmoid, softmax } from "./vectors.js";
import { bytes } from "./weights.js";

const LETTERS = { rnn: ["U", "W", "b", "V", "c"], lstm: [] };
for (const M of "UWb") for (const part of ["", "f", "g", "o"]) LETTERS.lstm.push(M + part);
LETTERS.lstm.push("V", "c");

/**
 * Return the functions of networks with one alphabet. A character's token is its place in the alphabet,
 * and each of the `networks` has its weights, which `decode` turns into whole numbers, their scales and
 * its number of units.
 */
export function readers(alphabet, networks, decode = bytes) {
  const places = new Map([...alphabet].map((character, token) => [character, token]));
  const strange = places.get("\u2022");
  const made = {};
  const params = (kind) => (made[kind] ??= unpacked(kind, networks[kind], places.size, decode));
  const zeros = (kind) => new Float64Array(networks[kind].units);
  return {
    params,
    /** The tokens of a text. An unknown character gets the token of a bullet. */
    encode: (text) => Array.from(text, (character) => places.get(character) ?? strange),
    /** The state before the first character: h and, in the LSTM, s are 0. */
    start: (kind) => (kind === "lstm" ? { h: zeros(kind), s: zeros(kind) } : { h: zeros(kind) }),
    /** The state after one more character, with the probabilities of the next, `yhat`. */
    step(kind, state, token) {
      const weights = params(kind);
      const next =
        kind === "lstm"
          ? cells(weights, state, token)
          : { h: sums(weights, "", state.h, token).map(Math.tanh) }; // (G 10.8)-(G 10.9)
      return { ...next, yhat: softmax(outputs(weights, next.h)) };
    },
  };
}

/** Weights of a network as the reference names them, row after row. */
function unpacked(kind, { weights, scales, units: n_h }, n_y, decode) {
  const whole = decode(weights);
  const sizes = { U: n_h * n_y, W: n_h * n_h, b: n_h, V: n_y * n_h, c: n_y };
  const arrays = {};
  let at = 0;
  LETTERS[kind].forEach((name, i) => {
    const size = sizes[name[0]];
    arrays[name] = Float64Array.from(whole.slice(at, at + size), (value) => value * scales[i]);
    at += size;
  });
  return arrays;
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
  const characters = U.length / b.length;
  for (let i = 0, at = 0; i < b.length; i++) {
    let a = b[i] + U[i * characters + token];
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
