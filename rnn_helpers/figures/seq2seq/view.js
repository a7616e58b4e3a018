import { bar, title } from "../lib/chart.js";
import { transport } from "../lib/controls.js";
import { html, italic, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { roving } from "../lib/roving.js";
import { counted, linear } from "../lib/scales.js";
import { path, rect, tipped } from "../lib/shapes.js";
import { presets } from "../lib/stage.js";
import { upTo } from "../lib/vectors.js";
import { distances, graph, readAt, way } from "./math.js";
import { LONGEST, meta } from "./meta.js";

const PRESETS = {
  "λογος → logos": { source: "λογος", target: "logos" },
  "ψυχη → psyche": { source: "ψυχη", target: "psyche" },
};
const kind = (node) => node[0];
const place = (node) => Number(node.slice(1));

export const render = figure("seq2seq", meta, ({ model, spec, save }) => {
  const nodes = svg("g");
  const area = areaOf("An encoder and a decoder", nodes);
  const readout = html("div", { class: "readout" });
  const total = () => model.get("source").length + model.get("target").length + 2;
  const there = (key) => (key === "done" ? Math.min(model.get(key), total()) : model.get(key));
  const time = transport({ ...model, get: there }, "done", {
    ...spec.done,
    limit: total,
    text: (n) => `step ${n}`,
  });
  roving(nodes, (id) => save({ pair: place(id) }));
  return {
    parts: [
      stage(area, readout),
      ["source", "target", presets(model, "pairs", PRESETS)],
      ["door", "backwards", time],
      ["pair"],
    ],
    reveal: {
      ...PRESETS["λογος → logos"],
      ...{ door: "start", backwards: true, done: spec.done.max },
    },
    follow: [time],
    update(state, size) {
      const now = derived(state);
      const at = scales(size, now);
      area.draw(size, at, bars(now, at), arrows(now, at));
      redraw(nodes, circles(now, at));
      redraw(readout, words(now));
      return spoken(now);
    },
  };
});

/** Return the drawing's data and the words for a setting. */
function derived({ source, target, door, backwards, done, pair }) {
  const [from, to] = [[...source], [...target]];
  const setting = { n: from.length, T: to.length, door, backwards };
  const { n, T } = setting;
  const far = distances(setting);
  const chosen = Math.min(pair, far.length);
  const all = graph(setting);
  const column = (node) => {
    if (node === "C") return n + 1;
    if (kind(node) === "x") return readAt(place(node), n, backwards);
    return kind(node) === "h" ? place(node) : n + 1 + place(node);
  };
  const seen = all.filter(([, end]) => column(end) <= done);
  return {
    ...{ ...setting, from, to, far, chosen, column, done: Math.min(done, n + T + 2), arrows: seen },
    path: way(seen, `x${chosen}`, `y${chosen}`) ?? [],
  };
}

// ---- the drawing: a column for each step, and one for C between encoder and decoder

function scales({ width, em, room }, { n, T }) {
  const slide = room < Infinity;
  const narrow = !slide && width < 34 * em;
  const font = (narrow ? 0.85 : 1) * em;
  const columns = n + T + 2;
  const pitch = Math.min((width - 0.4 * em) / columns, 3.4 * em);
  const left = (width - pitch * columns) / 2;
  const [top, bottom] = [2 * em, (slide ? 5 : 6) * em]; // of the bars
  const y = bottom + 1.9 * em;
  const gap = (slide ? 2.7 : 3.3) * em;
  return {
    ...{ em, font, slide, pitch, left, top, bottom },
    r: Math.min(0.95 * em, 0.38 * pitch),
    label: Math.max(12, Math.min(font, 0.52 * pitch)),
    rows: { y, g: y + gap, h: y + gap, C: y + gap, x: y + 2 * gap },
    bus: y + 1.75 * gap,
    height: y + 2 * gap + 1.4 * em,
    x: linear([1, Math.max(columns, 2)], [left + pitch / 2, left + (columns - 0.5) * pitch]),
    y: linear([0, 2 * LONGEST + 2], [bottom, top]),
  };
}

/** Draw the number of arrows from each input symbol to its output. */
function bars({ far, chosen, n, done }, at) {
  const column = (i) => n + 2 + i;
  return [
    title({ ...at, above: 1 }, "arrows from input to output", "start"),
    far.map((count, i) => {
      if (column(i) > done) return null;
      const kind = { class: i + 1 === chosen ? "bar chosen" : "bar" };
      return [
        bar(at, column(i), count, 0.5 * at.pitch, kind),
        text(at, at.x(column(i)), at.y(count) - 0.65 * at.em, kind, count),
      ];
    }),
  ];
}

const where = (node, column, { x, rows }) => [x(column(node)), rows[kind(node)]];

function arrows({ arrows: all, path, column, n }, at) {
  const lit = (start, end) => path.some((node, i) => node === start && path[i + 1] === end);
  const drawn = all.map(([start, end]) => [start, end, lit(start, end)]);
  drawn.sort((p, q) => p[2] - q[2]); // the highlighted path lies on top
  return drawn.map(([start, end, onTheWay]) => {
    const ends = [where(start, column, at), where(end, column, at)];
    const under = start === "C" && column(end) > n + 2;
    return svg(
      "g",
      { class: onTheWay ? "arrow lit" : "arrow" },
      under ? around(...ends, at) : straight(...ends, at),
    );
  });
}

function straight([x0, y0], [x1, y1], { em, r }) {
  const length = Math.hypot(x1 - x0, y1 - y0);
  const [ux, uy] = [((x1 - x0) / length) * r, ((y1 - y0) / length) * r];
  const end = [x1 - 1.1 * ux, y1 - 1.1 * uy];
  return tipped(path([[x0 + ux, y0 + uy], end]), end, [ux, uy], 0.42 * em);
}

/** Draw an arrow from C, under the decoder's states, to one of them. */
const around = ([x0, y0], [x1, y1], { em, r, bus }) =>
  tipped(
    path([
      [x0, y0 + r],
      [x0, bus],
      [x1, bus],
      [x1, y1 + 1.1 * r],
    ]),
    [x1, y1 + 1.1 * r],
    [0, -1],
    0.42 * em,
  );

function circles(now, at) {
  const { n, T, from, to, path, column, done, far } = now;
  const written = Math.max(0, Math.min(done - n - 1, T + 1));
  const read = upTo(n).filter((i) => column(`x${i}`) <= done);
  const states = [...upTo(Math.min(n, done)).map((j) => `h${j}`), ...(done > n ? ["C"] : [])];
  const nodes = [
    ...[...states, ...upTo(written).map((t) => `g${t}`)].map((node) => [node, kind(node)]),
    ...read.map((i) => [`x${i}`, from[i - 1]]),
    ...upTo(written).map((t) => [`y${t}`, to[t - 1] ?? "end"]),
  ];
  return nodes.map(([node, label]) => disc(node, label, now, at, path.includes(node), far.length));
}

/** Draw a node; if it belongs to a pair, it can be chosen. */
function disc(node, label, { column, chosen }, at, onTheWay, pairs) {
  const { r, label: font, pitch } = at;
  const [cx, cy] = where(node, column, at);
  const symbol = "xy".includes(kind(node));
  const pressed = symbol && place(node) === chosen;
  const can = symbol && place(node) <= pairs;
  const name = `node ${kind(node)}${onTheWay ? " lit" : ""}${pressed ? " chosen" : ""}`;
  const [wide, high] = [Math.max(12, pitch / 2), Math.max(12, 1.25 * r)];
  const button = can && {
    "data-node": node,
    tabindex: node === `x${chosen}` ? 0 : -1,
    role: "button",
    "aria-pressed": String(pressed),
    "aria-label": `${kind(node) === "x" ? "input" : "output"} ${place(node)}, ${label}`,
  };
  const end = label === "end";
  return svg(
    "g",
    { class: can ? `${name} pairs` : name, ...button },
    can && rect(cx - wide, cy - high, 2 * wide, 2 * high, { class: "uf-ring", rx: 0.3 * at.em }),
    svg("circle", { class: "disc", cx, cy, r }),
    text(
      { font: end ? Math.max(12, (at.slide ? 1 : 0.72) * font) : font },
      cx,
      cy,
      {},
      end ? "■" : symbol ? label : italic(label),
    ),
  );
}

// ---- the words

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const tidy = (value) => String(Math.round(value * 100) / 100);

function overall(far) {
  const [least, most] = [Math.min(...far), Math.max(...far)];
  if (far.length === 1) return ".";
  if (least === most) return ", as for every pair.";
  return `. Over all pairs: ${least} to ${most}, ${tidy(mean(far))} on average.`;
}

function words(now) {
  const { from, to, far, chosen, path, done, n, T } = now;
  const whole = done === n + T + 2;
  const progress =
    done <= n
      ? `${done} of ${counted(n, "symbol")} read, none written.`
      : done === n + 1
        ? "All symbols are read. The decoder gets only C."
        : whole
          ? `${counted(n, "symbol")} read, ${T} written, then the end symbol (■).`
          : `${counted(done - n - 1, "symbol")} written.`;
  return [
    html("p", {}, progress),
    html(
      "p",
      {},
      ...["From ", html("b", {}, from[chosen - 1]), " to ", html("b", {}, to[chosen - 1]), ": "],
      path.length ? html("b", {}, counted(far[chosen - 1], "arrow")) : "no path yet",
      whole ? overall(far) : ".",
    ),
  ];
}

const spoken = ({ far, chosen, from, to, path, done, n, T }) =>
  `So far, ${done} of ${n + T + 2} steps ${done === 1 ? "is" : "are"} done. From ${from[chosen - 1]} to ${to[chosen - 1]}, there ` +
  (path.length ? `are ${counted(far[chosen - 1], "arrow")}.` : "is no path yet.");
