import { branches, spot } from "../../lib/branches.js";
import { control, controls, setAll, transport } from "../../lib/controls.js";
import { drawingOf, html, redraw, setSize, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { live } from "../../lib/linked.js";
import { roving } from "../../lib/roving.js";
import { clamp, format } from "../../lib/scales.js";
import { path, rect, swatch } from "../../lib/shapes.js";
import { keepDrawn, presets, settings } from "../../lib/stage.js";
import { argmax } from "../../lib/vectors.js";
import { DEEPEST, evaluate, KINDS, LEARNED, MEASURED, read } from "./math.js";
import { MOST, meta } from "./meta.js";

const DASHES = { chain: "2 3", balanced: "6 3", parse: null, tensor: "10 3 2 3" };
const NAMES = Object.fromEntries(
  meta.controls.tree.options.map(({ value, label }) => [value, label]),
);
const EXAMPLES = {
  "as deep as learned": { text: meta.controls.text.default, level: MOST },
  deeper: { text: "4-((((3+(1+4))+1)-0)-(4+0))", tree: "parse", level: MOST },
  "all in a row": { text: "3-1-4-1-0-2-1-3", level: MOST },
};
const seen = (letters) => letters.replaceAll("-", "−");

export function render({ model, el }) {
  const { controls: spec } = meta;
  const [plot, values] = [svg("g"), svg("g")];
  const drawing = drawingOf("A tree over an expression, with a value at every node", plot, values);
  const area = html("div", { class: "area" }, drawing);
  const [lanes, readout] = [html("div", { class: "lanes" }), html("p", { class: "readout" })];
  const chart = drawingOf("Share of expressions evaluated rightly, by how deep they are nested");
  const status = live();
  let [now, chosen, drawn] = [null, null, null];
  const time = transport(model, "level", {
    ...spec.level,
    limit: () => now?.top ?? spec.level.max,
    interval: 700,
    text: (level) => (level >= (now?.top ?? 0) ? "the top" : `height ${level}`),
  });
  el.classList.add("fig-value");
  el.append(
    html(
      "div",
      { class: "stage" },
      html("div", {}, area, readout),
      html("div", { class: "side" }, lanes, chart),
    ),
    controls(control(model, "text", spec.text), presets(model, "Expressions", EXAMPLES, ["level"])),
    controls(control(model, "tree", spec.tree), time, control(model, "curves", spec.curves)),
    guess(meta.prediction, () => setAll(model, { curves: true, level: MOST })),
    status,
  );
  const choose = (id) => {
    chosen = id;
    readout.replaceChildren(...told(now, id));
    for (const node of values.querySelectorAll("[data-node]")) {
      node.classList.toggle("chosen", node.dataset.node === id);
      node.setAttribute("tabindex", node.dataset.node === id ? 0 : -1);
    }
  };
  roving(values, choose);
  values.addEventListener("pointerover", (event) => {
    const node = event.target.closest("[data-node]");
    if (node) choose(node.dataset.node);
  });

  function update(size) {
    now = look(settings(model, spec));
    const at = scales(size, now);
    setSize(drawing, size.width, at.height);
    const held = values.contains(document.activeElement) && document.activeElement.dataset.node;
    redraw(plot, now.problem ? problem(now.problem, size, at) : frame(now, at));
    redraw(values, written(now, at));
    // A new tree, or a step up: what is wrong comes first, else what is new.
    const tree = [now.tokens, now.kind, now.level].join();
    choose(tree === drawn ? chosen : noteworthy(now.reached)?.id);
    drawn = tree;
    if (held) values.querySelector(`[data-node="${chosen}"]`)?.focus({ preventScroll: true });
    lanes.replaceChildren(...now.lanes.map((lane) => answer(lane, now)));
    chart.style.display = now.curves ? "" : "none";
    if (now.curves) shares(chart, now, at);
    time.update();
    status.announce(spoken(now));
  }
  return keepDrawn(model, area, update, { clocks: [time] });
}

/** The lowest node that is wrong, or, if all are right, the last that was reached. */
const noteworthy = (reached) =>
  reached
    .filter(({ truth, yhat }) => truth !== null && argmax(yhat) !== truth)
    .sort((one, other) => one.height - other.height)[0] ?? reached.at(-1);

/** What the networks make of the expression, as far up as is asked for. */
function look({ text: typed, tree: kind, level, curves }) {
  const made = read(typed);
  const lanes = made.problem ? [] : KINDS.map((name) => lane(name, made));
  const nodes = lanes.find((one) => one.kind === kind)?.nodes ?? [];
  const top = nodes.at(-1)?.height ?? 0;
  const reached = nodes.filter(({ height, left }) => left && height <= level);
  const places =
    kind === "chain" || kind === "balanced" ? made.tokens?.map((_, i) => i) : made.places;
  return { ...made, places, kind, curves, lanes, nodes, top, reached, level: clamp(level, 0, top) };
}

function lane(kind, made) {
  const nodes = evaluate(kind, made);
  const { yhat } = nodes.at(-1);
  return { kind, nodes, said: argmax(yhat), p: Math.max(...yhat) };
}

function scales({ width, em, room }, { tokens = [], places = [], top, curves }) {
  const slide = room < Infinity;
  const cell = Math.min(width / Math.max(tokens.length, 1), 2.2 * em);
  const font = clamp(1.5 * cell, 12, (slide ? 1.1 : 1) * em);
  const left = (width - cell * tokens.length) / 2;
  const high = (slide ? 8.6 : width < 26 * em ? 11 : 14) * em;
  const base = high + 0.9 * em;
  const written = (place) => left + (place + 0.5) * cell;
  const column = (leaf) => written(places[leaf]);
  // Between two leaves a node stands in the middle.
  const x = (leaf) => (column(Math.floor(leaf)) + column(Math.ceil(leaf))) / 2;
  const row = Math.min(high / Math.max(top, 1), 2 * em);
  const r = Math.min(0.7 * em, Math.max(7, 0.48 * cell));
  return {
    ...{ em, font, cell, left, row, base, x, written, r, slide, curves },
    height: base + 1.8 * em,
  };
}

/** The tree, and the row of what is written, brackets too. */
const frame = ({ nodes, tokens, level }, at) => [
  branches(
    nodes.filter(({ height }) => height <= level),
    at,
  ),
  tokens.map((token, i) =>
    text(
      at,
      at.written(i),
      at.base + at.em,
      { class: "()".includes(token) ? "token bracket" : "token" },
      seen(token),
    ),
  ),
];

/** The words that take the place of the tree; the longest fit on the narrowest phone. */
const problem = (words, { width }, { em, font, slide, base }) =>
  text({ font: slide ? font : Math.max(0.85 * em, 12) }, width / 2, base, {}, words);

/** At every node what the network says it is worth; a wrong one is struck out. */
const written = ({ reached }, at) =>
  reached.map((node) => {
    const [x, y] = spot(node, at);
    const said = argmax(node.yhat);
    const kind = node.truth === null ? "open" : said === node.truth ? "right" : "wrong";
    const { r } = at;
    return svg(
      "g",
      {
        class: `value ${kind}`,
        "data-node": node.id,
        tabindex: -1,
        role: "img",
        "aria-label": heard(node),
      },
      svg("circle", { class: "uf-ring", cx: x, cy: y, r: Math.max(12, 1.4 * r) }),
      kind === "open"
        ? svg("circle", { class: "box", cx: x, cy: y, r: 0.45 * r })
        : rect(x - r, y - r, 2 * r, 2 * r, { class: "box", rx: 0.35 * r }),
      kind !== "open" && text({ font: Math.max(12, 1.3 * r) }, x, y, {}, said),
    );
  });

// ---- the words

const heard = ({ yhat, truth }) =>
  truth === null ? "no expression" : `${argmax(yhat)}, true ${truth}`;

function told({ nodes, tokens }, id) {
  const node = nodes.find((one) => one.id === id);
  if (!node) return [nodes.length > 1 ? "Climb the tree, step by step." : ""];
  const { yhat, truth, range } = node;
  const part = html("code", {}, seen(tokens.slice(...range).join("")));
  if (truth === null) return [html("span", {}, part, " is no expression: something is missing.")];
  const said = argmax(yhat);
  const right = said === truth;
  return [
    html(
      "span",
      {},
      [part, ` is worth ${truth}. The network says `],
      html("b", { class: right ? "right" : "wrong" }, said),
      `, with probability ${format(yhat[said], 2)}.`,
    ),
    bars(yhat, truth),
  ];
}

/** Probabilities of all values; the true one is marked. */
const bars = (yhat, truth) =>
  html(
    "span",
    { class: "shares", "aria-hidden": "true" },
    yhat.map((share, k) =>
      html(
        "span",
        { class: k === truth ? "share uf-fill true" : "share uf-fill" },
        html("i", { class: "uf-fill", style: `height:${(100 * share).toFixed(1)}%` }),
        html("small", {}, k),
      ),
    ),
  );

/** What a network says of the whole, once the tree has been climbed. */
function answer({ kind, said, p }, { truth, kind: drawn, level, top }) {
  const open = level < top;
  const state = open ? "open" : said === truth ? "right" : "wrong";
  return html(
    "p",
    { class: `lane ${state}${kind === drawn ? " drawn uf-fill" : ""}` },
    swatch(30, 6, svg("path", { class: "curve", d: "M1 3H29", "stroke-dasharray": DASHES[kind] })),
    html("span", {}, NAMES[kind]),
    html("b", {}, open ? "?" : said),
    html("small", {}, open ? "" : `${state === "right" ? "✓" : "✗"} ${format(p, 2)}`),
  );
}

function spoken({ problem, tokens, truth, lanes, level, top }) {
  if (problem) return problem;
  const whole = `${seen(tokens.join(""))} is worth ${truth}`;
  if (level < top) return `${seen(tokens.join(""))} is computed up to height ${level} of ${top}.`;
  return `${whole}. ${lanes.map(({ kind, said }) => `${NAMES[kind]}: ${said}`).join("; ")}.`;
}

// ---- share of new expressions that are right, by nesting

function shares(chart, { depth }, { em, slide }) {
  const [width, height] = [15 * em, (slide ? 7.4 : 9) * em];
  const box = { left: 2.2 * em, top: 0.8 * em, right: width - 0.6 * em, foot: height - 2.6 * em };
  const at = { font: Math.max(12, 0.8 * em) };
  const x = (n) => box.left + ((n - 1) / (DEEPEST - 1)) * (box.right - box.left);
  const y = (share) => box.top + (1 - share) * (box.foot - box.top);
  const line = (name, points, more) => svg("path", { class: name, d: path(points), ...more });
  setSize(chart, width, height);
  redraw(
    chart,
    rect(x(1), y(1), x(LEARNED) - x(1), y(0) - y(1), { class: "learned" }),
    [0, 0.5, 1].map((share) => [
      line("grid", [
        [box.left, y(share)],
        [box.right, y(share)],
      ]),
      text(at, box.left - 0.4 * em, y(share), { class: "tick side" }, share),
    ]),
    MEASURED.parse.map((_, i) => text(at, x(i + 1), y(0) + 0.9 * em, { class: "tick" }, i + 1)),
    text(at, (x(1) + x(DEEPEST)) / 2, y(0) + 2.1 * em, { class: "tick" }, "nesting"),
    depth >= 1 &&
      depth <= DEEPEST &&
      line("here", [
        [x(depth), y(0)],
        [x(depth), y(1)],
      ]),
    text(at, (x(1) + x(LEARNED)) / 2, y(0) - 0.6 * em, { class: "tick" }, "learned"),
    KINDS.map((kind) =>
      line(
        "curve",
        MEASURED[kind].map((share, i) => [x(i + 1), y(share)]),
        { "stroke-dasharray": DASHES[kind] },
      ),
    ),
  );
}
