// The attention masks of GPT and BERT side by side, each as arrows and as a grid.
import { ticksX } from "../lib/chart.js";
import { html, redraw, svg, text } from "../lib/dom.js";
import { areaOf, stage } from "../lib/figure.js";
import { roving } from "../lib/roving.js";
import { arrow, rect } from "../lib/shapes.js";
import { upTo } from "../lib/vectors.js";
import { LETTERS, MODELS, mask, readyMasked } from "./math.js";

const STEPS = LETTERS.length;

export function masksOf({ save }) {
  const nodes = svg("g");
  const area = areaOf("The masks of GPT and BERT, as arrows and as grids", nodes);
  const readout = html("p", { class: "readout" });
  roving(nodes, (id) => save({ at: Number(id.split("-")[1]) }));
  return {
    parts: [stage(area, readout)],
    update(state, size) {
      const chosen = Math.min(state.at, STEPS);
      const at = scales(size);
      area.draw(
        size,
        at,
        MODELS.map((model) => picture(model, chosen, at)),
      );
      redraw(
        nodes,
        MODELS.map((model) => outputs(model, chosen, at)),
      );
      readout.textContent = told(chosen);
      return told(chosen);
    },
  };
}

function scales({ width, em, room }) {
  const slide = room < Infinity;
  const stacked = width < 27 * em;
  const gap = 1.6 * em;
  const panel = stacked ? width : (width - gap) / 2;
  const names = 4.6 * em;
  const pitch = Math.min((panel - names) / STEPS, 2.5 * em);
  const side = Math.min(pitch, (slide ? 1.15 : 1.5) * em);
  const start = (panel - names - pitch * STEPS) / 2 + names;
  const rows = {
    title: 0.8 * em,
    tick: 2.6 * em,
    o: 4.1 * em,
    x: (slide ? 6.9 : 8.1) * em,
    grid: (slide ? 9.1 : 10.6) * em,
  };
  const high = rows.grid + STEPS * side + 0.4 * em;
  return {
    ...{ em, pitch, rows, side, panel, font: Math.max(0.9 * em, 12), r: 0.6 * em },
    names: start - 0.5 * em,
    x: (t) => start + (t - 0.5) * pitch,
    corner: (k) => (stacked ? [0, k * (high + 1.2 * em)] : [k * (panel + gap), 0]),
    height: stacked ? 2 * high + 1.2 * em : high,
  };
}

const moved = (model, at, ...children) => {
  const [x, y] = at.corner(MODELS.indexOf(model));
  return svg("g", { class: "panel", transform: `translate(${x} ${y})` }, children);
};

function picture(model, chosen, at) {
  const { rows, side, pitch, names } = at;
  const seen = mask(model, STEPS);
  const pairs = upTo(STEPS).flatMap((t) => upTo(STEPS).map((s) => [s, t]));
  const joined = pairs.filter(([s, t]) => seen[t - 1][s - 1]);
  const sorted = joined.sort(([, p], [, q]) => (p === chosen) - (q === chosen));
  const name = (y, words, also = "") => text(at, names, y, { class: `name${also}` }, words);
  const row = (t) => rows.grid + (t - 0.5) * side;
  const cell = ([s, t]) =>
    rect(at.x(s) - pitch / 2, row(t) - side / 2, pitch - 1, side - 1, {
      class: `cell${seen[t - 1][s - 1] ? " seen" : ""}${t === chosen ? " chosen" : ""}`,
    });
  return moved(
    model,
    at,
    text(at, at.x(3.5), rows.title, { class: "model" }, model),
    sorted.map(([s, t]) => joining(s, t, t === chosen, at)),
    upTo(STEPS).map((s) =>
      svg("circle", {
        class: `disc x${seen[chosen - 1][s - 1] ? " lit" : ""}`,
        ...{ cx: at.x(s), cy: rows.x, r: at.r },
      }),
    ),
    name(rows.tick, "tick"),
    name(rows.o, "output"),
    name(rows.x, "input"),
    ticksX(
      { ...at, bottom: rows.tick, below: 0 },
      upTo(STEPS),
      (t) => readyMasked(model, STEPS, t),
      (t) => (t === chosen ? "tick given chosen" : "tick given"),
    ),
    ticksX({ ...at, bottom: rows.x, below: 1.5 }, upTo(STEPS), (t) => LETTERS[t - 1], "letter"),
    pairs.map(cell),
    upTo(STEPS).map((t) => name(row(t), `output ${t}`, t === chosen ? " chosen" : "")),
  );
}

function joining(s, t, lit, at) {
  const [x0, y0, x1, y1] = [at.x(s), at.rows.x, at.x(t), at.rows.o];
  const length = Math.hypot(x1 - x0, y1 - y0);
  const [ux, uy] = [((x1 - x0) / length) * at.r, ((y1 - y0) / length) * at.r];
  const made = arrow(lit ? "lit" : "plain");
  made.update(
    [
      [x0 + ux, y0 + uy],
      [x1 - 1.1 * ux, y1 - 1.1 * uy],
    ],
    at.em,
  );
  return made.node;
}

function outputs(model, chosen, at) {
  const first = model === MODELS[0];
  const output = (t) =>
    svg(
      "g",
      {
        class: "output",
        role: "button",
        tabindex: first && t === chosen ? 0 : -1,
        "aria-pressed": String(t === chosen),
        "aria-label": `${model}, output ${t}, available at tick ${readyMasked(model, STEPS, t)}`,
        "data-node": `${model}-${t}`,
      },
      rect(at.x(t) - at.pitch / 2, at.rows.o - 1.4 * at.em, at.pitch, 2.8 * at.em, {
        class: "target",
      }),
      svg("circle", {
        class: `disc o lit${t === chosen ? " chosen" : ""}`,
        ...{ cx: at.x(t), cy: at.rows.o, r: at.r },
      }),
    );
  return moved(model, at, upTo(STEPS).map(output));
}

function told(t) {
  const seen = t === 1 ? "letter 1" : `letters 1 to ${t}`;
  return `In GPT, output ${t} depends on ${seen} of “${LETTERS.join("")}” and is available at tick ${readyMasked("GPT", STEPS, t)}. In BERT, it depends on all ${STEPS} letters and is available at tick ${readyMasked("BERT", STEPS, t)}.`;
}
