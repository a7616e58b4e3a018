// Estimates over x: lines with bars or bands, or dots, in one or several panels.
import { band, chartIn, line, rule, ticksX, ticksY } from "../lib/chart.js";
import { append, html, pointIn, redraw, set, svg, text } from "../lib/dom.js";
import { areaOf } from "../lib/figure.js";
import { linked } from "../lib/linked.js";
import { roving } from "../lib/roving.js";
import { clamp, linear, log } from "../lib/scales.js";
import { point, swatch } from "../lib/shapes.js";
import { handles } from "./handles.js";
import {
  axisWords,
  ends,
  extent,
  parts,
  round,
  scaleOf,
  sentence,
  spelled,
  ticksOf,
} from "./math.js";
import { toldLine } from "./told.js";

// Paths of marks around a point, for a size. One path has all marks of a line, because it is short.
const SHAPES = [
  (r) => `m${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
  (r) => `m0 ${-1.3 * r}l${1.3 * r} ${1.3 * r} ${-1.3 * r} ${1.3 * r} ${-1.3 * r} ${-1.3 * r}z`,
  (r) => `m${-r} ${-r}h${2 * r}v${2 * r}h${-2 * r}z`,
  (r) => `m${-1.2 * r} ${-r}h${2.4 * r}l${-1.2 * r} ${2.2 * r}z`,
];
const FEW = 6; // points of a line whose bounds are bars
const MANY = 14; // points of a line of which only some are marked
const NARROW = 26; // ems
const LEAST = 12.5; // ems of width of a panel
const LEAST_ON_SLIDE = 10;
const NEAR = 3; // ems between the pointer and an estimate

const mark = (i, x, y, r) => `M${point(x, y)}${SHAPES[i % SHAPES.length](Number(r.toFixed(1)))}`;

/** The chart. `guessing` has the reader's guesses; see view.js. */
export function panelChart(data, guessing) {
  const all = parts(data);
  const names = [...new Set(data.panels.flatMap(({ lines }) => lines.map(({ label }) => label)))];
  const few = all.every(({ lines }) => lines.every(({ points }) => points.length <= FEW));
  const told = toldLine(data, few ? "Bars" : "Bands", "Choose a point to read it as a sentence.");
  const isHidden = (name) => !guessing.open && data.ask.hidden.includes(name);
  const node = html("div", { class: "chart" });
  const light = linked(node);
  const look = { names, few, guessing, isHidden, told, light };
  const panels = all.map((part, i) => panel(part, i, look));
  const key = legend(names, data, guessing);
  const drawings = html("div", { class: "panels" }, panels);
  const inputs = html("div", { class: "guesses" });
  append(node, key, drawings, inputs, told.node);
  told.tell("");
  return {
    node,
    focus: (options) => inputs.querySelector("input")?.focus(options),
    draw(size) {
      const { width, em, room } = size;
      const slide = room < Infinity && width > NARROW * em;
      node.classList.toggle("is-wide", slide);
      const sentences = all.flatMap((part) =>
        part.points.map(([id, point]) => sentence(id, point, part)),
      );
      told.fit(sentences, size);
      const several = panels.length > 1;
      node.classList.toggle("has-panels", several);
      const beside = slide && key && !several ? 12 * em : 0;
      const most = Math.max(
        Math.floor((width - beside) / ((slide ? LEAST_ON_SLIDE : LEAST) * em)),
        1,
      );
      const lines = Math.ceil(panels.length / most);
      const columns = Math.ceil(panels.length / lines);
      set(drawings, { style: `--columns:${columns}` });
      const own = (width - beside - (columns - 1) * em) / columns;
      const around = Math.max(...all.map((part) => wordsAround(part, own / em)));
      const words = around + (slide && several ? 1.8 * keyLines(names, width / em) : 0);
      for (const one of panels) one.draw({ width: own, em, room, lines, columns, words });
      redraw(inputs, guessing.open ? [] : panels.map(({ fields }) => fields()));
      light.refresh();
    },
  };
}

/** The names of the lines. One that is pointed at lights its line everywhere. */
function legend(names, { dots }, { labels }) {
  if (names.length === 1 && !names[0]) return null;
  const asked = (name) => labels.some((label) => label === name || label.endsWith(`: ${name}`));
  return html(
    "ul",
    { class: "key", role: "list" },
    names.map(
      (name, i) =>
        name &&
        html(
          "li",
          { class: `look-${i}${asked(name) ? " is-asked" : ""}`, "data-term": i, tabindex: 0 },
          swatch(
            30,
            12,
            !dots && svg("path", { class: "line", d: "M0 6H30" }),
            svg("path", { class: "shapes", d: mark(i, 15, 6, 3.6) }),
          ),
          html("span", {}, name),
        ),
    ),
  );
}

function panel(part, i, { names, few, guessing, isHidden, told, light }) {
  const name = ({ label }) => (part.title ? `${part.title}: ${label}` : label);
  const spot = svg("circle", { class: "spot", r: "0.5em", visibility: "hidden" });
  const asking = handles(part, guessing);
  const area = areaOf(part.title || part.measure, spot, asking.node);
  const across = html("p", { class: "measure across" }, part.x);
  const node = html(
    "div",
    { class: "panel" },
    part.title && html("p", { class: "panel-title" }, part.title),
    html("p", { class: "measure" }, axisWords(part)),
    area,
    across,
  );
  let places = new Map(); // of the estimates, by their ids
  let em = 16;
  function choose(id) {
    const here = places.get(id);
    set(spot, here ? { visibility: null, cx: here.x, cy: here.y } : { visibility: "hidden" });
    light.light(here ? String(here.look) : null);
    told.tell(here && sentence(here.name, here.point, part));
  }
  roving(area.plot, choose);
  const nearest = (event) => {
    const { x, y } = pointIn(area.drawing, event);
    const far = ([, here]) => Math.hypot(here.x - x, here.y - y);
    const best = [...places].reduce(
      (a, b) => (far(b) < far(a) ? b : a),
      [null, { x: 1e9, y: 1e9 }],
    );
    choose(far(best) < NEAR * em ? best[0] : null);
  };
  const isFree = ({ target, buttons }) => !buttons && !asking.node.contains(target);
  area.drawing.addEventListener("pointermove", (event) => isFree(event) && nearest(event));
  area.drawing.addEventListener("click", (event) => isFree(event) && nearest(event));
  area.drawing.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType === "mouse") choose(null);
  });
  function draw(size) {
    const now = { ...part, open: guessing.open };
    const at = scales(now, size);
    em = at.em;
    const shown = part.lines.filter((one) => !isHidden(name(one)));
    const beside = (look) =>
      few && !part.dots ? (look - (names.length - 1) / 2) * 0.4 * at.em : 0;
    places = new Map();
    for (const one of shown) {
      const look = names.indexOf(one.label);
      one.points.forEach((point, k) => {
        const [x, y] = [at.x(point.x) + beside(look), at.y(point.value)];
        places.set(`${i}-${look}-${k}`, { x, y, point, look, name: name(one) });
      });
    }
    const first = [...places.keys()][0];
    area.draw(
      size,
      at,
      axes(now, at),
      part.lines.map((one) => {
        const look = names.indexOf(one.label);
        const mine = [...places].filter(([, here]) => here.name === name(one));
        return mine.length > 0 && curve(mine, look, now, { at, few, first });
      }),
      markNames(part, at, [...places.values()]),
      dotNames(at, [...places.values()]),
      asking.picture(at),
    );
    set(across, { style: `margin-left:${at.left.toFixed(0)}px` });
    set(spot, { visibility: "hidden" });
    asking.draw(at);
  }
  return { node, draw, fields: asking.fields };
}

/** About how many lines the names of the lines take side by side. */
const keyLines = (names, width) =>
  Math.ceil(names.reduce((sum, { length }) => sum + 0.5 * length + 3.4, 0) / width);

/** About how many ems of height the words around a panel take, without the last line. */
function wordsAround(part, width) {
  const lines = (text, size) => Math.ceil((size * text.length) / width);
  const [above, below] = [lines(axisWords(part), 0.52), lines(part.x, 0.6)];
  return 1.3 * lines(part.title, 0.6) + 1.2 * (above + below - 1);
}

/** The scales of a panel. On a slide, all panels are as high as the room below their words. */
function scales(part, { width, em, room, lines, columns, words }) {
  const slide = room < Infinity;
  const font = slide ? 0.9 * em : Math.max(12, 0.85 * em);
  const shape = (columns > 1 ? 0.8 : 0.5) * (width / em);
  const height =
    (slide ? (room - 2.2) / lines - words - 0.6 : clamp(shape, columns > 1 ? 13 : 14, 20)) * em;
  const most = clamp(Math.floor((height / em - 5) / 1.7), 2, 5);
  const numbers = ticksOf(part, most).map(([, words]) => words.length);
  const left = (0.62 * Math.max(...numbers) + 0.7) * font;
  const box = [left, 0.8 * em, width - left - 0.4 * em, height - 4.2 * em];
  const shown = { em, font, width, most, below: 1 };
  const at = chartIn(box, [0, 1], [0, 1], { ...shown, height: height - 1.5 * em });
  const xs = [...new Set(part.points.map(([, { x }]) => x))].sort((a, b) => a - b);
  const range = [xs[0], xs.at(-1)];
  const inside = [at.left + 1.2 * em, at.right - 1.2 * em];
  at.x = (part.log.includes("x") ? log : linear)(range, inside);
  at.y = scaleOf(part, [at.bottom, at.top]);
  const across = Math.floor((at.right - at.left) / (3 * em));
  const own = xs.length <= Math.min(across, 8) && !part.dots;
  at.ticks = own ? xs : round(range, part.log.includes("x"), Math.min(across, 6));
  return at;
}

function axes(part, at) {
  const ticks = ticksOf(part, at.most);
  const values = ticks.map(([value]) => value);
  const apart = at.ticks.filter((x, i, all) => i === 0 || at.x(x) - at.x(all[i - 1]) > 1.8 * at.em);
  return [
    rule(at, values, "rule"),
    ticksY(at, values, (value) => ticks[values.indexOf(value)][1]),
    ticksX(at, apart, (value) => spelled(value)),
    rule(
      at,
      part.marks.map(([value]) => value),
      "compared",
    ),
  ];
}

/** The names of the values to compare with, each at the end and on the side of its line where it covers
 * the fewest lines and points. */
const markNames = ({ marks }, at, places) =>
  marks.map(([value, words]) => {
    const width = words.length * at.font;
    const spots = [
      ["end", at.right, -1],
      ["start", at.left, 1],
    ].flatMap(([anchor, x, way]) =>
      [-0.65, 0.7].map((by) => ({ anchor, x, way, y: at.y(value) + by * at.font })),
    );
    const covers = ({ x, way, y }) => {
      const isNear = (there) => Math.abs(there - y) < 0.8 * at.font;
      const lines = marks.filter(([other]) => other !== value && isNear(at.y(other)));
      const points = Array.from({ length: 12 }, (_, i) => x + 0.05 * i * way * width)
        .flatMap((along) => crossings(places, along))
        .filter(isNear);
      return 5 * lines.length + points.length;
    };
    const { anchor, x, y } = spots.reduce((a, b) => (covers(b) < covers(a) ? b : a));
    return text(at, x, y, { class: "mark-name", style: `text-anchor:${anchor}` }, words);
  });

/** The words that dots share, once for each line, on the side of these dots where they cover the least. */
function dotNames(at, places) {
  const groups = new Map();
  for (const place of places.filter(({ point }) => point.mark)) {
    const id = `${place.look} ${place.point.mark}`;
    groups.set(id, [...(groups.get(id) ?? []), place]);
  }
  const { font } = at;
  const taken = [];
  return [...groups.values()].map((mine, i) => {
    const { mark: name } = mine[0].point;
    const words = i && at.right - at.left < NARROW * at.em ? name.split(" ").at(-1) : name;
    const half = 0.29 * words.length * font;
    const [left, right] = extent(mine.map(({ x }) => x));
    const [high, low] = extent(mine.map(({ y }) => y));
    const wide = half + 0.6 * font;
    const spots = [
      [(left + right) / 2, low + 1.05 * font],
      [left - wide, (high + low) / 2],
      [right + wide, (high + low) / 2],
      [left - wide, low + 0.8 * font],
    ].map(([x, y]) => ({ x: clamp(x, at.left + half, at.right - half), y }));
    const near = ({ x, y }, others, width, height) =>
      others.filter((one) => Math.abs(one.x - x) < width && Math.abs(one.y - y) < height * font)
        .length;
    const covers = (spot) =>
      near(spot, places, half + 0.4 * font, 0.8) + 40 * near(spot, taken, 2 * half, 1);
    const [best] = spots.sort((a, b) => covers(a) - covers(b));
    taken.push(best);
    return text(at, best.x, best.y, { class: `dot-name look-${mine[0].look}` }, words);
  });
}

/** Where lines through the places of estimates are at a place along the axis. */
const crossings = (places, x) =>
  places.flatMap((end, i) => {
    const start = places[i - 1];
    if (start?.name !== end.name || x < start.x || x > end.x) return [];
    return [start.y + ((x - start.x) / (end.x - start.x || 1)) * (end.y - start.y)];
  });

/** A line with its bounds and marks; each estimate can be reached with the arrow keys. */
function curve(mine, look, part, { at, few, first }) {
  const points = mine.map(([, here]) => here);
  const bounded = points.some(({ point }) => point.low < point.high);
  const sparse = Math.ceil(points.length / (points.length > MANY ? 8 : MANY));
  const [low, high] = ends(part);
  const isInside = (value) => value >= low && value <= high;
  const marked = points.filter(
    ({ point }, k) => (part.dots || k % sparse === 0) && isInside(point.value),
  );
  const edge = (key) => points.map(({ point }) => [point.x, point[key]]);
  return svg(
    "g",
    { class: `curve look-${look}`, "data-term": look },
    bounded &&
      (few
        ? points.map(({ x, point }) => bar(at, x, point))
        : band(at, edge("low"), edge("high"), "band")),
    !part.dots &&
      line(
        { x: (x) => x, y: (y) => y },
        points.map(({ x, y }) => [x, y]),
        "line",
      ),
    svg("path", {
      class: "shapes",
      d: marked.map(({ x, y }) => mark(look, x, y, 0.28 * at.em)).join(""),
    }),
    mine.map(([id, { x, y, point, name }]) =>
      svg("circle", {
        class: "uf-ring",
        "data-node": id,
        ...{ cx: x.toFixed(1), cy: y.toFixed(1) },
        tabindex: id === first ? 0 : -1,
        role: "img",
        "aria-label": sentence(name, point, part),
      }),
    ),
  );
}

const bar = (at, x, { low, high }) =>
  svg("path", { class: "bar", d: `M${x} ${at.y(low)}V${at.y(high)}` });
