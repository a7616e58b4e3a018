// The parts of a chart. Each takes the chart first and returns SVG: `at` has the box `{ left, right,
// top, bottom }`, the scales `x` and `y` (which grows upward: its range is `[bottom, top]`), and `em`
// and `font`. `above`, `below` and `beside` override the distances, in ems, of the title and of the
// numbers from the box. A `name` is a class; the figure's styles give it its look and anchor its text.
import { svg, text } from "./dom.js";
import { linear } from "./scales.js";
import { path, point, rect } from "./shapes.js";

/** A chart in a box, from the limits of its axes. `more` is added to `at`, and `scale` is that of y. */
export function chartIn([left, top, width, height], across, up, more, scale = linear) {
  const [right, bottom] = [left + width, top + height];
  const [x, y] = [linear(across, [left, right]), scale(up, [bottom, top])];
  return { left, right, top, bottom, x, y, ...more };
}

export const frame = ({ left, right, top, bottom }, name = "frame") =>
  rect(left, top, right - left, bottom - top, { class: name });

/** Horizontal lines, at a value of y or at several. */
export const rule = ({ left, right, y }, values, name = "zero") =>
  svg("path", {
    class: name,
    d: [values]
      .flat()
      .map((value) => `M${left} ${y(value)}H${right}`)
      .join(""),
  });

/** A vertical line, at a value of x. */
export const cursor = ({ top, bottom, x }, value, name = "cursor") =>
  svg("path", { class: name, d: `M${x(value)} ${top}V${bottom}` });

/** The two axes of a plane. */
export const cross = ({ left, right, top, bottom, x, y }, name = "axis") =>
  svg("path", { class: name, d: `M${left} ${y(0)}H${right}M${x(0)} ${top}V${bottom}` });

export const title = (at, words, name = "title") =>
  text(at, at.left, at.top - (at.above ?? 0.75) * at.em, { class: name }, words);

/** Numbers beside the chart; `label(value)` writes one. `name` is their class, or a function of the value. */
export const ticksY = (at, values, label = String, name = "tick end") =>
  values.map((value) =>
    tick(at, at.left - (at.beside ?? 0.4) * at.em, at.y(value), value, label, name),
  );

/** Numbers below the chart. */
export const ticksX = (at, values, label = String, name = "tick") =>
  values.map((value) =>
    tick(at, at.x(value), at.bottom + (at.below ?? 0.85) * at.em, value, label, name),
  );

const tick = (at, x, y, value, label, name) =>
  text(at, x, y, { class: name.call ? name(value) : name }, label(value));

/** A line through points `[x, y]`. With `low`, only its part above `low` is drawn, with a gap where y is null. */
export const line = (at, points, name, low) =>
  svg("path", { class: name, d: low === undefined ? through(at, points) : cut(at, points, low) });

const through = ({ x, y }, points) => path(points.map(([p, q]) => [x(p), y(q)]));

function cut({ x, y }, points, low) {
  let d = "";
  let last = null;
  for (const [p, q] of points) {
    const next = q === null ? null : [p, q];
    if (last && next && q < low !== last[1] < low) {
      const part = (low - last[1]) / (q - last[1]);
      d += `${q < low ? "L" : "M"}${point(x(last[0] + part * (p - last[0])), y(low))}`;
    }
    if (next && q >= low) d += `${last ? "L" : "M"}${point(x(p), y(q))}`;
    last = next;
  }
  return d;
}

/** The area between two lines of points. */
export const band = (at, low, high, name) =>
  svg("path", { class: name, d: `${through(at, [...high, ...low.toReversed()])}z` });

/** A bar from 0 to a value, around a place on the horizontal axis. */
export const bar = ({ x, y }, place, value, width, attributes) =>
  rect(
    x(place) - width / 2,
    Math.min(y(0), y(value)),
    width,
    Math.abs(y(value) - y(0)),
    attributes,
  );

/** A cell for each value of a matrix, its row i below y(i); `look(value, i, j)` gives its attributes. */
export const cells = ({ x, y }, rows, look, gap = 1) =>
  rows.map((row, i) =>
    row.map((value, j) =>
      rect(x(j), y(i), x(j + 1) - x(j) - gap, y(i + 1) - y(i) - gap, look(value, i, j)),
    ),
  );
