// The map, the loss along the gradient and the losses by update: where all is, and what is drawn there.
import { italic, svg, text } from "../../lib/dom.js";
import { decade } from "../../lib/powers.js";
import { clamp, format, linear, log } from "../../lib/scales.js";
import { path, point, rect } from "../../lib/shapes.js";
import { ALWAYS, B, inside, STEPS, W } from "./math.js";
import { digits, short } from "./numbers.js";

/** Distances of the line along the gradient, and powers of ten of the axis of losses. */
export const LINE = [-0.4, 1.3];
const [LOW, HIGH] = [-6, 0];
/** How the two descents look: the first follows the gradient, the second a clipped one. */
export const LOOKS = [
  { name: "free", colour: "gradient", wide: 1.8, dash: [5, 3], square: true },
  { name: "held", colour: "parameter", wide: 1.8, dash: [] },
];

/** Where everything goes: the field beside two charts on a page and a slide, above them on a phone. */
export function scales({ width, em, room }) {
  const slide = room < Infinity;
  const narrow = !slide && width < 34 * em;
  const font = (narrow ? 0.82 : slide ? 0.9 : 0.88) * em; // a slide has no words below 24 px
  const [margin, title, ticks] = [2.7 * em, 1.7 * em, 1.4 * em];
  const boxes = {};
  const box = (name, x, y, w, h) =>
    (boxes[name] = {
      x0: Math.round(x),
      x1: Math.round(x + w),
      y0: Math.round(y),
      y1: Math.round(y + h),
    });
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
    narrow,
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

/** Frames, axes and names. */
export function frame(at, relief) {
  const { boxes, em, font } = at;
  const { field, line, chart } = boxes;
  const title = ({ x0, y0 }, ...words) =>
    text(at, x0, y0 - 0.85 * em, { class: "title" }, ...words);
  const tick = (x, y, words, end) => text(at, x, y, { class: end ? "tick end" : "tick" }, words);
  const corners = ({ x0, x1, y0, y1 }, more) =>
    rect(x0, y0, x1 - x0, y1 - y0, { class: "frame", ...more });
  return [
    corners(line),
    !relief && [
      corners(field),
      [3.5, 4, 4.5, 5, 5.5].map((w) => tick(at.w(w), field.y1 + 0.8 * em, String(w))),
      [-3.5, -3, -2.5, -2, -1.5].map((b) => tick(field.x0 - 0.4 * em, at.b(b), format(b, 1), true)),
      text(at, at.w(5.78), field.y1 + 0.85 * em, { class: "name end" }, italic("w")),
      text(at, field.x0 - 0.9 * em, at.b(-1.22), { class: "name end" }, italic("b")),
    ],
    title(line, "loss along the gradient"),
    [0, 0.5, 1].map((s) => tick(at.s(s), line.y1 + 0.8 * em, String(s))),
    [0, 0.25, 0.5].map((e) =>
      tick(line.x0 - 0.4 * em, at.e(e), e ? format(e, e === 0.5 ? 1 : 2) : "0", true),
    ),
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
  ]
    .flat(3)
    .filter(Boolean);
}

/** The two descents on the map; where one leaves the picture, an arrow at the edge says where to. */
export function descents(now, at) {
  const { ways, k, out, tried } = now;
  const { em } = at;
  const parts = ways.map((way, i) => {
    const look = LOOKS[i];
    const end = out[i] < 0 ? STEPS : out[i] - 1;
    const points = way.w.slice(0, end + 1).map((w, n) => [at.w(w), at.b(way.b[n])]);
    const edge = out[i] > 0 ? exit(way, out[i]) : null;
    const line = edge ? [...points, [at.w(edge.w), at.b(edge.b)]] : points;
    const dots = points.map(([x, y]) => `M${point(x, y)}h0`).join("");
    const here = points[Math.min(k, end)];
    return {
      line: [
        svg("path", { class: `halo`, d: path(line) }),
        svg("path", { class: `way ${look.name}`, d: path(line) }),
        svg("path", { class: `dots ${look.name}`, d: dots }),
      ],
      // A point that has left stands at the edge.
      here: k > end && edge ? null : marker(look, here, em),
      edge: edge && arrow(edge, way, out[i], look, at),
      tried: tried?.[i].ends
        .filter(({ w, b }) => inside(w, b))
        .map(({ w, b }) => mark(look, [at.w(w), at.b(b)], 0.2 * em, "tried")),
    };
  });
  return [
    parts[1].line,
    parts[0].line,
    parts.map((part) => part.edge),
    parts.map((part) => part.tried),
    parts[1].here,
    together(now) ? null : parts[0].here,
  ]
    .flat(3)
    .filter(Boolean);
}

export const mark = (look, [x, y], r, name) =>
  look.square
    ? rect(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r, { class: `${name} ${look.name}` })
    : svg("circle", { class: `${name} ${look.name}`, cx: x, cy: y, r });
const marker = (look, point, em) => mark(look, point, 0.36 * em, "here");

/** Where the step to update n crosses the edge of the picture, and how it is directed there. */
export function exit({ w, b }, n) {
  const [from, to] = [
    [w[n - 1], b[n - 1]],
    [w[n], b[n]],
  ];
  const shares = [W, B].map((limits, i) => {
    const d = to[i] - from[i];
    return d === 0 ? Infinity : ((d > 0 ? limits[1] : limits[0]) - from[i]) / d;
  });
  const share = clamp(Math.min(...shares), 0, 1);
  return {
    w: from[0] + share * (to[0] - from[0]),
    b: from[1] + share * (to[1] - from[1]),
    d: [to[0] - from[0], to[1] - from[1]],
  };
}

function arrow({ w, b, d }, way, n, look, at) {
  const { em, font } = at;
  const { field } = at.boxes;
  const [x, y] = [at.w(w), at.b(b)];
  const angle = (Math.atan2(-d[1], d[0]) * 180) / Math.PI;
  const words = `to (${format(way.w[n], short(way.w[n]))}, ${format(way.b[n], short(way.b[n]))})`;
  const wide = 0.56 * font * words.length;
  const left = x - field.x0 > 0.5 * (field.x1 - field.x0);
  return [
    svg("path", {
      class: `head ${look.name}`,
      d: `M0 0L${-1.1 * em} ${-0.45 * em}L${-0.8 * em} 0L${-1.1 * em} ${0.45 * em}Z`,
      transform: `translate(${point(x, y)}) rotate(${angle.toFixed(1)})`,
    }),
    text(
      at,
      clamp(
        x + (left ? -1.4 : 1.4) * em,
        field.x0 + (left ? wide : 0) + 0.3 * em,
        field.x1 - (left ? 0 : wide) - 0.3 * em,
      ),
      clamp(y + (y < field.y0 + 2 * em ? 0.9 : 0) * em, field.y0 + 0.9 * em, field.y1 - 0.9 * em),
      { class: `to ${look.name} ${left ? "end" : ""}` },
      words,
    ),
  ];
}
export function charts(now, at) {
  const { ways, k, lines, kind, v, lr } = now;
  const { line, chart } = at.boxes;
  const { em } = at;
  const one = together(now);
  const curve = (points, name) => svg("path", { class: name, d: path(points) });
  const height = (E) => at.E(clamp(E, 10 ** LOW, 1));
  const profile = (i) =>
    curve(
      lines[i].map(([s, E]) => [at.s(s), at.e(E)]),
      `profile ${LOOKS[i].name}`,
    );
  const step = ({ name }, i) => {
    const norm = ways[i].norm[k];
    // What a clipped entry or a random step does is not on this line.
    if (!norm || (i && norm > v && kind !== "norm" && kind !== "none")) return null;
    const length = lr * (i && kind === "norm" ? Math.min(norm, v) : norm);
    const [y, beyond, head] = [line.y0 + (1.7 + 1.5 * i) * em, length > LINE[1] - 0.02, 0.42 * em];
    const end = beyond ? line.x1 : at.s(length);
    return [
      svg("path", { class: `step ${name}`, d: `M${at.s(0)} ${y}H${end.toFixed(1)}` }),
      end - at.s(0) > head &&
        svg("path", {
          class: `head ${name}`,
          d: `M${end.toFixed(1)} ${y}l${-1.8 * head} ${-0.8 * head}v${1.6 * head}Z`,
        }),
      text(
        at,
        beyond ? line.x1 - 1.2 * em : end + 0.4 * em,
        y - (beyond ? 0.8 * em : 0),
        { class: `size ${name} ${beyond ? "end" : ""}` },
        `${digits(length)}${beyond ? " far" : ""}`,
      ),
    ];
  };
  const both = (draw) => LOOKS.map((look, i) => (i || !one) && draw(look, i));
  return [
    both((_, i) => profile(i)),
    LOOKS.map(step),
    both((look, i) => marker(look, [at.s(0), at.e(ways[i].E[k])], em)),
    svg("g", { class: "course" }, [
      svg("path", { class: "at", d: `M${at.k(k).toFixed(1)} ${chart.y0}V${chart.y1}` }),
      ...[1, 0].map((i) =>
        curve(
          ways[i].E.map((E, n) => [at.k(n), height(E)]),
          `loss ${LOOKS[i].name}`,
        ),
      ),
      ...both((look, i) => marker(look, [at.k(k), height(ways[i].E[k])], em)).flat(2),
    ]),
  ]
    .flat(3)
    .filter(Boolean);
}

/** Whether both descents are still at one point. */
export const together = ({ parted, k }) => parted < 0 || k < parted;
