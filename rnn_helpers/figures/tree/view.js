import { branches, spot } from "../lib/branches.js";
import { bar, rule, ticksY } from "../lib/chart.js";
import { holds } from "../lib/controls.js";
import { html, pointIn, redraw, reducedMotion, set, svg, text } from "../lib/dom.js";
import { areaOf, fact, figure, stage } from "../lib/figure.js";
import { draggable, keySlider, knob } from "../lib/handles.js";
import { equation, linked } from "../lib/linked.js";
import { clamp, counted, format, log } from "../lib/scales.js";
import { MARKS, place, rect } from "../lib/shapes.js";
import { presets } from "../lib/stage.js";
import { bracketed, byId, levelsOf, moved, nodesOf, way } from "../lib/trees.js";
import EQUATIONS from "./equations.tex";
import { arrivals, MOST, pairs, PARAMETERS, read, treeOf } from "./math.js";
import { meta } from "./meta.js";

const GLIDE = 260; // milliseconds in which one tree turns into another
const [LOW, HIGH] = [1e-4, 10]; // limits of the bars
const HINTS = {
  path: "Drag a node up or down.",
  all: "Drag a node up or down, or drag the two marks to other words.",
};
const SENTENCES = {
  "a parser’s tree": { text: meta.controls.text.default, tree: "own", from: 2, to: 10 },
  "as deep as a chain": {
    text: "(the (dog (that (bit (the (man (that (fed (the cat))))))))) ran",
    tree: "own",
    from: 2,
    to: 11,
  },
  "sixteen words": {
    text: "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16",
    tree: "balanced",
    from: 8,
    to: 9,
  },
};
/** Without a sentence in brackets, its tree has another name. */
const PLAIN = meta.controls.tree.options.map((option) =>
  option.value === "own" ? { value: "own", label: "by grammar, or yours" } : option,
);
const short = (word) => (word.length > 11 ? `${word.slice(0, 10)}…` : word);
const amount = (value) => format(value, value < 0.1 ? 3 : 2);

export const render = figure("tree", meta, ({ model, el, spec, save, control }) => {
  const all = model.get("view") === "all";
  const hint = HINTS[model.get("view")];
  el.classList.toggle("path", !all);
  const knobs = svg("g");
  const ends = all ? ["from", "to"].map(endOf) : [];
  const area = areaOf("A tree over the words of a sentence", knobs, ends);
  const { drawing, plot } = area;
  const readout = html("p", { class: "readout" }, hint);
  const facts = html("div", { class: "facts" });
  const sums = html("div", { class: "sums" }, equation(EQUATIONS.h), equation(EQUATIONS.leaf));
  const link = linked(el);
  let [now, at] = [null, null];
  const there = () => ({ now, at });
  const handles = nodeHandles(save, knobs, { drawing, readout, hint, there });
  const column = ({ x }) => clamp(Math.floor((x - at.left) / at.cell) + 1, 1, now.words.length);
  const held = ends.map((end, i) => {
    const key = ["from", "to"][i];
    const text = (place) => now?.words[place - 1] ?? String(place);
    return holds(end, model, key, spec[key], { surface: drawing, at: column, text });
  });
  // A click on a word makes it the end of the path.
  plot.addEventListener("click", (event) => {
    if (all && event.target.closest(".word")) save({ to: column(pointIn(drawing, event)) });
  });
  const glide = glides((nodes) => {
    area.draw(at, at, picture({ ...now, nodes }, at));
    handles.update(nodes);
    link.refresh();
  });
  return {
    parts: [
      all ? stage(sums, area, readout, facts) : stage(area, readout, facts),
      all && ["text"],
      all
        ? [presets(model, "Sentences", SENTENCES), "tree", "strength"]
        : [control("tree", { options: PLAIN })],
    ],
    reveal: !all && { text: spec.text.default, tree: "own", from: 2, to: 10 },
    follow: [...held, glide],
    update(state, size) {
      const before = now?.words.length ? now.nodes : [];
      now = { ...look(state), bars: all, name: nameOf(state, all) };
      at = scales(size, now);
      drawing.classList.toggle("upright", at.upright);
      glide.to(before, now.nodes);
      ends.forEach((node, i) => {
        set(node, { visibility: now.words.length ? null : "hidden" });
        place(node, at.x([now.from, now.to][i]), at.marks);
      });
      redraw(facts, factsOf(now));
      return spoken(now);
    },
  };
});

/** The handles of the inner nodes, one for each gap. Moving one changes the order of the combinations. */
function nodeHandles(save, root, { drawing, readout, hint, there }) {
  let made = [];
  const here = (gap) => there().now.all.get(`h${gap}`);
  /** Move the node of a gap to another level, and write the new brackets. */
  const lift = (levels, gap, level) =>
    save({ text: bracketed(moved(levels, gap, level), there().now.words), tree: "own" });
  function handle(gap) {
    const node = knob({ class: "node" });
    node.lastChild.before(svg("circle", { class: "ground", r: "0.42em" }));
    let levels = [];
    draggable(node, {
      surface: drawing,
      start: () => (levels = levelsOf(there().now.tree)),
      move({ y }) {
        const { now, at } = there();
        lift(levels, gap, clamp((at.base - y) / at.row, 0.4, now.words.length));
      },
    });
    const update = keySlider(node, {
      ...{ label: "node", min: 1, max: MOST - 1 },
      get: () => here(gap)?.height ?? 1,
      change: (height) =>
        lift(levelsOf(there().now.tree), gap, beyond(here(gap), height, there().now)),
      text: () => (here(gap) ? joined(here(gap), there().now) : ""),
    });
    const tell = (event) => {
      // When the Reset button goes away, the host moves the focus here. That shouldn't change the words.
      const shown = event.type === "pointerenter" || node.matches(":focus-visible");
      readout.textContent = shown && here(gap) ? told(here(gap), there().now) : hint;
    };
    for (const type of ["pointerenter", "pointerleave", "focus", "blur"]) {
      node.addEventListener(type, tell);
    }
    return { node, update };
  }
  return {
    update(nodes) {
      const { now, at } = there();
      const inner = nodes.filter(({ gap }) => gap);
      if (made.length !== inner.length) {
        made = inner.map((_, i) => handle(i + 1));
        redraw(
          root,
          made.map(({ node }) => node),
        );
      }
      for (const one of inner) {
        const { node, update } = made[one.gap - 1];
        place(node, ...spot(one, at));
        set(node.lastChild, { "fill-opacity": now.bars ? shade(now.reach[one.id]) : 0 });
        update();
        if (node.matches(":focus-visible")) readout.textContent = told(one, now);
      }
    },
  };
}

/** Move the nodes of one tree smoothly to their heights in another tree over the same leaves. */
function glides(draw) {
  let frame = 0;
  const stop = () => cancelAnimationFrame(frame);
  function to(before, after) {
    stop();
    const heights = byId(before);
    const still = before.length !== after.length || reducedMotion();
    if (still || after.every(({ id, height }) => heights.get(id)?.height === height)) {
      return draw(after);
    }
    const begin = performance.now();
    const step = () => {
      const t = clamp((performance.now() - begin) / GLIDE, 0, 1);
      const share = t * t * (3 - 2 * t);
      draw(
        after.map((node) => {
          const from = heights.get(node.id)?.height ?? node.height;
          return { ...node, height: from + share * (node.height - from) };
        }),
      );
      if (t < 1) frame = requestAnimationFrame(step);
    };
    step();
  }
  return { to, stop };
}

/** The handle of an end of the path: a circle for the first word, a diamond for the second. */
function endOf(key) {
  if (key === "from") return knob({ class: "end" });
  const diamond = svg("path", { class: "uf-knob diamond", d: MARKS.diamond });
  return svg("g", { class: "end" }, svg("circle", { class: "uf-ring", r: "0.85em" }), diamond);
}

/** Return everything that the drawing and the words need. */
function look({ text: typed, tree: kind, strength, from, to }) {
  const sentence = read(typed);
  const { words } = sentence;
  const tree = words.length ? treeOf(kind, sentence) : null;
  if (!words.length)
    return { words, kind, tree, from: 0, to: 0, nodes: [], all: new Map(), way: [] };
  const nodes = nodesOf(tree);
  const inside = (place) => clamp(place, 1, words.length) - 1;
  return {
    ...{ words, kind, tree, nodes, all: byId(nodes), from: inside(from), to: inside(to) },
    ...{ way: way(nodes, inside(from), inside(to)), reach: arrivals(tree, words, strength) },
    ...{ strength, mean: pairs(nodes, words.length) },
  };
}

function scales({ width, em, room }, { words, bars }) {
  const slide = room < Infinity;
  const n = Math.max(words.length, 1);
  const font = Math.max(slide ? em : 0.9 * em, 12);
  const left = 2.3 * em;
  const cell = Math.min((width - left) / n, 6 * em);
  const widest = 0.53 * font * Math.max(...words.map((word) => short(word).length), 1);
  const upright = widest > cell - 0.2 * em;
  const high = (slide ? (bars ? 7.4 : 11) : width < 26 * em ? 10 : 12) * em;
  const base = high + 0.8 * em;
  const foot = base + (upright ? widest : 1.2 * em) + 0.6 * em;
  const top = foot + 3.6 * em;
  const bottom = top + (slide ? 2.8 : 4.4) * em;
  const y = log([LOW, HIGH], [bottom, top]);
  return {
    ...{ width, em, font, left, right: left + cell * n, top, bottom, cell, upright, base },
    ...{ row: high / Math.max(n - 1, 4), marks: foot + 0.8 * em, title: foot + 2.5 * em },
    x: (place) => left + (place + 0.5) * cell,
    y: (value) => y(Math.min(value, HIGH)),
    height: bars ? bottom + 0.4 * em : foot,
  };
}

const shade = (value) => (0.08 + 0.92 * clamp(1 + Math.log10(value + 1e-300) / 3, 0, 1)).toFixed(2);

function picture(now, at) {
  const { words, nodes, way: ids, from, to, bars } = now;
  const { em, x, base, left } = at;
  if (!words.length) return [text(at, left, base / 2, {}, "Type a sentence.")];
  return [
    bars && chart(now, at),
    branches(nodes, at, ids, bars ? { left: "U", right: "W" } : {}),
    words.map((word, i) => [
      svg("path", {
        class: "branch stem",
        d: `M${x(i)} ${base}v${0.5 * em}`,
        "data-term": bars ? "V" : null,
      }),
      rect(x(i) - 0.3 * em, base - 0.3 * em, 0.6 * em, 0.6 * em, { class: "leaf" }),
      wordAt(word, x(i), i === from || i === to, at),
    ]),
  ];
}

/** Draw the share of a small change of each word that reaches the root. */
function chart({ words, reach, from, to }, at) {
  const { em, x, y, left, cell } = at;
  return [
    text(
      at,
      left - 2 * em,
      at.title,
      { class: "title" },
      at.width < 30 * em
        ? "share that reaches the root"
        : "share of a small change of each word that reaches the root",
    ),
    [1, 0.01, LOW].map((value) => [
      rule(at, value, "grid"),
      ticksY(at, [value], () => (value === LOW ? "10⁻⁴" : value), "tick"),
    ]),
    words.map((_, i) => {
      const chosen = i === from || i === to;
      const value = reach[`x${i}`];
      return [
        chosen && text(at, x(i), y(value) - 0.7 * em, { class: "size" }, amount(value)),
        bar(at, i, value, Math.min(0.7 * cell, 2.2 * em), { class: chosen ? "bar chosen" : "bar" }),
      ];
    }),
  ];
}

function wordAt(word, x, chosen, at) {
  const { em, base, cell, upright, font } = at;
  const attributes = { class: chosen ? "word chosen" : "word" };
  if (!upright) return text(at, x, base + 1.2 * em, attributes, short(word));
  const y = base + 0.7 * em;
  const turned = { ...attributes, transform: `rotate(-90 ${x} ${y})` };
  return text({ font: Math.min(font, Math.max(12, cell)) }, x, y, turned, short(word));
}

/** The level to which a key moves a node: past its parent, or below the higher of its children. */
function beyond({ height, up, left, right }, wanted, { all, words }) {
  if (wanted >= MOST - 1) return words.length;
  if (wanted <= 1 && height > 2) return 0.5;
  if (wanted > height) return up ? all.get(up).height + 0.5 : height;
  return Math.max(all.get(left).height, all.get(right).height, 1) - 0.5;
}

// ---- the words

const group = ({ first, end }, { words }) =>
  end - first < 4
    ? `“${words.slice(first, end).map(short).join(" ")}”`
    : `“${short(words[first])} … ${short(words[end - 1])}”`;
const joined = ({ left, right }, now) =>
  `${group(now.all.get(left), now)} and ${group(now.all.get(right), now)}`;
const below = ({ depth }) => (depth ? `${counted(depth, "edge")} below the root` : "the root");
const told = (node, now) =>
  now.bars && node.depth
    ? `${joined(node, now)}: ${below(node)}. Share of a small change of this node that reaches the root: ${amount(now.reach[node.id])}.`
    : `${joined(node, now)}: ${below(node)}.`;

function factsOf({ words, nodes, from, to, way: ids, mean, bars }) {
  if (words.length < 2) return [];
  const far = ids.length - 1;
  return [
    fact(
      nodes.at(-1).height,
      "deep",
      `${words.length} words; a chain: ${words.length - 1}; the least possible: ${Math.ceil(Math.log2(words.length))}`,
    ),
    fact(far, far === 1 ? "edge" : "edges", [
      html("i", {}, short(words[from])),
      " to ",
      html("i", {}, short(words[to])),
      `; all pairs: ${format(mean, 1)} on average`,
    ]),
    bars ? fact(PARAMETERS, "parameters", "U, W and b; the same for every tree") : [],
  ];
}

/** The name of a tree: without the sentence in brackets, its own tree is its parse tree until a node moves. */
function nameOf({ text: typed, tree: kind }, bars) {
  if (kind !== "own") return kind;
  if (bars) return "by brackets";
  return typed === meta.controls.text.default ? "by grammar" : "yours";
}

function spoken({ words, name, nodes, from, to, way: ids, reach, bars }) {
  if (words.length < 2) return "A tree needs at least two words.";
  const share = (place) => `${amount(reach[`x${place}`])} of a small change of ${words[place]}`;
  const path = `The tree (${name}) is ${nodes.at(-1).height} deep. The path from ${words[from]} to ${words[to]} has ${counted(ids.length - 1, "edge")}.`;
  return bars ? `${path} The root receives ${share(from)} and ${share(to)}.` : path;
}
