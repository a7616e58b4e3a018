// The figure's words.
import { stops } from "../lib/colours.js";
import { html, svg } from "../lib/dom.js";
import { swatch } from "../lib/shapes.js";
import { LOOKS, mark } from "./drawing.js";
import { place as onRamp } from "./ground.js";
import { ALWAYS } from "./math.js";
import { digits, place, plain } from "./numbers.js";

const NAMES = {
  norm: "Clipped by norm",
  element: "Clipped by element",
  random: "With random steps",
  none: "Not clipped either",
};

/** What the colors of the ground mean. */
export const ramp = () =>
  html(
    "p",
    { class: "ramp" },
    "loss ",
    html("span", {
      class: "colours",
      "aria-hidden": "true",
      style: `background:linear-gradient(90deg,${stops("signed").map((name) => `var(${name})`)})`,
    }),
    [
      [1e-4, "10⁻⁴"],
      [ALWAYS, String(ALWAYS)],
      [0.5, "0.5"],
    ].map(([loss, words]) =>
      html("span", { class: "at", style: `--at:${onRamp(loss).toFixed(3)}` }, words),
    ),
  );

/** Update k of the relief's descent. */
export function reliefWords({ way, k, lr, edge, kind, T }) {
  const network = `The network has ${T} steps. `;
  const long = `gradient ${edge ? "there " : ""}is ${digits(way.norm[k])} long`;
  if (edge)
    return `${network}Update ${k} leads out of the picture, to ${place(way, k)}. The ${long}.`;
  const next = kind === "none" ? `, so the next step is ${digits(lr * way.norm[k])} long` : "";
  return `${network}Update ${k}: the loss is ${plain(way.E[k])}. The ${long}${next}.`;
}

/** Update k of both descents on the map. */
export function mapWords({ ways, edges, kind, v, lr, k, one, T }) {
  const line = ({ name }, i) =>
    html(
      "p",
      { class: name },
      swatch(
        34,
        10,
        svg("path", { class: `way ${name}`, d: "M1 5H33" }),
        mark(LOOKS[i], [17, 5], 4),
      ),
      html("b", {}, i ? NAMES[kind] : "Without clipping"),
      `: the loss is ${plain(ways[i].E[k])}`,
      edges[i] && `, out of the picture since update ${edges[i].n}, at ${place(ways[i], k)}`,
    );
  const [free, held] = ways.map((way) => way.norm[k]);
  const long = one
    ? `the gradient is ${digits(held)} long`
    : `the gradients are ${digits(free)} and ${digits(held)} long`;
  const cut = {
    norm: `the clipped step is ${digits(lr * v)} long instead of ${digits(lr * held)}`,
    element: "each entry is clipped",
    random: "the step is random",
  }[kind];
  const more = held > v && cut ? `, above the threshold of ${v}, so ${cut}` : "";
  return [
    ...LOOKS.map(line),
    html(
      "p",
      { class: "now" },
      `${T === 50 ? "" : `The network has ${T} steps. `}Update ${k}: ${long}${more}.`,
    ),
  ];
}
