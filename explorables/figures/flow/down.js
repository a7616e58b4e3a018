// Omega on the three paths down, and the eigenvalues of W, which are not what it asks for.
import { setAll } from "../../lib/controls.js";
import { drawingOf, set, setSize, svg, text } from "../../lib/dom.js";
import { draggable, keySlider } from "../../lib/handles.js";
import { decade } from "../../lib/powers.js";
import { format, linear, log } from "../../lib/scales.js";
import { path } from "../../lib/shapes.js";
import { CONSTANT, MOST } from "./math.js";

const [LOW, HIGH] = [1e-3, 100];

export function down(model, spec) {
  const ground = svg("g");
  const curves = CONSTANT.map((held) => svg("path", { class: `path ${held}` }));
  const line = svg("path", { class: "line" });
  const dot = svg("circle", { class: "uf-knob" });
  const ring = svg("circle", { class: "uf-ring" });
  const handle = svg("g", { class: "handle" }, line, ring, dot);
  const words = "Omega against the steps down it, on a logarithmic axis";
  const node = drawingOf(words, ground, curves, handle);
  let x, y, now;

  const spoken = keySlider(handle, {
    label: spec.label,
    min: spec.min,
    max: spec.max,
    get: () => model.get("k"),
    change: (k) => setAll(model, { k }),
    text: (k) => `${k} steps: Omega is ${omegaText(now?.omega ?? 0)}`,
  });
  draggable(handle, {
    surface: node,
    move: (point) => model.set("k", Math.round(x.invert(point.x))),
    end: () => model.save_changes(),
  });

  function resize(width, height, em) {
    const at = { font: 0.9 * em };
    const [left, right, top, bottom] = [3 * em, width - 0.8 * em, 0.7 * em, height - 1.6 * em];
    x = linear([0, MOST], [left, right]);
    y = log([LOW, HIGH], [bottom, top]);
    setSize(node, width, height);
    ground.replaceChildren(
      ...[-3, -2, -1, 0, 1, 2].flatMap((power) =>
        [
          svg("path", { class: "grid", d: `M${left} ${y(10 ** power)}H${right}` }),
          power % 2 === 0
            ? text(
                at,
                left - 0.4 * em,
                y(10 ** power),
                { class: "tick end" },
                decade(power, at.font),
              )
            : "",
          power === -3 &&
            text(at, left - 0.4 * em, y(LOW), { class: "tick end" }, "≤", decade(power, at.font)),
        ].filter(Boolean),
      ),
      ...[0, 20, 40, MOST].map((k) => text(at, x(k), bottom + 0.95 * em, { class: "tick" }, k)),
    );
    set(line, { d: `M0 ${top}V${bottom}` });
    set(dot, { r: 0.42 * em });
    set(ring, { r: Math.max(0.85 * em, 13) });
  }

  function update(next) {
    now = next;
    CONSTANT.forEach((held, i) => {
      // as far as one has come: where it leads is asked beforehand
      const points = now.paths[held].slice(0, now.k + 1).map(({ omega }, k) => [x(k), y(omega)]);
      set(curves[i], {
        d: path(points),
        class: `path ${held}${held === now.constant ? " chosen" : ""}`,
      });
    });
    set(handle, { transform: `translate(${x(now.k).toFixed(1)} 0)` });
    [dot, ring].forEach((mark) => set(mark, { cy: y(now.omega).toFixed(1) }));
    spoken();
  }
  return { node, resize, update };
}

/** Omega in three digits or fewer. */
export const omegaText = (omega) =>
  omega === 0 ? "0" : omega < 1e-4 ? format(omega, 4) : format(omega, omega < 0.1 ? 3 : 2);

/** The sizes of the eigenvalues on a line, 1 marked. */
export function strip() {
  const ground = svg("g");
  const marks = [0, 1].map((i) => svg("path", { class: `lambda l${i}` }));
  const node = svg("svg", { class: "uf-drawing", role: "img" }, ground, marks);
  let x, em;
  const TOP = 2;
  function resize(width, height, font) {
    em = font;
    x = linear([0, TOP], [0.9 * em, width - 0.9 * em]);
    const at = { font: 0.9 * em };
    setSize(node, width, height);
    ground.replaceChildren(
      svg("path", { class: "axis", d: `M${x(0)} ${0.7 * em}H${x(TOP)}` }),
      svg("path", { class: "one", d: `M${x(1)} 0.1V${1.3 * em}` }),
      ...[0, 1, TOP].map((value) => text(at, x(value), 1.9 * em, { class: "tick" }, value)),
    );
  }
  function update({ radii }) {
    radii.forEach((radius, i) => {
      const r = 0.38 * em;
      const px = x(Math.min(radius, TOP + 0.1));
      set(marks[i], { d: `M${px.toFixed(1)} ${0.7 * em - r}l${r} ${r}l${-r} ${r}l${-r} ${-r}Z` });
    });
    set(node, {
      "aria-label": `The eigenvalues of W have the sizes ${radii.map((r) => format(r)).join(" and ")}.`,
    });
  }
  return { node, resize, update };
}
