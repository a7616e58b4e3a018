// One network over a sentence, from below: places, words, the weights a year would meet, states.
import { signed } from "../../lib/colours.js";
import { set, svg, text, redraw } from "../../lib/dom.js";
import { clamp } from "../../lib/scales.js";
import { point, rect } from "../../lib/shapes.js";
import { isYear, pooled } from "./math.js";

/** Heights from the top, in ems or in what a slide has room for. */
const TOP = {
  pool: 0.2,
  states: 2.9,
  weights: 7,
  words: 8.9,
  places: 10.9,
  met: 12.1,
  named: 13.4,
  end: 14.1,
};
/** Size of a weight or a state that has the full colour. */
const [WEIGHT, STATE] = [3, 1];
/** Windows are drawn as three strips: the weights a word meets as a window's last, middle and first. */
const ROLES = [2, 1, 0];

/** Height of a drawing. */
export const HEIGHT = TOP.end;

export function drawing(name) {
  const node = svg("svg", {
    class: "uf-drawing",
    role: "img",
    "aria-label": `${name}: the way from the words to the answer`,
  });
  let columns = [];
  function update(
    { kind, params, states, named, met, revealed },
    { tokens, year },
    { width, em, unit, columns: side },
  ) {
    const n = tokens.length;
    const font = Math.max((unit < em ? 0.9 : 0.8) * em, 12);
    const pitch = (width - em) / Math.max(n, 6);
    const at = (t) => width / 2 + (t - (n - 1) / 2) * pitch;
    columns = tokens.map((_, t) => at(t));
    const y = Object.fromEntries(Object.entries(TOP).map(([row, value]) => [row, value * unit]));
    const cell = Math.min(0.5 * unit, 0.7 * pitch); // high; states are a little wider
    const broad = Math.min(0.7 * em, 0.7 * pitch);
    const box = Math.min(1.15 * unit, 0.8 * pitch);
    const line = (x0, y0, x1, y1, lit) =>
      svg("path", {
        class: `line ${lit}`,
        d: `M${point(x0, y0)}L${point(x1, y1)}`,
      });
    /** Values one above the other, the first on top. */
    const strip = (x, top, values, limit, side, high = side, more = "") => [
      values.map((value, i) =>
        rect(x - side / 2, top + i * high, side, high, { fill: signed(value, limit) }),
      ),
      rect(x - side / 2, top, side, values.length * high, { class: `frame ${more}` }),
    ];
    const foot = y.states + 4 * cell; // of the states
    const head = y.weights; // of the weights
    const touch = (t) => t === year && (met[t] ? "lit" : "lit never");
    const parts = [];

    // the ways up: every word into its states
    const hidden = kind === "mlp" ? [width / 2] : columns;
    const targets = (t) =>
      kind === "mlp"
        ? [[width / 2, 0]]
        : kind === "rnn"
          ? [[at(t), 0]]
          : ROLES.map((_, i) => [columns[t + i - 1], i - 1]);
    const draw = (t) =>
      targets(t).map(([x, shift]) =>
        x === undefined ? null : line(at(t) + shift * 0.22 * pitch, head, x, foot, touch(t) || ""),
      );
    tokens.forEach((_, t) => t !== year && parts.push(draw(t)));
    if (kind === "rnn")
      columns.slice(1).forEach((x, t) => {
        const carried = year >= 0 && t >= year ? "carried" : "";
        parts.push(
          line(
            columns[t] + broad / 2,
            y.states + 2 * cell,
            x - broad / 2,
            y.states + 2 * cell,
            carried,
          ),
        );
      });
    if (kind === "conv")
      columns.forEach((x, t) =>
        parts.push(
          line(
            x,
            y.states,
            width / 2,
            y.pool + 4 * cell,
            year >= 0 && Math.abs(t - year) < 2 ? "carried" : "",
          ),
        ),
      );
    if (year >= 0) parts.push(draw(year));

    // states, and what is read of them
    hidden.forEach(
      (x, t) =>
        states[t] &&
        parts.push(
          strip(
            x,
            y.states,
            states[t],
            STATE,
            broad,
            cell,
            kind === "rnn" && t === n - 1 ? "state read" : kind === "mlp" ? "state read" : "state",
          ),
        ),
    );
    if (kind === "conv" && n)
      parts.push(strip(width / 2, y.pool, pooled(kind, states), STATE, broad, cell, "state read"));

    // the weights that this year meets, or would meet, at each place
    const high = (y.words - 0.3 * unit - head) / 4;
    if (year >= 0)
      tokens.forEach((_, t) => {
        const U =
          kind === "mlp"
            ? [params.U[t]]
            : kind === "conv"
              ? ROLES.map((k) => params.U[k])
              : [params.U];
        const wide = Math.min(0.7 * em, (0.8 * pitch) / U.length);
        U.forEach((weights, i) => {
          const values = weights.map((row) => row[tokens[year]]);
          const x = at(t) + (i - (U.length - 1) / 2) * wide;
          parts.push(strip(x, head, values, WEIGHT, wide, high, t === year ? touch(t) : "other"));
        });
      });

    const words = { font };
    const every = pitch < 1.6 * font ? 2 : 1; // numbers of places that have room, the year's among them
    tokens.forEach((known, t) => {
      const here = t === year;
      parts.push(
        rect(at(t) - box / 2, y.words, box, box, {
          class: `box ${here ? "year" : isYear(known) ? "second" : ""}`,
        }),
        (t - Math.max(year, 0)) % every
          ? null
          : text(words, at(t), y.places, { class: here ? "here" : "" }, t + 1),
        svg("circle", { class: met[t] ? "met" : "never", cx: at(t), cy: y.met, r: 0.26 * unit }),
        named[t] === null || !revealed(t)
          ? null
          : text(
              words,
              at(t),
              y.named,
              { class: named[t] === 3 ? "yes" : "no" },
              named[t] === 3 ? "✓" : "✗",
            ),
      );
    });
    // beside each other the drawings are in line; below each other none needs room that it has not
    const top = side === 1 && kind !== "conv" ? y.states - y.pool : 0;
    set(node, { viewBox: `0 ${top} ${width} ${y.end - top}`, width, height: y.end - top });
    redraw(node, parts);
  }
  return {
    node,
    update,
    /** The place, from 0, that a pointer is at. */
    placeOf({ clientX }) {
      const { left, width } = node.getBoundingClientRect();
      const x = ((clientX - left) / width) * node.viewBox.baseVal.width;
      const far = columns.map((column) => Math.abs(column - x));
      return clamp(far.indexOf(Math.min(...far)), 0, columns.length - 1);
    },
  };
}
