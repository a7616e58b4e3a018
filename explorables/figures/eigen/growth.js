// The panel of sizes over time on a logarithmic axis: |λ|^t, the length of h^(t), and ‖W^t‖.
import { holds, setAll } from "../../lib/controls.js";
import { gripCursor } from "../../lib/cursor.js";
import { drawingOf, set, setSize, svg } from "../../lib/dom.js";
import { linear, log } from "../../lib/scales.js";
import { size } from "../../lib/vectors.js";
import { STEPS } from "./math.js";
import { TERMS } from "./spectrum.js";

const FLOOR = 1e-3;
const WORDS =
  "Sizes over time on a logarithmic axis. The values at the cursor are listed above it.";
/** Space below the axis for its numbers, in ems. */
const BELOW = 2.4;
/** Possible ends of the axis. They are far apart so that the axis rarely changes during a drag. */
const TOPS = [10, 100, 1e4, 1e8, 1e16];

export function growth(model, spec) {
  const ground = svg("g");
  const hump = svg("path", { class: "hump" });
  const curve = (name, term) => svg("path", { class: `curve ${name}`, "data-term": term });
  const curves = [
    curve("mode m1", "one"),
    curve("mode m2", "two"),
    curve("norm", "W"),
    curve("state", "h"),
  ];
  const dots = [...TERMS, "W", "h"].map((term, i) =>
    svg("circle", { class: `dot d${i}`, "data-term": term }),
  );
  const cursor = gripCursor("handle cursor");
  const node = drawingOf(WORDS, ground, hump, curves, dots, cursor.node);
  let box, x, y, top;

  const at = (point) => x.invert(point.x);
  const text = (t) => `step ${t}`;
  const follow = holds(
    cursor.node,
    model,
    "t",
    { ...spec, max: STEPS },
    { surface: node, at, text },
  );
  node.addEventListener("click", (event) => {
    if (cursor.node.contains(event.target)) return;
    setAll(model, { t: x.invert(event.clientX - node.getBoundingClientRect().left) });
  });

  function resize(width, height, em) {
    box = { width, height, em };
    setSize(node, width, height);
    x = linear([0, STEPS], [3.2 * em, width - 0.7 * em]);
    top = null;
  }

  function update({ norms, lengths, eigenvalues, t }) {
    const { height, em } = box;
    const most = Math.max(...norms);
    const next = TOPS.find((value) => value >= most) ?? TOPS.at(-1);
    if (next !== top) {
      top = next;
      y = log([FLOOR, top], [height - BELOW * em, 0.7 * em]);
      ground.replaceChildren(...axes(x, y, box, top));
    }
    const point = (s, value) => `${x(s).toFixed(1)} ${y(value).toFixed(1)}`;
    const sizes = eigenvalues.map(size);
    const series = [
      ...sizes.map((r) => Array.from({ length: STEPS + 1 }, (_, s) => r ** s)),
      norms,
      lengths,
    ];
    series.forEach((values, i) => {
      set(curves[i], { d: draw(values, point) });
      set(dots[i], {
        cx: x(t),
        cy: y(values[t]).toFixed(1),
        r: (i < 2 ? 0.26 : 0.32) * em,
        visibility: values[t] < FLOOR ? "hidden" : null,
      });
    });
    const above = norms.map((value) => Math.max(value, 1));
    set(hump, { d: `M${above.map((value, s) => point(s, value)).join("L")}V${y(1)}H${x(0)}Z` });
    const foot = height - BELOW * em;
    cursor.update(x(t), em, [0.3 * em, foot], [0, height - 1.5 * em]);
    follow();
  }
  return { node, resize, update };
}

/** Draw the grid lines at powers of ten, their labels, and the labels of the steps. */
function axes(x, y, { width, height, em }, top) {
  const word = (px, py, text, more) =>
    svg("text", { x: px, y: py, "font-size": 0.9 * em, ...more }, text);
  const every = Math.max(1, Math.round(Math.log10(top / FLOOR) / 6));
  const lines = y.ticks().filter((value) => Math.round(Math.log10(value)) % every === 0);
  return [
    ...lines.map((value) =>
      svg("path", { class: value === 1 ? "one" : "grid", d: `M${x(0)} ${y(value)}H${width}` }),
    ),
    ...lines.map((value) =>
      word(x(0) - 0.5 * em, y(value) + 0.32 * em, tick(value, em), { "text-anchor": "end" }),
    ),
    svg("path", { class: "axis", d: `M${x(0)} ${height - BELOW * em}H${width}` }),
    ...x
      .ticks(width < 25 * em ? 3 : 6)
      .map((t) => word(x(t), height - 0.7 * em, t, { "text-anchor": "middle" })),
  ];
}

/** The path of a curve, which is interrupted wherever the curve is below the axis. */
function draw(values, point) {
  let path = "";
  values.forEach((value, s) => {
    const before = values[s - 1];
    if (s > 0 && value < FLOOR !== before < FLOOR) {
      // Find where the drawn line between the two points meets the axis. The logarithm of 0 is
      // infinite, so draw a vertical line there.
      const share =
        Math.min(value, before) > 0 ? Math.log(before / FLOOR) / Math.log(before / value) : 1;
      path += `${before < FLOOR ? "M" : "L"}${point(s - 1 + share, FLOOR)}`;
    }
    if (value >= FLOOR) path += `${path ? "L" : "M"}${point(s, value)}`;
  });
  return path;
}

/** The label of a tick: 0.01, 1, 100, and powers such as 10⁴ for larger numbers. */
function tick(value, em) {
  if (value < 1e4) return String(value);
  const above = { dy: -0.4 * em, "font-size": 0.75 * em };
  return ["10", svg("tspan", above, Math.round(Math.log10(value)))];
}
