// What the units of two networks do while they read a text, and which of them follows what. No DOM
// here.
import { ALPHABET, encode, MEASURED, start, step, UNITS } from "../../lib/characters.js";
import { clamp } from "../../lib/scales.js";
import { dot, sum } from "../../lib/vectors.js";

export { ALPHABET, encode, MEASURED, start, step, UNITS };
/** Longest text that the figure takes. */
export const LONGEST = 96;

const letterOrDigit = /[\p{L}\p{N}]/u;

/** What a unit may follow: its name, and what it is called where it is 1 and elsewhere. */
export const FEATURES = {
  brackets: { label: "brackets", says: "inside brackets" },
  quotes: { label: "quotes", says: "inside quotes" },
  indent: { label: "indent", says: "in the indent" },
  line: { label: "line", says: "the place in the line" },
  space: { label: "space", says: "a space just read" },
};

/** Of each character of a text: 1 inside brackets, quotes, the indent, at a space, else 0; its place in the line. */
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

/** What is shown of a state: h, of the LSTM tanh(s). */
export const shown = (state) => Array.from(state.s ?? state.h, state.s ? Math.tanh : Number);

/**
 * After each character of a text: what is shown of each unit, and the probabilities of the next.
 * What a text has in common with the one `known`, at its beginning, is not read again.
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

/** Correlation of each unit's course with that of a feature; 0 for one that never changes. */
export function correlations(steps, feature) {
  const course = centred(feature);
  return steps[0].units.map((_, i) => {
    const unit = centred(steps.map(({ units }) => units[i]));
    const power = Math.sqrt(dot(unit, unit) * dot(course, course));
    return power > 0 ? dot(unit, course) / power : 0;
  });
}

/** Numbers less their mean; what rounding leaves of a constant would correlate with anything. */
function centred(values) {
  if (values.every((value) => value === values[0])) return values.map(() => 0);
  const mean = sum(values) / values.length;
  return values.map((value) => value - mean);
}

/** Units, from 0, that follow best, by the sizes of their correlations. */
export const ranked = (rs) =>
  [...rs.keys()].sort((i, j) => Math.abs(rs[j]) - Math.abs(rs[i]) || i - j);

/** The unit, from 1, that follows a feature best in unseen code. */
export const best = (net, feature) => ranked(MEASURED[net][feature])[0] + 1;

/** Units that are shown at once, and how near its edge the chosen one may come. */
export const ROWS = 16;
const NEAR = 2;

/** Units, from 0, above those shown: as `before` if `unit` is well inside, else just moved on. */
export function above(unit, n, before = unit - ROWS / 2 - 1) {
  const near = clamp(before, unit + NEAR - ROWS, unit - NEAR - 1);
  return clamp(near, 0, Math.max(n - ROWS, 0));
}

/** The likeliest next characters, as tokens. */
export const likeliest = (yhat, count) =>
  [...yhat.keys()].sort((i, j) => yhat[j] - yhat[i] || i - j).slice(0, count);
