// Sizes at each step on a logarithmic axis, with a cursor and, for tanh, a handle at the start.
import { rule, ticksX, ticksY } from "../lib/chart.js";
import { holds, holdsPower } from "../lib/controls.js";
import { gripCursor } from "../lib/cursor.js";
import { drawingOf, redraw, setSize, svg } from "../lib/dom.js";
import { knob } from "../lib/handles.js";
import { decade } from "../lib/powers.js";
import { clamp, linear } from "../lib/scales.js";
import { MARKS, path, place } from "../lib/shapes.js";

/**
 * A chart of `curves`, which are `{ name, mark }`, with a cursor on `time` and, if `begin` is given, a
 * handle for it at step 0. `low`, `high` and `every` are powers of ten. `update(values, t, size, em)`
 * takes a list of values for each curve.
 */
export function chart(model, { label, time, last, low, high, every, curves, begin }) {
  const plot = svg("g");
  const cursor = gripCursor();
  const first = begin && knob({ class: "begin" });
  const node = drawingOf(label, plot, cursor.node, first);
  let at;
  const limits = { ...time, min: 0, max: last };
  const held = [
    holds(cursor.node, model, time.key, limits, {
      surface: node,
      at: (point) => at.x.invert(point.x),
      text: (value) => `step ${value}`,
    }),
    begin &&
      holdsPower(first, model, begin.key, {
        ...{ surface: node, at: ({ y }) => at.y.invert(y), step: 0.5 },
        ...begin,
      }),
  ].filter(Boolean);

  function update(values, t, [width, height], em) {
    const [left, right, top, bottom] = [3.2 * em, width - 0.7 * em, 0.5 * em, height - 2.5 * em];
    at = {
      ...{ em, font: 0.9 * em, width, left, right, top, bottom, beside: 0.5, below: 1.6 },
      x: linear([0, last], [left, right]),
      y: linear([low, high], [bottom, top]),
    };
    setSize(node, width, height);
    redraw(
      plot,
      axes(at, low, high, every),
      lines(curves, values, at),
      marks(curves, values, t, at),
    );
    cursor.update(at.x(t), em, [top, bottom], [top, top + height - 2 * em]);
    if (begin) place(first, at.x(0), at.y(Math.log10(model.get(begin.key))));
  }
  return { node, held, update };
}

/** Lines at powers of ten with their names, and the steps below. */
function axes(at, low, high, every) {
  const { em, font, width, x, y } = at;
  const apart = Math.abs(y(every) - y(0)) < 1.4 * em ? 2 * every : every;
  const powers = [];
  for (let power = Math.ceil(low / apart) * apart; power <= high; power += apart)
    powers.push(power);
  const name = (power) => (every > 1 ? decade(power, font) : 10 ** power);
  return [
    powers.map((power) => [rule(at, power, power ? "grid" : "one"), ticksY(at, [power], name)]),
    ticksX(at, x.ticks(width < 25 * em ? 3 : 5)),
  ];
}

const heightOf = (value, { y }) => clamp(y(Math.log10(value)), -9999, 9999);

/** The curves, in a drawing that clips them. It is a little wider, so that lines at its edges aren't cut. */
function lines(curves, values, at) {
  const { right, top, bottom, x } = at;
  // It begins at the left edge: Firefox would count its distance from there twice.
  const box = { y: top - 2, width: right + 4, height: bottom - top + 2 };
  const drawn = curves.map(({ name }, i) => {
    const points = values[i].map((value, t) => [x(t), heightOf(value, at) - box.y]);
    return svg("path", { class: `curve ${name}`, "data-term": name, d: path(points) });
  });
  return svg("svg", box, drawn);
}

/** The marks of the curves at the cursor, those of the first curves on top. */
const marks = (curves, values, t, at) =>
  curves
    .map(({ name, mark }, i) => {
      const y = heightOf(values[i][t], at);
      const seen = mark && y <= at.bottom + 1 && y >= at.top - 1;
      const shape = { class: `mark ${name}`, d: MARKS[mark], "data-term": name };
      return seen && place(svg("path", shape), at.x(t), y, 0.34 * at.em);
    })
    .toReversed();
