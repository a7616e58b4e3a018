// The chain in blocks; below it each step's contribution to the gradient of one loss, and the errors of all blocks.
import { line, rule, ticksX, ticksY, title } from "../lib/chart.js";
import { italic, svg, text } from "../lib/dom.js";
import { decade } from "../lib/powers.js";
import { clamp, linear, log } from "../lib/scales.js";
import { disc, point, rect } from "../lib/shapes.js";
import { STEPS } from "./math.js";

const [LOW, HIGH] = [-6, 0.6]; // powers of ten of the bars

export function scales({ width, em, room }) {
  const slide = room < Infinity;
  const narrow = width < 26 * em && !slide;
  const font = Math.max((narrow ? 0.75 : 0.9) * em, 12.1);
  const [left, right] = [(narrow ? 2.3 : 2.7) * em, width - 0.5 * em];
  const rows = { loss: 0.9 * em, state: 2.7 * em, back: 3.7 * em, cut: 5.2 * em };
  const height = (slide ? room - 5.2 : 18) * em;
  const [top, bottom] = [8.1 * em, height - 1.5 * em];
  return {
    narrow,
    few: narrow || slide,
    ...{ em, font, left, right, rows, top, bottom, height },
    above: 1.1,
    x: linear([0.5, STEPS + 0.5], [left, right]),
    y: linear([LOW, HIGH], [bottom, top]),
    pitch: (right - left) / STEPS,
  };
}

const cross = (x, y, r) =>
  `M${point(x - r, y - r)}L${point(x + r, y + r)}M${point(x - r, y + r)}L${point(x + r, y - r)}`;
const range = (from, to) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
/** A tip whose point is at (x, y) and points to the right (1) or to the left (-1). */
const tip = (x, y, way, em) => `M${point(x, y)}l${-0.55 * way * em} ${-0.3 * em}v${0.6 * em}z`;

/** First and last step of a block. */
export const span = (number, block) => [(number - 1) * block + 1, Math.min(number * block, STEPS)];

export function chain({ block, carry, now, off }, at) {
  const { x, rows, em, pitch, left } = at;
  const [from, to] = span(now.number, block);
  const r = Math.min(0.4 * pitch, 0.42 * em);
  const edge = (t) => x(t - 0.5);
  const cuts = range(1, now.blocks - 1).map((n) => edge(n * block + 1));
  const nodes = (steps, size = r) => steps.map((t) => disc(x(t), rows.state, size)).join("");
  const row = (y, size) =>
    range(1, STEPS)
      .map((t) => cross(x(t), y, size))
      .join("");
  const path = (name, d, style) => svg("path", { class: name, d, style });
  const joins = range(1, STEPS - 1).filter((t) => t % block || carry);
  return [
    rect(edge(from), 0, edge(to + 1) - edge(from), rows.cut - 0.5 * em, { class: "held" }),
    path("edges", joins.map((t) => `M${point(x(t), rows.state)}H${x(t + 1).toFixed(1)}`).join("")),
    path("cuts", cuts.map((place) => `M${point(place, 0)}V${rows.cut.toFixed(1)}`).join("")),
    path("losses", row(rows.loss, Math.min(0.3 * pitch, 0.25 * em))),
    path("node gone", nodes(range(1, from - 1), 0.6 * r)), // discarded
    path("node", nodes(range(to + 1, STEPS))), // still to come
    // In memory. After a start from 0, a node is paler the further its state is off.
    range(from, to).map((t) =>
      path(
        "node",
        nodes([t]),
        `fill:color-mix(in oklab, var(--uf-state) ${(100 * (1 - Math.min(1, off[t - 1]))).toFixed(0)}%, var(--uf-paper))`,
      ),
    ),
    (now.phase === 1 ? backward : forward)({ block, carry, now, from, to, r, edge, path }, at),
    now.phase === 2 && onward({ carry, to, r, edge, path }, at),
    text(at, left - 0.7 * em, rows.loss, { class: "name loss" }, italic("L")),
    text(at, left - 0.7 * em, rows.state, { class: "name state" }, italic("h")),
  ];
}

function forward({ carry, now, from, to, r, path }, { x, rows, em, pitch }) {
  const begin = x(from) - (now.number > 1 && carry ? pitch : 0);
  return [
    path("forward", `M${point(begin, rows.state)}H${x(to).toFixed(1)}`),
    now.phase === 0 && path("forward tip", tip(x(to) + Math.max(r, 0.4 * em), rows.state, 1, em)),
  ];
}

/** From each loss to its state, and along the states as far as the edge of the block. */
function backward({ now, from, to, edge, path }, { x, rows, em }) {
  const down = range(from, to).map(
    (t) => `M${point(x(t), rows.loss + 0.4 * em)}V${rows.back.toFixed(1)}`,
  );
  return [
    path("backward", `${down.join("")}M${point(x(to), rows.back)}H${x(from).toFixed(1)}`),
    path("backward tip", tip(edge(from) + 0.05 * em, rows.back, -1, em)),
    now.number > 1 && path("stop", cross(edge(from) - 0.45 * em, rows.back, 0.3 * em)),
  ];
}

/** The last state of a block, and an arrow if the next block starts from it. */
function onward({ carry, to, r, edge, path }, { x, rows, em, pitch }) {
  const [y, far] = [rows.state + 1.1 * em, Math.max(pitch, 1.6 * em)];
  return [
    path("ring", disc(x(to), rows.state, r + 0.25 * em)),
    carry
      ? [
          path(
            "forward",
            `M${point(x(to), rows.state + r + 0.25 * em)}V${y.toFixed(1)}h${(far - 0.3 * em).toFixed(1)}`,
          ),
          path("forward tip", tip(x(to) + far, y, 1, em)),
        ]
      : path("stop", cross(edge(to + 1), rows.state, 0.36 * em)),
  ];
}

// ---- the contributions of the steps

export function bars({ t, first, logs }, at, hatch) {
  const { x, y, rows, em, pitch, left, top, bottom, narrow, few } = at;
  const parts = few ? 3 : 6;
  const words = few
    ? `given to the gradient of ${narrow ? "loss" : "the loss at step"} ${t}`
    : `contribution of each step to the gradient of the loss at step ${t} (its own: 1)`;
  const wide = Math.max(0.72 * pitch, 1.5);
  const drawn = logs.map((power, i) => {
    const s = i + 1;
    const seen = s >= first;
    const [name, from, high] = [
      seen ? "bar seen" : "bar",
      x(s) - wide / 2,
      y(Math.min(power, HIGH)),
    ];
    return power < LOW
      ? svg("path", {
          class: name,
          d: `M${point(from, bottom - 0.5 * em)}h${wide}l${-wide / 2} ${0.4 * em}z`,
        })
      : rect(from, high, wide, bottom - high, {
          class: name,
          style: seen ? null : `fill:url(#${hatch})`,
        });
  });
  const [a, b] = [x(0.5), x(first - 0.5)];
  return [
    rule(at, [0, -2, -4], "grid"),
    rule(at, LOW, "axis"),
    drawn,
    first > 1 && svg("path", { class: "cuts", d: `M${point(b, rows.cut)}V${bottom}` }),
    first > 1 &&
      svg("path", {
        class: "crossed",
        d: `M${point(a, top)}L${point(b, bottom)}M${point(a, bottom)}L${point(b, top)}`,
      }),
    ticksY(at, [0, -2, -4, LOW], (power) => decade(power, at.font)),
    ticksX(
      at,
      [1, ...range(1, parts).map((k) => (k * STEPS) / parts)],
      (s) => (s === STEPS ? `step ${s}` : s),
      (s) => (s === STEPS ? "tick end" : "tick"),
    ),
    title({ ...at, left: narrow ? 0 : left }, words),
  ];
}

// ---- the errors of all blocks

export function errorScales({ width, em, room }) {
  const narrow = width < 15 * em;
  const font = Math.max((narrow ? 0.75 : 0.9) * em, 12.1);
  const height = (room < Infinity ? 7.4 : 9) * em;
  const [left, right, top, bottom] = [1.9 * em, width - 0.8 * em, 1.9 * em, height - 1.5 * em];
  return {
    ...{ em, font, left, right, top, bottom, height },
    above: 1.15,
    x: log([1, STEPS], [left, right]),
    y: linear([0, 1], [bottom, top]),
  };
}

export function chart({ line: rows, carried }, at) {
  const curve = (rows, name) =>
    line(
      at,
      rows.map(({ block, error }) => [block, clamp(error, 0, 1)]),
      name,
    );
  return [
    rule(at, [0.5, 1], "grid"),
    rule(at, 0, "axis"),
    carried && curve(carried, "error other"),
    curve(rows, "error"),
    ticksY(at, [0, 0.5, 1]),
    ticksX(at, [1, 2, 5, 10, 20, STEPS]),
    title(at, ["error of the whole gradient, by ", italic("K")]),
  ];
}
