// An RNN of two units that names one of four years: its states, and where on the plane each year is named.
import { forward } from "../lib/rnn.js";
import { sentence, written } from "../lib/sentence.js";
import { add, argmax, dot, times } from "../lib/vectors.js";
import CONSTANTS from "./constants.json";
import { networks } from "./trained.json";

export const { WORDS, YEARS, LONGEST } = CONSTANTS;
const SYMBOLS = [...WORDS, ...YEARS];
export const EDGE = 1.16; // half the side of the plane that is drawn

/** The year that a network names in a state. */
export const named = ({ V, c }, h) => argmax(add(c, times(V, h)));

/** The part of the plane in which a network names a year, as the corners of a polygon. */
export function region({ V, c }, year) {
  let corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map((corner) => corner.map((x) => x * EDGE)); // biome-ignore format: a row
  V.forEach((row, other) => {
    if (other === year) return;
    // how much larger the score of `year` is than the other
    const ahead = (h) => dot(V[year], h) + c[year] - dot(row, h) - c[other];
    corners = corners.flatMap((p, i) => {
      const q = corners[(i + 1) % corners.length];
      const [a, b] = [ahead(p), ahead(q)];
      const cut = p.map((x, k) => x + (a / (a - b)) * (q[k] - x));
      return [...(a >= 0 ? [p] : []), ...(a < 0 !== b < 0 ? [cut] : [])];
    });
  });
  return corners;
}

/** States after each word, from the first one, for each of the years in turn. */
export const states = (params, place, words) =>
  YEARS.map((_, year) => [
    params.b.map(() => 0),
    ...forward(params, sentence(place, words, WORDS.length + year)).map(({ h }) => h),
  ]);

/** Everything that the figure shows. A position beyond the sentence gives way to the last one. */
export function compute({ place: asked, words: T, trained, year, t }) {
  const params = networks[trained];
  const place = Math.min(asked, T);
  const chosen = YEARS.indexOf(String(year));
  const all = states(params, place, T);
  return {
    ...{ place, chosen, t: Math.min(t, T) },
    words: written(sentence(place, T, WORDS.length + chosen), SYMBOLS),
    states: all[chosen],
    paths: all,
    says: all.map((path) => named(params, path[T])),
    saysNow: named(params, all[chosen][Math.min(t, T)]),
    regions: YEARS.map((_, i) => region(params, i)),
  };
}
