// The layout, and everything that is drawn over the landscape and in the charts.
import { italic, svg, text } from "../../lib/dom.js";
import { decade } from "../../lib/powers.js";
import { clamp, format, linear, log } from "../../lib/scales.js";
import { path, point, rect } from "../../lib/shapes.js";
import { PLACES } from "../../../rnn_helpers/explore/figures/cliff.json";
import { ALWAYS, B, STEPS, W } from "./math.js";
import { digits, place } from "./numbers.js";
import { projection, SHAPE } from "./relief.js";

/** Distances of the line along the gradient, and powers of ten of the axis of losses. */
export const LINE = [-0.4, 1.3];
const [LOW, HIGH] = [-6, 0];
/** How the two descents look: the first follows the gradient, the second a clipped one. */
export const LOOKS = [
  { name: "free", colour: "gradient", square: true },
  { name: "held", colour: "parameter" },
];

/** The size of letters: a phone has small ones, and a slide none below 24 px. */
const fontOf = (narrow, slide, em) => (slide ? 0.9 : narrow ? 0.85 : 0.88) * em;

/** The relief alone, in the middle. */
export function reliefScales({ width, em, room }) {
  const slide = room < Infinity;
  const height = slide ? (room - 4.6) * em : 27 * em;
  const side = Math.round(Math.min(width, height / SHAPE));
  const x0 = Math.round((width - side) / 2);
  const field = { x0, x1: x0 + side, y0: 0, y1: Math.round(SHAPE * side) };
  const font = fontOf(side < 26 * em, slide, em);
  return { slide, em, font, height: field.y1, boxes: { field } };
}

/** The map beside two charts on a page and a slide, above them on a phone. */
export function mapScales({ width, em, room }) {
  const slide = room < Infinity;
  const narrow = !slide && width < 34 * em;
  const font = fontOf(narrow, slide, em);
  const [margin, title, ticks] = [2.7 * em, 1.7 * em, 1.4 * em];
  const boxes = {};
  const box = (name, ...sides) => {
    const [x, y, w, h] = sides.map(Math.round);
    boxes[name] = { x0: x, x1: x + w, y0: y, y1: y + h };
  };
  let height;
  if (narrow) {
    const side = width - margin - 0.3 * em;
    box("field", margin, 0.4 * em, side, side);
    box("line", margin, side + 2.6 * ticks + title, side, 8 * em);
    box("chart", margin, boxes.line.y1 + 1.6 * ticks + title, side, 8 * em);
    height = boxes.chart.y1 + 1.7 * ticks;
  } else {
    // A slide has the words beside the field, and the chart of the line alone.
    const side = slide ? (room - 6.9) * em : Math.min(0.56 * width, 30 * em);
    box("field", margin, 0.4 * em, side, side);
    const right = margin + side + 3.4 * em;
    const [top, wide] = [slide ? 7.2 * em : title, width - right - 0.5 * em];
    const high = (side - title * 2 - 1.4 * ticks) / 2;
    box("line", right, top, wide, slide ? boxes.field.y1 - top : high);
    box("chart", right, boxes.field.y1 - high, wide, high);
    height = boxes.field.y1 + 1.7 * ticks;
  }
  const { field, line, chart } = boxes;
  return {
    slide,
    em,
    font,
    height: Math.round(height),
    boxes,
    chart,
    w: linear(W, [field.x0, field.x1]),
    b: linear(B, [field.y1, field.y0]),
    s: linear(LINE, [line.x0, line.x1]),
    e: linear([0, 0.5], [line.y1, line.y0]),
    k: linear([0, STEPS], [chart.x0, chart.x1]),
    E: log([10 ** LOW, 10 ** HIGH], [chart.y1, chart.y0]),
  };
}

/** The names of the landscape's parts; `project` gives the point of a weight, a bias and a loss. */
const places = (at, project) =>
  Object.entries(PLACES).map(([name, where]) => {
    const half = 0.27 * at.font * name.length;
    const { x0, x1 } = at.boxes.field;
    const [x, y] = project(...where);
    return text(at, clamp(x, x0 + half, x1 - half), y, { class: "place" }, name);
  });

/** The names of the relief's parts and axes. */
export function reliefNames({ turn }, at) {
  const { field } = at.boxes;
  const inField = projection(field.x1 - field.x0, turn);
  const project = (w, b, E) => {
    const [x, y] = inField(w, b, E);
    return [field.x0 + x, y];
  };
  const [middle, beyond] = [([low, high]) => (low + high) / 2, 0.13];
  const axis = (name, letter, w, b) =>
    text(at, ...project(w, b, 0), { class: "axis" }, `${name} `, italic(letter));
  const [wide, deep] = [W, B].map(([low, high]) => high - low);
  return [
    axis("weight", "w", middle(W), B[1] + beyond * deep),
    axis("bias", "b", W[1] + 1.3 * beyond * wide, middle(B)),
    places(at, project),
  ];
}

/** The weight and bias after a step, beside the end of its arrow and within the picture. */
function label(at, [x, y], words, name) {
  const { em, font } = at;
  const { x0, x1, y0, y1 } = at.boxes.field;
  const [left, wide] = [x - x0 > 0.5 * (x1 - x0), 0.56 * font * words.length];
  return text(
    at,
    clamp(
      x + (left ? -1.4 : 1.4) * em,
      x0 + (left ? wide : 0) + 0.3 * em,
      x1 - (left ? 0 : wide) - 0.3 * em,
    ),
    clamp(y + (y < y0 + 2 * em ? 0.9 * em : 0), y0 + 0.9 * em, y1 - 0.9 * em),
    { class: `to ${name} ${left ? "end" : ""}` },
    words,
  );
}

/** Frames, axes and names of the map and its charts. */
export function frame(at) {
  const { boxes, em, font } = at;
  const { field, line, chart } = boxes;
  const title = ({ x0, y0 }, words) => text(at, x0, y0 - 0.85 * em, { class: "title" }, words);
  const tick = (x, y, words, end) => text(at, x, y, { class: end ? "tick end" : "tick" }, words);
  const corners = ({ x0, x1, y0, y1 }) => rect(x0, y0, x1 - x0, y1 - y0, { class: "frame" });
  return [
    corners(line),
    corners(field),
    [3.5, 4, 4.5, 5, 5.5].map((w) => tick(at.w(w), field.y1 + 0.8 * em, String(w))),
    [-3.5, -3, -2.5, -2, -1.5].map((b) => tick(field.x0 - 0.4 * em, at.b(b), format(b, 1), true)),
    text(at, at.w(5.78), field.y1 + 0.85 * em, { class: "name end" }, italic("w")),
    text(at, field.x0 - 0.9 * em, at.b(-1.22), { class: "name end" }, italic("b")),
    title(line, "loss along the gradient"),
    [0, 0.5, 1].map((s) => tick(at.s(s), line.y1 + 0.8 * em, String(s))),
    [0, 0.25, 0.5].map((e) => tick(line.x0 - 0.4 * em, at.e(e), String(e), true)),
    svg("g", { class: "course" }, [
      corners(chart),
      title(chart, "loss, by update"),
      [0, 50, 100, 150].map((k) => tick(at.k(k), chart.y1 + 0.95 * em, String(k))),
      [-6, -4, -2, 0].map((power) =>
        tick(chart.x0 - 0.4 * em, at.E(10 ** power), decade(power, font), true),
      ),
      svg("path", { class: "always", d: `M${chart.x0} ${at.E(ALWAYS)}H${chart.x1}` }),
    ]),
    svg("path", { class: "zero", d: `M${at.s(0)} ${line.y0}V${line.y1}` }),
  ];
}

/** The two descents on the map up to update k; an arrow at the edge shows where one has left. */
export function descents({ ways, k, edges, one }, at) {
  const parts = ways.map((way, i) => {
    const [look, edge] = [LOOKS[i], edges[i]];
    const last = edge ? edge.n - 1 : k;
    const points = way.w.slice(0, last + 1).map((w, n) => [at.w(w), at.b(way.b[n])]);
    const end = edge && [at.w(edge.w), at.b(edge.b)];
    const line = path(end ? [...points, end] : points);
    const dots = points.map(([x, y]) => `M${point(x, y)}h0`).join("");
    return {
      line: [
        svg("path", { class: "halo", d: line }),
        svg("path", { class: `way ${look.name}`, d: line }),
        svg("path", { class: `dots ${look.name}`, d: dots }),
      ],
      end: end
        ? [head(look, end, edge.d, at), label(at, end, `to ${place(way, edge.n)}`, look.name)]
        : mark(look, points[last], 0.36 * at.em),
    };
  });
  const [free, held] = parts;
  return [
    places(at, (w, b) => [at.w(w), at.b(b)]),
    held.line,
    free.line,
    held.end,
    !one && free.end,
  ];
}

export const mark = (look, [x, y], r) =>
  look.square
    ? rect(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r, { class: `here ${look.name}` })
    : svg("circle", { class: `here ${look.name}`, cx: x, cy: y, r });

const head = ({ name }, [x, y], d, { em }) =>
  svg("path", {
    class: `head ${name}`,
    d: `M0 0L${-1.1 * em} ${-0.45 * em}L${-0.8 * em} 0L${-1.1 * em} ${0.45 * em}Z`,
    transform: `translate(${point(x, y)}) rotate(${((Math.atan2(-d[1], d[0]) * 180) / Math.PI).toFixed(1)})`,
  });

/** Where the step out of the picture, to update n, crosses its edge, and the direction `d` of the step. */
export function exit({ w, b }, n) {
  const from = [w[n - 1], b[n - 1]];
  const d = [w[n] - from[0], b[n] - from[1]];
  const shares = [W, B].map((limits, i) =>
    d[i] === 0 ? Infinity : (limits[d[i] > 0 ? 1 : 0] - from[i]) / d[i],
  );
  const share = clamp(Math.min(...shares), 0, 1);
  return { w: from[0] + share * d[0], b: from[1] + share * d[1], d, n };
}

/** The loss along the gradient with the steps on it, and the losses up to update k. */
export function charts({ ways, k, lines, kind, v, lr, one }, at) {
  const { line, chart } = at.boxes;
  const { em } = at;
  const curve = (points, name) => svg("path", { class: name, d: path(points) });
  const height = (E) => at.E(clamp(E, 10 ** LOW, 1));
  const profile = ({ name }, i) =>
    curve(
      lines[i].map(([s, E]) => [at.s(s), at.e(E)]),
      `profile ${name}`,
    );
  const step = ({ name }, i) => {
    const norm = ways[i].norm[k];
    // A clipped entry or a random step leads away from this line.
    if (norm < 1e-3 || (i && norm > v && kind !== "norm" && kind !== "none")) return null;
    const length = lr * (i && kind === "norm" ? Math.min(norm, v) : norm);
    const [y, beyond, tip] = [line.y0 + (1.7 + 1.5 * i) * em, length > LINE[1] - 0.02, 0.42 * em];
    const end = beyond ? line.x1 : at.s(length);
    return [
      svg("path", { class: `step ${name}`, d: `M${at.s(0)} ${y}H${end.toFixed(1)}` }),
      end - at.s(0) > tip &&
        svg("path", {
          class: `head ${name}`,
          d: `M${end.toFixed(1)} ${y}l${-1.8 * tip} ${-0.8 * tip}v${1.6 * tip}Z`,
        }),
      text(
        at,
        beyond ? line.x1 - 1.2 * em : end + 0.4 * em,
        y - (beyond ? 0.8 * em : 0),
        { class: `size ${name} ${beyond ? "end" : ""}` },
        `${digits(length)} long`,
      ),
    ];
  };
  const both = (draw) => LOOKS.map((look, i) => (i || !one) && draw(look, i));
  return [
    both(profile),
    LOOKS.map(step),
    both((look, i) => mark(look, [at.s(0), at.e(ways[i].E[k])], 0.36 * em)),
    svg("g", { class: "course" }, [
      svg("path", { class: "at", d: `M${at.k(k).toFixed(1)} ${chart.y0}V${chart.y1}` }),
      [1, 0].map((i) =>
        curve(
          ways[i].E.slice(0, k + 1).map((E, n) => [at.k(n), height(E)]),
          `loss ${LOOKS[i].name}`,
        ),
      ),
      both((look, i) => mark(look, [at.k(k), height(ways[i].E[k])], 0.36 * em)),
    ]),
  ];
}
