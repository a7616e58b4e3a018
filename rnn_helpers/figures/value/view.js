import { branches, spot } from "../lib/branches.js";
import { cursor, line, rule, ticksX, ticksY } from "../lib/chart.js";
import { transport } from "../lib/controls.js";
import { drawingOf, html, redraw, set, setSize, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { roving } from "../lib/roving.js";
import { clamp, format, linear } from "../lib/scales.js";
import { rect, swatch } from "../lib/shapes.js";
import { presets } from "../lib/stage.js";
import { argmax } from "../lib/vectors.js";
import { DEEPEST, evaluate, KINDS, LEARNED, MEASURED, read } from "./math.js";
import { MOST, meta } from "./meta.js";

const DASHES = { chain: "2 3", balanced: "6 3", parse: null, tensor: "10 3 2 3" };
const NAMES = Object.fromEntries(
  meta.controls.tree.options.map(({ value, label }) => [value, label]),
);
const EXAMPLES = {
  "three deep, as in training": { text: meta.controls.text.default, level: MOST },
  deeper: { text: "4-((((3+(1+4))+1)-0)-(4+0))", tree: "parse", level: MOST },
  "from left to right": { text: "3-1-4-1-0-2-1-3", level: MOST },
};
const seen = (letters) => letters.replaceAll("-", "−");

export const render = figure("value", meta, ({ model, spec }) => {
  const values = svg("g");
  const area = areaOf("A tree over an expression, with a value at every node", values);
  const [lanes, readout] = [html("div", { class: "lanes" }), html("p", { class: "readout" })];
  const added = html("p", { class: "added" });
  const chart = drawingOf("Share of expressions computed correctly, by nesting");
  let [now, chosen, drawn] = [null, null, null];
  const time = transport(model, "level", {
    ...spec.level,
    limit: () => now?.top ?? spec.level.max,
    interval: 700,
    text: (level) => (level >= (now?.top ?? 0) ? "the root" : `height ${level}`),
  });
  const choose = (id) => {
    chosen = id;
    redraw(readout, told(now, id));
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
  // The focus goes with what is chosen.
  const refocus = () =>
    values.contains(document.activeElement) &&
    values.querySelector(`[data-node="${chosen}"]`)?.focus({ preventScroll: true });
  return {
    parts: [
      stage(html("div", {}, area, readout), html("div", { class: "side" }, lanes, chart)),
      ["text", presets(model, "Expressions", EXAMPLES, ["level"])],
      added,
      ["tree", time, "curves"],
    ],
    reveal: { curves: true, level: MOST },
    follow: [time, refocus],
    update(state, size) {
      now = look(state);
      const at = scales(size, now);
      area.draw(size, at, now.problem ? problem(now.problem, size, at) : frame(now, at));
      redraw(values, written(now, at));
      // After a change, the first wrong value is chosen, or else the last one.
      const tree = [now.tokens, now.kind, now.level].join();
      choose(tree === drawn ? chosen : noteworthy(now.reached)?.id);
      drawn = tree;
      redraw(
        lanes,
        now.lanes.map((lane) => answer(lane, now)),
      );
      redraw(added, brackets(state.text, now));
      chart.style.display = now.curves ? "" : "none";
      if (now.curves) shares(chart, now, at);
      return spoken(now);
    },
  };
});

/** The lowest node with a wrong value, or, if all are right, the last that was reached. */
const noteworthy = (reached) =>
  reached
    .filter(({ truth, yhat }) => truth !== null && argmax(yhat) !== truth)
    .sort((one, other) => one.height - other.height)[0] ?? reached.at(-1);

/** Where brackets were added, say so: two of the networks receive them as symbols. */
function brackets(typed, { problem: unread, tokens }) {
  const closed = (text) => [...text].filter((letter) => letter === ")").length;
  if (unread || closed(tokens.join("")) <= closed(typed)) return [];
  return `The chain and the balanced tree receive this expression with brackets that give the order: ${seen(tokens.join(""))}`;
}

/** Return the networks' results for an expression, up to the chosen height. */
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
  // A node is in the middle between two leaves.
  const x = (leaf) => (column(Math.floor(leaf)) + column(Math.ceil(leaf))) / 2;
  const row = Math.min(high / Math.max(top, 1), 2 * em);
  const r = Math.min(0.7 * em, Math.max(7, 0.48 * cell));
  return {
    ...{ em, font, cell, left, row, base, x, written, r, slide, curves },
    height: base + 1.8 * em,
  };
}

/** The tree, and the expression below it. */
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

/** Write the problem in place of the tree. The longest sentence fits on the narrowest phone. */
const problem = (words, { width }, { em, font, slide, base }) =>
  text({ font: slide ? font : Math.max(0.85 * em, 12) }, width / 2, base, {}, words);

/** Draw the network's value at each node. */
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
  truth === null ? "no value" : `${argmax(yhat)}, correct: ${truth}`;

function told({ nodes, tokens }, id) {
  const node = nodes.find((one) => one.id === id);
  if (!node) return [nodes.length > 1 ? "Climb the tree, step by step." : ""];
  const { yhat, truth, range } = node;
  const part = html("code", {}, seen(tokens.slice(...range).join("")));
  if (truth === null)
    return [html("span", {}, part, " isn’t a part of this expression that has a value.")];
  const said = argmax(yhat);
  const right = said === truth;
  return [
    html(
      "span",
      {},
      [part, ` has the value ${truth}. The network computes `],
      html("b", { class: right ? "right" : "wrong" }, said),
      `, with probability ${format(yhat[said], 2)}.`,
    ),
    bars(yhat, truth),
  ];
}

/** Draw the probabilities of all values and mark the true one. */
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

/** The value of the whole expression by one network, after the last step. */
function answer({ kind, said, p }, { truth, kind: drawn, level, top }) {
  const open = level < top;
  const state = open ? "open" : said === truth ? "right" : "wrong";
  return html(
    "p",
    { class: `lane ${state}${p < 0.5 ? " unsure" : ""}${kind === drawn ? " drawn uf-fill" : ""}` },
    swatch(30, 6, svg("path", { class: "curve", d: "M1 3H29", "stroke-dasharray": DASHES[kind] })),
    html("span", {}, NAMES[kind]),
    html("b", {}, open ? "?" : said),
    html(
      "small",
      {},
      open
        ? ""
        : `${state === "right" ? "✓" : "✗"}\u00a0${format(p, 2)}${p < 0.5 ? ", unsure" : ""}`,
    ),
  );
}

function spoken({ problem, tokens, truth, lanes, level, top }) {
  if (problem) return problem;
  const whole = `The value of ${seen(tokens.join(""))} is ${truth}`;
  if (level < top)
    return `The expression ${seen(tokens.join(""))} is computed up to height ${level} of ${top}.`;
  return `${whole}. The networks' answers are ${lanes.map(({ kind, said }) => `${said} (${NAMES[kind]})`).join(", ")}.`;
}

// ---- share of new expressions that are right, by nesting

function shares(chart, { depth }, { em, slide }) {
  const [width, height] = [15 * em, (slide ? 7.4 : 9) * em];
  const [left, right, top, bottom] = [2.2 * em, width - 0.6 * em, 0.8 * em, height - 2.6 * em];
  const x = linear([1, DEEPEST], [left, right]);
  const y = linear([0, 1], [bottom, top]);
  const at = { left, right, top, bottom, x, y, em, font: Math.max(12, 0.8 * em), below: 0.9 };
  const points = (kind) => MEASURED[kind].map((share, i) => [i + 1, share]);
  const word = (x, y, words) => text(at, x, y, { class: "tick" }, words);
  setSize(chart, width, height);
  redraw(
    chart,
    rect(left, top, x(LEARNED) - left, bottom - top, { class: "learned" }),
    [0, 0.5, 1].map((share) => [rule(at, share, "grid"), ticksY(at, [share], String, "tick side")]),
    ticksX(
      at,
      MEASURED.parse.map((_, i) => i + 1),
    ),
    word(x((1 + DEEPEST) / 2), bottom + 2.1 * em, "nesting"),
    depth >= 1 && depth <= DEEPEST && cursor(at, depth, "here"),
    word(x((1 + LEARNED) / 2), bottom - 0.6 * em, "training"),
    KINDS.map((kind) => set(line(at, points(kind), "curve"), { "stroke-dasharray": DASHES[kind] })),
  );
}
