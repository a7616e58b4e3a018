import { clamp } from "./scales.js";

const STOPS = { signed: 7, amount: 6 };

/** A colour of a ramp of the palette at `t` in [0, 1], as CSS that follows the theme. */
export function ramp(name, t) {
  const place = clamp(t, 0, 1) * (STOPS[name] - 1);
  const low = Math.min(Math.floor(place), STOPS[name] - 2);
  const share = (100 * (place - low)).toFixed(1);
  return `color-mix(in oklab, var(--uf-${name}-${low + 1}) ${share}%, var(--uf-${name}-${low}))`;
}

/** The colour of `value` on the signed ramp, where `limit` and beyond is the end of it. */
export const signed = (value, limit = 1) => ramp("signed", 0.5 + value / (2 * limit));

/** Call `redraw` when the theme changes, for what is painted on a canvas. Returns a cleanup. */
export function onTheme(redraw) {
  const observer = new MutationObserver(redraw);
  const watch = (node, name) =>
    observer.observe(node, { attributes: true, attributeFilter: [name] });
  watch(document.documentElement, "data-theme");
  watch(document.body, "data-jp-theme-light");
  return () => observer.disconnect();
}
