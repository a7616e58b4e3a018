import { frame, line, rule, ticksY, title } from "../lib/chart.js";
import { signed } from "../lib/colours.js";
import { holds } from "../lib/controls.js";
import { html, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure } from "../lib/figure.js";
import { knob } from "../lib/handles.js";
import { clamp, counted, format, linear } from "../lib/scales.js";
import { place, point, rect } from "../lib/shapes.js";
import { SHOWN, through, UNITS } from "./math.js";
import { meta } from "./meta.js";

const ALL = Array.from({ length: UNITS }, (_, i) => i);
const TALL = 1.25; // limit of the axis of the output

export const render = figure("lookback", meta, ({ model, spec }) => {
  const [delay, door] = [knob({ class: "delay" }), knob({ class: "door" })];
  const area = areaOf("Units, outputs, and the loop back", delay, door);
  const readout = html("div", { class: "readout" });
  let at;
  let now;
  const held = (node, key, shift) =>
    holds(node, model, key, spec[key], {
      surface: area.drawing,
      at: ({ y }) => at.y.invert(y) + shift,
      text: () => (now ? spoken(now) : ""),
    });
  return {
    parts: [area, readout, ["k", "width", "others"]],
    reveal: { k: 3, width: UNITS, others: "random" },
    follow: [held(delay, "k", 0), held(door, "width", 0.5)],
    update(state, size) {
      now = { ...state, ...through(state) };
      at = scales(size);
      area.draw(size, at, picture(now, at));
      place(delay, at.input - 1.25 * at.em, at.y(now.k));
      place(door, at.out, at.y(now.width - 0.5));
      redraw(readout, words(now));
      return spoken(now);
    },
  };
});

// ---- the drawing: the inputs, the part that is held, the units, the outputs, the first output in time

function scales({ width, em, room }) {
  const slide = room < Infinity;
  const narrow = !slide && width < 34 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const row = (slide ? 1.35 : 1.75) * em;
  const gap = 1.9 * em; // above each part, for its title
  const [top, bottom] = [gap, gap + UNITS * row];
  const left = (narrow ? 3.6 : 6.2) * em;
  const fan = narrow ? width : Math.min(0.58 * width, 27 * em);
  const span = fan - left - 1.6 * em;
  const low = narrow
    ? { left: 2.4 * em, right: width - 0.6 * em, top: bottom + 2.6 * em + gap }
    : { left: fan + 3.4 * em, right: width - 0.6 * em, top: top + row };
  low.bottom = narrow ? low.top + 5.2 * em : bottom - row;
  return {
    ...{ em, font, narrow, slide, row, left, top, bottom, above: 1.1 },
    said: {
      ...{ em, font, above: 0.7 + (0.35 * font) / em, ...low },
      x: linear([0, SHOWN - 1], [low.left, low.right]),
      y: linear([-TALL, TALL], [low.bottom, low.top]),
    },
    input: left + 0.9 * em,
    held: left + 0.28 * span + 0.5 * em,
    units: left + 0.58 * span,
    out: left + 0.94 * span,
    height: Math.max(low.bottom + 0.6 * em, bottom + 2.4 * em),
    y: linear([0, UNITS - 1], [top + row / 2, bottom - row / 2]),
  };
}

const picture = (now, at) => [memory(now, at), network(now, at), output(now, at.said, at)];

const ago = (j, narrow) => (j ? `${j}${narrow ? "" : j === 1 ? " step" : " steps"} ago` : "now");

/** The last inputs, and beside each as much of it as the units hold. */
function memory({ k, inputs, held }, at) {
  const { em, row, left, y, narrow } = at;
  const side = 0.8 * row;
  const square = (cx, j, value, name) =>
    rect(cx - side / 2, y(j) - side / 2, side, side, {
      class: name,
      style: `fill:${signed(value)}`,
      rx: 0.15 * em,
    });
  const heading = (cx, words) => text(at, cx, at.top - 0.9 * em, { class: "heading" }, words);
  const end = at.held + side / 2 + 0.3 * em;
  return [
    rect(0, y(k) - row / 2 + 1, end, row - 2, { class: "held", rx: 0.3 * em }),
    heading(at.input, narrow ? "input" : "inputs"),
    heading(at.held, narrow ? "held" : "still held"),
    ALL.map((j) => [
      text(at, left - (narrow ? 0.8 : 1.1) * em, y(j), { class: "end input" }, ago(j, narrow)),
      square(at.input, j, inputs[j], "cell"),
      square(at.held, j, held[j], "cell"),
    ]),
  ];
}

/** The units and the outputs, the weights between them, and the loop back below them. */
function network({ width, V }, at) {
  const { em, row, units, out, y } = at;
  const r = 0.34 * row;
  const largest = Math.max(...V.flat().map(Math.abs));
  const bottom = at.bottom + 0.9 * em;
  const [first, middle] = [(y(0) + y(width - 1)) / 2, (y(0) + y(UNITS - 1)) / 2];
  const [from, to] = [point(out + r + 0.1 * em, first), units - r - 0.25 * em];
  const around = `M${from}H${out + 1.2 * em}V${bottom}H${units - 1.1 * em}V${middle}H${to}`;
  const tip = `M${point(units - r - 0.1 * em, middle)}l${point(-0.55 * em, -0.3 * em)}v${0.6 * em}z`;
  const weight = (value, i, m) =>
    svg("path", {
      class: m ? "weight free" : "weight",
      d: `M${point(units + r, y(i))}L${point(out - r, y(m))}`,
      "stroke-opacity": (0.08 + 0.92 * Math.abs(value / largest) ** 1.5).toFixed(2),
    });
  const dot = (name, cx, i) => svg("circle", { class: name, cx, cy: y(i), r });
  const shut = (m) => `M${point(out, y(m) - 0.5 * row)}V${(y(m) + 0.5 * row).toFixed(1)}`;
  const heading = (cx, words) => text(at, cx, at.top - 0.9 * em, { class: "heading" }, words);
  return [
    heading(units, "units"),
    heading(out, "outputs"),
    V.map((weights, m) => weights.map((value, i) => value !== 0 && weight(value, i, m))),
    svg("path", { class: "round", d: around }),
    svg("path", { class: "tip", d: tip }),
    text(at, (units + out) / 2, bottom + 0.8 * em, { class: "round-name" }, "one step later"),
    ALL.map((i) => dot("unit", units, i)),
    ALL.map((m) =>
      m < width
        ? dot(m ? "output free" : "output", out, m)
        : svg("path", { class: "shut", d: shut(m) }),
    ),
  ];
}

/** The first output over time, and the input that it should repeat. */
function output({ says, asked, k }, at, { narrow }) {
  const curve = (values, name) =>
    line(
      at,
      [...values.slice(0, SHOWN)].map((value, t) => [t, clamp(value, -TALL, TALL)]),
      name,
    );
  return [
    frame(at),
    rule(at, 0),
    curve(asked, "asked"),
    curve(says, "says"),
    ticksY(at, [-1, 0, 1], (value) => format(value, 0)),
    title(narrow ? { ...at, left: 0 } : at, [
      svg("tspan", { class: "target" }, k ? `input ${counted(k, "step")} ago` : "input now"),
      ", and ",
      svg("tspan", { class: "output" }, "first output"),
    ]),
  ];
}

// ---- the words

const total = (memory) =>
  format(
    memory.reduce((p, q) => p + q),
    1,
  );

function words({ k, said, memory, apart, width }) {
  const part = said > 0.995 ? "all" : said < 0.005 ? "nothing" : "a part";
  return [
    html(
      "p",
      {},
      `The first output gives ${part} of the input of ${k ? `${counted(k, "step")} ago` : "this step"}. Through `,
      html("b", { class: "output" }, counted(width, "output")),
      ", the units hold ",
      html("b", {}, total(memory)),
      " of the last 8 inputs.",
    ),
    apart < 1e-9 &&
      html("p", {}, "Their states are exactly those of connected units, up to rounding."),
  ];
}

const spoken = ({ k, width, said, memory, apart }) =>
  `With delay ${k} and ${width} of ${UNITS} outputs, the first gives the input with squared correlation ${format(said)}; ` +
  `${total(memory)} inputs can be read from the units${apart < 1e-9 ? ", and the states are those of connected units" : ""}.`;
