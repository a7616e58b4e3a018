import { line, ticksY } from "../../lib/chart.js";
import { ramp } from "../../lib/colours.js";
import { holds, transport } from "../../lib/controls.js";
import { html, italic, redraw, set, svg, text } from "../../lib/dom.js";
import { areaOf, figure, stage } from "../../lib/figure.js";
import { knob } from "../../lib/handles.js";
import { equation, linked } from "../../lib/linked.js";
import { format, linear } from "../../lib/scales.js";
import { MARKS, place, point, rect } from "../../lib/shapes.js";
import { presets } from "../../lib/stage.js";
import { switches } from "../../lib/switches.js";
import { upTo } from "../../lib/vectors.js";
import eq from "./equations.tex";
import { FLOORS, MOVES, run, STEPS, sums } from "./math.js";
import { meta } from "./meta.js";

const PRESETS = {
  training: { share: 1, flips: 0 },
  "in use": { share: 0, flips: 0 },
  "half and half": { share: 0.5, flips: 0 },
};
/** Arrows of the lift around 0, 0: up, down, and down to the ground floor. */
const ARROWS = {
  up: "M0-0.8L0.7 0.6H-0.7Z",
  down: "M0 0.8L0.7-0.6H-0.7Z",
  ground: "M0 0.4L0.7-0.8H-0.7ZM-0.8 0.55H0.8V0.85H-0.8Z",
};
/** The step whose term is in each line of (G 10.15) and (G 10.16). */
const LINES = { joint: null, second: 2, first: 1 };
const CROSS = "M-1.2-1.2L1.2 1.2M-1.2 1.2L1.2-1.2";
const MOVE_NAMES = { up: "up", down: "down", ground: "ground floor" };

export const render = figure("forcing", meta, ({ model, el, spec, save, reseed }) => {
  const slip = knob({ class: "slip" });
  const toggles = upTo(STEPS - 1).map((t) =>
    toggle(t + 1, () => save({ flips: model.get("flips") ^ (1 << (t - 1)) })),
  );
  const knobs = svg("g", { role: "group", "aria-label": "switches" }, toggles);
  const area = areaOf("Eight steps, and what each is fed", knobs, slip);
  const readout = html("div", { class: "readout" });
  const values = { joint: html("span"), second: html("span"), first: html("span") };
  const formula = html("div", { class: "formula" }, Object.entries(values).map(equationLine));
  const sum = html("p", { class: "sum" });
  const time = transport(model, "t", { ...spec.t, interval: 1100, text: (t) => `step ${t}` });
  // A new share undoes the switches that were turned by hand.
  model.on("change:share", () => model.set("flips", 0));
  const coins = reseed("other coins", { flips: 0 });
  const light = linked(el, (term) => {
    if (term && Number(term) !== model.get("t")) save({ t: Number(term) });
  });
  area.plot.addEventListener("click", (event) => {
    const t = event.target.closest("[data-at]")?.dataset.at;
    if (t) save({ t: Number(t) });
  });
  let [now, at] = [null, null];
  const held = holds(slip, model, "slip", spec.slip, {
    surface: area.drawing,
    at: ({ x }) => at.x.invert(x),
    label: "step at which the network is made to slip, 0 for none",
    text: (step) => (step ? `step ${step}: ${now ? spoken(now) : ""}` : "none"),
  });
  return {
    parts: [
      stage(
        html("div", { class: "steps" }, area, key()),
        html("div", { class: "side" }, readout, formula, sum),
      ),
      [presets(model, "switches", PRESETS, ["slip"]), "share", coins],
      [time, "own"],
    ],
    reveal: { ...PRESETS["in use"], own: "likeliest", slip: 2, t: STEPS },
    follow: [time, held, light],
    update(state, size) {
      const steps = run(state);
      now = { ...state, steps, ...sums(steps) };
      at = scales(size);
      area.draw(size, at, picture(now, at));
      toggles.forEach((node, i) => turn(node, i + 1, now, at));
      place(slip, at.x(now.slip), at.rows.slip);
      redraw(readout, words(now));
      redraw(sum, charged(now));
      fill(values, now, formula);
      return spoken(now);
    },
  };
});

/** A line of the formula, with its value. */
const equationLine = ([name, value]) =>
  html("div", { class: "line", "data-term": LINES[name] }, equation(eq[name]), value);

/** The switch of a step: is it fed the truth, or the last output? */
function toggle(step, turn) {
  const node = svg(
    "g",
    { class: "switch" },
    svg("rect", { class: "target-area uf-ring" }),
    svg("rect", { class: "case" }),
    svg("circle", { class: "lever" }),
  );
  switches(node, `step ${step} is fed the truth`, turn);
  return node;
}

// ---- the drawing: a column for each step

function scales({ width, em, room }) {
  const slide = room < Infinity;
  const narrow = !slide && width < 30 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const left = (narrow ? 1.6 : 5.4) * em;
  const wide = (width - left - 0.3 * em) / STEPS;
  const floor = (slide ? 1.35 : 1.75) * em;
  const rows = {};
  let y = 0;
  const row = (name, high) => {
    rows[name] = y + high / 2;
    y += high;
  };
  row("cost", 1.5 * em);
  row("slip", 1.9 * em);
  const top = y;
  const bottom = top + FLOORS * floor;
  y = bottom;
  row("gap", 0.7 * em);
  row("switch", 2.8 * em);
  row("gap2", 0.5 * em);
  row("h", 1.9 * em);
  row("x", 2.1 * em);
  return {
    ...{ em, font, narrow, wide, left, rows, top, bottom, floor, beside: 0.5 },
    height: y,
    x: linear([1, STEPS], [left + wide / 2, left + (STEPS - 0.5) * wide]),
    y: linear([0, FLOORS - 1], [bottom - floor / 2, top + floor / 2]),
  };
}

function picture(now, at) {
  const { steps, t, slip } = now;
  const { em, wide, rows, x, y, top, bottom, floor, left, narrow, font } = at;
  const name = (y, kind, ...says) =>
    text(at, left - 0.5 * em, y, { class: `end ${kind}` }, ...says);
  const r = Math.min(0.75 * em, 0.3 * wide);
  // The truth is a little to the left of the middle of a step, the output a little to the right.
  const apart = Math.min(0.24, (0.75 * em) / wide);
  const size = Math.min(0.34 * em, 0.13 * wide);
  const mark = (name, d, t, k) => place(svg("path", { class: name, d }), x(t), y(k), size);
  return [
    rect(x(t) - wide / 2 + 1, 0, wide - 2, at.height, { class: "held", rx: 0.4 * em }),
    !narrow && name(rows.cost, "loss", "log ", italic("p")),
    !narrow && name(rows.slip, "accent", "slip"),
    ticksY(
      at,
      Array.from({ length: FLOORS }, (_, k) => k),
      (k) => (narrow ? k : `floor ${k}`),
    ),
    !narrow && name(rows.switch, "muted", "fed"),
    name(rows.h, "state", italic("h")),
    name(rows.x, "input", italic("x")),
    steps.map((one) => {
      const middle = x(one.t);
      const digits = wide < 3 * em ? 1 : 2;
      const wire = (from, to) => svg("path", { class: "wire", d: `M${point(middle, from)}V${to}` });
      return svg(
        "g",
        { "data-at": one.t },
        one.yhat.map((p, k) =>
          rect(middle - 0.44 * wide, y(k) - floor / 2 + 1, 0.88 * wide, floor - 2, {
            class: "cell",
            style: `fill:${ramp("amount", 0.5 * p)}`,
          }),
        ),
        text(
          at,
          middle,
          rows.cost,
          { class: "cost", "data-term": one.t },
          format(one.logp, digits),
        ),
        wire(rows.x - 0.7 * em, rows.h + r),
        svg("circle", { class: "node", cx: middle, cy: rows.h, r }),
        wire(rows.h - r, bottom + 2),
        place(
          svg("path", { class: "move", d: ARROWS[MOVES[one.t - 1]] }),
          middle,
          rows.x + 0.1 * em,
          0.62 * em,
        ),
      );
    }),
    line(
      at,
      steps.map((one) => [one.t - apart, one.y]),
      "truth",
    ),
    line(
      at,
      steps.map((one) => [one.t + apart, one.said]),
      "said",
    ),
    steps.map((one) => [
      mark("true", MARKS.diamond, one.t - apart, one.y),
      one.wrong
        ? mark("mark wrong", CROSS, one.t + apart, one.said)
        : mark("mark", MARKS.circle, one.t + apart, one.said),
    ]),
    slip > 0 &&
      svg("path", { class: "stem", d: `M${point(x(slip), rows.slip + 0.5 * em)}V${top}` }),
    // from the floor that is fed to the hidden units of the next step
    steps.slice(1).map(({ t, forced }, i) => {
      const before = steps[i];
      const between = x(t - 0.5);
      const lever = rows.switch + (forced ? -0.55 : 0.55) * em;
      const [from, floor] = forced ? [t - 1 - apart, before.y] : [t - 1 + apart, before.said];
      const astray = before.wrong && !forced ? "astray" : "";
      return svg("path", {
        class: `fed ${forced ? "truth" : "own"} ${astray}`,
        d: `M${point(x(from), y(floor) + 0.5 * em)}V${bottom + 0.25 * em}L${point(between, bottom + 0.7 * em)}V${lever - 0.3 * em}M${point(between, lever + 0.3 * em)}V${rows.h - 1.1 * em}L${point(x(t) - 0.85 * r, rows.h - 0.55 * r)}`,
      });
    }),
    narrow &&
      text(at, 0, rows.slip, { class: "start accent small", "font-size": 0.9 * font }, "slip"),
  ];
}

/** Draw the switch after step t: up for the truth, down for the output. */
function turn(node, t, { steps }, { em, wide, x, rows }) {
  const [area, box, lever] = node.children;
  const { forced } = steps[t];
  const [middle, y] = [x(t + 0.5), rows.switch];
  const w = Math.min(0.95 * em, 0.6 * wide);
  const target = Math.max(Math.min(1.7 * em, wide - 2), 24);
  const around = (wide, high) => ({
    x: middle - wide / 2,
    y: y - high / 2,
    width: wide,
    height: high,
  });
  set(area, { ...around(target, 2.7 * em), rx: 0.4 * em });
  set(box, { ...around(w, 2.1 * em), rx: w / 2 });
  set(lever, { cx: middle, cy: y + (forced ? -0.55 : 0.55) * em, r: 0.4 * w });
  node.classList.toggle("truth", forced);
  set(node, { "aria-checked": String(forced) });
}

/** The legend of the three marks. */
function key() {
  const mark = (name, d) =>
    svg("svg", { viewBox: "-2 -2 4 4", "aria-hidden": "true" }, svg("path", { class: name, d }));
  const kinds = [
    ["true", MARKS.diamond, "where the lift is"],
    ["mark", MARKS.circle, "what the network says"],
    ["mark wrong", CROSS, "and is wrong"],
  ];
  return html(
    "p",
    { class: "key" },
    kinds.map(([name, d, words]) => html("span", {}, mark(name, d), words)),
  );
}

// ---- the words

/** Write the numbers of (G 10.15) and (G 10.16), if step 2 was fed the true floor. */
function fill(values, { steps, t }, formula) {
  const [first, second] = steps.map(({ logp }) => logp);
  const known = steps[1].fed === steps[0].y;
  values.joint.textContent = format(known ? first + second : NaN);
  values.second.textContent = format(second);
  values.first.textContent = format(first);
  for (const line of formula.children)
    line.classList.toggle("now", Number(line.dataset.term) === t);
}

function words({ steps, t }) {
  const { fed, forced, yhat, said, wrong, y } = steps[t - 1];
  const source =
    t === 1 ? "that it starts on floor 0" : forced ? `the truth, ${fed}` : `what it said, ${fed}`;
  return [
    html(
      "p",
      {},
      html("b", {}, `Step ${t}`),
      " hears ",
      html("span", { class: "input" }, MOVE_NAMES[MOVES[t - 1]]),
      " and is fed ",
      html("span", { class: forced ? "target" : "output" }, source),
      ".",
    ),
    html(
      "p",
      {},
      "It says ",
      html("span", { class: wrong ? "loss" : "output" }, `${said}`),
      wrong ? `; the lift is on ${y}. ` : ", which is so. ",
      "The true floor has ",
      html("b", {}, format(yhat[y], 2)),
      ".",
    ),
  ];
}

function charged({ known, logp, rounds, wrong }) {
  return [
    "All eight: ",
    html("b", {}, format(logp)),
    known
      ? ", the log-likelihood of the lift’s way. "
      : ", no log-likelihood: steps were fed floors where the lift has not been. ",
    html(
      "span",
      {},
      rounds === 1
        ? "No step waits for another: all at once. "
        : `One after another: ${rounds} rounds. `,
    ),
    html("b", { class: wrong ? "loss" : "" }, `${wrong} of 8 wrong.`),
  ];
}

const spoken = ({ steps, wrong, rounds, truths, t }) =>
  `With ${truths} of 7 switches at the truth, ${wrong} of 8 steps ${wrong === 1 ? "is" : "are"} wrong, and ${rounds === 1 ? "all steps run at once" : `the steps take ${rounds} rounds`}. ` +
  `Step ${t} is fed ${steps[t - 1].fed} and says ${steps[t - 1].said}; the truth is ${steps[t - 1].y}.`;
