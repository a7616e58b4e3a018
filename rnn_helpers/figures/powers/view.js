import { frame, line, rule, ticksX, ticksY } from "../lib/chart.js";
import { html, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure } from "../lib/figure.js";
import { decade } from "../lib/powers.js";
import { counted, format, linear, log } from "../lib/scales.js";
import { MARKS, place } from "../lib/shapes.js";
import { FACTORS, powers, STEPS } from "./math.js";
import { meta } from "./meta.js";

const NUMBERS = FACTORS.map(powers);
const KINDS = ["less", "more"];
const SHAPES = [MARKS.circle, MARKS.diamond];
const [LOW, HIGH] = [1e-5, 1e5];

export const render = figure("powers", meta, () => {
  const area = areaOf("The two numbers over time");
  const readout = html("div", { class: "readout" });
  return {
    parts: [readout, area, ["t"]],
    reveal: { t: STEPS },
    update({ t }, size) {
      const at = scales(size);
      area.draw(
        size,
        at,
        axes(at),
        NUMBERS.map((numbers, i) => curve(numbers, i, t, at)),
      );
      redraw(
        readout,
        NUMBERS.map((numbers, i) => value(numbers, i, t)),
      );
      return spoken(t);
    },
  };
});

/** A line of the readout, such as "0.9¹⁰ = 0.35". */
const value = (numbers, i, t) =>
  html(
    "p",
    { class: KINDS[i] },
    html("span", {}, format(FACTORS[i], 1), html("sup", {}, String(t))),
    " = ",
    html("b", {}, size(numbers[t])),
  );

/** The readout for screen readers. */
const spoken = (t) => {
  const said = NUMBERS.map(
    (numbers, i) => `${format(FACTORS[i], 1)} to the power ${t} is ${size(numbers[t])}`,
  );
  return `After ${counted(t, "factor")}, ${said.join(", and ")}.`;
};

/** A number with about two significant digits, without powers of ten. */
const size = (number) => {
  if (number === 1) return "1";
  if (number >= 100) return Math.round(number).toLocaleString("en-US");
  return format(number, Math.max(0, 1 - Math.floor(Math.log10(number))));
};

function scales({ width, em, room }) {
  const [left, right, top] = [3.2 * em, width - em, 0.8 * em];
  const bottom = Math.min(room - 6, 15) * em;
  return {
    ...{ em, font: 0.9 * em, left, right, top, bottom, below: 0.95 },
    height: bottom + 1.6 * em,
    x: linear([0, STEPS], [left, right]),
    y: log([LOW, HIGH], [bottom, top]),
  };
}

const axes = (at) => [
  frame(at),
  rule(at, 1, "one"),
  ticksY(at, [1e-4, 1e-2, 1, 1e2, 1e4], (value) => decade(Math.log10(value), at.font), "end"),
  ticksX(
    at,
    at.right - at.left < 20 * at.em ? [0, 50, STEPS] : [0, 25, 50, 75, STEPS],
    (t) => (t === STEPS ? `${t} steps` : t),
    (t) => (t === STEPS ? "end" : ""),
  ),
];

function curve(numbers, i, t, at) {
  const [x, y] = [at.x(t), at.y(numbers[t])];
  const mark = svg("path", { class: "mark", d: SHAPES[i] });
  place(mark, x, y, 0.36 * at.em);
  return svg(
    "g",
    { class: KINDS[i] },
    line(at, [...numbers.slice(0, t + 1).entries()], "curve"),
    mark,
    t < STEPS / 2 &&
      text(
        at,
        x + 0.8 * at.em,
        y + (i ? -0.9 : 0.9) * at.em,
        { class: "name" },
        `times ${FACTORS[i]}`,
      ),
  );
}
