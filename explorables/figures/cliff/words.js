// The figure's words.
import { stops } from "../../lib/colours.js";
import { html, svg } from "../../lib/dom.js";
import { fromLog } from "../../lib/powers.js";
import { format } from "../../lib/scales.js";
import { swatch } from "../../lib/shapes.js";
import { LOOKS, mark, together } from "./drawing.js";
import { place as onRamp } from "./ground.js";
import { ALWAYS, MANY } from "./math.js";
import { digits, plain, short } from "./numbers.js";

const NAMES = {
  norm: "Norm clipped",
  element: "Each entry clipped",
  random: "Random step",
  none: "Not clipped either",
};

/** What the colours of the ground mean. */
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
      [1e-3, "10⁻³"],
      [ALWAYS, String(ALWAYS)],
      [0.5, "0.5"],
    ].map(([loss, words]) =>
      html("span", { class: "at", style: `--at:${onRamp(loss).toFixed(3)}` }, words),
    ),
  );

export const FATE_WORDS = {
  out: "is thrown out",
  found: "finds the ravine",
  on: "is still on its way",
};
export function words(now) {
  const { ways, fates, out, kind, v, lr, k } = now;
  const line = ({ name }, i, title) => {
    const { w, b, E } = ways[i];
    const n = out[i];
    const where =
      fates[i] === "out"
        ? ` at update ${n}, to (${[w, b].map((values) => format(values[n], short(values[n]))).join(", ")})`
        : "";
    const way = svg("path", { class: `way ${name}`, d: "M1 5H33" });
    return html(
      "p",
      { class: name },
      swatch(34, 10, way, mark(LOOKS[i], [17, 5], 4, "here")),
      html("b", {}, title),
      ` ${FATE_WORDS[fates[i]]}`,
      html("span", {}, `${where}; last loss ${plain(E.at(-1))}.`),
    );
  };
  const [free, held] = ways.map((way) => way.norm[k]);
  const long = together(now)
    ? `gradient ${digits(held)} long`
    : `gradients ${digits(free)} and ${digits(held)} long`;
  const cut = {
    norm: `step ${digits(lr * v)} instead of ${digits(lr * held)}`,
    element: "each entry clipped",
    random: "a random step",
  }[kind];
  return [
    line(LOOKS[0], 0, "Without clipping"),
    line(LOOKS[1], 1, NAMES[kind]),
    html(
      "p",
      { class: "now" },
      `Update ${k}: ${long}${held > v && cut ? `, above v = ${v}: ${cut}` : ""}.`,
    ),
  ];
}

export function everywhere({ view, lost }) {
  if (view !== "starts") return [];
  const part = (value) =>
    value === undefined ? "…" : `${format(100 * value, value && value < 0.1 ? 1 : 0)}\u00a0%`;
  return [
    `Of all starts in the picture, ${part(lost.free)} are thrown out without clipping, the veiled ones, and ${part(lost.held)} with it. `,
  ];
}

export function neighbours({ near, tried }) {
  if (!near) return [];
  if (!tried) return ["…"];
  const [free, held] = tried;
  const far = (value) => fromLog(Math.log10(value), 0);
  return [
    `Of ${MANY} starts within `,
    fromLog(-12),
    ` of this one, ${free.out} leave the picture without clipping; their ends are up to `,
    far(free.apart),
    ` apart. With clipping ${held.out} leave, ${held.found} find the ravine, up to `,
    far(held.apart),
    " apart.",
    [free, held].some(({ out }) => out > 0 && out < MANY)
      ? " Descents are chaotic here: the rounding of numbers decides where one ends."
      : "",
  ].flat();
}
