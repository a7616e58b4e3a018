import { signed } from "../../lib/colours.js";
import { control, controls, holds, setAll, transport } from "../../lib/controls.js";
import { gripCursor } from "../../lib/cursor.js";
import { drawingOf, html, redraw, setSize, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { live } from "../../lib/linked.js";
import { clamp, format } from "../../lib/scales.js";
import { disc, point, rect } from "../../lib/shapes.js";
import { keepDrawn, presets, settings } from "../../lib/stage.js";
import { argmax } from "../../lib/vectors.js";
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

export function render({ model, el }) {
  const { controls: spec } = meta;
  const plot = svg("g");
  const cursor = gripCursor();
  const drawing = drawingOf("The input, both outputs and the memory", plot);
  const easel = easelOf(model, () => drawing);
  drawing.append(cursor.node, ...easel.parts);
  const area = html("div", { class: "area" }, drawing);
  const readout = html("p", { class: "readout" });
  const status = live();
  const time = transport(model, "t", {
    ...spec.t,
    limit: () => steps(model.get("length")),
    interval: 250,
    text: (t) => `step ${t}`,
  });
  el.classList.add("fig-ntm");
  el.append(
    area,
    readout,
    controls(time, control(model, "length", spec.length)),
    presets(model, "Patterns to try", PATTERNS),
    guess(meta.prediction, () =>
      setAll(model, { length: MOST, pattern: spec.pattern.default, t: steps(MOST) }),
    ),
    status,
  );

  let [now, at] = [null, null];
  const follow = holds(cursor.node, model, "t", spec.t, {
    surface: drawing,
    at: ({ x }) => clamp(Math.floor((x - at.x0) / at.step) + 1, 1, steps(model.get("length"))),
    text: () => (now ? spoken(now) : ""),
  });
  let kept = {};
  function update(size) {
    const { length, pattern, t } = settings(model, spec);
    const key = `${length} ${pattern}`;
    if (kept.key !== key) {
      const shown = columns(pattern, length);
      const made = run(shown);
      const says = { machine: said(made.map(({ o }) => o)), lstm: said(lstm(shown)) };
      kept = { key, length, shown, made, says };
    }
    now = { ...kept, t: Math.min(t, steps(length)) };
    at = scales(size, now);
    setSize(drawing, size.width, at.height);
    redraw(plot, bands(now, at), strip(now, at), memory(now, at));
    easel.update(kept.shown, at, scores(now));
    cursor.update(at.x(now.t - 0.5), at.em, [at.top, at.foot], [at.top, at.foot + 13]);
    follow();
    readout.replaceChildren(...words(now));
    time.update();
    status.announce(
      `${spoken(now)} ${scores(now)}`,
      `A neural Turing machine and an LSTM copy ${now.length} columns.`,
    );
  }
  return keepDrawn(model, area, update, { clocks: [time] });
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
  const x0 = 1.9 * em;
  const held = narrow ? width - x0 - 2 * bars - 0.6 * em : 0.8 * WIDTH * em;
  const x1 = narrow ? width - 2 : width - held - 2 * bars - 2 * em;
  const step = (x1 - x0) / steps(length);
  const shown = title;
  const lstm = shown + BITS * row + title + (slide ? 0 : 0.2 * em);
  const top = lstm + BITS * row + 0.5 * em + title;
  const foot = top + CELLS * cell;
  const panel = narrow ? { x: x0, y: foot + 1.6 * em + title } : { x: x1 + 1.5 * em, y: top };
  return {
    ...{
      em,
      font,
      slide,
      narrow,
      row,
      cell,
      title,
      bars,
      held,
      x0,
      x1,
      step,
      shown,
      lstm,
      top,
      foot,
      panel,
    },
    x: (t) => x0 + t * step,
    height: (narrow ? panel.y + CELLS * cell : foot + 1.2 * em) + 0.3 * em,
  };
}

/** Draw the input, the mark and both outputs up to this step, each at its steps. */
function bands(now, at) {
  const { length, shown, says, t } = now;
  const { em, row, title, x0, x1, x } = at;
  const after = length + 1;
  const middle = (y) => y - 0.55 * title;
  const trained = Math.min(length, KNOWN);
  return [
    text(
      at,
      x0,
      middle(at.shown),
      { class: "input" },
      at.narrow ? "input (paint)" : "input: paint on it",
    ),
    bits(shown, 0, at.shown, at),
    rect(x(length) + 0.3 * at.step, at.shown, 0.4 * at.step, BITS * row, { class: "mark" }),
    ["machine", "lstm"].map((way) => {
      const y = way === "machine" ? at.shown : at.lstm;
      return [
        text(at, x1, middle(y), { class: "end output" }, score(way, now, at.narrow)),
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
      d: `M${x0 + 1} ${at.shown + BITS * row + 0.25 * em}v${0.3 * em}H${x(trained) - 1}v${-0.3 * em}`,
    }),
    text(at, x0, at.shown + BITS * row + 1.3 * em, { class: "note" }, `trained on up to ${KNOWN}`),
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
  const { em, font, cell, title, top, foot, x0, x1, x, step } = at;
  const y = top - 0.55 * title;
  const side = Math.max(Math.min(step, 1.7 * cell), 3);
  return [
    rect(x0, top, x1 - x0, foot - top, { class: "frame" }),
    svg("path", {
      class: "zero",
      d: `M${x(length)} ${top}V${foot}M${x(length + 1)} ${top}V${foot}`,
    }),
    rect(x0, y - 0.3 * font, 0.6 * font, 0.6 * font, { class: "written" }),
    text(at, x0 + font, y, { class: "input" }, "writes"),
    svg("circle", { class: "read", cx: x0 + 5.3 * font, cy: y, r: 0.33 * font }),
    text(at, x0 + 6 * font, y, { class: "output" }, "reads"),
    text(at, x1, y, { class: "end tick" }, at.narrow ? "" : "steps →"),
    [1, 10, 20, 30, CELLS].map((i) =>
      text(at, x0 - 0.3 * em, top + (i - 0.5) * cell, { class: "end tick" }, i),
    ),
    HEADS.map(([name, shape]) => {
      const levels = {};
      made.slice(0, now).forEach((step, t) =>
        step[name].forEach((weight, i) => {
          const level = Math.round(LEVELS * weight);
          if (level)
            levels[level] = (levels[level] ?? "") + shape(x(t + 0.5), top + (i + 0.5) * cell, side);
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
const scores = (now) => `${score("machine", now)}; ${score("lstm", now)}.`;

const most = (weights) => {
  const i = argmax(weights);
  return [`cell ${i + 1}`, format(weights[i], 2)];
};

function words({ made, says, t, length }) {
  const { written, read } = made[t - 1];
  const [wrote, w] = most(written);
  const [looked, r] = most(read);
  const lead = html("b", {}, `Step ${t}. `);
  const writes = ["The write head is on ", html("b", { class: "input" }, wrote), `, weight ${w}.`];
  if (t <= length) return [lead, `Input: column ${t}. `, ...writes];
  if (t === length + 1) return [lead, "Input: the mark. ", ...writes];
  const column = t - length - 1;
  return [
    lead,
    "The read head is on ",
    html("b", { class: "output" }, looked),
    `, weight ${r}. Output: column ${column}, ${says.machine[column - 1].join("")}. `,
    Math.max(...written) < SPREAD &&
      html("span", { class: "aside" }, "The write head is on no cell in particular."),
  ].filter(Boolean);
}

const spoken = (now) =>
  words(now)
    .map((part) => part.textContent ?? part)
    .join("");
