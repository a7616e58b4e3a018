import { button } from "../lib/controls.js";
import { html, redraw, svg } from "../lib/dom.js";
import { figure, stage } from "../lib/figure.js";
import { linked } from "../lib/linked.js";
import { clamp, format } from "../lib/scales.js";
import { MARKS, swatch } from "../lib/shapes.js";
import { presets } from "../lib/stage.js";
import { inline } from "../lib/words.js";
import { meta } from "./meta.js";
import { ARROWS, compute } from "./math.js";
import { gradients, means } from "./planes.js";

/** Examples: the copies, x and y of each gradient. */
const PRESETS = {
  "one against five": {
    kind: "norm",
    g: [
      [1, -10, 0],
      [5, 1, 0],
    ],
  },
  "by element": {
    kind: "element",
    g: [
      [1, 10, -1],
      [1, 2, 9],
      [1, -3, 7],
      [1, -5, 5],
    ],
  },
  "all similar": {
    kind: "norm",
    g: [
      [1, 9, 1],
      [1, 7, 5],
      [1, 4, 7],
      [1, 5, 2.5],
    ],
  },
};
const ROWS = [
  { name: "mean", mark: "circle", text: "true gradient *ḡ*" },
  { name: "after", mark: "square", text: "*ḡ* clipped" },
  { name: "before", mark: "diamond", text: "mean of clipped" },
  { name: "one" },
];
const AT_END = "translate(24 6) scale(4.4)"; // of a line in the table
const WAYS = { down: "downhill", up: "uphill", level: "level", none: "no direction" };

export const render = figure("clip", meta, ({ model, el, spec, save }) => {
  const views = [gradients(model, spec), means()];
  const heads = [html("div", { class: "head" }), html("div", { class: "head" })];
  const parts = ["raw", "means"].map((name, i) =>
    html("div", { class: `part ${name}` }, heads[i], views[i].node),
  );
  heads[0].innerHTML = "<b>Minibatch gradients</b>";
  const readout = html("div", { class: "part readout" });
  const shown = stage(parts, readout);
  const verdict = html("p", { class: "verdict" });
  const copies = html("output", { class: "count" });
  let now;
  const by = (step) => () => {
    const key = `m${now.at}`;
    const next = clamp(now[key] + step, spec[key].min, spec[key].max);
    save({ [key]: next, at: next ? now.at : 1 });
  };
  const fewer = button("−", by(-1));
  const more = button("+", by(1));
  const add = button("add a gradient", () => {
    const free = ARROWS.find((i) => !model.get(`m${i}`));
    if (free) save({ [`m${free}`]: 1, at: free });
  });
  fewer.ariaLabel = "fewer copies";
  more.ariaLabel = "more copies";
  const examples = Object.fromEntries(
    Object.entries(PRESETS).map(([name, preset]) => [name, example(preset, spec)]),
  );
  return {
    parts: [
      ["kind", "v"],
      shown,
      verdict,
      [
        html(
          "div",
          { class: "uf-control copies", role: "group", "aria-label": "copies" },
          ...[copies, fewer, more, add],
        ),
        presets(model, "examples", examples, ["at"], "uf-control presets"),
      ],
    ],
    reveal: { ...examples["one against five"], v: 5 },
    follow: [views[0].held, linked(el)],
    watch: shown,
    update(state, size) {
      now = { ...state, ...compute(state) };
      now.example = now.arrows.find(({ i }) => i === now.at) ?? now.arrows[0];
      now.at = now.example.i;
      const { form, side, rest } = layout(size);
      shown.dataset.form = form;
      for (const part of parts) part.style.width = `${side}px`;
      readout.style.width = `${rest}px`;
      const [raw, clipped] = views.map((view) => view.update(now, side, size.em));
      const zoom = clipped / raw;
      heads[1].innerHTML = `<b>Clipped, and means</b> ${zoom > 1.05 ? `<span>${format(zoom, zoom < 10 ? 1 : 0)}× enlarged</span>` : ""}`;
      redraw(readout, table(now));
      verdict.innerHTML = inline(judge(now));
      copies.innerHTML = inline(`*g*_{${now.at}}: ${now.example.count} of ${now.total}`);
      fewer.ariaDisabled = String(now.example.count <= spec[`m${now.at}`].min);
      more.ariaDisabled = String(now.example.count >= spec[`m${now.at}`].max);
      add.ariaDisabled = String(now.arrows.length === ARROWS.length);
      return verdict.textContent;
    },
  };
});

/** The values of the controls for a preset. A gradient without copies keeps its place. */
function example({ kind, g }, spec) {
  const state = { kind, v: 1, at: 1 };
  for (const i of ARROWS) {
    const [m, x, y] = g[i - 1] ?? [0, spec[`x${i}`].default, spec[`y${i}`].default];
    Object.assign(state, { [`x${i}`]: x, [`y${i}`]: y, [`m${i}`]: m });
  }
  return state;
}

/** The planes are beside each other, on a slide with the numbers beside them. A phone has one column. */
function layout({ width, em, room }) {
  const gap = 1.2 * em;
  if (room < Infinity) {
    const side = Math.floor(Math.min((room - 8.9) * em, 0.27 * width));
    return { form: "row", side, rest: Math.floor(width - 2 * (side + gap) - 1) };
  }
  if (width < 26 * em)
    return { form: "column", side: Math.floor(Math.min(width, 19 * em)), rest: width };
  return { form: "page", side: Math.floor(Math.min((width - gap - 1) / 2, 21 * em)), rest: width };
}

/** An angle in whole degrees, or with one more digit if it is small. */
const degrees = (angle) =>
  angle === null
    ? "—"
    : `${format(angle < 0.05 ? 0 : angle, angle >= 0.05 && angle < 9.5 ? 1 : 0)}°`;

const inlined = (tag, attributes, words) => {
  const node = html(tag, attributes);
  node.innerHTML = inline(words);
  return node;
};

/** The directions and their relations to the true gradient. */
function table({ mean, after, before, example, kind }) {
  const found = { mean, after, before, one: example.clipped };
  const heads = ["a step goes", "angle", "cosine", "dot *ḡ*"];
  const row = ({ name, mark, text }) => {
    const { vector, way, angle, cosine, product } = found[name];
    const cells = [
      html("span", { class: `way ${way}` }, WAYS[way]),
      degrees(angle),
      cosine === null ? "—" : format(cosine),
      format(product),
    ];
    return html(
      "tr",
      { "data-term": name },
      html(
        "th",
        { scope: "row" },
        swatch(
          ...[30, 12, svg("path", { class: `line ${name}`, d: "M0 6H30" })],
          mark && svg("path", { class: `mark ${name}`, d: MARKS[mark], transform: AT_END }),
        ),
        html(
          "span",
          { class: "name" },
          inlined("span", {}, text ?? `*g*_{${example.i}} clipped`),
          html("span", { class: "vector" }, `(${vector.map((entry) => format(entry)).join(", ")})`),
        ),
      ),
      cells.map((cell, i) => html("td", { class: `c${i}` }, cell)),
    );
  };
  return html(
    "table",
    { "data-kind": kind },
    html(
      "thead",
      {},
      html(
        "tr",
        {},
        html("td"),
        heads.map((words, i) => inlined("th", { scope: "col", class: `c${i}` }, words)),
      ),
    ),
    html("tbody", {}, ROWS.map(row)),
  );
}

/** Say where a step against the mean of the clipped gradients goes, and how many of them point uphill. */
function judge({ mean, before, uphill, total, kind }) {
  if (mean.way === "none") return "The true gradient is 0, so no direction goes downhill.";
  const angle = degrees(before.angle);
  const what = {
    up: `The mean of the clipped gradients is at ${angle} to the true gradient, so a step against it goes uphill on the true loss.`,
    down: `The mean of the clipped gradients is at ${angle} to the true gradient, so a step against it goes downhill on the true loss.`,
    level:
      "The mean of the clipped gradients is at a right angle to the true gradient, so the loss doesn't change to first order.",
    none: "The clipped gradients cancel, so there is no step.",
  }[before.way];
  const then =
    kind === "norm"
      ? `Clipping by norm turns no gradient: ${uphill} of ${total} ${uphill === 1 ? "points" : "point"} uphill, clipped or not.`
      : `Clipping by element turns gradients: ${uphill} of ${total} now ${uphill === 1 ? "points" : "point"} uphill. A step still goes downhill on its own minibatch's loss.`;
  return `${what} ${then}`;
}
