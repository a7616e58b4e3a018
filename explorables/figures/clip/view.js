import { button, controls, controlsOf, setAll } from "../../lib/controls.js";
import { html, svg } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { linked, live } from "../../lib/linked.js";
import { format } from "../../lib/scales.js";
import { MARKS, swatch } from "../../lib/shapes.js";
import { keepDrawn, presets, settings } from "../../lib/stage.js";
import { inline } from "../../lib/words.js";
import { meta } from "./meta.js";
import { ARROWS, compute } from "./math.js";
import { gradients, means } from "./planes.js";

/** What the reader may begin with: copies, x and y of each gradient. */
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
  { name: "one", mark: "", text: "" },
];
const WAYS = { down: "downhill", up: "uphill", level: "level", none: "no direction" };

export function render({ model, el }) {
  el.classList.add("fig-clip");
  const spec = meta.controls;
  const views = [gradients(model, spec), means()];
  const heads = [html("div", { class: "head" }), html("div", { class: "head" })];
  const parts = ["raw", "means"].map((name, i) =>
    html("div", { class: `part ${name}` }, heads[i], views[i].node),
  );
  heads[0].innerHTML = "<b>Minibatch gradients</b>";
  const readout = table();
  const stage = html(
    "div",
    { class: "stage" },
    parts,
    html("div", { class: "part readout" }, readout.node),
  );
  const verdict = html("p", { class: "verdict" });
  const status = live();

  const copies = html("output", { class: "count" });
  const by = (step) => () => {
    const { at } = now;
    const key = `m${at}`;
    const next = Math.min(Math.max(now[key] + step, spec[key].min), spec[key].max);
    write({ [key]: next, at: next ? at : 1 });
  };
  const fewer = button("−", by(-1));
  const more = button("+", by(1));
  const add = button("add a gradient", () => {
    const free = ARROWS.find((i) => !model.get(`m${i}`));
    if (free) write({ [`m${free}`]: 1, at: free });
  });
  fewer.ariaLabel = "fewer copies";
  more.ariaLabel = "more copies";
  const examples = Object.fromEntries(
    Object.entries(PRESETS).map(([name, preset]) => [name, example(preset, spec)]),
  );
  const write = (state) => setAll(model, state);
  el.append(
    controls(controlsOf(model, spec, "kind", "v")),
    stage,
    verdict,
    controls(
      html(
        "div",
        { class: "uf-control copies", role: "group", "aria-label": "copies" },
        copies,
        fewer,
        more,
        add,
      ),
      presets(model, "examples", examples, ["at"], "uf-control presets"),
    ),
    guess(meta.prediction, () => write({ ...examples["one against five"], v: 5 })),
    status,
  );
  const link = linked(el);

  let now;
  function draw() {
    const state = settings(model, spec);
    now = { ...state, ...compute(state) };
    now.example = now.arrows.find(({ i }) => i === now.at) ?? now.arrows[0];
    now.at = now.example.i;
    views[0].update(now);
    const zoom = views[1].update(now) / views[0].scale();
    heads[1].innerHTML = `<b>Clipped, and means</b> ${zoom > 1.05 ? `<span>${format(zoom, zoom < 10 ? 1 : 0)}× nearer</span>` : ""}`;
    readout.update(now);
    verdict.innerHTML = inline(judge(now));
    copies.innerHTML = inline(`*g*_{${now.at}}: ${now.example.count} of ${now.total}`);
    fewer.ariaDisabled = String(now.example.count <= spec[`m${now.at}`].min);
    more.ariaDisabled = String(now.example.count >= spec[`m${now.at}`].max);
    add.ariaDisabled = String(now.arrows.length === ARROWS.length);
    link.refresh();
    status.announce(verdict.textContent);
  }
  function resize(size) {
    const { form, side, rest } = layout(size);
    stage.dataset.form = form;
    views.forEach((view, i) => {
      view.resize(side, size.em);
      parts[i].style.width = `${side}px`;
    });
    stage.lastChild.style.width = `${rest}px`;
  }
  return keepDrawn(model, stage, draw, { resize });
}

/** A preset as the controls have it; a gradient that it has none of keeps its place. */
function example({ kind, g }, spec) {
  const state = { kind, v: 1, at: 1 };
  for (const i of ARROWS) {
    const [m, x, y] = g[i - 1] ?? [0, spec[`x${i}`].default, spec[`y${i}`].default];
    Object.assign(state, { [`x${i}`]: x, [`y${i}`]: y, [`m${i}`]: m });
  }
  return state;
}

/** Planes beside each other; on a slide the numbers beside them, on a phone all in a column. */
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

/** Whole degrees, but for those that would seem none. */
const degrees = (angle) =>
  angle === null
    ? "—"
    : `${format(angle < 0.05 ? 0 : angle, angle >= 0.05 && angle < 9.5 ? 1 : 0)}°`;

/** The directions and how they lie to the true gradient. */
function table() {
  const heads = ["a step goes", "angle", "cosine", "times *ḡ*"].map((text, i) => {
    const node = html("th", { scope: "col", class: `c${i}` });
    node.innerHTML = inline(text);
    return node;
  });
  const rows = ROWS.map(({ name, mark, text }) => {
    const icon = swatch(
      30,
      12,
      svg("path", { class: `line ${name}`, d: "M0 6H30" }),
      mark &&
        svg("path", {
          class: `mark ${name}`,
          d: MARKS[mark],
          transform: "translate(24 6) scale(4.4)",
        }),
    );
    const words = html("span");
    words.innerHTML = inline(text);
    const vector = html("span", { class: "vector" });
    const cells = heads.map((_, i) => html("td", { class: `c${i}` }));
    const head = html("th", { scope: "row" }, icon, html("span", { class: "name" }, words, vector));
    return { name, words, vector, cells, node: html("tr", { "data-term": name }, head, cells) };
  });
  const node = html(
    "table",
    {},
    html("thead", {}, html("tr", {}, html("td"), heads)),
    html(
      "tbody",
      {},
      rows.map((row) => row.node),
    ),
  );
  return {
    node,
    update({ mean, after, before, example, kind }) {
      const found = { mean, after, before, one: example.clipped };
      rows.forEach((row) => {
        const { vector, way, angle, cosine, product } = found[row.name];
        if (row.name === "one") row.words.innerHTML = inline(`*g*_{${example.i}} clipped`);
        row.vector.textContent = `(${vector.map((entry) => format(entry)).join(", ")})`;
        row.cells[0].replaceChildren(html("span", { class: `way ${way}` }, WAYS[way]));
        row.cells[1].textContent = degrees(angle);
        row.cells[2].textContent = cosine === null ? "—" : format(cosine);
        row.cells[3].textContent = format(product);
      });
      node.dataset.kind = kind;
    },
  };
}

/** What the mean of the clipped does, and how many of the minibatches alone. */
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
      ? `Clipping by norm turns no gradient: ${uphill} of ${total} point uphill, clipped or not.`
      : `Clipping by element turns gradients: ${uphill} of ${total} now point uphill. A step still goes downhill on its own minibatch's loss.`;
  return `${what} ${then}`;
}
