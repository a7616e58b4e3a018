// The units of two networks while they read a text, and the features of the text that they follow. This
// module doesn't use the DOM.
import STORED from "../characters/trained.json";
import { readers } from "../lib/characters.js";
import { clamp } from "../lib/scales.js";
import { dot, sum } from "../lib/vectors.js";

const { rnn, lstm } = STORED.networks;
/** The characters that the networks know. */
export const ALPHABET = [...STORED.alphabet];
/** For each network: bits per character, and the units' correlations with features, on unseen text. */
export const MEASURED = { rnn: rnn.measured, lstm: lstm.measured };
export const UNITS = { rnn: rnn.measured.brackets.length, lstm: lstm.measured.brackets.length };
export const { encode, start, step } = readers(ALPHABET, {
  rnn: { ...rnn, units: UNITS.rnn },
  lstm: { ...lstm, units: UNITS.lstm },
});
export const LONGEST = 96; // characters of the longest text

const letterOrDigit = /[\p{L}\p{N}]/u;

/** The features that a unit may follow: the label of each, and its name in a sentence. */
export const FEATURES = {
  brackets: { label: "brackets", says: "inside brackets" },
  quotes: { label: "quotes", says: "inside quotes" },
  indent: { label: "indent", says: "in the indent" },
  line: { label: "line", says: "the place in the line" },
  space: { label: "space", says: "a space just read" },
};

/** Return each feature at each character: the place in the line, and for the others 1 or 0. */
export function features(text) {
  const labels = Object.fromEntries(Object.keys(FEATURES).map((name) => [name, []]));
  let [depth, mark, line, indent, before] = [0, "", 0, 1, ""];
  for (const character of text) {
    if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) depth = Math.max(depth - 1, 0);
    if (mark) mark = character === mark || character === "\n" ? "" : mark;
    else if ("'\"".includes(character) && !letterOrDigit.test(before)) mark = character;
    line++;
    indent &= character === " ";
    if (character === "\n") [depth, line, indent] = [0, 0, 1];
    const now = {
      brackets: +(depth > 0),
      quotes: +(mark !== ""),
      indent,
      line,
      space: +(character === " "),
    };
    for (const name in labels) labels[name].push(now[name]);
    before = character;
  }
  return labels;
}

/** Return the values of a state that the map shows: h, or tanh(s) for the LSTM. */
export const shown = (state) => Array.from(state.s ?? state.h, state.s ? Math.tanh : Number);

/**
 * Return, after each character of a text, the units' values and the probabilities of the next character.
 * The steps of the text's beginning are taken from `known`, the steps of another text, where both agree.
 */
export function read(net, text, known = []) {
  let state = start(net);
  let same = true;
  return encode(text).map((token, i) => {
    same &&= known[i]?.token === token;
    const now = same ? known[i] : { token, state: step(net, state, token) };
    state = now.state;
    return same ? now : { ...now, units: shown(state), yhat: state.yhat };
  });
}

/** Return the correlation of each unit with a feature; 0 if one of the two is constant. */
export function correlations(steps, feature) {
  const course = centred(feature);
  return steps[0].units.map((_, i) => {
    const unit = centred(steps.map(({ units }) => units[i]));
    const power = Math.sqrt(dot(unit, unit) * dot(course, course));
    return power > 0 ? dot(unit, course) / power : 0;
  });
}

/** Subtract the mean. A constant becomes exactly 0, because its rounding errors would correlate with anything. */
function centred(values) {
  if (values.every((value) => value === values[0])) return values.map(() => 0);
  const mean = sum(values) / values.length;
  return values.map((value) => value - mean);
}

/** Sort the units, counted from 0, by the sizes of their correlations. */
export const ranked = (rs) =>
  [...rs.keys()].sort((i, j) => Math.abs(rs[j]) - Math.abs(rs[i]) || i - j);

/** Return the unit, counted from 1, that follows a feature best in unseen code. */
export const best = (net, feature) => ranked(MEASURED[net][feature])[0] + 1;

export const ROWS = 16; // units that are shown at once
const NEAR = 2; // units between the chosen one and the edge of those shown

/** Return the number of units above those shown: `before` if `unit` is then well inside, else the nearest number. */
export function above(unit, n, before = unit - ROWS / 2 - 1) {
  const near = clamp(before, unit + NEAR - ROWS, unit - NEAR - 1);
  return clamp(near, 0, Math.max(n - ROWS, 0));
}

/** Return the tokens of the most likely next characters. */
export const likeliest = (yhat, count) =>
  [...yhat.keys()].sort((i, j) => yhat[j] - yhat[i] || i - j).slice(0, count);
