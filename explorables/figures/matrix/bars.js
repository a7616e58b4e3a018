// The value of each key, and the value that it returns.
import { drawingOf, italic, redraw, set, setSize, svg, text } from "../../lib/dom.js";
import { setAll } from "../../lib/controls.js";
import { draggable, keySlider } from "../../lib/handles.js";
import { clamp, format, linear } from "../../lib/scales.js";
import { MARKS, path, place, rect } from "../../lib/shapes.js";
import { meta } from "./meta.js";
import { PAIRS } from "./math.js";

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
  let box;
  let scale;

  const follow = PAIRS.map((i, n) => {
    const spec = meta.controls[`v${i}`];
    const put = (value) =>
      setAll(model, { [`v${i}`]: clamp(Math.round(value / spec.step) * spec.step, -1, 1) });
    draggable(marks[n], { surface: node, move: ({ x }) => put(scale.invert(x)) });
    return keySlider(marks[n], {
      ...spec,
      label: `value of key ${i}`,
      get: () => model.get(`v${i}`),
      change: put,
      text: (value) => format(value),
    });
  });

  function resize(width, em, most) {
    const row = Math.min(ROW * em, most / PAIRS.length);
    box = { width, em, row };
    setSize(node, width, PAIRS.length * row);
  }

  function update({ pairs, last, next, t }) {
    const { width, em, row } = box;
    const reach = Math.max(1.05, ...pairs.map(({ read }) => Math.abs(read)));
    scale = linear([-reach, reach], [0.9 * em, width - 0.9 * em]);
    const at = { font: 0.9 * em };
    redraw(
      ground,
      pairs.map(({ i, value, read }, n) => {
        const y = n * row + 0.57 * row;
        const [zero, wanted, found] = [0, value, read].map(scale);
        const gap = read - value;
        const when = t && n === last ? " (just written)" : n === next ? " (next)" : "";
        const part = (name, words) => svg("tspan", { class: name }, words);
        const heading = [
          italic("k"),
          `${"₁₂₃"[i - 1]}${width > 28 * em ? when : ""}: `,
          part("reads", `returns ${format(read)}`),
          part("wanted", `, value ${format(value)}`),
          width > 21 * em && Math.abs(gap) > 0.005 && part("error", `, error ${format(-gap)}`),
        ];
        return [
          text(at, 0.2 * em, y - 1.35 * em, { class: "heading" }, heading),
          svg("path", { class: "axis", d: `M${0.4 * em} ${y}H${width - 0.4 * em}` }),
          svg("path", { class: "zero", d: `M${zero} ${y - 0.75 * em}V${y + 0.75 * em}` }),
          rect(Math.min(zero, found), y - 0.4 * em, Math.abs(found - zero), 0.8 * em, {
            class: "read",
          }),
          Math.abs(gap) > 0.005 &&
            svg("path", {
              class: "gap",
              d: path([
                [found, y + 0.75 * em],
                [wanted, y + 0.75 * em],
              ]),
            }),
        ];
      }),
    );
    set(ground, {
      "aria-label": pairs
        .map(
          ({ i, value, read }) =>
            `Key ${i} returns ${format(read)}; its value is ${format(value)}.`,
        )
        .join(" "),
    });
    pairs.forEach(({ value }, n) => place(marks[n], scale(value), n * row + 0.57 * row));
    for (const refresh of follow) refresh();
  }
  return { node, resize, update };
}
