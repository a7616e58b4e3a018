// The drawing: rows over one time.
import { cursor, rule } from "../lib/chart.js";
import { italic, svg, text } from "../lib/dom.js";
import { format, linear } from "../lib/scales.js";
import { point, rect } from "../lib/shapes.js";
import { LONGEST, networks, training } from "./math.js";

/** The parts of each cell that are shown: letter, name and kind. */
export const STRIPS = {
  lstm: [
    ["f", "forget gate", "gate"],
    ["g", "input gate", "gate"],
    ["s", "state", "memory"],
  ],
  gru: [
    ["u", "update gate", "gate"],
    ["r", "reset gate", "gate"],
    ["h", "state", "state"],
  ],
};
export const CALLED = { 0: "a zero", 1: "a one", r: "a reset" };

/** The layout: positions, sizes and scales. */
export function scales({ net, steps }, { width, em, room }) {
  // Names stand beside the rows if there is room for the longest sequence, and above them otherwise.
  const narrow = room === Infinity && width < 9.2 * em + 22 * LONGEST;
  const n = networks[net].b.length;
  const font = (width < 24 * em ? 0.8 : 0.9) * em;
  const left = (narrow ? 1.3 : 7.6) * em;
  const right = 1.6 * em;
  // If the columns would be too narrow for a finger, the drawing is wider than its frame, which scrolls.
  const least = narrow ? 24 : 0;
  const wide = Math.min(Math.max((width - left - right) / steps.length, least), 2.4 * em);
  const slide = room < Infinity;
  const title = (narrow ? 1.35 : slide ? 0.35 : 0.55) * em;
  const cell = 1.7 * em;
  const free = Math.min(room - 3.9, 28) * em;
  const chart = slide ? 0.165 * free : 4.6 * em;
  // Whole pixels, for lines and numbers at the same distances.
  const high = Math.floor(
    Math.min((free - cell - chart - 4 * title - 1.2 * em) / (3 * n), 1.4 * em),
  );
  const top = { x: 0.1 * em };
  top.chart = top.x + cell + title;
  let y = top.chart + chart;
  for (const [key] of STRIPS[net]) {
    top[key] = Math.round(y + title);
    y = top[key] + n * high;
  }
  const most = Math.max(5, ...steps.map((now) => Math.max(now.count, now.answer)));
  return {
    narrow,
    em,
    font,
    small: Math.max(12, Math.min(font, 1.2 * high)),
    ...{ left, wide, cell, chart, high, top, n, most },
    width: Math.max(left + steps.length * wide + right, narrow ? 0 : width),
    height: y + 1.25 * em,
    time: linear([0, steps.length], [left, left + steps.length * wide]),
    count: linear([0, most], [top.chart + chart, top.chart + 0.3 * em]),
  };
}

/** The symbols, the count and the answers, and a strip for each part of the cell. */
export function picture(now, at) {
  const { steps, t, net } = now;
  const { wide, em, top, left, narrow } = at;
  return [
    svg("rect", { class: "band", y: 0, width: wide, height: at.height, rx: 0.2 * em }),
    !narrow && text(at, left - 1.35 * em, top.x + at.cell / 2, { class: "end input" }, "sequence"),
    axes(steps, at),
    chart(steps, at),
    STRIPS[net].map((kind) => strip(kind, now, at)),
    steps.map((_, i) =>
      text(
        at,
        at.time(i + 0.5),
        at.height - 0.6 * em,
        { class: i + 1 === t ? "now" : "tick" },
        i % 2 && wide < 1.4 * em ? "" : String(i + 1),
      ),
    ),
    cells(now, at),
  ];
}

/** The zero line, the limits of the training data, and the chart's names and numbers. */
function axes(steps, at) {
  const { left, em, top, narrow } = at;
  const end = at.time(steps.length);
  const across = { left, right: end, y: at.count };
  const beyond = steps.length > training.length;
  const upright = { x: at.time, top: top.chart, bottom: at.height - 1.25 * em };
  const named = (share, name) =>
    text(at, left - 1.35 * em, top.chart + share * at.chart, { class: `end ${name[0]}` }, name[1]);
  return [
    rule(across, 0),
    at.most > training.usual && rule(across, training.usual, "usual"),
    beyond && cursor(upright, training.length, "usual"),
    narrow
      ? text(
          at,
          left,
          top.chart - 0.65 * em,
          { class: "start stays" },
          svg("tspan", { class: "target" }, "count"),
          " and ",
          svg("tspan", { class: "output" }, "answer"),
        )
      : [named(0.3, ["target", "count"]), named(0.8, ["output", "answer"])],
    text(at, end + 0.25 * em, at.count(at.most), { class: "start tick" }, format(at.most, 0)),
    text(at, end + 0.25 * em, at.count(0), { class: "start tick" }, "0"),
  ];
}

/** The count, the answers, and the distance between them. */
function chart(steps, at) {
  const middle = (i) => at.time(i + 0.5);
  const off = steps.map(({ count, answer }, i) =>
    Math.abs(answer - count) > 0.5 ? `M${middle(i)} ${at.count(answer)}V${at.count(count)}` : "",
  );
  const counts = steps.map(
    ({ count }, i) => `M${at.time(i + 0.06)} ${at.count(count)}h${0.88 * at.wide}`,
  );
  return [
    svg("path", { class: "off", d: off.join("") }),
    svg("path", { class: "count", d: counts.join("") }),
    steps.map(({ answer }, i) =>
      svg("circle", { class: "answer", cx: middle(i), cy: at.count(answer), r: 0.24 * at.em }),
    ),
  ];
}

/** A part of the cell over time: a row for each unit, with a frame around the chosen one. */
function strip([key, called, kind], { steps, unit }, at) {
  const { left, em, top, high, narrow, n } = at;
  const gate = kind === "gate";
  const end = at.time(steps.length);
  const width = end - left;
  const y0 = top[key];
  const middle = y0 + (n * high) / 2;
  const beside = left - 1.35 * em;
  const name = [called, " ", italic(key)];
  return [
    narrow
      ? text(at, left, y0 - 0.65 * em, { class: `start stays ${kind}` }, name)
      : text(at, beside, middle - 0.3 * em, { class: `end ${kind}` }, name),
    !narrow &&
      key !== "g" &&
      key !== "r" &&
      text(
        at,
        beside,
        middle + 0.9 * em,
        { class: "end tick" },
        gate ? "of units 1 to 4" : "own scales",
      ),
    Array.from({ length: n }, (_, i) => [
      rect(left, y0 + i * high, width, high, { class: "row", "data-unit": i + 1 }),
      !gate && svg("path", { class: "zero", d: `M${left} ${y0 + (i + 0.5) * high}H${end}` }),
      text(
        at,
        left - 0.65 * em,
        y0 + (i + 0.5) * high,
        { class: `${i + 1 === unit ? "chosen" : "tick"}`, "font-size": at.small },
        String(i + 1),
      ),
    ]),
    svg("path", { class: `bar ${kind}`, d: bars(key, gate, steps, at) }),
    rect(left, y0 + (unit - 1) * high, width, high, { class: "row chosen" }),
  ];
}

/** All bars of a strip in one path, because each click redraws everything. */
function bars(key, gate, steps, { time, wide, high, top }) {
  // Each unit's states have a scale of their own, so that their course is visible.
  const limits = steps[0][key].map((_, i) =>
    gate ? 1 : Math.max(...steps.map((now) => Math.abs(now[key][i]))),
  );
  const bar = (value, i, k) => {
    const share = (value / limits[i]) * (gate ? high - 2 : high / 2 - 1);
    const length = Math.abs(share) < 0.5 ? 0.5 : share;
    const zero = top[key] + i * high + (gate ? high - 1 : high / 2);
    const [x, width] = [time(k) + 0.1 * wide, 0.8 * wide];
    return `M${point(x, zero)}h${width.toFixed(1)}v${(-length).toFixed(1)}h${(-width).toFixed(1)}z`;
  };
  return steps.map((now, k) => now[key].map((value, i) => bar(value, i, k)).join("")).join("");
}

/** The symbols, as buttons that change them and choose a step. */
const cells = ({ sequence, t }, at) =>
  [...sequence].map((symbol, i) =>
    svg(
      "g",
      {
        class: `cell ${symbol === "r" ? "reset" : symbol === "1" ? "one" : ""}`,
        role: "button",
        "data-node": i + 1,
        tabindex: i + 1 === t ? 0 : -1,
        "aria-label": `step ${i + 1}, ${symbol === "r" ? CALLED.r : symbol}: change it`,
      },
      rect(at.time(i) + 1, at.top.x, at.wide - 2, at.cell, { class: "box", rx: 0.15 * at.em }),
      text(at, at.time(i + 0.5), at.top.x + at.cell / 2, {}, symbol),
      rect(at.time(i), at.top.x - 1, at.wide, at.cell + 2, { class: "uf-ring" }),
    ),
  );
