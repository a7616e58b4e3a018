import { frame, ticksY } from "../lib/chart.js";
import { signed } from "../lib/colours.js";
import { holds, transport } from "../lib/controls.js";
import { gripCursor } from "../lib/cursor.js";
import { html, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure } from "../lib/figure.js";
import { remembered } from "../lib/remembered.js";
import { clamp, counted, format, percent } from "../lib/scales.js";
import { disc, point, rect } from "../lib/shapes.js";
import { presets } from "../lib/stage.js";
import { argmax } from "../lib/vectors.js";
import { easelOf } from "./easel.js";
import { BITS, CELLS, columns, KNOWN, lstm, MOST, right, run, said, WIDTH } from "./math.js";
import { meta } from "./meta.js";

const PATTERNS = {
  letters: { pattern: meta.controls.pattern.default },
  "at random": { pattern: "4e1b93d06fa258c7e03b5d91f86a2c74" },
  empty: { pattern: "0".repeat(MOST) },
};
const LEVELS = 25; // shades of a weight, from 0 to 1
const LIMIT = 1.2; // the number with the last color of the scale
const SPREAD = 0.2; // a head whose largest weight is smaller is on no cell
const steps = (length) => 2 * length + 1;
/** Return the number of columns that have been output. */
const outputs = ({ t, length }) => Math.max(0, t - length - 1);

export const render = figure("ntm", meta, ({ model, spec }) => {
  const cursor = gripCursor();
  const easel = easelOf(model);
  const area = areaOf("The input, both outputs and the memory", cursor.node, easel.parts);
  const readout = html("p", { class: "readout" });
  const limit = () => steps(model.get("length"));
  const timed = { ...spec.t, limit, interval: 250, text: (t) => `step ${t}` };
  const time = transport(model, "t", timed);
  const compute = remembered(computed);
  let [now, at] = [null, null];
  const held = holds(cursor.node, model, "t", spec.t, {
    surface: area.drawing,
    at: ({ x }) => clamp(Math.floor((x - at.left) / at.step) + 1, 1, limit()),
    text: () => (now ? spoken(now) : ""),
  });
  return {
    parts: [area, readout, [time, "length"], presets(model, "Patterns to try", PATTERNS)],
    reveal: { length: MOST, ...PATTERNS.letters, t: steps(MOST) },
    follow: [time, held],
    update({ length, pattern, t }, size) {
      now = { ...compute(length, pattern), t: Math.min(t, steps(length)) };
      at = scales(size, now);
      area.draw(size, at, bands(now, at), strip(now, at), memory(now, at));
      easel.update(now.shown, at, scores(now));
      cursor.update(at.x(now.t - 0.5), at.em, [at.top, at.bottom], [at.top, at.bottom + 13]);
      redraw(readout, words(now));
      return [
        `${spoken(now)} ${scores(now)}`,
        `A neural Turing machine and an LSTM copy ${counted(length, "column")}.`,
      ];
    },
  };
});

/** Return the input, every step of the machine, and what both networks output. */
function computed(length, pattern) {
  const shown = columns(pattern, length);
  const made = run(shown);
  const says = { machine: said(made.map(({ o }) => o)), lstm: said(lstm(shown)) };
  return { length, shown, made, says };
}

// ---- the drawing: bands over the same steps, and the memory at the height of the strip

function scales({ width, em, room }, { length }) {
  const slide = room < Infinity;
  const narrow = !slide && width < 32 * em;
  const font = Math.max((slide ? 0.9 : narrow ? 0.78 : 0.85) * em, 12);
  const row = (slide ? 0.55 : 1.05) * em;
  const cell = (slide ? 0.17 : 0.42) * em;
  const title = 1.5 * font;
  const bars = 2.2 * em;
  const left = 1.9 * em;
  const held = narrow ? width - left - 2 * bars - 0.6 * em : 0.8 * WIDTH * em;
  const right = narrow ? width - 2 : width - held - 2 * bars - 2 * em;
  const step = (right - left) / steps(length);
  const shown = title;
  const lstm = shown + BITS * row + title + (slide ? 0 : 0.2 * em);
  const top = lstm + BITS * row + 0.5 * em + title;
  const bottom = top + CELLS * cell;
  const panel = narrow
    ? { x: left, y: bottom + 1.6 * em + title }
    : { x: right + 1.5 * em, y: top };
  return {
    ...{ em, font, slide, narrow, row, cell, title, bars, held, step, shown, lstm, panel },
    ...{ left, right, top, bottom, beside: 0.3 },
    x: (t) => left + t * step,
    y: (i) => top + (i - 0.5) * cell, // the middle of cell i
    height: (narrow ? panel.y + CELLS * cell : bottom + 1.2 * em) + 0.3 * em,
  };
}

/** Draw the input, the mark and both outputs up to this step, each at its steps. */
function bands(now, at) {
  const { length, shown, says, t } = now;
  const { em, row, title, left, right, x } = at;
  const after = length + 1;
  const middle = (y) => y - 0.55 * title;
  const trained = Math.min(length, KNOWN);
  return [
    text(
      at,
      left,
      middle(at.shown),
      { class: "input" },
      at.narrow ? "input (paint)" : "input: paint on it",
    ),
    bits(shown, 0, at.shown, at),
    rect(x(length) + 0.3 * at.step, at.shown, 0.4 * at.step, BITS * row, { class: "mark" }),
    ["machine", "lstm"].map((way) => {
      const y = way === "machine" ? at.shown : at.lstm;
      return [
        text(at, right, middle(y), { class: "end output" }, score(way, now, at.narrow)),
        bits(says[way].slice(0, outputs(now)), after, y, at, shown),
      ];
    }),
    // the column of this step
    [at.shown, ...(t > after ? [at.lstm] : [])].map((y) =>
      rect(x(t - 1) - 1, y - 1, at.step + 1, BITS * row + 1, { class: "at" }),
    ),
    // the longest pattern of its training
    svg("path", {
      class: "known",
      d: `M${left + 1} ${at.shown + BITS * row + 0.25 * em}v${0.3 * em}H${x(trained) - 1}v${-0.3 * em}`,
    }),
    text(
      at,
      left,
      at.shown + BITS * row + 1.3 * em,
      { class: "note" },
      `trained on up to ${KNOWN}`,
    ),
  ];
}

/** Draw the bits of columns, with one path per kind, to be fast while the reader paints. */
function bits(all, from, y, at, ought) {
  const { step, row, x } = at;
  const [w, h] = [step - Math.min(1.5, 0.2 * step), row - 1.5];
  const kinds = {};
  let crosses = "";
  all.forEach((column, i) =>
    column.forEach((bit, k) => {
      const [left, top] = [x(from + i), y + k * row];
      const wrong = ought && ought[i][k] !== bit;
      const kind = `bit ${ought ? "says" : "heard"} ${bit ? "one" : "zero"}${wrong ? " wrong" : ""}`;
      kinds[kind] = (kinds[kind] ?? "") + box(left, top, w, h);
      if (!wrong) return;
      const r = 0.36 * Math.min(w, h);
      crosses += cross(left + w / 2, top + h / 2, r);
    }),
  );
  return paths({ ...kinds, cross: crosses }, (kind) => ({ class: kind }));
}

/** Draw a path for each kind. */
const paths = (kinds, look) =>
  Object.entries(kinds).map(([kind, d]) => svg("path", { d, ...look(kind) }));
const box = (x, y, w, h) => `M${point(x, y)}h${w.toFixed(1)}v${h.toFixed(1)}h${(-w).toFixed(1)}z`;
const cross = (x, y, r) =>
  `M${point(x - r, y - r)}l${point(2 * r, 2 * r)}m${point(-2 * r, 0)}l${point(2 * r, -2 * r)}`;

/** The heads and their shapes. */
const HEADS = [
  ["written", (x, y, side) => box(x - side / 2, y - side / 2, side, side)],
  ["read", (x, y, side) => disc(x, y, 0.54 * side)],
];

/** Draw the weights of both heads, up to this step. */
function strip({ made, length, t: now }, at) {
  const { font, cell, title, top, bottom, left, right, x, y, step } = at;
  const words = top - 0.55 * title;
  const side = Math.max(Math.min(step, 1.7 * cell), 3);
  return [
    frame(at),
    svg("path", {
      class: "zero",
      d: `M${x(length)} ${top}V${bottom}M${x(length + 1)} ${top}V${bottom}`,
    }),
    rect(left, words - 0.3 * font, 0.6 * font, 0.6 * font, { class: "written" }),
    text(at, left + font, words, { class: "input" }, "writes"),
    svg("circle", { class: "read", cx: left + 5.3 * font, cy: words, r: 0.33 * font }),
    text(at, left + 6 * font, words, { class: "output" }, "reads"),
    text(at, right, words, { class: "end tick" }, at.narrow ? "" : "steps →"),
    ticksY(at, [1, 10, 20, 30, CELLS]),
    HEADS.map(([name, shape]) => {
      const levels = {};
      made.slice(0, now).forEach((step, t) =>
        step[name].forEach((weight, i) => {
          const level = Math.round(LEVELS * Math.sqrt(weight)); // a small weight can be seen, too
          if (level) levels[level] = (levels[level] ?? "") + shape(x(t + 0.5), y(i + 1), side);
        }),
      );
      return paths(levels, (level) => ({ class: name, "fill-opacity": level / LEVELS }));
    }),
  ];
}

/** Draw both weights and the content of each cell at this step. */
function memory({ made, t }, at) {
  const { em, cell, title, bars, held, font } = at;
  const { x, y } = at.panel;
  const { written, read, M } = made[t - 1];
  const [ends, side] = [x + 2 * bars + 0.4 * em, held / WIDTH];
  const shades = {};
  M.forEach((numbers, i) =>
    numbers.forEach((value, j) => {
      const level = Math.round(LEVELS * clamp(value, -LIMIT, LIMIT));
      shades[level] = (shades[level] ?? "") + box(ends + j * side, y + i * cell, side, cell);
    }),
  );
  const bar = (from, weight, i, name) =>
    weight > 0.004 &&
    rect(from, y + (i + 0.1) * cell, weight * (bars - 0.5 * em), 0.8 * cell, { class: name });
  return [
    rect(x, y - 0.85 * title, 0.6 * font, 0.6 * font, { class: "written" }),
    svg("circle", {
      class: "read",
      cx: x + bars + 0.3 * font,
      cy: y - 0.55 * title,
      r: 0.33 * font,
    }),
    text(at, ends, y - 0.55 * title, { class: "held" }, `cells at ${t}`),
    [0, 1].map((k) => svg("path", { class: "zero", d: `M${x + k * bars} ${y}v${CELLS * cell}` })),
    written.map((weight, i) => bar(x, weight, i, "written")),
    read.map((weight, i) => bar(x + bars, weight, i, "read")),
    paths(shades, (level) => ({ style: `fill:${signed(level / LEVELS, LIMIT)}` })),
    rect(ends, y, held, CELLS * cell, { class: "frame" }),
  ];
}

// ---- the words

const NAMES = { machine: "machine", lstm: "LSTM" };
const score = (way, now, short) => {
  const k = outputs(now);
  if (!k) return `${NAMES[way]}: no output yet`;
  const many = right(now.says[way].slice(0, k), now.shown);
  return `${NAMES[way]}: ${many} of ${BITS * k} right${k < now.length && !short ? " so far" : ""}`;
};
const scores = (now) => {
  const k = outputs(now);
  if (!k) return "Neither network has an output yet.";
  const [machine, lstm] = ["machine", "lstm"].map((way) =>
    right(now.says[way].slice(0, k), now.shown),
  );
  const far = k < now.length ? " so far" : "";
  return `The machine has ${machine} of ${BITS * k} bits right${far}, and the LSTM has ${lstm}.`;
};

const most = (weights) => {
  const i = argmax(weights);
  return [`cell ${i + 1}`, format(weights[i], 2)];
};

function words({ made, says, t, length }) {
  const { written, read } = made[t - 1];
  const [wrote, w] = most(written);
  const [looked, r] = most(read);
  const lead = html("b", {}, `Step ${t}: `);
  const writes = ["The write head is on ", html("b", { class: "input" }, wrote), `, weight ${w}.`];
  if (t <= length) return [lead, `the input is column ${t}. `, ...writes];
  if (t === length + 1) return [lead, "the input is the mark. ", ...writes];
  const column = t - length - 1;
  return [
    lead,
    "the read head is on ",
    html("b", { class: "output" }, looked),
    `, weight ${r}. The output is column ${column}, ${says.machine[column - 1].join("")}. `,
    Math.max(...written) < SPREAD &&
      html(
        "span",
        { class: "aside" },
        `The write is spread over many cells: none gets more than ${percent(Math.max(...written))} of it.`,
      ),
  ].filter(Boolean);
}

const spoken = (now) =>
  words(now)
    .map((part) => part.textContent ?? part)
    .join("");
