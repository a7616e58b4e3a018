import { set, svg } from "./dom.js";

/** An arrow of a drawing, with a tip as long as there is room for, if its end can be seen; hidden without ends. */
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
      const point = (p, q) => `${p.toFixed(1)} ${q.toFixed(1)}`;
      const wing = (side) => point(x1 - ux - side * 0.4 * uy, y1 - uy + side * 0.4 * ux);
      set(shaft, { d: `M${point(x0, y0)}L${seen ? point(x1 - ux, y1 - uy) : point(x1, y1)}` });
      set(tip, {
        d: `M${point(x1, y1)}L${wing(1)}L${wing(-1)}Z`,
        visibility: seen ? null : "hidden",
      });
    },
  };
}
