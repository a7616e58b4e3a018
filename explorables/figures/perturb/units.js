// Where the two units of the tanh network are on their curve.
import { set, setSize, svg, text } from "../../lib/dom.js";
import { format, linear } from "../../lib/scales.js";
import { MARKS, path, place } from "../../lib/shapes.js";

const WIDE = 2.2;
export function units() {
  const ground = svg("g");
  const tangents = [0, 1].map(() => svg("path", { class: "tangent" }));
  const marks = ["circle", "square"].map((kind) =>
    svg("path", { class: "mark unit", d: MARKS[kind] }),
  );
  const node = svg("svg", { class: "uf-drawing", role: "img" }, ground, tangents, marks);
  let x, y, em;
  return {
    node,
    resize(width, height, size) {
      em = size;
      const font = 0.9 * em;
      x = linear([-WIDE, WIDE], [0.3 * em, width - 0.3 * em]);
      y = linear([-1.15, 1.15], [height - 0.3 * em, 0.3 * em]);
      const curve = Array.from({ length: 89 }, (_, i) => -WIDE + i * 0.05);
      setSize(node, width, height);
      ground.replaceChildren(
        svg("path", { class: "axis", d: `M0 ${y(0)}H${width}M${x(0)} 0V${height}` }),
        ...[-1, 1].flatMap((h) => [
          svg("path", { class: "grid", d: `M${x(-WIDE)} ${y(h)}H${x(WIDE)}` }),
          text(
            { font },
            x(0) - 0.4 * em,
            y(h) + 0.7 * h * em,
            { "text-anchor": "end" },
            format(h, 0),
          ),
        ]),
        svg("path", { class: "squash", d: path(curve.map((a) => [x(a), y(Math.tanh(a))])) }),
        text(
          { font },
          x(WIDE) - 0.2 * em,
          y(0) + 0.9 * em,
          { "text-anchor": "end" },
          "into a unit",
        ),
        text({ font }, x(0) + 0.5 * em, y(-1) - 0.8 * em, {}, "its state"),
      );
    },
    update({ a, h, slopes }) {
      [0, 1].forEach((i) => {
        const seen = a ? null : "hidden";
        set(marks[i], { visibility: seen });
        set(tangents[i], { visibility: seen });
        if (!a) return;
        const at = Math.min(Math.max(a[i], -WIDE), WIDE);
        const reach = 0.75 / Math.hypot(1, slopes[i]);
        set(tangents[i], {
          d: path(
            [-1, 1].map((side) => [x(at + side * reach), y(h[i] + side * reach * slopes[i])]),
          ),
        });
        place(marks[i], x(at), y(h[i]), 0.4 * em);
      });
      set(node, {
        "aria-label": a
          ? `The curve of tanh; its slopes at the two units are ${slopes.map((slope) => format(slope)).join(" and ")}.`
          : "The curve of tanh; no step has been taken.",
      });
    },
  };
}
