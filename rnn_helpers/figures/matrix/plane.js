// The plane of keys, in which the memory is an arrow.
import { holdsAngle } from "../lib/controls.js";
import { drawingOf, italic, redraw, set, setSize, svg, text } from "../lib/dom.js";
import { knob } from "../lib/handles.js";
import { clamp, rounded } from "../lib/scales.js";
import { arrow, path, place } from "../lib/shapes.js";
import { dot, size } from "../lib/vectors.js";
import { PAIRS, ROUND } from "./math.js";

export function plane(model) {
  const ground = svg("g", { role: "img" });
  const words = svg("g", { class: "names" });
  const knobs = PAIRS.map((i) => knob({ class: `key k${i}` }));
  const node = drawingOf("The plane of keys", ground, words, knobs);
  let middle;
  const held = PAIRS.map((i, n) =>
    holdsAngle(knobs[n], model, `a${i}`, {
      ...{ surface: node, middle: () => [middle, middle] },
      ...{ label: `key ${i}`, max: 359, step: 5, digits: 0 },
    }),
  );

  function update(now, side, em) {
    const { all, M, pairs, t } = now;
    middle = side / 2;
    const reach = Math.max(1.05 * ROUND, ...all.slice(0, t + 1).map(size));
    const k = (middle - 1.6 * em) / reach; // pixels for an hour
    const at = { em, side, k, spot: ([x, y]) => [middle + k * x, middle - k * y] };
    setSize(node, side, side);
    redraw(ground, picture(now, at));
    redraw(words, names(now, at));
    pairs.forEach(({ key }, n) => place(knobs[n], ...at.spot(onCircle(key))));
    set(ground, {
      "aria-label": `The memory is the arrow (${M.map((entry) => rounded(entry)).join(", ")}).`,
    });
  }
  return { node, held, update };
}

const onCircle = (key) => key.map((entry) => ROUND * entry);

function picture({ all, M, pairs, last, next, t }, { em, side, k, spot }) {
  const middle = side / 2;
  const drawn = (name, points, more) =>
    svg("path", { class: name, d: path(points.map(spot)), ...more });
  const pointed = (name, ends) => {
    const one = arrow(name);
    one.update(ends?.map(spot), em);
    return one.node;
  };
  return [
    svg("path", { class: "axis", d: `M0 ${middle}H${side}M${middle} 0V${side}` }),
    svg("circle", { class: "circle", cx: middle, cy: middle, r: ROUND * k }),
    pairs.map(({ key, value }, n) =>
      drawn("line", endsOf(key, value, (middle - 0.6 * em) / k), {
        "data-is": n === last ? "last" : n === next ? "next" : "other",
      }),
    ),
    pairs.map(({ key }) => drawn("ray", [[0, 0], onCircle(key)])),
    drawn("foot", last === null ? [] : [M, along(M, pairs[last].key)]),
    drawn("trail", all.slice(0, t + 1)),
    pointed("step", t ? [all[t - 1], M] : null),
    pointed("memory", size(M) > 1e-9 ? [[0, 0], M] : null),
  ];
}

/** Return the ends of the line on which a key returns its value, within a circle. */
function endsOf(key, value, reach) {
  const half = Math.sqrt(Math.max(reach ** 2 - value ** 2, 0));
  return [half, -half].map((h) => [value * key[0] - h * key[1], value * key[1] + h * key[0]]);
}

/** Return the part of the memory along a key. */
const along = (M, key) => key.map((entry) => entry * dot(M, key));

/** The names of keys and memory, and the values at the ends of their lines without keys. */
function names({ pairs, M }, { em, side, k, spot }) {
  const inside = (x) => clamp(x, 0.8 * em, side - 0.8 * em);
  const word = (name, [x, y], ...words) =>
    text(
      { font: 0.95 * em },
      inside(x),
      inside(y),
      { class: name, "text-anchor": "middle" },
      words,
    );
  const beyond = (v, d) => spot(v.map((entry) => entry * (1 + (d * em) / (k * size(v)))));
  const ends = pairs.map(({ key, value }) =>
    endsOf(key, value, (side / 2 - 1.4 * em) / k).map(spot),
  );
  const values = apart(
    ends,
    pairs.map(({ key }) => spot(onCircle(key))),
  );
  return [
    pairs.map(({ value }, n) => word("value", values[n], rounded(value))),
    pairs.map(({ i, key }, n) => {
      const [x, y] = spot(onCircle(key));
      const close = pairs.slice(0, n).filter(({ key }) => {
        const [p, q] = spot(onCircle(key));
        return Math.hypot(x - p, y - q) < 1.3 * em;
      });
      // Beyond its key; or inside the circle, if the name of a key close by is there.
      const away = [1.35, -1.35, -2.4][close.length];
      return word("key", beyond(onCircle(key), away), italic("k"), "₁₂₃"[i - 1]);
    }),
    k * size(M) > 2.4 * em && word("memory", beside(M, spot, em), italic("M")),
  ];
}

/** Choose one of the two ends of each line, so that the numbers there are far from each other and from `others`. */
function apart(ends, others) {
  const far = ([x, y], [p, q]) => Math.hypot((x - p) / 2, y - q); // a number is wider than high
  const choices = ends.reduce(
    (all, two) => all.flatMap((chosen) => two.map((end) => [...chosen, end])),
    [[]],
  );
  const room = (chosen) =>
    Math.min(
      ...chosen.flatMap((end, n) => [...others, ...chosen.slice(0, n)].map((at) => far(end, at))),
    );
  return choices.reduce((best, next) => (room(next) > room(best) ? next : best));
}

/** Return a place beside the middle of the memory's arrow. */
function beside(M, spot, em) {
  const [x, y] = spot(M.map((entry) => 0.55 * entry));
  const length = size(M);
  return [x + (0.9 * em * M[1]) / length, y + (0.9 * em * M[0]) / length];
}
