// The curve in its window, the whole line below it, and a histogram of the sizes of the slopes.
import { bar, rule, ticksX, ticksY } from "../lib/chart.js";
import { drawingOf, set, setSize, svg, text } from "../lib/dom.js";
import { clamp, format, linear } from "../lib/scales.js";
import { point } from "../lib/shapes.js";
import { DEEPEST, grid, histogram, steepness } from "./math.js";
import { WHOLE } from "./points.js";

const TOP = 3.2; // end of the vertical axis
const BINS = { low: -4, high: 3, width: 0.25 };

export const short = (size) =>
  size < 1e-3 ? format(size, 3) : String(Number(size.toPrecision(2)));

/** The layout for a window. */
export function layout({ width, em, room }, reach) {
  const high = Number.isFinite(room) ? (room - 6.4) * em : clamp(0.62 * width, 13 * em, 19.5 * em);
  const [left, right] = [2.1 * em, width - 0.4 * em];
  const [top, bottom] = [0.5 * em, high - 4.3 * em];
  return {
    width,
    em,
    font: 0.9 * em,
    ...{ high, left, right, top, bottom },
    rug: bottom + 2.9 * em,
    reach,
    x: linear(reach, [left, right]),
    y: linear([-TOP, TOP], [bottom, top]),
  };
}

export function curveDrawing() {
  const plot = svg("g", { class: "plot" });
  const curve = svg("path", { class: "curve" });
  const steep = svg("path", { class: "steep" });
  const surface = svg("rect", { class: "surface", fill: "transparent" });
  const strip = svg("path", { class: "rug" });
  const pane = svg("rect", { class: "pane", rx: 3 });
  const ring = svg("rect", { class: "uf-ring", rx: 4 });
  const handle = svg("g", { class: "handle" }, pane, ring);
  const inside = svg("svg", {}, curve, steep); // clips the curve at the axes
  const picture = svg("g", { role: "img" }, plot, inside);
  const node = drawingOf("The curve", picture, surface, strip, handle);
  return {
    node,
    picture,
    surface,
    handle,
    axes(at, zoomed) {
      plot.replaceChildren(...axes(at));
      setSize(node, at.width, at.high);
      const box = { x: at.left, y: at.top, width: at.right - at.left, height: at.bottom - at.top };
      set(surface, { ...box, class: zoomed ? "surface moves" : "surface" });
      set(inside, { ...box, viewBox: Object.values(box).join(" ") });
      set(handle, { visibility: zoomed ? null : "hidden" });
    },
    /** Draw the curve at a depth through the points at `xs`. Mark it where its slope is at least `least`. */
    curve(at, points, xs, depth, least) {
      const paths = trace(at, points, xs, depth, least);
      set(curve, { d: paths.all });
      set(steep, { d: paths.steep });
    },
    /** Draw the whole line with its steep places, and the window. */
    strip(at, points, depth) {
      const { left, right, rug, em, high } = at;
      const tall = high - rug;
      const x = linear(WHOLE, [left, right]);
      const marks = steepPlaces(points, depth).map(
        (place) => `M${x(place).toFixed(1)} ${rug}v${tall}`,
      );
      set(strip, { d: `M${left} ${rug + tall / 2}H${right}${marks.join("")}` });
      const [from, to] = at.reach.map(x);
      const around = (least) => {
        const width = Math.max(to - from, least);
        return { x: (from + to - width) / 2, width };
      };
      set(pane, { ...around(6), y: rug - 2, height: tall + 4 });
      set(ring, { ...around(26), y: rug - 0.4 * em, height: Math.max(tall + 0.6 * em, 26) });
    },
  };
}

function axes(at) {
  const { em, left, right, top, bottom, reach, x } = at;
  const digits = clamp(Math.ceil(-Math.log10((reach[1] - reach[0]) / 5)), 0, 4);
  const label = (place) => format(place, digits);
  const most = (place) => right + 0.6 * em - 0.3 * at.font * label(place).length;
  const inside = { ...at, x: (place) => Math.min(x(place), most(place)), below: 0.785 };
  return [
    ...[-3, 0, 3].flatMap((value) => [
      rule(at, value, value ? "guide" : "zero"),
      ...ticksY(at, [value], () => format(value, 0)),
    ]),
    ...ticksX(inside, x.ticks(right - left < 22 * em ? 4 : 6), label),
    text(
      at,
      (left + right) / 2,
      bottom + 1.885 * em,
      { class: "name" },
      "start, along a random direction",
    ),
    text(
      at,
      0,
      0,
      { class: "name", transform: `translate(${0.435 * em} ${(top + bottom) / 2}) rotate(-90)` },
      "projection",
    ),
  ];
}

/** The slope of the curve at a depth. */
export const slope = (values, depth) => values[depth + DEEPEST + 1];

/** The paths of the curve and of its steep pieces. Points that are less than half a pixel apart are skipped. */
function trace(at, points, xs, depth, least) {
  let [all, steep, last, pen] = ["", "", [-9, -9], false];
  xs.forEach((place, i) => {
    const values = points.at(place);
    if (!values) return;
    const [x, y] = [at.x(place), clamp(at.y(values[depth]), -1e4, 1e4)];
    const on = Math.abs(slope(values, depth)) >= least;
    const near = Math.abs(x - last[0]) + Math.abs(y - last[1]) < 0.5;
    if (on === pen && near && i < xs.length - 1) return;
    all += `${all ? "L" : "M"}${point(x, y)}`;
    if (on && !pen && last[0] >= 0) steep += `M${point(...last)}`;
    if (on) steep += `${steep ? "L" : "M"}${point(x, y)}`;
    [last, pen] = [[x, y], on];
  });
  return { all, steep };
}

/** The steepest places of the whole line, which account for half of its rising and falling. */
function steepPlaces(points, depth) {
  const xs = points.known(grid(WHOLE, 3));
  const slopes = xs.map((x) => slope(points.at(x), depth));
  const { least } = steepness(slopes);
  return xs.filter((_, i) => depth && Math.abs(slopes[i]) >= least);
}

/** The histogram of the sizes of the slopes. */
export function slopesDrawing(slopes, found, marked) {
  const { low, high, width } = BINS;
  const shares = histogram(slopes, low, high, width);
  const [wide, tall, top, left] = [200, 60, 2, 4];
  const x = linear([low, high], [left, wide - left]);
  const y = linear([0, Math.max(0.05, ...shares)], [tall, top]);
  const at = { left, right: wide - left, bottom: tall, x, y, em: 1, font: 15, below: 9.75 };
  const step = x(low + width) - x(low);
  return svg(
    "svg",
    {
      viewBox: `0 0 ${wide} ${tall + 36}`,
      role: "img",
      "aria-label": `Sizes of the slopes: median ${short(found.median)}, largest ${short(found.most)}.`,
    },
    shares.map((share, i) => {
      const middle = low + (i + 0.5) * width;
      const on = marked && 10 ** middle >= found.least;
      return bar(at, middle, share, step - 1, { class: on ? "on" : "" });
    }),
    rule(at, 0),
    ticksX(at, [-2, 0, 2], (power) => 10 ** power),
    svg("text", { x: wide / 2, y: tall + 32, class: "name" }, "size of the slope"),
  );
}
