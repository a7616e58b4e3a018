import { controls, controlsOf, setAll } from "../../lib/controls.js";
import { drawingOf, html, set, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { live, said } from "../../lib/linked.js";
import { decade } from "../../lib/powers.js";
import { format, linear, log } from "../../lib/scales.js";
import { MARKS, path, place, rect } from "../../lib/shapes.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import { FACTORS, powers, STEPS } from "./math.js";
import { meta } from "./meta.js";

const NUMBERS = FACTORS.map(powers);
const KINDS = ["less", "more"];
const SHAPES = [MARKS.circle, MARKS.diamond];
const [LOW, HIGH] = [1e-5, 1e5];

export function render({ model, el }) {
  const { controls: spec } = meta;
  const plot = svg("g");
  const drawing = drawingOf("The two numbers over time", plot);
  const readout = html("div", { class: "readout" });
  const status = live();
  el.classList.add("fig-powers");
  el.append(
    readout,
    html("div", { class: "area" }, drawing),
    controls(controlsOf(model, spec, "t")),
    guess(meta.prediction, () => setAll(model, { t: STEPS })),
    status,
  );
  return keepDrawn(model, drawing.parentElement, (size) => {
    const { t } = settings(model, spec);
    const at = scales(size);
    set(drawing, { viewBox: `0 0 ${size.width} ${at.height}` });
    plot.replaceChildren(...axes(at), ...NUMBERS.map((numbers, i) => curve(numbers, i, t, at)));
    readout.replaceChildren(...NUMBERS.map((numbers, i) => value(numbers, i, t)));
    status.announce(said(readout));
  });
}

/** A line of the readout, such as "0.9¹⁰ = 0.35". */
const value = (numbers, i, t) =>
  html(
    "p",
    { class: KINDS[i] },
    html("span", {}, format(FACTORS[i], 1), html("sup", {}, String(t))),
    " = ",
    html("b", {}, size(numbers[t])),
  );

/** A number with about two significant digits, without powers of ten. */
const size = (number) => {
  if (number === 1) return "1";
  if (number >= 100) return Math.round(number).toLocaleString("en-US");
  return format(number, Math.max(0, 1 - Math.floor(Math.log10(number))));
};

function scales({ width, em, room }) {
  const font = 0.9 * em;
  const [left, right, top] = [3.2 * em, width - em, 0.8 * em];
  const bottom = Math.min(room - 6, 15) * em;
  return {
    em,
    font,
    left,
    right,
    top,
    bottom,
    height: bottom + 1.6 * em,
    t: linear([0, STEPS], [left, right]),
    y: log([LOW, HIGH], [bottom, top]),
  };
}

function axes(at) {
  const { left, right, top, bottom, em } = at;
  return [
    rect(left, top, right - left, bottom - top, { class: "frame" }),
    svg("path", { class: "one", d: `M${left} ${at.y(1)}H${right}` }),
    ...[-4, -2, 0, 2, 4].map((power) =>
      text(at, left - 0.4 * em, at.y(10 ** power), { class: "end" }, decade(power, at.font)),
    ),
    ...(right - left < 20 * em ? [0, 50, STEPS] : [0, 25, 50, 75, STEPS]).map((t) =>
      text(
        at,
        at.t(t),
        bottom + 0.95 * em,
        { class: t === STEPS ? "end" : "" },
        t === STEPS ? `${t} steps` : String(t),
      ),
    ),
  ];
}

function curve(numbers, i, t, at) {
  const points = numbers.slice(0, t + 1).map((number, k) => [at.t(k), at.y(number)]);
  const mark = svg("path", { class: "mark", d: SHAPES[i] });
  place(mark, ...points[t], 0.36 * at.em);
  return svg(
    "g",
    { class: KINDS[i] },
    svg("path", { class: "curve", d: path(points) }),
    mark,
    t < STEPS / 2 &&
      text(
        at,
        points[t][0] + 0.8 * at.em,
        points[t][1] + (i ? -0.9 : 0.9) * at.em,
        { class: "name" },
        `times ${FACTORS[i]}`,
      ),
  );
}
