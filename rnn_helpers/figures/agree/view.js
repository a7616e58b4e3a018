import { branches, spot } from "../lib/branches.js";
import { html, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { clamp, counted, format } from "../lib/scales.js";
import { rect } from "../lib/shapes.js";
import { switches } from "../lib/switches.js";
import { argmax } from "../lib/vectors.js";
import { byId } from "../lib/trees.js";
import { choose, KINDS, sentence, VERBS } from "./math.js";
import { meta } from "./meta.js";

const NAMES = Object.fromEntries(
  meta.controls.tree.options.map(({ value, label }) => [value, label]),
);
/** A name that would need two lines beside a verb. */
const SHORT = { balanced: "balanced" };
const NUMBERS = ["singular", "plural"];

export const render = figure("agree", meta, ({ model, save }) => {
  const nouns = svg("g");
  const area = areaOf(
    "A tree over the words before the verb, with the verb that it chooses",
    nouns,
  );
  const lanes = html("div", { class: "lanes" });
  const turn = (k) => save({ plural: model.get("plural") ^ (1 << k) });
  return {
    parts: [stage(area, lanes), ["tree", "phrases", "front"]],
    reveal: { tree: "balanced", phrases: 5, front: true, plural: 1 },
    update(state, size) {
      const now = look(state);
      const at = scales(size, now);
      area.draw(size, at, picture(now, at));
      redraw(
        nouns,
        now.words.map((word, i) => word.role === "noun" && noun(word, i, at, turn)),
      );
      redraw(
        lanes,
        now.lanes.map((lane) => answer(lane, now)),
      );
      return spoken(now);
    },
  };
});

/** The networks' choices for a sentence. */
function look(state) {
  const made = sentence(state);
  const lanes = KINDS.map((kind) => {
    const nodes = choose(kind, made);
    const { yhat, truth } = nodes.at(-1);
    const chosen = argmax(yhat);
    const key = made.words.findIndex(({ role, k }) => role === "noun" && k === 0);
    const { depth } = byId(nodes).get(`x${key}`);
    return { kind, nodes, chosen, p: yhat[chosen], right: chosen === truth, depth };
  });
  const drawn = lanes.find(({ kind }) => kind === state.tree);
  const subject = made.words.find(({ role, k }) => role === "noun" && k === 0).text;
  return { ...made, lanes, drawn, subject, nodes: drawn.nodes, top: drawn.nodes.at(-1).height };
}

function scales({ width, em, room }, { words, top, drawn }) {
  const slide = room < Infinity;
  const font = clamp(0.95 * em, 12, 20);
  const verb = 2.6 * em;
  const cell = Math.min((width - verb) / words.length, 5.2 * em);
  const left = Math.max(0, (width - verb - cell * words.length) / 2);
  // A plural is longer; a click shouldn't turn the words.
  const letters = words.map(
    ({ role, text: word }) => word.replace(/s$/, "").length + (role === "noun"),
  );
  const widest = 0.52 * font * Math.max(...letters);
  const upright = widest + 0.7 * em > cell;
  const high = (slide ? 9 : width < 26 * em ? 12 : 14) * em;
  const base = high + 1.3 * em;
  return {
    ...{ em, font, cell, left, base, upright, widest, drawn },
    row: Math.min(high / Math.max(top, 1), 2.2 * em),
    x: (place) => left + (place + 0.5) * cell,
    end: left + cell * words.length,
    height: base + (upright ? widest + 1.5 * em : 2.6 * em),
  };
}

/** The tree with a verb at each node that could be followed by one, and the words that aren't nouns. */
function picture({ nodes, words, drawn }, at) {
  const { em, x, base, end } = at;
  return [
    branches(nodes, at),
    nodes.filter(({ left }) => left).map((node) => mark(node, at)),
    words.map(({ role, text: word }, i) => role !== "noun" && written(word, x(i), "word", at)),
    text(
      at,
      end + 0.3 * em,
      base + (at.upright ? 0.9 : 1.35) * em,
      { class: drawn.right ? "verb right" : "verb wrong" },
      VERBS[drawn.chosen],
    ),
  ];
}

function mark(node, at) {
  const [x, y] = spot(node, at);
  if (node.truth === null) return svg("circle", { class: "dot", cx: x, cy: y, r: 0.18 * at.em });
  const chosen = argmax(node.yhat);
  const name = chosen === node.truth ? "right" : "wrong";
  const [w, h] = [at.font, 0.62 * at.font];
  return svg(
    "g",
    { class: `choice ${name}` },
    rect(x - w, y - h, 2 * w, 2 * h, { rx: 0.4 * h }),
    text({ font: Math.max(12, 0.85 * at.font) }, x, y, {}, VERBS[chosen]),
  );
}

function written(word, x, name, { base, em, upright, font, cell }) {
  if (!upright) return text({ font }, x, base + 1.35 * em, { class: name }, word);
  const y = base + 0.9 * em;
  const at = { font: Math.min(font, Math.max(12, 0.92 * cell)) };
  return text(at, x, y, { class: `${name} upright`, transform: `rotate(-90 ${x} ${y})` }, word);
}

/** A noun, which a click makes singular or plural. */
function noun({ text: word, k }, i, at, turn) {
  const { base, em, upright, font, cell, x, widest } = at;
  const plural = word.endsWith("s");
  const wide = upright
    ? Math.max(12, Math.min(cell - 1, 1.7 * em))
    : Math.min(cell - 0.2 * em, 0.56 * font * word.length + 1.1 * em);
  const target = Math.max(wide, 24);
  const [top, high] = upright ? [base + 0.5 * em, widest + 0.8 * em] : [base + 0.55 * em, 1.6 * em];
  const node = svg(
    "g",
    {
      class: plural ? "noun plural" : "noun",
      "data-node": `n${k}`,
      "aria-checked": String(plural),
    },
    rect(x(i) - target / 2, top, target, high, { class: "target" }),
    rect(x(i) - wide / 2, top, wide, high, { class: "chip", rx: 0.3 * em }),
    written(word, x(i), "word", at),
  );
  switches(node, `${word}: plural`, () => turn(k));
  return node;
}

/** The answer of one network, and how far the subject is below its root. */
function answer({ kind, chosen, p, right, depth }, { drawn, subject }) {
  return html(
    "p",
    { class: `lane ${right ? "right" : "wrong"}${kind === drawn.kind ? " drawn uf-fill" : ""}` },
    html("span", {}, SHORT[kind] ?? NAMES[kind]),
    html("b", {}, VERBS[chosen]),
    html("span", {}, right ? "✓" : "✗"),
    html("small", {}, `probability ${format(p, 2)}`),
    html("small", {}, `${counted(depth, "node")} above ${subject}`),
  );
}

function spoken({ words, lanes, verb, drawn }) {
  const said = words.map(({ text }) => text).join(" ");
  const all = lanes.map(({ kind, chosen }) => `${VERBS[chosen]} (${NAMES[kind]})`).join(", ");
  return `“${said}” is ${NUMBERS[verb]}, so the verb is ${VERBS[verb]}. The networks choose ${all}. Drawn: ${NAMES[drawn.kind]}.`;
}
