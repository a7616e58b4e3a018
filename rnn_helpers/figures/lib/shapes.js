// Shapes of drawings, and the paths that draw them.
import { set, svg } from "./dom.js";

export const rect = (x, y, width, height, attributes) =>
  svg("rect", { x, y, width, height, ...attributes });

/** A small drawing in a line of text, such as a piece of a curve in a legend. */
export const swatch = (width, height, ...parts) =>
  svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "swatch", "aria-hidden": "true" }, parts);

/** A point of a path. */
export const point = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
/** A line through points. */
export const path = (points) =>
  points.length ? `M${points.map(([x, y]) => point(x, y)).join("L")}` : "";
/** A dot at each point, as wide as the stroke. */
export const dots = (points) => points.map(([x, y]) => `M${point(x, y)}h0`).join("");
export const disc = (x, y, r) =>
  `M${point(x - r, y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

/** Marks that distinguish curves without their colors: around 0, 0, and about 2 wide. */
export const MARKS = {
  circle: "M0-1A1 1 0 0 1 0 1A1 1 0 0 1 0-1Z",
  diamond: "M0-1.3L1.3 0L0 1.3L-1.3 0Z",
  square: "M-1-1H1V1H-1Z",
  nabla: "M-1.2-1H1.2L0 1.2Z",
};

/** Move a part of a drawing from the origin to a point, and scale it by `r`. */
export const place = (node, x, y, r) =>
  set(node, {
    transform: `translate(${point(x, y)})${r === undefined ? "" : ` scale(${r.toFixed(2)})`}`,
  });

/** A path `d` that ends at a point, with a tip of this size that points along `[dx, dy]`. */
export function tipped(d, [x, y], [dx, dy], size, name = "shaft") {
  const turn = Math.atan2(dy, dx);
  const wing = (by) => point(x - size * Math.cos(turn + by), y - size * Math.sin(turn + by));
  return [
    svg("path", { class: name, d }),
    svg("path", { class: "tip", d: `M${point(x, y)}L${wing(0.42)}L${wing(-0.42)}Z` }),
  ];
}

/** An arrow that can be moved. A short one has a small tip. It has no tip if its end isn't `seen`, and is hidden without `ends`. */
export function arrow(name, attributes) {
  const [shaft, tip] = [svg("path", { class: "shaft" }), svg("path", { class: "tip" })];
  const node = svg("g", { class: `arrow ${name}`, ...attributes }, shaft, tip);
  return {
    node,
    update(ends, em, seen = true) {
      set(node, { visibility: ends ? null : "hidden" });
      if (!ends) return;
      const [[x0, y0], [x1, y1]] = ends;
      const length = Math.hypot(x1 - x0, y1 - y0) || 1e-9;
      const h = Math.min(0.7 * em, 0.8 * length);
      const [ux, uy] = [((x1 - x0) / length) * h, ((y1 - y0) / length) * h];
      const wing = (side) => point(x1 - ux - side * 0.4 * uy, y1 - uy + side * 0.4 * ux);
      set(shaft, { d: `M${point(x0, y0)}L${seen ? point(x1 - ux, y1 - uy) : point(x1, y1)}` });
      set(tip, {
        d: `M${point(x1, y1)}L${wing(1)}L${wing(-1)}Z`,
        visibility: seen ? null : "hidden",
      });
    },
  };
}
