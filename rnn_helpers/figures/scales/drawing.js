// The unfolded graph of two units, and below it the share that is left of each earlier step in them.
import { frame, line, rule, ticksX, ticksY, title } from "../lib/chart.js";
import { italic, set, svg, text } from "../lib/dom.js";
import { decade, raised } from "../lib/powers.js";
import { clamp, linear } from "../lib/scales.js";
import { disc, point } from "../lib/shapes.js";
import { decades, moves, NOW, shares } from "./math.js";
import { number } from "./words.js";

export function scales({ kind, span, front, beside, limit }, { width, em, room }) {
  const slide = room < Infinity;
  const narrow = width < 24 * em && !slide;
  const font = (narrow ? 0.8 : 0.9) * em;
  const [left, right] = [3.3 * font, width - 3.5 * font];
  const x = linear([span, 0], [left, right]);
  const height = slide ? (room - 3.1) * em : (narrow ? 25 : 26) * em;
  const gap = (slide ? 1.3 : 1.6) * em;
  const arc = kind === "leak" ? 0 : (slide ? 1.6 : 2.5) * em;
  const top = 1.9 * em + arc;
  const rows = { title: 0.7 * em, front: top, x: top + gap, beside: top + 2 * gap };
  const words = rows.beside + 1.25 * em;
  const [low, high] = decades([front.line, beside.line, limit ?? []]);
  // A node is completely filled where its line is highest.
  const most = clamp(Math.log10(Math.max(...front.line, ...beside.line)), low + 1, 0);
  const [y0, y1] = [words + 2.6 * em, height - 1.5 * em];
  return {
    ...{ narrow, em, font, left, right, x, height, arc, rows, words, low, high, most },
    top: y0,
    bottom: y1,
    pitch: (right - left) / span,
    y: linear([low, high], [y1, y0]),
  };
}

const box = (x, y, r) => `M${point(x - r, y - r)}h${2 * r}v${2 * r}h${-2 * r}z`;

/** The height of an arc over a number of steps. */
const rise = (steps, at) => Math.min(at.arc, Math.max(0.45 * steps * at.pitch, 0.9 * at.em));

/** The path of an arc, from its end back over a number of steps to its start. */
function arched(k, steps, at) {
  const [a, b, y] = [at.x(k), at.x(k + steps), at.rows.front];
  const up = y - (4 / 3) * rise(steps, at);
  return `M${point(a, y)}C${point(a + 0.2 * (b - a), up)} ${point(b - 0.2 * (b - a), up)} ${point(b, y)}`;
}

/** The middle and the height of the arc with the handle. */
export function handled({ kind, d, p }, at) {
  const steps = kind === "skip" ? d : p;
  const from = kind === "skip" ? 0 : NOW % p;
  return { middle: at.x(from + steps / 2), height: rise(steps, at) };
}

/** The edges of the paths back, as `{ d, share }`: the line, and the share of the gradient that takes it. */
function routes({ kind, k, w, skip, d, p, front, beside: { line } }, at) {
  const flat = (from, to, share = 1, unit = "front") => ({
    unit,
    share,
    d: `M${point(at.x(from), at.rows[unit])}H${at.x(to).toFixed(1)}`,
  });
  const arc = (from, share) => ({
    unit: "front",
    share,
    d: arched(from, kind === "skip" ? d : p, at),
  });
  const beside = line[k] > 0 ? [flat(0, k, 1, "beside")] : [];
  if (!front.line[k]) return beside;
  if (kind === "leak") return [flat(0, k), ...beside];
  if (kind === "skip") {
    const { steps, skips } = shares(w, skip, d, k);
    return [
      ...beside,
      ...steps.map((share, i) => flat(i, i + 1, share)),
      ...skips.map((share, i) => arc(i, share)),
    ].filter(({ share }) => share > 0.002);
  }
  const [first, last] = [NOW % p, k - ((p - ((NOW - k) % p)) % p)];
  if (first > k || last < first) return [flat(0, k), ...beside];
  const way = [...beside, flat(0, first), flat(last, k)];
  for (let i = first; i < last; i += p) way.push(arc(i, 1));
  return way;
}

/** Draw the paths back: wide edges carry more of the gradient. Edges of about equal share are one SVG path. */
function ways(now, at) {
  const paths = new Map();
  for (const { unit, d, share } of routes(now, at)) {
    const key = `${unit} ${(0.06 + 0.24 * (Math.round(16 * share) / 16)).toFixed(3)}em`;
    paths.set(key, (paths.get(key) ?? "") + d);
  }
  return [...paths].map(([key, d]) => {
    const [unit, width] = key.split(" ");
    return svg("path", { class: "way", "data-term": unit, d, "stroke-width": width });
  });
}

/** Draw the nodes of a row. Nodes of about equal size are one SVG path. */
function nodes(unit, y, { line, small }, at) {
  const levels = new Map();
  const r = Math.min(0.36 * at.pitch, 0.4 * at.em);
  line.forEach((value, k) => {
    const share = value > 0 ? clamp((Math.log10(value) - at.low) / (at.most - at.low), 0, 1) : -1;
    const level = Math.round(share * 12) / 12;
    const d = disc(at.x(k), y, small(k) ? 0.55 * r : r);
    levels.set(level, (levels.get(level) ?? "") + d);
  });
  const paths = [...levels].map(([level, d]) =>
    svg("path", {
      class: level < 0 ? "node never" : "node",
      d,
      "stroke-width": Math.min(0.08 * at.em, 0.3 * r).toFixed(2),
      style:
        level >= 0 &&
        `fill:color-mix(in oklab, var(--uf-gradient) ${(100 * level).toFixed(0)}%, var(--uf-paper))`,
    }),
  );
  return svg("g", { "data-term": unit }, paths);
}

export function graph(now, at) {
  const { kind, span, k, w, skip, d, p, front, beside, alpha, other } = now;
  const { rows, em, pitch, x } = at;
  const all = Array.from({ length: span + 1 }, (_, i) => i);
  const r = Math.min(0.34 * pitch, 0.34 * em);
  const [steps, weight] = kind === "skip" ? [d, skip] : [p, w];
  const starts =
    kind === "leak"
      ? []
      : all.filter((i) => i + steps <= span && (kind === "skip" || moves(p, NOW - i)));
  const arcs = starts.map((i) => arched(i, steps, at)).join("");
  /** The edges from the input of the selected step to the units that take it in. */
  const enter = (i, above, below) =>
    `M${point(x(i), above ? rows.front : rows.x)}V${(below ? rows.beside : rows.x).toFixed(1)}`;
  const boxes = (heard) =>
    all
      .filter((i) => front.heard[i] === heard)
      .map((i) => box(x(i), rows.x, r))
      .join("");
  const chain = (y, cut) =>
    svg("path", { class: cut ? "edges cut" : "edges", d: `M${point(x(span), y)}H${x(0)}` });
  const copy = (i) => kind === "clock" && !moves(p, NOW - i);
  // The label is beside the input's edge, on the side with more space.
  const [side, end] = k > 0.12 * span ? [0.55 * em, ""] : [-0.55 * em, " end"];
  const hears = (y, a) =>
    kind === "leak" &&
    text(at, x(k) + side, (rows.x + y) / 2, { class: `hears${end}` }, `× ${number(1 - a)}`);
  const { middle, height } = handled(now, at);
  return [
    svg("path", { class: "cursor", d: `M${x(k)} ${rows.x}V${at.bottom}` }),
    svg("path", {
      class: "edges faint",
      d: all.map((i) => enter(i, front.heard[i], true)).join(""),
    }),
    chain(rows.front, kind === "skip" && w === 0),
    chain(rows.beside, kind !== "leak" && w === 0),
    svg("path", { class: weight ? "edges" : "edges cut", d: arcs }),
    ways(now, at),
    svg("path", {
      class: "way",
      d: enter(k, front.heard[k] && front.line[k], beside.line[k]),
      "stroke-width": "0.14em",
    }),
    nodes("front", rows.front, { line: front.line, small: copy }, at),
    nodes("beside", rows.beside, { line: beside.line, small: () => false }, at),
    svg("path", { class: "input", d: boxes(true) }),
    svg("path", { class: "input deaf", d: boxes(false) }),
    hears(rows.front, alpha),
    hears(rows.beside, other),
    titles(now, at),
    text(at, x(0) + 0.7 * em, rows.x, { class: "input-name" }, italic(kind === "leak" ? "v" : "x")),
    [rows.front, rows.beside].map((y) =>
      text(at, x(0) + 0.7 * em, y, { class: "state-name" }, italic("h")),
    ),
    kind !== "leak" &&
      text(
        at,
        middle + 0.75 * em,
        rows.front - height - 0.1 * em,
        { class: "held" },
        italic(kind === "skip" ? "d" : "p"),
        ` = ${steps}`,
      ),
  ];
}

/** The legend: the two units, each with a piece of its line. */
function titles({ kind, alpha, other, w, skip, d, p }, at) {
  const { left, em, rows, words, font } = at;
  const h = (above) => [italic("h"), raised(`(${above})`, font, " ")];
  const into = italic(kind === "leak" ? "v" : "x");
  const sum = (...terms) => [
    h("t"),
    "= ",
    terms
      .filter(([weight]) => weight)
      .map(([weight, when]) => [
        number(weight) === "1" ? "" : `${number(weight)} `,
        when ? h(when) : into,
      ])
      .flatMap((term, i) => [i ? "+ " : "", ...term]),
  ];
  const average = (a) => sum([a, "t−1"], [1 - a]);
  const rules = {
    leak: [average(alpha), average(other)],
    skip: [sum([w, "t−1"], [skip, `t−${d}`], [1]), [sum([w, "t−1"], [1]), ", no skip"]],
    clock: [
      [`period ${p}: `, sum([w, "t−1"], [1]), at.narrow ? "" : " at a tick"],
      "period 1: it updates at each step",
    ],
  }[kind];
  return rules.flatMap((words_, i) => {
    const [x, y] = [at.narrow ? 0.1 * em : left, i ? words : rows.title];
    const unit = i ? "beside" : "front";
    return svg(
      "g",
      { "data-term": unit },
      svg("path", { class: `line ${unit}`, d: `M${x} ${y}h${1.9 * em}` }),
      text(at, x + 2.3 * em, y, { class: "rule" }, words_),
    );
  });
}

// ---- the plot

const TITLES = {
  leak: "share of that value in the state now",
  skip: "gradient with respect to that state",
  clock: "gradient with respect to that state",
};

export function plot(now, at) {
  const { kind, span, k, front, beside, limit, hidden } = now;
  const { em, x, bottom, low, high, narrow } = at;
  const gaps = front.line.flatMap((value, i) =>
    value > 0 ? [] : [`M${point(x(i), bottom)}v${-0.35 * em}`],
  );
  const every = Math.ceil((high - low) / 4);
  const powers = Array.from(
    { length: Math.floor((high - low) / every) + 1 },
    (_, i) => low + i * every,
  );
  const drawn = (unit, values) =>
    set(
      line(
        at,
        values.map((value, i) => [i, value > 0 && i >= hidden ? Math.log10(value) : null]),
        `line ${unit}`,
        low,
      ),
      { "data-term": unit },
    );
  return [
    frame(at),
    rule(at, powers.slice(1, -1), "grid"),
    high > 0 && rule(at, 0),
    limit && drawn("limit", limit),
    limit && kind === "leak" && bestOf(limit, at),
    drawn("beside", beside.line),
    drawn("front", front.line),
    svg("path", { class: "dots", "data-term": "front", d: dots(now, at) }),
    svg("path", { class: "none", d: gaps.join("") }),
    mark("beside", beside.line[k], k, at),
    mark("front", front.line[k], k, at),
    ticksY(at, powers, (power) => decade(power, at.font)),
    ticksX(
      at,
      narrow ? [span, 0] : [span, span / 2, 0],
      (back) => (back === span ? `${span} steps back` : back || "now"),
      (back) => (back === span ? "tick start" : "tick"),
    ),
    title(at, TITLES[kind]),
    kind === "leak" && knobs(now, at),
  ];
}

/** The name of the line of the best α, above its end. */
const bestOf = (limit, { x, y, em, font, span = limit.length - 1 }) =>
  text(
    { font },
    x(span) + 0.4 * em,
    y(Math.log10(limit[span])) - 0.9 * em,
    { class: "best" },
    "best α",
  );

/** A dot for each input that was taken in and is not yet forgotten. */
function dots({ hidden, front: { line, heard } }, { x, y, low, pitch, em }) {
  const r = clamp(0.26 * pitch, 0.12 * em, 0.22 * em);
  const seen = (value, i) => i >= hidden && heard[i] && value > 0 && Math.log10(value) >= low;
  return line
    .map((value, i) => (seen(value, i) ? disc(x(i), y(Math.log10(value)), r) : ""))
    .join("");
}

/** The mark on a line k steps back, or a triangle at the edge if it is below the axis. */
function mark(unit, value, k, { x, y, low, bottom, em }) {
  if (!value) return null;
  const power = Math.log10(value);
  const [cx, r] = [x(k), 0.3 * em];
  const shape = unit === "front" ? disc(cx, y(power), r) : box(cx, y(power), 0.9 * r);
  const below = `M${point(cx - 1.2 * r, bottom - 2.2 * r)}h${2.4 * r}l${-1.2 * r} ${2 * r}z`;
  return svg("path", { class: "mark", "data-term": unit, d: power < low ? below : shape });
}

/** The value of α beside each knob. If the knobs are close, the labels are moved apart. */
function knobs({ alpha, other }, { right, top, bottom, em, font, y }) {
  const [y0, y1] = [alpha, other].map((a) => clamp(y(Math.log10(1 - a)), top, bottom));
  const apart = alpha === other ? 0 : Math.max(0, 1.05 * font - Math.abs(y0 - y1)) / 2;
  const way = Math.sign(alpha - other);
  return [
    [alpha, y0 + way * apart],
    [other, y1 - way * apart],
  ].map(([a, height]) => text({ font }, right + 0.75 * em, height, { class: "held" }, number(a)));
}
