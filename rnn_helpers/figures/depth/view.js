import { chartIn, cursor, frame, line, rule, ticksX, ticksY, title } from "../lib/chart.js";
import { holds } from "../lib/controls.js";
import { html, italic, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { guess } from "../lib/guess.js";
import { knob } from "../lib/handles.js";
import { decade } from "../lib/powers.js";
import { remembered } from "../lib/remembered.js";
import { roving } from "../lib/roving.js";
import { counted, format, log } from "../lib/scales.js";
import { arrow, place, point, rect, tipped } from "../lib/shapes.js";
import { fold, presets } from "../lib/stage.js";
import { upTo } from "../lib/vectors.js";
import {
  arrows,
  BACK,
  circuit,
  DRAWS,
  hidden,
  reach,
  STEPS,
  shortest,
  skips,
  UNITS,
  weights,
} from "./math.js";
import { meta } from "./meta.js";

const FLAT = { states: 1, input: 0, transition: 0, output: 0, skip: false };
const SINGLE = {
  none: FLAT,
  "after the input": { ...FLAT, input: 1 },
  "between the states": { ...FLAT, transition: 1 },
  "before the output": { ...FLAT, output: 1 },
};
const DESIGNS = {
  ...SINGLE,
  "between, with a skip": { ...FLAT, transition: 1, skip: true },
  "a stack of two": { ...FLAT, states: 2 },
};
/** The shares of the gradient that the plot shows. */
const SHOWN = [1e-36, 100];
/** The names of the rows in the view with one extra layer. */
const ROWS = { x: "input", a: "layer", h: "state", q: "layer", o: "output" };

export const render = figure("depth", meta, ({ model, el, spec, save, control }) => {
  const all = model.get("view") === "all";
  const nodes = svg("g");
  const handle = all && knob({ class: "grip" });
  const area = areaOf("The network, unfolded", nodes, handle);
  const readout = html("div", { class: "readout" });
  const found = remembered(reached);
  let at;
  roving(nodes, (id) => save({ start: Number(id) }));
  el.classList.toggle("all", all);
  const places = presets(model, "extra layer", all ? DESIGNS : SINGLE);
  places.prepend(html("span", {}, "extra layer"));
  const held =
    all &&
    holds(handle, model, "back", spec.back, {
      surface: area.drawing,
      at: ({ x }) => at.plot.x.invert(x),
      text: (value) => counted(value, "step"),
    });
  const exact = ["states", "input", "transition", "output", "skip"];
  return {
    parts: [
      all && places,
      stage(area, readout),
      all ? ["init", "back"] : [places],
      all &&
        fold(
          "More layers",
          html(
            "div",
            { class: "uf-controls" },
            exact.map((key) => control(key)),
          ),
        ),
      all &&
        guess(meta.words[0].prediction, () =>
          save({ ...FLAT, transition: 1, init: "orthogonal", back: BACK }),
        ),
    ],
    reveal: !all && { ...FLAT, transition: 1, start: 1 },
    follow: all ? [held] : [],
    update(state, size) {
      const now = { ...compute(state), all };
      at = scales(size, now);
      const picture = [names(now, at), joined(now, at), discs(now, at)];
      if (all) {
        const { init, back, ...depth } = state;
        Object.assign(now, { back, init }, found(JSON.stringify({ ...depth, start: 1 }), init));
        place(handle, at.plot.x(back), at.plot.bottom);
      }
      area.draw(size, at, picture, all && shares(now, at.plot));
      redraw(nodes, inputs(now, at));
      redraw(readout, words(now));
      return spoken(now);
    },
  };
});

/** Compute everything that the drawing shows. */
function compute(depth) {
  const path = shortest(depth, depth.start);
  return {
    ...{ depth, start: depth.start, path },
    nodes: circuit(depth).nodes,
    ways: path.length - 1,
    flat: shortest(FLAT, depth.start).length - 1,
    rows: rowsOf(depth),
  };
}

/** The gradients of a design, given as JSON, and of a shallow network with the same initialization. */
function reached(design, init) {
  const depth = JSON.parse(design);
  return { mine: reach({ ...depth, init }), plain: reach({ ...FLAT, init }) };
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
  const y0 = foot + 3.4 * em;
  const tall = slide ? 6 * em : 9 * em;
  const column = (t) => left + (t - 0.5) * pitch;
  const box = [3.2 * font, y0, width - 3.2 * font - 1.2 * em, tall];
  const plot = chartIn(box, [0, BACK], SHOWN, { em, font, slide, below: 1.5 }, log);
  return {
    ...{ em, font, pitch, left, gap, column },
    r: Math.min((roomy ? 1.1 : 0.85) * em, 0.36 * gap, 0.2 * pitch),
    row: (y) => foot - y * gap,
    plot,
    height: all ? plot.bottom + 3.4 * em : foot + 1.2 * em,
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

/** Draw how much of the gradient is left so many steps back, in this network and in a shallow one. */
function shares({ mine, plain, back }, at) {
  const drawn = (values, name) => {
    const points = values.map((value, k) => [k, value]).filter(([, value]) => value >= SHOWN[0]);
    const [x, y] = [at.x(back), at.y(values[back])];
    return [
      line(at, points, name),
      values[back] >= SHOWN[0] &&
        svg("circle", { class: name, ...{ cx: x, cy: y, r: 0.34 * at.em } }),
    ];
  };
  const { left, right, bottom, em, font } = at;
  return [
    frame(at),
    title(at, "length of the gradient (last input: 1)"),
    rule(at, 1, "rule"),
    ticksY(at, at.slide ? [1, 1e-30] : [1, 1e-10, 1e-20, 1e-30], (value) =>
      decade(Math.round(Math.log10(value)), font),
    ),
    ticksX(at, [0, 10, 20, 30, 40, 50]),
    text(at, (left + right) / 2, bottom + 2.9 * em, { class: "axis" }, "steps back"),
    cursor(at, back),
    drawn(plain, "plain"),
    drawn(mine, "mine"),
  ];
}

// ---- the words

const inits = Object.fromEntries(
  meta.controls.init.options.map(({ value, label }) => [value, label]),
);

function words({ ways, flat, depth, mine, plain, start, back, all }) {
  const than = ways !== flat && ` (${flat} without ${all ? "extra layers" : "it"})`;
  if (!all)
    return html(
      "p",
      {},
      `The shortest path from input ${start} to output ${STEPS} has `,
      html("b", {}, counted(ways, "arrow")),
      than,
      ".",
    );
  const long = (values) => written(values[back]);
  return [
    html(
      "p",
      {},
      "Over the five steps drawn, the shortest path has ",
      html("b", {}, counted(ways, "arrow")),
      than,
      ".",
    ),
    html(
      "p",
      {},
      html("b", {}, `${counted(back, "step")} back`),
      ", the gradient is ",
      html("b", { class: "gradient" }, long(mine)),
      " times as long as at the last input",
      isFlat(depth) || [" (shallow network, dashed: ", long(plain), ")"],
      ".",
    ),
    html(
      "p",
      { class: "small" },
      `Median of ${DRAWS} untrained networks with ${UNITS} units in a layer and ${weights(depth)} parameters.`,
    ),
  ];
}

/** A share as a decimal, or else as digits and a power of ten. */
const written = (share) => {
  const [digits, power] = parted(share);
  return power > -4 ? near(share) : [`${digits} · 10`, html("sup", {}, format(power, 0))];
};
const said = (share) => {
  const [digits, power] = parted(share);
  return power > -4 ? near(share) : `${digits} times 10 to the power ${format(power, 0)}`;
};
const near = (share) => String(Number(share.toPrecision(2)));
const parted = (share) => share.toExponential(0).split("e").map(Number);

const isFlat = (depth) => depth.states === 1 && !depth.input && !depth.transition && !depth.output;

function spoken({ ways, mine, plain, start, back, init, all, depth }) {
  const path = `From input ${start} to the last output, the path has ${counted(ways, "arrow")}.`;
  if (!all) return path;
  const long = (values) => said(values[back]);
  const other = isFlat(depth) ? "" : `, and ${long(plain)} times in a shallow network`;
  return `${path} With the ${inits[init]}, ${counted(back, "step")} back, the gradient is ${long(mine)} times as long as at the last input${other}.`;
}
