// Sizes against steps, on a logarithmic axis; a cursor to drag, and a start where there is one.
import { drawingOf, set, setSize, svg, text } from "../../lib/dom.js";
import { draggable, keySlider, knob } from "../../lib/handles.js";
import { decade } from "../../lib/powers.js";
import { clamp, linear } from "../../lib/scales.js";
import { MARKS, path, place } from "../../lib/shapes.js";

/**
 * A chart with a cursor on `time` and, where `begin` is given, a handle for it at step 0. `curves`
 * are `{ name, mark }`; `low`, `high`, `every` are powers of ten. `update(values, T)` draws one list
 * of values for each curve.
 */
export function chart(model, { label, time, last, low, high, every, curves, begin }) {
  const ground = svg("g");
  const lines = curves.map(({ name }) =>
    svg("path", { class: `curve ${name}`, "data-term": name }),
  );
  const inside = svg("svg", {}, lines);
  const marks = curves.map(({ name, mark }) =>
    svg("path", { class: `mark ${name}`, d: MARKS[mark] ?? "", "data-term": name }),
  );
  const line = svg("path", { class: "line" });
  const grip = svg("rect", { class: "grip" });
  const ring = svg("rect", { class: "uf-ring" });
  const cursor = svg("g", { class: "cursor" }, line, ring, grip);
  const first = begin && knob({ class: "begin" });
  const node = drawingOf(
    label,
    ...[ground, inside, marks.toReversed(), cursor, first].filter(Boolean),
  );
  let box, x, y;
  const spoken = [
    keySlider(cursor, {
      label: time.label,
      min: 0,
      max: last,
      get: () => model.get(time.key),
      change: (value) => model.set(time.key, value),
      text: (value) => `step ${value}`,
    }),
  ];
  const follow = (point) => model.set(time.key, Math.round(x.invert(point.x)));
  draggable(cursor, { surface: node, move: follow, end: () => model.save_changes() });
  if (begin) {
    const change = (power) => {
      model.set(begin.key, Number((10 ** power).toPrecision(2)));
    };
    spoken.push(
      keySlider(first, {
        label: begin.label,
        min: begin.low,
        max: begin.high,
        step: 0.5,
        get: () => Math.log10(model.get(begin.key)),
        change,
        text: begin.text,
      }),
    );
    const move = (point) => change(clamp(y.invert(point.y), begin.low, begin.high));
    draggable(first, { surface: node, move, end: () => model.save_changes() });
  }

  function resize(width, height, em) {
    const font = 0.9 * em;
    box = { width, height, em, left: 3.2 * em, right: width - 0.7 * em, top: 0.5 * em };
    box.bottom = height - 2.5 * em;
    x = linear([0, last], [box.left, box.right]);
    y = linear([low, high], [box.bottom, box.top]);
    const [wide, tall] = [box.right - box.left, box.bottom - box.top];
    setSize(node, width, height);
    // It clips what leaves the axes; a little wider, so that lines at the edges keep their strength.
    set(inside, { x: box.left, y: box.top - 2, width: wide + 4, height: tall + 2 });
    const apart = Math.abs(y(every) - y(0)) < 1.4 * em ? 2 * every : every;
    const powers = [];
    for (let power = Math.ceil(low / apart) * apart; power <= high; power += apart)
      powers.push(power);
    ground.replaceChildren(
      ...powers.flatMap((power) => [
        svg("path", { class: power ? "grid" : "one", d: `M${box.left} ${y(power)}H${box.right}` }),
        text(
          { font },
          box.left - 0.5 * em,
          y(power),
          { "text-anchor": "end" },
          every > 1 ? decade(power, font) : String(10 ** power),
        ),
      ]),
      ...x
        .ticks(width < 25 * em ? 3 : 5)
        .map((at) => text({ font }, x(at), height - 0.9 * em, { "text-anchor": "middle" }, at)),
    );
  }

  function update(values, at) {
    const { em, left, top } = box;
    const height = (value) => clamp(y(Math.log10(value)), -9999, 9999);
    values.forEach((list, i) => {
      const points = list.map((value, k) => [x(k) - left, height(value) - top + 2]);
      set(lines[i], { d: path(points) });
      const here = height(list[at]);
      const seen = curves[i].mark && here <= box.bottom + 1 && here >= top - 1;
      place(marks[i], x(at), here, 0.34 * em);
      set(marks[i], { visibility: seen ? null : "hidden" });
    });
    const [w, h] = [0.9 * em, 1.5 * em];
    set(cursor, { transform: `translate(${x(at).toFixed(2)} 0)` });
    set(line, { d: `M0 ${top}V${box.bottom}` });
    set(grip, { x: -w / 2, y: box.bottom - h / 2, width: w, height: h, rx: w / 2 });
    set(ring, { x: -13, y: top, width: 26, height: box.height - 2 * em, rx: 6 });
    if (begin) place(first, x(0), y(Math.log10(model.get(begin.key))));
    spoken.forEach((refresh) => refresh());
  }
  return { node, resize, update };
}
