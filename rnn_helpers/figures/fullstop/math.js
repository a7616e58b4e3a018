// The forget gates of an LSTM that predicts the next letter, at five moments of its training. This
// module doesn't use the DOM.
import { sigmoid } from "../lib/vectors.js";
import { unpacked } from "../lib/weights.js";
import TRAINED from "./trained.json";

export const ALPHABET = " .,abcdefghijklmnopqrstuvwxyz";
export const STAGES = Object.keys(TRAINED.stages);
export const [UNITS] = TRAINED.shapes.b;
/** How many gates of each of several networks are below one half on average, by the kind of character. */
export const { closed } = TRAINED;

const made = {};
/** The weights after a number of updates. */
const params = (stage) =>
  (made[stage] ??= unpacked({ ...TRAINED.stages[stage], shapes: TRAINED.shapes }));

/** b + U x + W h of one part of the cells, where x is a one-hot vector. */
const sums = (p, part, h, token) =>
  p[`b${part}`].map((b, i) =>
    p[`W${part}`][i].reduce((sum, w, j) => sum + w * h[j], b + p[`U${part}`][i][token]),
  );

/** The forget gates of all cells after each character, (G 10.40)-(G 10.44). */
export function gates(stage, text) {
  const p = params(stage);
  let h = p.b.map(() => 0);
  let s = h;
  return Array.from(text, (character) => {
    const token = ALPHABET.indexOf(character);
    const [f, g, q] = ["f", "g", "o"].map((part) => sums(p, part, h, token).map(sigmoid));
    const c = sums(p, "", h, token).map(Math.tanh);
    s = s.map((old, i) => f[i] * old + g[i] * c[i]);
    h = s.map((now, i) => q[i] * Math.tanh(now));
    return f;
  });
}

export const shut = (f) => f.filter((gate) => gate < 0.5).length;

export const KINDS = { ".": "full stop", ",": "comma", " ": "space" };
export const kindOf = (character) => KINDS[character] ?? "letter";

/** For each kind of character in a text, the mean number of gates below one half. */
export function habits(text, steps) {
  const kinds = Array.from(text, kindOf);
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return ["letter", ...Object.values(KINDS)]
    .filter((kind) => kinds.includes(kind))
    .map((kind) => [kind, mean(steps.filter((_, i) => kinds[i] === kind).map(shut))]);
}
