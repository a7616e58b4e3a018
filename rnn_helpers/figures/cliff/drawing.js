// The layout, and everything that is drawn over the landscape and in the charts.
import { chartIn, cursor, frame, line, rule, ticksX, ticksY, title } from "../lib/chart.js";
import { italic, svg, text } from "../lib/dom.js";
import { decade } from "../lib/powers.js";
import { clamp, format } from "../lib/scales.js";
import { dots, path, point, rect } from "../lib/shapes.js";
import { PLACES } from "./constants.json";
import { ALWAYS, B, STEPS, W } from "./math.js";
import { digits, place } from "./numbers.js";
import { projection, SHAPE } from "./relief.js";

/** Distances of the line along the gradient, and powers of ten of the axis of losses. */
export const LINE = [-0.4, 1.3];
const [LOW, HIGH] = [-6, 0];
/** Below this number of steps, the longest gradient of a network is near 1, and there is no wall. */
const HILL = 15;
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
  const field = chartIn([x0, 0, side, Math.round(SHAPE * side)], W, B);
  const font = fontOf(side < 26 * em, slide, em);
  return { slide, em, font, height: field.bottom, field };
}

/** The map beside two charts on a page and a slide, above them on a phone. */
export function mapScales({ width, em, room }) {
  const slide = room < Infinity;
  const narrow = !slide && width < 34 * em;
  const font = fontOf(narrow, slide, em);
  const [margin, title, ticks] = [2.7 * em, 1.7 * em, 1.4 * em];
  const look = { em, font, above: 0.85, below: 0.8 };
  const fieldAt = (...box) => chartIn(box.map(Math.round), W, B, look);
  const alongAt = (...box) => chartIn(box.map(Math.round), LINE, [0, 0.5], look);
  const lossesAt = (...box) =>
    chartIn(box.map(Math.round), [0, STEPS], [LOW, HIGH], { ...look, below: 0.95 });
  if (narrow) {
    const side = width - margin - 0.3 * em;
    const field = fieldAt(margin, 0.4 * em, side, side);
    const along = alongAt(margin, side + 2.6 * ticks + title, side, 8 * em);
    const losses = lossesAt(margin, along.bottom + 1.6 * ticks + title, side, 8 * em);
    const height = Math.round(losses.bottom + 1.7 * ticks);
    return { slide, em, font, height, field, along, losses };
  }
  // A slide has the words beside the field, and the chart of the line alone.
  const side = slide ? (room - 6.9) * em : Math.min(0.56 * width, 30 * em);
  const field = fieldAt(margin, 0.4 * em, side, side);
  const right = margin + side + 3.4 * em;
  const [top, wide] = [slide ? 7.2 * em : title, width - right - 0.5 * em];
  const high = (side - title * 2 - 1.4 * ticks) / 2;
  const along = alongAt(right, top, wide, slide ? field.bottom - top : high);
  const losses = lossesAt(right, field.bottom - high, wide, high);
  return { slide, em, font, height: Math.round(field.bottom + 1.7 * ticks), field, along, losses };
}

/**
 * The names of the landscape's parts; `project` gives the point of a weight, a bias and a loss. With
 * few steps, the wall is only a hill.
 */
const places = (at, T, project) =>
  Object.entries(PLACES).map(([place, where]) => {
    const name = place === "wall" && T < HILL ? "hill" : place;
    const half = 0.27 * at.font * name.length;
    const { left, right } = at.field;
    const [x, y] = project(...where);
    return text(at, clamp(x, left + half, right - half), y, { class: "place" }, name);
  });

/** The names of the relief's parts and axes. */
export function reliefNames({ turn, T }, at) {
  const { left, right } = at.field;
  const inField = projection(right - left, turn);
  const project = (w, b, E) => {
    const [x, y] = inField(w, b, E);
    return [left + x, y];
  };
  const [middle, beyond] = [([low, high]) => (low + high) / 2, 0.13];
  const axis = (name, letter, w, b) =>
    text(at, ...project(w, b, 0), { class: "axis" }, `${name} `, italic(letter));
  const [wide, deep] = [W, B].map(([low, high]) => high - low);
  return [
    axis("weight", "w", middle(W), B[1] + beyond * deep),
    axis("bias", "b", W[1] + 1.3 * beyond * wide, middle(B)),
    places(at, T, project),
  ];
}

/** The weight and bias after a step, beside the end of its arrow and within the picture. */
function label(at, [x, y], words, name) {
  const { em, font } = at;
  const { left, right, top, bottom } = at.field;
  const [far, wide] = [x - left > 0.5 * (right - left), 0.56 * font * words.length];
  return text(
    at,
    clamp(
      x + (far ? -1.4 : 1.4) * em,
      left + (far ? wide : 0) + 0.3 * em,
      right - (far ? 0 : wide) - 0.3 * em,
    ),
    clamp(y + (y < top + 2 * em ? 0.9 * em : 0), top + 0.9 * em, bottom - 0.9 * em),
    { class: `to ${name} ${far ? "end" : ""}` },
    words,
  );
}

/** Frames, axes and names of the map and its charts. */
export function axes({ em, field, along, losses }) {
  const name = (x, y, letter) => text(field, x, y, { class: "name end" }, italic(letter));
  return [
    frame(along),
    frame(field),
    ticksX(field, [3.5, 4, 4.5, 5, 5.5]),
    ticksY(field, [-3.5, -3, -2.5, -2, -1.5], (b) => format(b, 1)),
    name(field.x(5.78), field.bottom + 0.85 * em, "w"),
    name(field.left - 0.9 * em, field.y(-1.22), "b"),
    title(along, "loss along the gradient"),
    ticksX(along, [0, 0.5, 1]),
    ticksY(along, [0, 0.25, 0.5]),
    svg("g", { class: "course" }, [
      frame(losses),
      title(losses, "loss, by update"),
      ticksX(losses, [0, 50, 100, 150]),
      ticksY(losses, [-6, -4, -2, 0], (power) => decade(power, losses.font)),
      rule(losses, Math.log10(ALWAYS), "always"),
    ]),
    cursor(along, 0, "zero"),
  ];
}

/** The two descents on the map up to update k; an arrow at the edge shows where one has left. */
export function descents({ ways, k, edges, one, T }, at) {
  const { x, y } = at.field;
  const parts = ways.map((way, i) => {
    const [look, edge] = [LOOKS[i], edges[i]];
    const last = edge ? edge.n - 1 : k;
    const points = way.w.slice(0, last + 1).map((w, n) => [x(w), y(way.b[n])]);
    const end = edge && [x(edge.w), y(edge.b)];
    const d = path(end ? [...points, end] : points);
    return {
      line: [
        svg("path", { class: "halo", d }),
        svg("path", { class: `way ${look.name}`, d }),
        svg("path", { class: `dots ${look.name}`, d: dots(points) }),
      ],
      end: end
        ? [head(look, end, edge.d, at), label(at, end, `to ${place(way, edge.n)}`, look.name)]
        : mark(look, points[last], 0.36 * at.em),
    };
  });
  const [free, held] = parts;
  return [places(at, T, (w, b) => [x(w), y(b)]), held.line, free.line, held.end, !one && free.end];
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
  const { em, along, losses } = at;
  const power = (E) => clamp(Math.log10(E), LOW, HIGH);
  const profile = ({ name }, i) => line(along, lines[i], `profile ${name}`);
  const step = ({ name }, i) => {
    const norm = ways[i].norm[k];
    // A clipped entry or a random step leads away from this line.
    if (norm < 1e-3 || (i && norm > v && kind !== "norm" && kind !== "none")) return null;
    const length = lr * (i && kind === "norm" ? Math.min(norm, v) : norm);
    const [y, beyond, tip] = [along.top + (1.7 + 1.5 * i) * em, length > LINE[1] - 0.02, 0.42 * em];
    const end = beyond ? along.right : along.x(length);
    return [
      svg("path", { class: `step ${name}`, d: `M${along.x(0)} ${y}H${end.toFixed(1)}` }),
      end - along.x(0) > tip &&
        svg("path", {
          class: `head ${name}`,
          d: `M${end.toFixed(1)} ${y}l${-1.8 * tip} ${-0.8 * tip}v${1.6 * tip}Z`,
        }),
      text(
        at,
        beyond ? along.right - 1.2 * em : end + 0.4 * em,
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
    both((look, i) => mark(look, [along.x(0), along.y(ways[i].E[k])], 0.36 * em)),
    svg("g", { class: "course" }, [
      cursor(losses, k, "at"),
      [1, 0].map((i) =>
        line(
          losses,
          Array.from(ways[i].E.slice(0, k + 1), (E, n) => [n, power(E)]),
          `loss ${LOOKS[i].name}`,
        ),
      ),
      both((look, i) => mark(look, [losses.x(k), losses.y(power(ways[i].E[k]))], 0.36 * em)),
    ]),
  ];
}
