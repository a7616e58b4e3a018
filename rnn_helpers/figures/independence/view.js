import { html, italic, redraw, set, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { keySlider } from "../lib/handles.js";
import { linked } from "../lib/linked.js";
import { format } from "../lib/scales.js";
import { path, rect, tipped } from "../lib/shapes.js";
import { presets } from "../lib/stage.js";
import { sum } from "../lib/vectors.js";
import {
  ALL,
  HEARS,
  joint,
  leastLosses,
  LENGTH,
  NAMES,
  numberOf,
  RULES,
  rulesOf,
  source,
  withRule,
} from "./math.js";
import { meta } from "./meta.js";

// The third task of the experiment exact-optima.
const HALF = numberOf(["coin", "last", "last", "next", "next", "coin"]);
const PRESETS = {
  "one coin": { rules: meta.controls.rules.default },
  "next input": { rules: numberOf(ALL.map(() => "next")) },
  "six coins": { rules: numberOf(ALL.map(() => "coin")) },
  "half of each": { rules: HALF },
};
const FROM = {
  coin: () => "a coin",
  same: (t) => `x ${t + 1}`,
  next: (t) => `x ${t + 2}`,
  last: (t) => `y ${t}`,
};
const isCoin = (rule, t) => source(rule, t) === null;
const from = (rule, t) => FROM[isCoin(rule, t) ? "coin" : rule](t);

export const render = figure("independence", meta, ({ model, el, save }) => {
  const put = (t, place) => save({ rules: withRule(model.get("rules"), t, place) });
  const bits = ALL.map((t) => yBit(t, model, (place) => put(t, place)));
  const area = areaOf("Rules for six bits, and the least losses", bits);
  const readout = html("p", { class: "readout" });
  let now;
  let lit = null;
  const link = linked(el, (term) => {
    lit = term === null ? null : Number(term);
    if (now) redraw(readout, words(now, lit));
  });
  return {
    parts: [stage(area, readout), [presets(model, "examples", PRESETS)], ["shown", "fed", "noise"]],
    reveal: { rules: HALF, noise: 0, fed: "drawn", shown: true },
    follow: [...bits, link],
    update(state, size) {
      const rules = rulesOf(state.rules);
      const p = joint(rules, state.noise);
      now = { ...state, rules, losses: HEARS.map((hears) => leastLosses(p, hears, state.fed)) };
      const at = scales(size);
      area.draw(
        ...[size, at, above(at)],
        HEARS.map((_, i) => lane(i, now, at)),
        rules.map((rule, t) => way(rule, t, at)),
      );
      bits.forEach((bit, t) => bit.draw(rules[t], at));
      redraw(readout, words(now, lit));
      return spoken(now);
    },
  };
});

/** A y. A click gives it the next rule, and the arrow keys go through the rules. */
function yBit(t, model, change) {
  const [area, box, name] = [
    svg("rect", { class: "target-area uf-ring" }),
    svg("rect", { class: "box" }),
    svg("text", { class: "y" }),
  ];
  const node = svg("g", { class: "bit", "data-term": t }, area, box, name);
  const place = () => RULES.indexOf(rulesOf(model.get("rules"))[t]);
  // Skip a rule that needs a step this y doesn't have: there it is just another coin.
  const turn = (by) => {
    let next = place();
    do next = (next + by + RULES.length) % RULES.length;
    while (next && isCoin(RULES[next], t));
    change(next);
  };
  node.addEventListener("click", () => turn(1));
  const update = keySlider(node, {
    label: `y ${t + 1}`,
    min: 0,
    max: RULES.length - 1,
    get: place,
    change,
    text: (i) => `is ${from(RULES[i], t)}`,
  });
  function draw(rule, { em, font, wide, half, box: high, rows, middle }) {
    const [x, y, rx] = [middle(t), rows.y, 0.3 * em];
    const coin = isCoin(rule, t);
    set(area, { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx });
    set(box, { x: x - half, y: y - high / 2 + 2, width: 2 * half, height: high - 4, rx });
    set(name, { x, y: y + 0.35 * font, "font-size": font });
    set(name, { "font-style": coin ? "normal" : "italic" });
    name.textContent = coin ? "coin" : "y";
    node.classList.toggle("coin", coin);
  }
  return { node, update, draw };
}

// ---- the drawing: a column for each step

function scales({ width, em, room }) {
  const slide = room < Infinity;
  const narrow = !slide && width < 34 * em;
  const font = (narrow ? 0.82 : 0.9) * em;
  const x0 = 1.3 * em;
  const wide = (width - x0 - (narrow ? 0.3 : 4.5) * em) / LENGTH;
  const box = Math.max(1.9 * em, 24);
  const rows = { tick: 0.6 * em, x: 2.3 * em, y: (slide ? 5.4 : 6.4) * em };
  const first = rows.y + 0.5 * box + 0.9 * em;
  const high = (slide ? 1 : 1.7) * em;
  const each = 1.5 * em + high + (slide ? 0.3 : 0.6) * em;
  return {
    ...{ em, font, narrow, x0, wide, box, rows, first, high, each, width },
    half: Math.min(0.4 * wide, 1.5 * em),
    height: first + HEARS.length * each,
    middle: (t) => x0 + (t + 0.5) * wide,
  };
}

const above = (at) => [
  ["x", "y"].map((name) => text(at, 0.45 * at.em, at.rows[name], { class: name }, italic(name))),
  ALL.map((t) => [
    text(at, at.middle(t), at.rows.tick, { class: "tick" }, t + 1),
    svg("circle", { class: "disc", cx: at.middle(t), cy: at.rows.x, r: 0.85 * at.em }),
    text(at, at.middle(t), at.rows.x, { class: "x" }, italic("x")),
  ]),
];

/** An arrow from the source of a y to this y. */
function way(rule, t, { em, half, box, rows, middle }) {
  const place = source(rule, t);
  if (place === null) return null;
  const [x1, y1] = rule === "last" ? [middle(t) - half - 2, rows.y] : [middle(t), rows.y - box / 2];
  const [x0, y0] =
    rule === "last" ? [middle(t - 1) + half, rows.y] : [middle(place), rows.x + 0.85 * em];
  const along = [x1 - x0, y1 - y0];
  const tip = Math.min(0.5 * em, 0.7 * Math.hypot(...along));
  return tipped(
    path([
      [x0, y0],
      [x1, y1],
    ]),
    [x1, y1],
    along,
    tip,
    "way",
  );
}

/** Whether the losses of a network are shown. Those of the first network always are. */
const inView = (i, { shown }) => shown || i === 0;

function lane(i, now, at) {
  const { em, narrow, x0, wide, high, each, first, middle, width } = at;
  const title = first + i * each + 0.6 * em;
  const bottom = first + i * each + 1.5 * em + high;
  const there = inView(i, now);
  const total = there ? `${format(sum(now.losses[i]))} nats` : "? nats";
  return svg(
    "g",
    { class: "lane" },
    text(at, x0, title, { class: "title" }, NAMES[HEARS[i]]),
    text(at, width - 0.2 * em, narrow ? title : bottom - high / 2, { class: "total" }, total),
    ALL.map((t) => {
      const tall = (now.losses[i][t] / Math.LN2) * high;
      return svg(
        "g",
        { "data-term": t },
        rect(middle(t) - 0.42 * wide, bottom - high, 0.84 * wide, high, { class: "trough" }),
        there &&
          tall > 0.01 &&
          rect(middle(t) - 0.34 * wide, bottom - tall, 0.68 * wide, tall, { class: "bar" }),
        !there && text(at, middle(t), bottom - high / 2, { class: "tick" }, "?"),
      );
    }),
    svg("path", { class: "edge", d: `M${x0} ${bottom}H${middle(LENGTH - 1) + wide / 2}` }),
  );
}

// ---- the words

function words(now, lit) {
  const { rules, noise, fed } = now;
  if (lit === null)
    return [
      `A full bar is one coin, ln 2 = ${format(Math.LN2)} nats. `,
      fed === "drawn"
        ? "The sampled bit is fed back."
        : [
            "A probability depends only on ",
            html("i", {}, "x"),
            ", so feeding it back adds nothing.",
          ],
    ].flat();
  const rule = rules[lit];
  const follows = isCoin(rule, lit)
    ? " is a coin."
    : ` repeats ${from(rule, lit)}${noise ? ` (with probability ${format(noise)}, the opposite)` : ""}.`;
  const losses = HEARS.map((_, i) => now.losses[i][lit]).filter((_, i) => inView(i, now));
  const each = losses.length > 1 ? "Losses from top to bottom" : "Loss";
  return [
    html("b", {}, `y ${lit + 1}`),
    `${follows} ${each}: ${losses.map((loss) => format(loss)).join(", ")} nats.`,
  ];
}

function spoken(now) {
  const rules = now.rules.map((rule, t) => `y ${t + 1} is ${from(rule, t)}`).join(", ");
  const losses = HEARS.filter((_, i) => inView(i, now)).map(
    (hears, i) => `${format(sum(now.losses[i]))} nats if the network ${NAMES[hears]}`,
  );
  return `The rules: ${rules}. The least loss is ${losses.join("; ")}.`;
}
