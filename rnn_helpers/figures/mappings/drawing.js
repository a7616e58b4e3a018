// The small drawings of the patterns, and the network unfolded over its steps, as SVG.
import { svg, text } from "../lib/dom.js";
import { clamp } from "../lib/scales.js";
import { arrow, rect } from "../lib/shapes.js";
import { graph } from "./math.js";

/** For the small drawings: the steps with an input, and those with an output. */
const SMALL = {
  "one-one": ["1", "1"],
  "one-many": ["100", "111"],
  "many-one": ["111", "001"],
  delayed: ["11100", "00111"],
  aligned: ["111", "111"],
};
const ROW = { o: 0, h: 1, x: 2 };

/** A drawing of a pattern's graph. It has no label, because the pattern's name stands below it. */
export function small(pattern) {
  const [reads, writes] = SMALL[pattern].map((marks) => [...marks].map((mark) => mark === "1"));
  const { nodes, edges } = graph({ reads: reads.map((there) => there || null), writes });
  const T = reads.length;
  const at = ([name, t]) => [(t - 0.5) * 12, 6 + 14 * ROW[name]];
  const line = ({ source, target }) => {
    const [[x0, y0], [x1, y1]] = [at(source), at(target)];
    return `M${x0} ${y0}L${x1} ${y1}`;
  };
  const mark = (node) => {
    const [x, y] = at(node);
    return node[0] === "o"
      ? svg("circle", { class: "o", cx: x, cy: y, r: 3.6 })
      : rect(x - 3.4, y - (node[0] === "h" ? 4.4 : 3.4), 6.8, node[0] === "h" ? 8.8 : 6.8, {
          class: node[0],
          rx: 1,
        });
  };
  return svg(
    "svg",
    { viewBox: `0 0 ${12 * T} 40`, "aria-hidden": "true" },
    svg("path", { class: "line", d: edges.map(line).join("") }),
    nodes.map(mark),
  );
}

/** The layout: rows from the outputs down to the inputs, a column for each step. */
export function layout({ T, units, pattern }, { width, em, room }) {
  const slide = room < Infinity;
  const beside = 3.8 * em; // for the names of the rows, if there is room
  const gutter = (width - beside) / T < 2.2 * em ? 0 : beside;
  const pitch = Math.min((width - gutter) / T, 4.6 * em);
  const start = (width - gutter - T * pitch) / 2;
  const left = start + gutter;
  const least = slide ? 0.9 * em : 12;
  const font = Math.max(least, Math.min(em, 0.72 * pitch));
  const r = Math.min(1.05 * em, 0.44 * pitch);
  const pixel = slide ? 1.25 * em : Math.max(24, 1.6 * em);
  const below = pattern === "one-one" ? 3 * pixel : 2 * r;
  const gap = (slide ? 1.1 : 1.6) * em;
  const most = slide ? (room - 8.9) * em - below - 2 * r - 2 * gap : Infinity;
  const unit = Math.min((slide ? 1.5 : 1.35) * em, most / units.length);
  const box = { width: Math.min(2.3 * em, 0.76 * pitch), height: units.length * unit + 0.35 * em };
  const y = { o: r + 0.15 * em };
  y.h = y.o + r + gap;
  y.x = y.h + box.height + gap;
  const height = y.x + below + (pattern === "one-one" ? 0.2 : 1.5) * em;
  return {
    ...{ width, em, least, start, gutter, pitch, font, r, pixel, below, unit, box, y, height },
    column: (t) => left + (t - 0.5) * pitch,
  };
}

/** The whole drawing at a step. */
export function picture(now, at) {
  const { graph, pattern, steps, reads, t } = now;
  const { em, pitch, y, column, r, box, height } = at;
  const middle = y.h + box.height / 2;
  const ends = ([from, s], [to, e]) => {
    const [x0, x1] = [column(s), column(e)];
    if (from === "x")
      return [
        [x0, y.x],
        [x1, y.h + box.height],
      ];
    if (to === "o")
      return [
        [x0, y.h],
        [x1, y.o + r],
      ];
    return [
      [x0 + box.width / 2, middle],
      [x1 - box.width / 2, middle],
    ];
  };
  const names = [
    ["outputs", "output", y.o],
    ["state", "state", middle],
    ["reads", "input", y.x + at.below / 2],
  ];
  return [
    rect(column(t) - pitch / 2, 0, pitch, height, { class: "band", rx: 0.3 * em }),
    at.gutter &&
      names.map(([name, kind, height]) =>
        text({ font: 0.9 * em }, at.start, height, { class: `start ${kind}` }, name),
      ),
    graph.edges.map(({ source, target }) => {
      const drawn = arrow(when(target[1], now));
      drawn.update(ends(source, target), Math.min(0.8 * em, 0.43 * pitch));
      return drawn.node;
    }),
    steps.map((step, i) => state(step, i + 1, now, at)),
    steps.map((step, i) => now.writes[i] && answer(step, i + 1, now, at)),
    pattern === "one-one"
      ? image(reads[0], at)
      : reads.map((word, i) => word !== null && input(word, i + 1, now, at)),
    pattern !== "one-one" &&
      steps.map((_, i) =>
        text(
          { font: Math.max(at.least, 0.8 * em) },
          column(i + 1),
          height - 0.6 * em,
          { class: i + 1 === t ? "now" : "tick" },
          i + 1,
        ),
      ),
    steps.map((_, i) =>
      rect(column(i + 1) - pitch / 2, 0, pitch, y.x - 0.3 * em, {
        class: "reach",
        "data-step": i + 1,
      }),
    ),
  ];
}

const when = (step, { t }) => (step === t ? "is-now" : step < t ? "is-past" : "is-next");

/** A state: a box of units, the first at the bottom. After the current step, it is empty. */
function state({ h }, step, now, { box, unit, y, column, em, least }) {
  const x = column(step) - box.width / 2;
  const r = Math.min(0.4 * unit, 0.42 * box.width);
  const units = h.map((value, i) => {
    const [cx, cy] = [column(step), y.h + box.height - 0.175 * em - (i + 0.5) * unit];
    const kind = value > 0 ? "lit" : value < 0 ? "dark" : "empty";
    const letter =
      now.pattern === "delayed" && value !== 0 && r > 0.46 * least && (value > 0 ? "a" : "b");
    return [
      svg("circle", { class: `unit ${kind}`, cx, cy, r: kind === "empty" ? 0.3 * r : r }),
      letter &&
        text(
          { font: Math.max(least, Math.min(1.5 * r, em)) },
          cx,
          cy - 0.06 * em,
          { class: `unit-letter ${kind}` },
          letter,
        ),
    ];
  });
  return svg(
    "g",
    { class: `state ${when(step, now)}` },
    rect(x, y.h, box.width, box.height, { class: "box", rx: 0.3 * em }),
    step <= now.t && units,
  );
}

/** An output. It is filled if it comes before the last input is read. */
function answer({ says, wrong }, step, now, { r, y, column, em, font, width }) {
  const known = step <= now.t;
  const half = Math.max(r, known ? (says.length * 0.3 + 0.35) * font : 0);
  const x = clamp(column(step), half + 1, width - half - 1);
  return svg(
    "g",
    {
      class: `answer ${when(step, now)}${step < now.last ? " early" : ""}${known && wrong ? " wrong" : ""}`,
    },
    rect(x - half, y.o - r, 2 * half, 2 * r, { class: "box", rx: r }),
    known && text({ font }, x, y.o, {}, says),
    known &&
      wrong &&
      svg("path", {
        class: "cross",
        d: `M${x - half} ${y.o + r}L${x + half} ${y.o - r}`,
        "stroke-width": 0.12 * em,
      }),
  );
}

const SPOKEN = {
  "(": "opening round bracket",
  ")": "closing round bracket",
  "[": "opening square bracket",
  "]": "closing square bracket",
};

/** An input. The letters of the delayed pattern can be changed. */
function input(word, step, now, { r, y, column, font, least, pitch }) {
  const turns = now.pattern === "delayed";
  const half = Math.min(r, 0.42 * pitch);
  return svg(
    "g",
    {
      class: `input ${when(step, now)}${turns ? " turns" : ""}`,
      ...(turns && {
        role: "button",
        "data-node": step,
        tabindex: step === 1 ? 0 : -1,
        "aria-label": `letter ${step}, ${word}: change it`,
      }),
      ...(!turns && { "data-step": step }),
    },
    rect(column(step) - half, y.x, 2 * half, 2 * r, { class: "box", rx: 0.15 * r }),
    text(
      { font: word.length > 1 ? Math.max(least, Math.min(font, 1.2 * half)) : font },
      column(step),
      y.x + r,
      {},
      word,
    ),
    turns &&
      rect(
        column(step) - Math.max(half, 12),
        y.x + r - Math.max(r, 12),
        2 * Math.max(half, 12),
        2 * Math.max(r, 12),
        { class: "uf-ring" },
      ),
    !turns && svg("title", {}, SPOKEN[word] ?? word),
  );
}

/** The picture that is the input: nine pixels, each a button. */
function image(pixels, { pixel, y, column }) {
  return [...pixels].map((value, i) => {
    const [x, top] = [column(1) + ((i % 3) - 1.5) * pixel, y.x + Math.floor(i / 3) * pixel];
    const place = `row ${Math.floor(i / 3) + 1}, column ${(i % 3) + 1}`;
    return svg(
      "g",
      {
        class: `pixel${value === "1" ? " full" : ""}`,
        role: "button",
        "aria-pressed": String(value === "1"),
        "data-node": i + 1,
        tabindex: i ? -1 : 0,
        "aria-label": `pixel in ${place}`,
      },
      rect(x + 1, top + 1, pixel - 2, pixel - 2, { class: "box" }),
      rect(x, top, pixel, pixel, { class: "uf-ring" }),
    );
  });
}
