// Sizes against steps, on a logarithmic axis; a cursor to drag, and a start where there is one.
import { holds } from "../../lib/controls.js";
import { gripCursor } from "../../lib/cursor.js";
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
  const cursor = gripCursor();
  const first = begin && knob({ class: "begin" });
  const parts = [ground, inside, marks.toReversed(), cursor.node, first];
  const node = drawingOf(label, ...parts.filter(Boolean));
  const it = { model, node, box: null, x: null, y: null };
  const follow = [
    holds(
      cursor.node,
      model,
      time.key,
      { ...time, min: 0, max: last },
      {
        surface: node,
        at: (point) => it.x.invert(point.x),
        text: (value) => `step ${value}`,
      },
    ),
    ...(begin ? [holdBegin(it, first, begin)] : []),
  ];

  function resize(width, height, em) {
    const box = { width, height, em, left: 3.2 * em, right: width - 0.7 * em, top: 0.5 * em };
    box.bottom = height - 2.5 * em;
    const x = linear([0, last], [box.left, box.right]);
    const y = linear([low, high], [box.bottom, box.top]);
    Object.assign(it, { box, x, y });
    setSize(node, width, height);
    // It clips what leaves the axes; a little wider, so that lines at the edges keep their strength.
    const [wide, tall] = [box.right - box.left, box.bottom - box.top];
    set(inside, { x: box.left, y: box.top - 2, width: wide + 4, height: tall + 2 });
    ground.replaceChildren(...axes(it, { low, high, every }));
  }

  function update(values, at) {
    const { box, x, y } = it;
    const height = (value) => clamp(y(Math.log10(value)), -9999, 9999);
    values.forEach((list, i) => {
      const points = list.map((value, k) => [x(k) - box.left, height(value) - box.top + 2]);
      set(lines[i], { d: path(points) });
      const here = height(list[at]);
      const seen = curves[i].mark && here <= box.bottom + 1 && here >= box.top - 1;
      place(marks[i], x(at), here, 0.34 * box.em);
      set(marks[i], { visibility: seen ? null : "hidden" });
    });
    cursor.update(
      x(at),
      box.em,
      [box.top, box.bottom],
      [box.top, box.top + box.height - 2 * box.em],
    );
    if (begin) place(first, x(0), y(Math.log10(model.get(begin.key))));
    for (const refresh of follow) refresh();
  }
  return { node, resize, update };
}

function holdBegin(it, handle, { key, label, low, high, text }) {
  const { model, node } = it;
  const change = (power) => model.set(key, Number((10 ** power).toPrecision(2)));
  const move = (point) => change(clamp(it.y.invert(point.y), low, high));
  draggable(handle, { surface: node, move, end: () => model.save_changes() });
  return keySlider(handle, {
    label,
    min: low,
    max: high,
    step: 0.5,
    get: () => Math.log10(model.get(key)),
    change,
    text,
  });
}

/** Lines at powers of ten with their names, and the steps below. */
function axes({ box, x, y }, { low, high, every }) {
  const { em, left, right, width, height } = box;
  const font = 0.9 * em;
  const apart = Math.abs(y(every) - y(0)) < 1.4 * em ? 2 * every : every;
  const powers = [];
  for (let power = Math.ceil(low / apart) * apart; power <= high; power += apart)
    powers.push(power);
  const name = (power) => (every > 1 ? decade(power, font) : String(10 ** power));
  const end = { "text-anchor": "end" };
  return [
    ...powers.flatMap((power) => [
      svg("path", { class: power ? "grid" : "one", d: `M${left} ${y(power)}H${right}` }),
      text({ font }, left - 0.5 * em, y(power), end, name(power)),
    ]),
    ...x
      .ticks(width < 25 * em ? 3 : 5)
      .map((at) => text({ font }, x(at), height - 0.9 * em, { "text-anchor": "middle" }, at)),
  ];
}
