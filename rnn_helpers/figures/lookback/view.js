import { cells, frame, line, rule, ticksY, title } from "../lib/chart.js";
import { signed } from "../lib/colours.js";
import { holds } from "../lib/controls.js";
import { html, italic, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure } from "../lib/figure.js";
import { knob } from "../lib/handles.js";
import { fromLog } from "../lib/powers.js";
import { clamp, counted, format, linear } from "../lib/scales.js";
import { place, point, rect } from "../lib/shapes.js";
import { SHOWN, through, UNITS, W } from "./math.js";
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
      place(delay, at.left - 0.2 * at.em, at.y(now.k));
      place(door, at.out, at.y(now.width - 0.5));
      redraw(readout, words(now));
      return spoken(now);
    },
  };
});

// ---- the drawing: the readable inputs, the units, the outputs, the loop's matrix, the first output

function scales({ width, em, room }) {
  const slide = room < Infinity;
  const narrow = !slide && width < 34 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const row = (slide ? 1.1 : 1.55) * em;
  const gap = 1.9 * em; // above each part, for its title
  const [top, bottom] = [gap, gap + UNITS * row];
  const left = (narrow ? 3.6 : 4.4) * em;
  const fan = narrow ? width : Math.max(0.6 * width, width - 16 * em);
  const span = fan - left - 1.4 * em;
  const right = left + 0.38 * span;
  const beside = fan + (slide ? 3.2 : 2.4) * em; // left edge of the parts beside the network
  const cell = slide ? 0.7 * em : Math.min((width - fan - 3 * em) / UNITS, row);
  const loop = narrow
    ? square((width - UNITS * row * 0.8) / 2, bottom + 3.4 * em + gap, 0.8 * row)
    : square(beside, top, cell);
  // The first output stands below everything, and on a slide below the matrix alone.
  const foot = narrow || slide ? loop.y(UNITS) + 0.3 * em : bottom + 2.4 * em;
  const low = { left: slide ? beside : left, right: width - 0.6 * em, top: foot + gap };
  low.bottom = low.top + (slide ? 3 : 5.2) * em;
  return {
    ...{ em, font, narrow, slide, row, left, right, top, bottom, above: 1.1 },
    loop: { em, font, above: 1.1, ...loop },
    said: {
      ...{ em, font, above: 0.7 + (0.35 * font) / em, ...low },
      x: linear([0, SHOWN - 1], [low.left, low.right]),
      y: linear([-TALL, TALL], [low.bottom, low.top]),
    },
    units: left + 0.52 * span,
    out: left + 0.9 * span,
    height: Math.max(low.bottom + 0.6 * em, slide ? bottom + 2.2 * em : 0),
    x: linear([0, 1], [left, right]),
    y: linear([0, UNITS - 1], [top + row / 2, bottom - row / 2]),
  };
}

/** A matrix of square cells. */
const square = (left, top, cell) => ({
  ...{ left, top },
  x: linear([0, UNITS], [left, left + UNITS * cell]),
  y: linear([0, UNITS], [top, top + UNITS * cell]),
});

const picture = (now, at) => [
  memory(now, at),
  network(now, at),
  matrix(now.loop, at.loop, at.narrow),
  output(now, at.said, at),
];

/** How much of each earlier input can be read from the units. */
function memory({ k, memory: shares }, at) {
  const { em, font, row, left, right, x, y } = at;
  const input = (j) => {
    const [dy, size] = [-0.35 * font, Math.max(0.85 * font, 0.76 * em)];
    return [italic("x"), svg("tspan", { dy, "font-size": size }, j ? `(t−${j})` : "(t)")];
  };
  const trough = (j, to, name) =>
    rect(left, y(j) - 0.32 * row, to - left, 0.64 * row, { class: name });
  return [
    rect(0, y(k) - row / 2 + 1, right + 0.3 * em, row - 2, { class: "held", rx: 0.3 * em }),
    title(at, "readable"),
    ALL.map((j) => [
      text(at, left - 1 * em, y(j), { class: "end input" }, input(j)),
      trough(j, right, "trough"),
      trough(j, x(shares[j]), j === k ? "share chosen" : "share"),
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
  return [
    title({ ...at, left: units - 1.6 * em }, "units"),
    V.map((weights, m) => weights.map((value, i) => value !== 0 && weight(value, i, m))),
    svg("path", { class: "round", d: around }),
    svg("path", { class: "tip", d: tip }),
    text(at, (units + out) / 2, bottom + 0.8 * em, { class: "round-name" }, "one step later"),
    ALL.map((i) => dot("unit", units, i)),
    title({ ...at, left: out - 1.6 * em }, "outputs"),
    ALL.map((m) =>
      m < width
        ? dot(m ? "output free" : "output", out, m)
        : svg("path", { class: "shut", d: shut(m) }),
    ),
  ];
}

/** The matrix of the loop, R V. An outline marks each 1 of the network with connected units. */
const matrix = (loop, at, narrow) => [
  title(at, narrow ? "R V, the loop from unit to unit" : "R V, the loop"),
  cells(at, loop, (value) => ({ class: "cell", style: `fill:${signed(value)}` })),
  cells(at, W, () => ({ class: "wanted" })).map((row, i) => row.filter((_, j) => W[i][j] > 0)),
];

/** The first output over time, and the input that it should repeat. */
function output({ says, asked, k }, at, { narrow, slide }) {
  const curve = (values, name) =>
    line(
      at,
      [...values.slice(0, SHOWN)].map((value, t) => [t, clamp(value, -TALL, TALL)]),
      name,
    );
  const few = slide || narrow;
  const delay = k === 0 ? "now" : `${counted(k, "step")} ago`;
  return [
    frame(at),
    rule(at, 0),
    curve(asked, "asked"),
    curve(says, "says"),
    ticksY(at, [-1, 0, 1], (value) => format(value, 0)),
    title(narrow ? { ...at, left: 0 } : at, [
      svg("tspan", { class: "target" }, `input ${delay}`),
      few ? ", " : ", and the ",
      svg("tspan", { class: "output" }, few ? "output" : "first output"),
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
  const same = apart < 1e-9;
  return [
    html(
      "p",
      {},
      "The first output ",
      said > 0.995 ? "gives" : said < 0.005 ? "gives nothing of" : "gives part of",
      ` the input of ${counted(k, "step")} ago: squared correlation `,
      html("b", { class: "output" }, format(said)),
      ". The bars add up to ",
      html("b", { class: "input" }, total(memory)),
      ` inputs: the present one, and at most ${width} that came through ${width === 1 ? "the output" : `${width} outputs`}.`,
    ),
    html(
      "p",
      {},
      same
        ? [
            html("b", {}, "The states are those of connected units"),
            ": they differ by at most ",
            power(apart),
          ]
        : `The states differ from those of connected units, by up to ${format(apart)}`,
      ".",
    ),
  ];
}

const power = (value) =>
  value === 0 ? "0" : html("span", {}, fromLog(Math.ceil(Math.log10(value))));

const spoken = ({ k, width, said, memory, apart }) =>
  `With delay ${k} and ${width} of ${UNITS} outputs, the first gives the input with squared correlation ${format(said)}; ` +
  `${total(memory)} inputs can be read from the units${apart < 1e-9 ? ", and the states are those of connected units" : ""}.`;
