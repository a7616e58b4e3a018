// The value of each key, and the value that it returns.
import { setAll } from "../lib/controls.js";
import { drawingOf, italic, redraw, set, setSize, svg, text } from "../lib/dom.js";
import { draggable, keySlider } from "../lib/handles.js";
import { clamp, linear, rounded } from "../lib/scales.js";
import { MARKS, path, place, rect } from "../lib/shapes.js";
import { PAIRS } from "./math.js";
import { meta } from "./meta.js";

const ROW = 4.4; // ems, or less where there is less room

export function bars(model) {
  const ground = svg("g", { role: "img" });
  const marks = PAIRS.map((i) =>
    svg(
      "g",
      { class: `value v${i}` },
      svg("circle", { class: "uf-ring", r: "0.85em" }),
      svg("path", { class: "mark", d: MARKS.diamond, transform: "scale(7)" }),
    ),
  );
  const node = drawingOf("The value that each key returns", ground, marks);
  let x;

  const held = PAIRS.map((i, n) => {
    const spec = meta.controls[`v${i}`];
    const put = (value) =>
      setAll(model, {
        [`v${i}`]: clamp(Math.round(value / spec.step) * spec.step, spec.min, spec.max),
      });
    draggable(marks[n], { surface: node, move: (point) => put(x.invert(point.x)) });
    return keySlider(marks[n], {
      ...spec,
      label: `value of key ${i}`,
      get: () => model.get(`v${i}`),
      change: put,
      text: (value) => rounded(value),
    });
  });

  function update(now, width, em, most) {
    const { pairs } = now;
    const row = Math.min(ROW * em, most / PAIRS.length);
    const reach = Math.max(1.05 * meta.controls.v1.max, ...pairs.map(({ read }) => Math.abs(read)));
    x = linear([-reach, reach], [0.9 * em, width - 0.9 * em]);
    const at = { em, font: 0.9 * em, width, x, y: (n) => n * row + 0.57 * row };
    setSize(node, width, PAIRS.length * row);
    redraw(
      ground,
      pairs.map((pair, n) => bar(pair, n, now, at)),
    );
    const said = pairs.map(
      ({ i, value, read }) => `Key ${i} returns ${rounded(read)}; its value is ${rounded(value)}.`,
    );
    set(ground, { "aria-label": said.join(" ") });
    pairs.forEach(({ value }, n) => place(marks[n], x(value), at.y(n)));
  }
  return { node, held, update };
}

/** The reading of a key, with its error. */
function bar({ i, value, read }, n, { last, next, t }, at) {
  const { em, width, x } = at;
  const y = at.y(n);
  const gap = read - value;
  const off = Math.abs(gap) > 0.005;
  const when = t && n === last ? " (just written)" : n === next ? " (next)" : "";
  const part = (name, words) => svg("tspan", { class: name }, words);
  return [
    text(at, 0.2 * em, y - 1.35 * em, { class: "heading" }, [
      italic("k"),
      `${"₁₂₃"[i - 1]}${width > 28 * em ? when : ""}: `,
      part("reads", `returns ${rounded(read)}`),
      part("wanted", `, value ${rounded(value)}`),
      width > 21 * em && off && part("error", `, error ${rounded(-gap)}`),
    ]),
    svg("path", { class: "axis", d: `M${0.4 * em} ${y}H${width - 0.4 * em}` }),
    svg("path", { class: "zero", d: `M${x(0)} ${y - 0.75 * em}V${y + 0.75 * em}` }),
    rect(Math.min(x(0), x(read)), y - 0.4 * em, Math.abs(x(read) - x(0)), 0.8 * em, {
      class: "read",
    }),
    off && svg("path", { class: "gap", d: path([read, value].map((v) => [x(v), y + 0.75 * em])) }),
  ];
}
