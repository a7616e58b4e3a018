// The loss as a landscape on a canvas: from above, or as a relief that turns. The color compares the
// loss with ALWAYS: blue below, red above.
import { onTheme, stops } from "../lib/colours.js";
import { clamp } from "../lib/scales.js";
import { worker } from "../lib/worker.js";
import { ALWAYS, field } from "./math.js";
import { drawRelief, grid } from "./relief.js";

/** Powers of ten below and above ALWAYS at which the ramp ends. */
const [LESS, MORE] = [3.4, 1.5];
/** The number of shades in the table of colors. */
const SHADES = 255;
/** Points per side of the map that is drawn at once, and at most of the fine map that follows. */
const [COARSE, FINE] = [40, 520];

/** The place of a loss on the ramp, from 0 to 1. */
export const place = (E) => {
  const power = Math.log10(Math.max(E, 1e-12) / ALWAYS);
  return clamp(0.5 + power / (2 * (power < 0 ? LESS : MORE)), 0, 1);
};

/** `draw(state)` draws the landscape of a state, unless it is already drawn. */
export function landscape(canvas, el) {
  let palette = null; // of the theme
  let points = null; // of the relief, for T
  let shown = null;
  const fine = worker(150);
  const ink = (name) => getComputedStyle(el).getPropertyValue(name).trim();

  /** From above: a coarse map at once, a fine one as soon as there is time. */
  function above({ T, side }) {
    const coarse = field(T, COARSE);
    let rough;
    do rough = coarse.next();
    while (!rough.done);
    drawMap(canvas, rough.value, COARSE, palette.shade);
    const n = Math.round(Math.min(side * (globalThis.devicePixelRatio || 1), FINE));
    fine.start([[field(T, n), (E) => drawMap(canvas, E, n, palette.shade)]]);
  }

  function paint(state) {
    fine.stop();
    palette ??= paletteOf(ink);
    if (!state.relief) return above(state);
    points ??= grid(state.T);
    drawRelief(canvas, points, state, palette);
  }

  const unwatch = onTheme(() => {
    palette = null;
    if (shown) paint(shown);
  });
  return {
    draw(state) {
      const same =
        shown && !state.relief && ["T", "side"].every((key) => shown[key] === state[key]);
      if (shown?.T !== state.T) points = null;
      shown = state;
      if (!same) paint(state);
    },
    stop() {
      fine.stop();
      unwatch();
    },
  };
}

const rgb = (hex) => hex.match(/[\da-f]{2}/gi).map((two) => parseInt(two, 16));

/** The theme's colors: `shade(loss)` returns red, green and blue, and `inks` has colors by name. */
function paletteOf(ink) {
  const colors = stops("signed").map((name) => rgb(ink(name)));
  const shades = Array.from({ length: SHADES + 1 }, (_, i) => {
    const at = ((colors.length - 1) * i) / SHADES;
    const low = Math.min(Math.floor(at), colors.length - 2);
    return colors[low].map((c, j) => c + (at - low) * (colors[low + 1][j] - c));
  });
  const names = ["gradient", "parameter", "accent", "paper"];
  return {
    shade: (E) => shades[Math.round(SHADES * place(E))],
    inks: Object.fromEntries(names.map((name) => [name, ink(`--uf-${name}`)])),
  };
}

/** Draw the losses `E` from above, lit from the top left, with contours two to a power of ten. */
function drawMap(canvas, E, n, shade) {
  Object.assign(canvas, { width: n, height: n });
  const picture = new ImageData(n, n);
  const band = (value) => Math.floor(2 * Math.log10(value) + 1e-9);
  for (let at = 0; at < n * n; at++) {
    const left = at % n ? E[at - 1] : E[at];
    const above = at >= n ? E[at - n] : E[at];
    const slope = Math.sqrt(E[at]) - Math.sqrt(left) + Math.sqrt(above) - Math.sqrt(E[at]);
    const light = clamp(slope, -0.42, 0.25);
    const onLine = n > 100 && (band(E[at]) !== band(left) || band(E[at]) !== band(above));
    shade(E[at]).forEach((c, k) => {
      picture.data[4 * at + k] = (onLine ? 0.9 : 1) * (c + (light < 0 ? c : 255 - c) * light);
    });
    picture.data[4 * at + 3] = 255;
  }
  canvas.getContext("2d").putImageData(picture, 0, 0);
}
