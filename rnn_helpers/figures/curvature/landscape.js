// The loss over the plane as bands of its color, on a canvas that follows the theme.
import { onTheme } from "../lib/colours.js";

/** The losses between two bands, and the opacity of each band, out of 255. */
const LEVELS = [
  0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.4, 0.46, 0.49, 0.505, 0.52, 0.55, 0.6, 0.7, 0.85, 1, 1.5, 3,
  10, 100,
];
const DENSE = [
  0, 4, 8, 12, 16, 20, 24, 28, 33, 39, 56, 66, 76, 86, 96, 106, 116, 124, 132, 140, 148,
];
const EDGE = 34; // added to the opacity between two bands
/** Canvas pixels per pixel of the page: while the state changes, and after it hasn't changed for REST ms. */
const [COARSE, FINE, REST] = [1, 2, 200];

/** `draw(tau, box)` paints the losses into a box of the drawing, unless it has painted the same before. */
export function landscape(canvas, el) {
  let last;
  let shown;
  let timer;
  function paint(density, tau, { left, right, top, bottom, W, R }) {
    const [width, height] = [right - left, bottom - top];
    const [wide, high] = [width, height].map((side) => Math.max(1, Math.round(density * side)));
    Object.assign(canvas, { width: wide, height: high });
    Object.assign(canvas.style, {
      left: `${left}px`,
      top: `${top}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
    const [r, g, b] = (
      getComputedStyle(el)
        .getPropertyValue("--uf-loss")
        .match(/[\da-f]{2}/gi) ?? ["80", "80", "80"]
    ).map((two) => parseInt(two, 16));
    const picture = new ImageData(wide, high);
    const dots = new Uint32Array(picture.data.buffer);
    // Red comes first in memory, so its bits are the lowest of the number.
    const shade = (dense) => ((dense << 24) | (b << 16) | (g << 8) | r) >>> 0;
    const [shades, edges] = [DENSE.map(shade), DENSE.map((dense) => shade(dense + EDGE))];
    const above = new Uint8Array(wide);
    const ws = Float64Array.from(
      { length: wide },
      (_, i) => W[0] + ((W[1] - W[0]) * (i + 0.5)) / wide,
    );
    const far = ws.map((w) => w ** tau);
    for (let j = 0; j < high; j++) {
      const r = R[1] - ((R[1] - R[0]) * (j + 0.5)) / high;
      let [band, last] = [0, 0];
      for (let i = 0; i < wide; i++) {
        const E = ((r * ws[i] - 1) ** 2 + (r * far[i] - 1) ** 2) / 2;
        while (band < LEVELS.length && E >= LEVELS[band]) band++;
        while (band > 0 && E < LEVELS[band - 1]) band--;
        const edge = (i > 0 && last !== band) || (j > 0 && above[i] !== band);
        dots[j * wide + i] = (edge ? edges : shades)[band];
        last = above[i] = band;
      }
    }
    canvas.getContext("2d").putImageData(picture, 0, 0);
  }
  const draw = (tau, box) => {
    const asked = [tau, box.left, box.right, box.top, box.bottom].join();
    if (asked === last) return;
    paint(shown ? COARSE : FINE, tau, box);
    last = asked;
    shown = [tau, box];
    clearTimeout(timer);
    timer = setTimeout(() => paint(FINE, ...shown), REST);
  };
  const unwatch = onTheme(() => shown && paint(FINE, ...shown));
  const stop = () => {
    unwatch();
    clearTimeout(timer);
  };
  return { draw, stop };
}
