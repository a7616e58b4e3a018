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
  return {
    node,
    update(net, sentence, size) {
      const at = layout(sentence.tokens.length, size);
      columns = at.columns;
      // beside each other the drawings are in line; below each other none needs room that it has not
      const top = size.columns === 1 && net.kind !== "conv" ? at.y.states - at.y.pool : 0;
      const [width, height] = [size.width, at.y.end - top];
      set(node, { viewBox: `0 ${top} ${width} ${height}`, width, height });
      redraw(
        node,
        ways(net, sentence, at),
        states(net, at),
        weights(net, sentence, at),
        places(net, sentence, at),
      );
    },
    /** The place, from 0, that a pointer is at. */
    placeOf({ clientX }) {
      const { left, width } = node.getBoundingClientRect();
      const x = ((clientX - left) / width) * node.viewBox.baseVal.width;
      const far = columns.map((column) => Math.abs(column - x));
      return clamp(far.indexOf(Math.min(...far)), 0, columns.length - 1);
    },
  };
}

/** Where everything is for n words. */
function layout(n, { width, em, unit }) {
  const pitch = (width - em) / Math.max(n, 6);
  const y = Object.fromEntries(Object.entries(TOP).map(([row, value]) => [row, value * unit]));
  const cell = Math.min(0.5 * unit, 0.7 * pitch); // high; states are a little wider
  return {
    em,
    unit,
    pitch,
    y,
    cell,
    font: Math.max((unit < em ? 0.9 : 0.8) * em, 12),
    columns: Array.from({ length: n }, (_, t) => width / 2 + (t - (n - 1) / 2) * pitch),
    middle: width / 2,
    broad: Math.min(0.7 * em, 0.7 * pitch),
    box: Math.min(1.15 * unit, 0.8 * pitch),
    foot: y.states + 4 * cell, // of the states
  };
}

const line = (x0, y0, x1, y1, lit) =>
  svg("path", { class: `line ${lit}`, d: `M${point(x0, y0)}L${point(x1, y1)}` });

/** Values one above the other, the first on top. */
const strip = (x, top, values, limit, side, high = side, more = "") => [
  values.map((value, i) =>
    rect(x - side / 2, top + i * high, side, high, { fill: signed(value, limit) }),
  ),
  rect(x - side / 2, top, side, values.length * high, { class: `frame ${more}` }),
];

/** The ways up: every word into its states, from state to state, and to what is read; the year's above the others. */
function ways({ kind, met }, { tokens, year }, at) {
  const { columns, middle, y, pitch, foot } = at;
  const targets = {
    mlp: () => [[middle, 0]],
    rnn: (t) => [[columns[t], 0]],
    conv: (t) => ROLES.map((_, i) => [columns[t + i - 1], i - 1]),
  }[kind];
  const lit = (t) => (t === year ? touch(met, t) : "");
  const up = (t) =>
    targets(t)
      .filter(([x]) => x !== undefined)
      .map(([x, shift]) => line(columns[t] + shift * 0.22 * pitch, y.weights, x, foot, lit(t)));
  return [tokens.map((_, t) => t !== year && up(t)), onward(kind, year, at), year >= 0 && up(year)];
}

/** The weights of a year where none has been in training are marked. */
const touch = (met, t) => (met[t] ? "lit" : "lit never");

/** From state to state, or into what is pooled; what carries the year is marked. */
function onward(kind, year, { columns, middle, y, cell, broad }) {
  const mark = (carries) => (year >= 0 && carries ? "carried" : "");
  const height = y.states + 2 * cell;
  if (kind === "rnn")
    return columns
      .slice(1)
      .map((x, t) => line(columns[t] + broad / 2, height, x - broad / 2, height, mark(t >= year)));
  if (kind === "conv")
    return columns.map((x, t) =>
      line(x, y.states, middle, y.pool + 4 * cell, mark(Math.abs(t - year) < 2)),
    );
  return [];
}

/** States, and what is read of them. */
function states({ kind, states }, { columns, middle, y, cell, broad }) {
  const last = columns.length - 1;
  const isRead = (t) => kind === "mlp" || (kind === "rnn" && t === last);
  const name = (t) => (isRead(t) ? "state read" : "state");
  return [
    (kind === "mlp" ? [middle] : columns).map(
      (x, t) => states[t] && strip(x, y.states, states[t], STATE, broad, cell, name(t)),
    ),
    kind === "conv" &&
      columns.length > 0 &&
      strip(middle, y.pool, pooled(kind, states), STATE, broad, cell, "state read"),
  ];
}

/** The weights that this year meets, or would meet, at each place. */
function weights({ kind, params, met }, { tokens, year }, { em, unit, columns, pitch, y }) {
  if (year < 0) return [];
  const high = (y.words - 0.3 * unit - y.weights) / 4;
  const of = {
    mlp: (t) => [params.U[t]],
    conv: () => ROLES.map((k) => params.U[k]),
    rnn: () => [params.U],
  }[kind];
  return tokens.map((_, t) => {
    const U = of(t);
    const wide = Math.min(0.7 * em, (0.8 * pitch) / U.length);
    return U.map((weights, i) => {
      const values = weights.map((row) => row[tokens[year]]);
      const x = columns[t] + (i - (U.length - 1) / 2) * wide;
      const name = t === year ? touch(met, t) : "other";
      return strip(x, y.weights, values, WEIGHT, wide, high, name);
    });
  });
}

/** Below: the words' boxes, the places' numbers, where a year was met in training, and what is named now. */
function places({ met, named, revealed }, { tokens, year }, at) {
  const { columns, pitch, y, font, box, unit } = at;
  const every = pitch < 1.6 * font ? 2 : 1; // numbers of places that have room, the year's among them
  return tokens.map((known, t) => {
    const [x, here, right] = [columns[t], t === year, named[t] === 3];
    const kind = here ? "year" : isYear(known) ? "second" : "";
    return [
      rect(x - box / 2, y.words, box, box, { class: `box ${kind}` }),
      (t - Math.max(year, 0)) % every === 0 &&
        text(at, x, y.places, { class: here ? "here" : "" }, t + 1),
      svg("circle", { class: met[t] ? "met" : "never", cx: x, cy: y.met, r: 0.26 * unit }),
      named[t] !== null &&
        revealed(t) &&
        text(at, x, y.named, { class: right ? "yes" : "no" }, right ? "✓" : "✗"),
    ];
  });
}
