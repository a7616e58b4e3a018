import { chartIn, cursor, frame, line, ticksX, ticksY, title } from "../lib/chart.js";
import { signed } from "../lib/colours.js";
import { holds, transport } from "../lib/controls.js";
import { redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure } from "../lib/figure.js";
import { knob } from "../lib/handles.js";
import { log } from "../lib/scales.js";
import { MARKS, path, place, point } from "../lib/shapes.js";
import { RATES, SIDE, UPDATES } from "./constants.json";
import { compare, STARTS, wall } from "./math.js";
import { meta } from "./meta.js";

const LOOKS = { none: "square", norm: "circle", element: "diamond", random: "nabla" };
const FOOT = wall();

export const render = figure("fair", meta, ({ model, spec }) => {
  const [front, handle] = [svg("g"), knob({ class: "cursor" })];
  const area = areaOf("Where descents arrive, and how many, by learning rate", front, handle);
  const rated = (i) => `rate ${RATES[i]}`;
  const time = transport(model, "rate", { ...spec.rate, interval: 1100, text: rated });
  let at;
  const held = holds(handle, model, "rate", spec.rate, {
    surface: area.drawing,
    at: ({ x }) => nearest(at.chart.x.invert(x)),
    text: rated,
  });
  return {
    parts: [area, [time, "v"]],
    reveal: { rate: RATES.indexOf(1), v: "1" },
    follow: [time, held],
    update(state, size) {
      const ways = compare(state);
      at = layout(size);
      area.draw(size, at, axes(at));
      redraw(
        front,
        ways.map((way, i) => map(way, at.maps[i], at)),
        ways.map((way, i) => curve(way, i, state.rate, at)),
      );
      place(handle, at.chart.x(RATES[state.rate]), at.chart.bottom);
      return spoken(ways, state);
    },
  };
});

/** The learning rate next to a place on the axis. */
function nearest(value) {
  const off = RATES.map((rate) => Math.abs(Math.log(rate / value)));
  return off.indexOf(Math.min(...off));
}

/**
 * Four maps in a row and the chart below. A phone and a slide have two rows of maps, and a slide has the
 * chart beside them.
 */
function layout({ width, em, room }) {
  const slide = room < Infinity;
  const narrow = !slide && width < 34 * em;
  const named = !narrow && !slide; // at the right of the chart
  const font = (slide ? 0.95 : narrow ? 0.85 : 0.9) * em;
  const [columns, gap, head] = [named ? 4 : 2, (slide ? 4.6 : narrow ? 1 : 1.4) * em, 2.9 * em];
  const all = (room - 3.6) * em; // the height on a slide
  const most = slide ? (all - 2 * head - 1.6 * em) / 2 : Infinity;
  const side = Math.floor(Math.min((width - (columns - 1) * gap) / columns, most) / 10) * 10;
  const across = columns * side + (columns - 1) * gap;
  const left = slide ? 0 : (width - across) / 2;
  const maps = Array.from({ length: 4 }, (_, i) => ({
    x: left + (i % columns) * (side + gap),
    y: head + Math.floor(i / columns) * (side + head + 0.3 * em),
  }));
  const below = maps.at(-1).y + side + 3.7 * em;
  const [start, top] = slide ? [across + 6.6 * em, 2 * em] : [2.6 * em, below];
  const wide = width - start - (named ? 6.6 : 0.6) * em;
  const high = slide ? all - 5.6 * em : 13 * em;
  const look = { em, font, below: 1.3 };
  const chart = chartIn([start, top, wide, high], [0, 1], [0, STARTS], look);
  chart.x = log([RATES[0], RATES.at(-1)], [chart.left + 0.8 * em, chart.right - 0.8 * em]);
  const height = slide ? Math.round(all) : Math.round(chart.bottom + 3.6 * em);
  return { em, font, named, side, maps, chart, height };
}

/** The names of a map's sides. */
const sides = (x, y, side, font) => [
  text({ font }, x, y, { class: "axis start" }, "bias ↑"),
  text({ font }, x + side, y, { class: "axis end" }, "weight →"),
];

function axes({ chart, em, maps, side, font, named }) {
  const { left, right, bottom } = chart;
  const first = maps[0];
  return [
    side > 6.5 * em && sides(first.x, maps.at(-1).y + side + 0.75 * em, side, font),
    frame(chart),
    title(chart, `descents that find the ravine, of ${STARTS}`),
    ticksX(chart, named ? RATES : RATES.filter((_, i) => i % 2 === 0)),
    ticksY(chart, [0, 100, 200, 300, 400]),
    text(chart, (left + right) / 2, bottom + 2.7 * em, { class: "axis" }, "learning rate"),
  ];
}

/** A way's starts: those that find the ravine, and those that don't. */
function map({ kind, name, found, counts: _ }, { x, y }, { em, side, font }) {
  const cell = side / SIDE;
  const rows = Array.from({ length: SIDE }, (_, row) =>
    found
      .slice(row * SIDE, (row + 1) * SIDE)
      .map(Number)
      .join(""),
  );
  const squares = rows.flatMap((row, j) =>
    [...row.matchAll(/1+/g)].map(({ index, 0: run }) => {
      const wide = run.length * cell;
      return `M${point(x + index * cell, y + j * cell)}h${wide}v${cell}h-${wide}z`;
    }),
  );
  const foot = FOOT.map(([u, v]) => [x + u * side, y + (1 - v) * side]);
  const arrived = found.filter(Boolean).length;
  return [
    place(
      svg("path", { class: `mark ${kind}`, d: MARKS[LOOKS[kind]] }),
      x + 0.5 * em,
      y - 1.95 * em,
      0.36 * em,
    ),
    text({ font }, x + 1.3 * em, y - 1.95 * em, { class: `start way ${kind}` }, name),
    text({ font }, x, y - 0.7 * em, { class: "start count" }, `${arrived} of ${STARTS}`),
    svg("path", {
      class: "lost",
      style: `fill:${signed(1 / 3)}`,
      d: `M${point(x, y)}h${side}v${side}h-${side}z`,
    }),
    svg("path", { class: "found", style: `fill:${signed(-2 / 3)}`, d: squares.join("") }),
    svg("path", { class: "foot", d: path(foot) }),
    text(
      { font },
      foot.at(-1)[0] - 0.3 * em,
      foot.at(-1)[1] - 1.5 * em,
      { class: "end wall" },
      "wall",
    ),
  ];
}

/** A way's counts up to a learning rate, with the name at its end. */
function curve({ kind, name, counts }, i, rate, { chart, em, font, named }) {
  const points = counts.slice(0, rate + 1).map((n, k) => [RATES[k], n]);
  return [
    i === 0 && cursor(chart, RATES[rate], "at"),
    line(chart, points, `curve ${kind}`),
    points.map(([x, n]) =>
      place(
        svg("path", { class: `mark ${kind}`, d: MARKS[LOOKS[kind]] }),
        chart.x(x),
        chart.y(n),
        0.3 * em,
      ),
    ),
    named && legend(kind, name, i, { chart, em, font }),
  ];
}

function legend(kind, name, i, { chart, em, font }) {
  const [x, y] = [chart.right + 0.9 * em, chart.top + (1 + 1.5 * i) * em];
  return [
    place(svg("path", { class: `mark ${kind}`, d: MARKS[LOOKS[kind]] }), x, y, 0.3 * em),
    text({ font }, x + 0.7 * em, y, { class: `start way ${kind}` }, name),
  ];
}

const spoken = (ways, { rate, v }) =>
  `The learning rate is ${RATES[rate]} and the threshold is ${v}. Of ${STARTS} descents, these find the ravine within ${UPDATES} updates: ` +
  `${ways.map(({ name, counts }) => `${name} ${counts[rate]}`).join(", ")}.`;
