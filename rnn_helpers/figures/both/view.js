import { ticksX } from "../lib/chart.js";
import { html, italic, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { roving } from "../lib/roving.js";
import { arrow } from "../lib/shapes.js";
import { upTo } from "../lib/vectors.js";
import { above, arrows, heard, ready } from "./math.js";
import { masksOf } from "./masks.js";
import { meta } from "./meta.js";

const kind = (node) => node[0];
const place = (node) => Number(node.slice(1));

export const render = figure("both", meta, (given) =>
  given.model.get("view") === "masks" ? masksOf(given) : ticksView(given),
);

function ticksView({ control, save }) {
  const nodes = svg("g");
  const area = areaOf("Inputs, states and outputs of the network, joined by arrows", nodes);
  const readout = html("p", { class: "readout" });
  const [wait, width] = [control("wait"), control("width")];
  roving(nodes, (id) => save({ at: place(id) }));
  return {
    parts: [stage(area, readout), ["listener", wait, width], ["steps", "at"]],
    reveal: { listener: "both", steps: 8, at: 1 },
    update(state, size) {
      const now = look(state);
      const at = scales(size, now);
      area.draw(size, at, drawn(now, at), ticks(now, at));
      redraw(nodes, circles(now, at));
      wait.classList.toggle("off", now.listener !== "one");
      width.classList.toggle("off", now.listener !== "window");
      readout.textContent = told(now);
      return told(now);
    },
  };
}

/** Return everything that a setting's drawing and words need. */
function look(setting) {
  const { listener, wait, steps } = setting;
  const at = Math.min(setting.at, steps);
  const all = arrows(setting);
  return {
    ...{ listener, steps, at, all, lit: above(all, `o${at}`) },
    late: listener === "one" ? wait : 0,
    hears: heard(setting, at),
    given: upTo(steps).map((t) => ready(setting, t)),
  };
}

function scales({ width, em, room }, { steps, late, listener }) {
  const slide = room < Infinity;
  const left = 2.7 * em;
  const columns = steps + late;
  const pitch = Math.min((width - left) / columns, 4.2 * em);
  const start = left + (width - left - pitch * columns) / 2;
  const gap = (slide ? 2.5 : 3) * em;
  const top = 2.9 * em;
  const states = listener === "window" ? 0 : listener === "both" ? 2 : 1;
  const rows = { o: top, g: top + gap, h: top + states * gap, x: top + (states + 1) * gap };
  if (!states) rows.x += 0.8 * gap;
  return {
    ...{ em, pitch, rows, font: Math.max(0.9 * em, 12) },
    r: Math.min(0.85 * em, 0.32 * pitch),
    names: start - 0.4 * em,
    x: (t) => start + (t - 0.5) * pitch,
    height: rows.x + 2.6 * em,
  };
}

// The states of the two directions stand a little to the left and to the right of their step, so that no
// arrow hides another.
const ASIDE = { h: -0.16, g: 0.16, o: 0, x: 0 };
const where = (node, { listener }, at) => [
  at.x(place(node)) + (listener === "both" ? ASIDE[kind(node)] : 0) * at.pitch,
  at.rows[kind(node)],
];

function drawn(now, at) {
  const lit = ([from, to]) => now.lit.has(from) && now.lit.has(to);
  const sorted = [...now.all].sort((p, q) => lit(p) - lit(q)); // the highlighted ones lie on top
  return sorted.map((pair) => {
    const [[x0, y0], [x1, y1]] = pair.map((node) => where(node, now, at));
    const length = Math.hypot(x1 - x0, y1 - y0);
    const [ux, uy] = [((x1 - x0) / length) * at.r, ((y1 - y0) / length) * at.r];
    const made = arrow(lit(pair) ? "lit" : "plain");
    made.update(
      [
        [x0 + ux, y0 + uy],
        [x1 - 1.1 * ux, y1 - 1.1 * uy],
      ],
      at.em,
    );
    return made.node;
  });
}

/** Write the tick at which each output is available above it, and the tick of each input below it. */
function ticks({ given, steps, listener, at: chosen }, at) {
  const { em, rows, names } = at;
  const marked = (t) => (t === chosen ? "tick given chosen" : "tick given");
  const states = { one: ["h"], both: ["g", "h"], window: [] }[listener];
  const name = (y, ...words) => text({ font: at.font }, names, y, { class: "name" }, words);
  return [
    name(rows.o - 1.7 * em, "tick"),
    name(rows.x + 1.6 * em, "tick"),
    ["o", ...states, "x"].map((letter) => name(rows[letter], italic(letter))),
    ticksX({ ...at, bottom: rows.o, below: -1.7 }, upTo(steps), (t) => given[t - 1], marked),
    ticksX({ ...at, bottom: rows.x, below: 1.6 }, upTo(steps)),
  ];
}

function circles(now, at) {
  const all = [...new Set(now.all.flat())];
  return all.map((node) => {
    const [x, y] = where(node, now, at);
    const name = `${kind(node)}${now.lit.has(node) ? " lit" : ""}${node === `o${now.at}` ? " chosen" : ""}`;
    const disc = svg("circle", { class: `disc ${name}`, cx: x, cy: y, r: at.r });
    if (kind(node) !== "o") return disc;
    return svg(
      "g",
      {
        class: "output",
        role: "button",
        tabindex: place(node) === now.at ? 0 : -1,
        "aria-pressed": String(place(node) === now.at),
        "aria-label": `output ${place(node)}, available at tick ${now.given[place(node) - 1]}`,
        "data-node": node,
      },
      svg("rect", {
        class: "target",
        ...{ x: x - Math.min(at.pitch / 2, 1.4 * at.em), width: Math.min(at.pitch, 2.8 * at.em) },
        ...{ y: y - 1.4 * at.em, height: 2.8 * at.em },
      }),
      disc,
    );
  });
}

// ---- the words

function told({ hears, at, steps, given, listener }) {
  const [first, last] = [hears[0], hears.at(-1)];
  const what =
    hears.length === steps
      ? `all ${steps} inputs`
      : first === last
        ? `input ${first}`
        : `inputs ${first} to ${last}`;
  const ahead = Math.max(0, last - at);
  const more = ahead ? `, ${ahead} of them later than ${at}` : "";
  const all =
    listener === "both"
      ? "So are all the others, because the backward network starts at the last input."
      : `The first output comes at tick ${given[0]}, the last at tick ${given.at(-1)}.`;
  return `Output ${at} depends on ${what}${more}, and is available at tick ${given[at - 1]}. ${all}`;
}
