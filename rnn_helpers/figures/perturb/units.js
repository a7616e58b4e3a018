// The places of the two units of the tanh network on their curve.
import { rule } from "../lib/chart.js";
import { redraw, set, setSize, svg, text } from "../lib/dom.js";
import { clamp, format, linear } from "../lib/scales.js";
import { MARKS, path, place } from "../lib/shapes.js";

const WIDE = 2.2;
const KINDS = ["circle", "square"]; // of the two units

export function units() {
  const node = svg("svg", { class: "uf-drawing", role: "img" });
  function update(step, [width, height], em) {
    const [left, right] = [0.3 * em, width - 0.3 * em];
    const at = {
      ...{ em, font: 0.9 * em, width, height, left, right },
      x: linear([-WIDE, WIDE], [left, right]),
      y: linear([-1.15, 1.15], [height - 0.3 * em, 0.3 * em]),
    };
    setSize(node, width, height);
    redraw(node, curve(at), step.a && [tangents(step, at), marks(step, at)]);
    set(node, {
      "aria-label": step.a
        ? `The curve of tanh; its slopes at the two units are ${step.slopes.map((slope) => format(slope)).join(" and ")}.`
        : "The curve of tanh; no step has been taken.",
    });
  }
  return { node, update };
}

function curve(at) {
  const { em, width, height, x, y } = at;
  const points = Array.from({ length: 89 }, (_, i) => -WIDE + i * 0.05);
  return [
    svg("path", { class: "axis", d: `M0 ${y(0)}H${width}M${x(0)} 0V${height}` }),
    [-1, 1].map((h) => [
      rule(at, h, "grid"),
      text(at, x(0) - 0.4 * em, y(h) + 0.7 * h * em, { class: "tick end" }, format(h, 0)),
    ]),
    svg("path", { class: "squash", d: path(points.map((a) => [x(a), y(Math.tanh(a))])) }),
    text(at, x(WIDE) - 0.2 * em, y(0) + 0.9 * em, { class: "end" }, "into a unit"),
    text(at, x(0) + 0.5 * em, y(-1) - 0.8 * em, {}, "its state"),
  ];
}

const inside = (a) => clamp(a, -WIDE, WIDE);

const tangents = ({ a, h, slopes }, { x, y }) =>
  a.map((value, i) => {
    const reach = 0.75 / Math.hypot(1, slopes[i]);
    const ends = [-reach, reach].map((by) => [x(inside(value) + by), y(h[i] + by * slopes[i])]);
    return svg("path", { class: "tangent", d: path(ends) });
  });

const marks = ({ a, h }, { x, y, em }) =>
  a.map((value, i) =>
    place(
      svg("path", { class: "mark unit", d: MARKS[KINDS[i]] }),
      ...[x(inside(value)), y(h[i]), 0.4 * em],
    ),
  );
