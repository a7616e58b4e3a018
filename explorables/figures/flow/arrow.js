import { set, svg } from "../../lib/index.js";

/** An arrow of a drawing, with a head as long as there is room for; hidden without ends. */
export function arrow(name, attributes) {
  const [shaft, head] = [svg("path", { class: "shaft" }), svg("path", { class: "head" })];
  const node = svg("g", { class: `arrow ${name}`, ...attributes }, shaft, head);
  return {
    node,
    update(ends, em) {
      set(node, { visibility: ends ? null : "hidden" });
      if (!ends) return;
      const [[x0, y0], [x1, y1]] = ends;
      const length = Math.hypot(x1 - x0, y1 - y0) || 1e-9;
      const h = Math.min(0.65 * em, 0.8 * length);
      const [ux, uy] = [((x1 - x0) / length) * h, ((y1 - y0) / length) * h];
      const point = (p, q) => `${p.toFixed(1)} ${q.toFixed(1)}`;
      const wing = (side) => point(x1 - ux - side * 0.4 * uy, y1 - uy + side * 0.4 * ux);
      set(shaft, { d: `M${point(x0, y0)}L${point(x1 - ux, y1 - uy)}` });
      set(head, { d: `M${point(x1, y1)}L${wing(1)}L${wing(-1)}Z` });
    },
  };
}
