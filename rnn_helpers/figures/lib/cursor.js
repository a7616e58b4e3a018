import { set, svg } from "./dom.js";

/**
 * The cursor of a chart: a line with a grip at its foot. It can be dragged anywhere along the line.
 * `update(x, em, line, ring)` moves it to x; `line` and `ring` are the vertical ranges of the line and
 * of the ring that shows the focus.
 */
export function gripCursor(name = "cursor") {
  const [line, ring, grip] = [
    svg("path", { class: "line" }),
    svg("rect", { class: "uf-ring" }),
    svg("rect", { class: "grip" }),
  ];
  return {
    node: svg("g", { class: name }, line, ring, grip),
    update(x, em, [top, foot], [over, under]) {
      const [w, h] = [0.9 * em, 1.5 * em];
      set(line.parentNode, { transform: `translate(${x.toFixed(2)} 0)` });
      set(line, { d: `M0 ${top}V${foot}` });
      set(grip, { x: -w / 2, y: foot - h / 2, width: w, height: h, rx: w / 2 });
      set(ring, { x: -13, y: over, width: 26, height: under - over, rx: 6 });
    },
  };
}
