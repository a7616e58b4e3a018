// A heat map of the units' values, on a canvas that follows the theme.
import { onTheme, signed } from "../lib/colours.js";
import { html } from "../lib/dom.js";

const SHADES = 16; // on either side of 0; with few, neighbors share a color and the picture is small

/** Return `draw(steps, box)`, which paints a row for each visible unit and a column for each step, and `stop`. */
export function heat(canvas, el) {
  let shades = null;
  let last;
  /** Return the ramp of the palette, as the browser mixes it. */
  function mixed() {
    const probe = html("span", { class: "uf-hidden" });
    el.append(probe);
    const found = Array.from({ length: 2 * SHADES + 1 }, (_, i) => {
      probe.style.color = signed(i / SHADES - 1);
      return getComputedStyle(probe).color;
    });
    probe.remove();
    return found;
  }
  function draw(steps, box) {
    last = [steps, box];
    shades ??= mixed();
    const density = Math.min(globalThis.devicePixelRatio || 1, 3);
    const { cw, rh, first, rows, top, width, height } = box;
    Object.assign(canvas, {
      width: Math.max(Math.round(density * width), 1),
      height: Math.max(Math.round(density * height), 1),
    });
    Object.assign(canvas.style, { top: `${top}px`, width: `${width}px`, height: `${height}px` });
    const context = canvas.getContext("2d");
    const edge = (k, side) => Math.round(density * k * side);
    steps.forEach(({ units }, t) => {
      const x = edge(t, cw);
      units.slice(first, first + rows).forEach((value, i) => {
        context.fillStyle = shades[Math.round(SHADES * (1 + Math.min(Math.max(value, -1), 1)))];
        context.fillRect(x, edge(i, rh), edge(t + 1, cw) - x, edge(i + 1, rh) - edge(i, rh));
      });
    });
  }
  const stop = onTheme(() => {
    shades = null;
    if (last) draw(...last);
  });
  return { draw, stop };
}
