// The surface on which the reader paints the pattern.
import { setAll } from "../lib/controls.js";
import { set, svg } from "../lib/dom.js";
import { arrowKeys, draggable, sliderRole } from "../lib/handles.js";
import { clamp } from "../lib/scales.js";
import { rect } from "../lib/shapes.js";
import { BITS, MOST, painted } from "./math.js";

/**
 * A surface over the pattern: pressing a bit flips it, and dragging sets all further bits to the
 * same value. `update(shown, at, words)` moves it over the pattern.
 */
export function easelOf(model) {
  const ring = svg("rect", { class: "at", visibility: "hidden" });
  const node = rect(0, 0, 0, 0, { class: "easel uf-ring" });
  let here = [0, 0];
  let [shown, at, said] = [[[]], null, ""];
  let brush = null;
  const bit = () => shown[here[0]][here[1]];
  const put = (value) => setAll(model, { pattern: painted(model.get("pattern"), ...here, value) });
  const paint = ({ x, y }) => {
    go(Math.floor((x - at.left) / at.step), Math.floor((y - at.shown) / at.row));
    brush ??= 1 - bit();
    if (bit() !== brush) put(brush);
  };
  const go = (column, row) => {
    here = [clamp(column, 0, shown.length - 1), clamp(row, 0, BITS - 1)];
    mark();
  };
  function mark() {
    const [column, row] = here;
    set(ring, { x: at.x(column), y: at.shown + row * at.row, width: at.step, height: at.row });
    set(node, {
      "aria-valuenow": column + 1,
      "aria-valuetext": `column ${column + 1}, row ${row + 1}: ${bit()}. ${said}`,
    });
  }
  const start = (point) => {
    brush = null;
    paint(point);
  };
  draggable(node, { surface: node, start, move: paint });
  set(node, sliderRole("pattern: Enter or Space flips a bit", 1, MOST));
  arrowKeys(node, ([along, up]) => go(here[0] + along, here[1] - up), 1, {
    Home: [-MOST, 0],
    End: [MOST, 0],
    PageUp: [8, 0],
    PageDown: [-8, 0],
  });
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    put(1 - bit());
  });
  node.addEventListener("focus", () => set(ring, { visibility: null }));
  node.addEventListener("blur", () => set(ring, { visibility: "hidden" }));
  return {
    update(bits, scales, words) {
      [shown, at, said] = [bits, scales, words];
      set(node, {
        ...{ x: at.left, y: at.shown, "aria-valuemax": shown.length },
        ...{ width: shown.length * at.step, height: BITS * at.row },
      });
      go(...here);
    },
    parts: [node, ring],
  };
}
