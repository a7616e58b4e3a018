import { dark } from "../../palette.json";
import { clamp } from "./scales.js";

const STOPS = { signed: 7, amount: 6 };

/**
 * The color at `t` in [0, 1] of a ramp of the palette, as CSS that follows the theme. There are 20
 * shades between two stops, so that cells with nearly equal values share a path in a picture.
 */
export function ramp(name, t) {
  const place = clamp(t, 0, 1) * (STOPS[name] - 1);
  const low = Math.min(Math.floor(place), STOPS[name] - 2);
  const share = 5 * Math.round(20 * (place - low));
  const [below, above] = [low, low + 1].map((stop) => `var(--uf-${name}-${stop})`);
  if (share % 100 === 0) return share ? above : below;
  return `color-mix(in oklab, ${above} ${share}%, ${below})`;
}

/** Return the names of a ramp's CSS variables, from its low end to its high end. */
export const stops = (name) => Array.from({ length: STOPS[name] }, (_, i) => `--uf-${name}-${i}`);

/**
 * Return the color of a positive or negative `value`: red above 0, blue below, as in every plot.
 * `limit` and everything beyond it has the color at the end of the ramp.
 */
export const signed = (value, limit = 1) => ramp("signed", 0.5 + value / (2 * limit));

/**
 * Call `redraw` when the theme changes, because a canvas doesn't follow it by itself; on paper, the
 * theme is light. Returns a cleanup.
 */
export function onTheme(redraw) {
  const observer = new MutationObserver(redraw);
  const print = matchMedia("print");
  const onPrint = () => document.querySelector(dark.join()) && redraw();
  print.addEventListener("change", onPrint);
  const attributeFilter = ["data-theme", "data-jp-theme-light", "data-vscode-theme-kind"];
  for (const node of [document.documentElement, document.body])
    observer.observe(node, { attributeFilter });
  return () => {
    observer.disconnect();
    print.removeEventListener("change", onPrint);
  };
}
