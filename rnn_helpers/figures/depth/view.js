import { line, rule, ticksY } from "../lib/chart.js";
import { html, italic, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { roving } from "../lib/roving.js";
import { counted, log } from "../lib/scales.js";
import { arrow, point, rect, tipped } from "../lib/shapes.js";
import { presets } from "../lib/stage.js";
import { upTo } from "../lib/vectors.js";
import { arrows, circuit, hidden, reach, STEPS, shortest, skips, UNITS, weights } from "./math.js";
import { meta } from "./meta.js";

const FLAT = { states: 1, input: 0, transition: 0, output: 0, skip: false };
const SINGLE = {
  none: FLAT,
  "from the input": { ...FLAT, input: 1 },
  "between states": { ...FLAT, transition: 1 },
  "to the output": { ...FLAT, output: 1 },
};
const DESIGNS = {
  shallow: FLAT,
  "(a)": { ...FLAT, states: 2 },
  "(b)": { ...FLAT, input: 1, transition: 1, output: 1 },
  "(c)": { ...FLAT, input: 1, transition: 1, output: 1, skip: true },
};
const LEAST = 1e-5; // the smallest share that the plot shows
/** The names of the rows in the view with one extra layer. */
const ROWS = { x: "input", a: "layer", h: "state", q: "layer", o: "output" };

export const render = figure("depth", meta, ({ model, el, save }) => {
  const all = model.get("view") === "all";
  const nodes = svg("g");
  const area = areaOf("The network, unfolded", nodes);
  const readout = html("div", { class: "readout" });
  roving(nodes, (id) => save({ start: Number(id) }));
  el.classList.toggle("all", all);
  const places = presets(model, "extra layer", SINGLE);
  places.prepend(html("span", {}, "extra layer"));
  return {
    parts: [
      stage(area, readout),
      all ? [presets(model, "design", DESIGNS), "start"] : [places],
      all && ["states", "input", "transition", "output", "skip"],
    ],
    reveal: !all && { ...FLAT, transition: 1, start: 1 },
    update(state, size) {
      const now = { ...compute(state), all };
      const at = scales(size, now);
      const picture = [names(now, at), joined(now, at), discs(now, at)];
      area.draw(size, at, picture, all && shares(now, at.plot));
      redraw(nodes, inputs(now, at));
      redraw(readout, words(now));
      return spoken(now);
    },
  };
});

/** Compute everything that the figure shows. */
function compute(depth) {
  const path = shortest(depth, depth.start);
  const each = reach(depth);
  const { nodes } = circuit(depth);
  return {
    ...{ depth, start: depth.start, path, nodes },
    ways: path.length - 1,
    flat: shortest(FLAT, depth.start).length - 1,
    shares: each.map((length) => length / each.at(-1)),
    plain: reach(FLAT).map((length, _, all) => length / all.at(-1)),
    rows: rowsOf(depth),
  };
}

/** Return the row of each node, counted from below, and its horizontal distance, in steps, from its column. */
function rowsOf(depth) {
  const rows = new Map([["x", [0, 0]]]);
  const layers = (box) => hidden(depth, box).map(([, name]) => name);
  let row = 0;
  for (const name of layers("input")) rows.set(name, [++row, 0]);
  for (const k of upTo(depth.states)) {
    rows.set(`h${k}`, [++row, 0]);
    const between = hidden(depth, "transition", k);
    between.forEach(([, name], i) => rows.set(name, [row, (i + 1) / (between.length + 1) - 1]));
  }
  for (const name of layers("output")) rows.set(name, [++row, 0]);
  return rows.set("o", [++row, 0]);
}

// ---- the drawing: a column for each step; layers between two states are between the columns

function scales({ width, em, room }, { rows, all }) {
  const slide = room < Infinity;
  const font = (slide ? 1 : Math.min(1, Math.max(0.8, width / (26 * em)))) * em;
  const high = Math.max(...[...rows.values()].map(([row]) => row));
  const label = (all ? 2.1 : 3.6) * font;
  const pitch = Math.min((width - label) / STEPS, 6 * em);
  const left = label + (width - label - pitch * STEPS) / 2;
  const roomy = slide && !all; // nothing but the drawing and a row of buttons
  const gap = Math.min((roomy ? 4.4 : 3.2) * em, ((roomy ? 12 : slide ? 9 : 17) * em) / high);
  const top = 1.1 * em;
  const foot = top + high * gap;
  const [y0, y1] = [foot + 3.1 * em, foot + (slide ? 5.6 : 7.1) * em];
  const column = (t) => left + (t - 0.5) * pitch;
  const chart = {
    left,
    right: left + STEPS * pitch,
    top: y0,
    bottom: y1,
    beside: (0.2 * font) / em,
  };
  return {
    ...{ em, font, pitch, left, gap, column },
    r: Math.min((roomy ? 1.1 : 0.85) * em, 0.36 * gap, 0.2 * pitch),
    row: (y) => foot - y * gap,
    plot: { ...chart, em, font, slide, x: column, y: log([LEAST, 1], [y1, y0]) },
    height: all ? y1 + 0.6 * em : foot + 1.2 * em,
  };
}

const where = (node, { rows }, { column, row, pitch }) => {
  const [name, t] = node.split(":");
  const [y, shift] = rows.get(name);
  return [column(Number(t)) + shift * pitch, row(y)];
};
/** Whether a node lies between the initial state, which isn't drawn, and the first state. */
const before = (node) => /^t.*:1$/.test(node);
const isSmall = (node) => /^[aqt]/.test(node);
const radius = (node, r) => (isSmall(node) ? 0.6 * r : r);

/** The name of each row: a word, or in the view with all controls a letter. */
function names({ rows, depth, all }, at) {
  const { left, row, font } = at;
  const letter = (name) => {
    const index = name.startsWith("h") && depth.states > 1 && name.slice(1);
    return [
      italic(name[0].replace("a", "r")), // the chapter's letter for the layers from the input
      index && svg("tspan", { "font-size": Math.max(12, 0.75 * font), dy: 0.25 * font }, index),
    ];
  };
  return [...rows]
    .filter(([name]) => !name.startsWith("t"))
    .map(([name, [y]]) => {
      const words = all ? letter(name) : ROWS[name[0]];
      return text(at, left - 0.2 * font, row(y), { class: `name ${name[0]}` }, words);
    });
}

function joined(now, at) {
  const lit = new Set(now.path.slice(1).map((node, i) => `${now.path[i]} ${node}`));
  const all = arrows(now.depth)
    .filter(([from, to]) => !before(from) && !before(to))
    .map(([from, to]) => [from, to, lit.has(`${from} ${to}`)]);
  all.sort((p, q) => p[2] - q[2]); // arrows of the shortest path are drawn last, on top
  return all.map(([from, to, onTheWay]) => {
    const name = onTheWay ? "lit" : "";
    const [a, b] = [where(from, now, at), where(to, now, at)];
    const [state, next] = [from.split(":")[0], to.split(":")[0]];
    return state === next && skips(now.depth)
      ? over(a, b, at, name)
      : straight(a, b, at, name, from, to);
  });
}

function straight([x0, y0], [x1, y1], { em, r }, name, from, to) {
  const length = Math.hypot(x1 - x0, y1 - y0);
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const near = radius(from, r);
  const gap = radius(to, r) + 0.12 * em;
  const drawn = arrow(name);
  drawn.update(
    [
      [x0 + near * ux, y0 + near * uy],
      [x1 - gap * ux, y1 - gap * uy],
    ],
    0.6 * em,
  );
  return drawn.node;
}

/** Draw a skip connection, from a state over the layers in between to the next state. */
function over([x0, y0], [x1, y1], { em, r, gap }, name) {
  const rise = 0.42 * gap;
  const [sx, ex] = [x0 + 0.75 * r, x1 - 0.85 * r];
  const [sy, ey] = [y0 - 0.7 * r, y1 - 0.85 * r];
  const d = `M${point(sx, sy)}C${point(sx + 0.2 * (ex - sx), sy - rise)} ${point(ex - 0.2 * (ex - sx), ey - rise)} ${point(ex, ey)}`;
  return svg("g", { class: `arrow ${name}` }, tipped(d, [ex, ey], [0.65, 0.76], 0.46 * em));
}

function discs(now, at) {
  const { path, nodes } = now;
  return upTo(STEPS).flatMap((t) =>
    nodes
      .filter((name) => name !== "x" && (t > 1 || !name.startsWith("t")))
      .map((name) => {
        const [cx, cy] = where(`${name}:${t}`, now, at);
        const lit = path.includes(`${name}:${t}`) ? " lit" : "";
        return svg("circle", {
          class: `disc ${name[0]}${lit}`,
          ...{ cx, cy, r: radius(name, at.r) },
        });
      }),
  );
}

/** Draw the inputs as buttons. The path starts at the chosen one. */
function inputs({ start }, at) {
  const { column, row, r, pitch, em } = at;
  return upTo(STEPS).map((t) => {
    const [cx, cy] = [column(t), row(0)];
    const high = Math.max(12, 1.1 * r);
    const wide = Math.max(12, Math.min(pitch / 2, 1.6 * em));
    return svg(
      "g",
      {
        class: t === start ? "input chosen" : "input",
        ...{ "data-node": t, tabindex: t === start ? 0 : -1, role: "button" },
        ...{ "aria-pressed": String(t === start), "aria-label": `path from input ${t}` },
      },
      rect(cx - wide, cy - high, 2 * wide, 2 * high, { class: "uf-ring", rx: 0.3 * em }),
      svg("circle", { class: "disc x", cx, cy, r }),
    );
  });
}

/** Draw the share of the gradient that reaches each input, in this network and in a shallow one. */
function shares({ shares: mine, plain, start }, at) {
  const { left, top, x, y, em, font } = at;
  const drawn = (values, name) => [
    line(
      at,
      values.map((value, i) => [i + 1, value]),
      name,
    ),
    values.map((value, i) =>
      svg("circle", {
        class: `${name}${i + 1 === start ? " chosen" : ""}`,
        ...{ cx: x(i + 1), cy: y(value), r: 0.34 * em },
      }),
    ),
  ];
  return [
    text(at, left - 1.9 * font, top - 1.3 * em, { class: "title" }, "share of the gradient"),
    (at.slide ? [1, LEAST] : [1, 1e-2, 1e-4]).map((value) => [
      rule(at, value, "rule"),
      ticksY(at, [value], tick, "tick"),
    ]),
    drawn(plain, "plain"),
    drawn(mine, "mine"),
  ];
}

const tick = (value) =>
  value === 1 ? "1" : value === 1e-2 ? ".01" : `10${{ 4: "⁻⁴", 5: "⁻⁵" }[-Math.log10(value)]}`;

// ---- the words

const percent = (share) =>
  share >= 0.0995 ? `${(100 * share).toFixed(0)}\u00a0%` : `${(100 * share).toPrecision(2)}\u00a0%`;

function words({ ways, flat, depth, shares: mine, plain, start, all }) {
  const path = html(
    "p",
    {},
    `The shortest path from input ${start} to output ${STEPS} has `,
    html("b", {}, counted(ways, "arrow")),
    ways !== flat && ` (${flat} without ${all ? "extra layers" : "it"})`,
    ".",
  );
  if (!all) return path;
  return [
    path,
    html(
      "p",
      {},
      "Of the gradient that reaches the last input, ",
      html("b", { class: "gradient" }, percent(mine[start - 1])),
      ` reaches input ${start}`,
      JSON.stringify(mine) !== JSON.stringify(plain) &&
        ` (${percent(plain[start - 1])} in a shallow network)`,
      `. The network has ${weights(depth)} weights, with ${UNITS} units in a layer.`,
    ),
  ];
}

function spoken({ ways, shares: mine, start, depth, all }) {
  const path = `From input ${start} to the last output, the path has ${counted(ways, "arrow")}.`;
  const rest = `${percent(mine[start - 1])} of the gradient at the last input arrives there. The network has ${weights(depth)} weights.`;
  return all ? `${path} ${rest}` : path;
}
