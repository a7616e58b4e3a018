import { line, ticksY } from "../lib/chart.js";
import { ramp } from "../lib/colours.js";
import { holds, transport } from "../lib/controls.js";
import { html, italic, redraw, set, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { knob } from "../lib/handles.js";
import { format, linear } from "../lib/scales.js";
import { MARKS, place, point, rect } from "../lib/shapes.js";
import { presets } from "../lib/stage.js";
import { switches } from "../lib/switches.js";
import { upTo } from "../lib/vectors.js";
import { FLOORS, MOVES, run, STEPS, sums } from "./math.js";
import { meta } from "./meta.js";

const [TRUTH, OWN] = [0, 2 ** (STEPS - 1) - 1]; // of all switches
const PRESETS = { training: { share: 1, flips: TRUTH }, "in use": { share: 1, flips: OWN } };
/** Arrows of the elevator around 0, 0: up, down, and down to the ground floor. */
const ARROWS = {
  up: "M0-0.8L0.7 0.6H-0.7Z",
  down: "M0 0.8L0.7-0.6H-0.7Z",
  ground: "M0 0.4L0.7-0.8H-0.7ZM-0.8 0.55H0.8V0.85H-0.8Z",
};
const CROSS = "M-1.2-1.2L1.2 1.2M-1.2 1.2L1.2-1.2";

export const render = figure("forcing", meta, ({ model, spec, save }) => {
  const slip = knob({ class: "slip" });
  const toggles = upTo(STEPS - 1).map((t) =>
    toggle(t + 1, () => save({ flips: model.get("flips") ^ (1 << (t - 1)) })),
  );
  const knobs = svg("g", { role: "group", "aria-label": "switches" }, toggles);
  const area = areaOf("Eight steps, and what each is fed", knobs, slip);
  const readout = html("div", { class: "readout" });
  const sum = html("p", { class: "sum" });
  const time = transport(model, "t", { ...spec.t, interval: 1100, text: (t) => `step ${t}` });
  area.plot.addEventListener("click", (event) => {
    const t = event.target.closest("[data-at]")?.dataset.at;
    if (t) save({ t: Number(t) });
  });
  let [now, at] = [null, null];
  const held = holds(slip, model, "slip", spec.slip, {
    surface: area.drawing,
    at: ({ x }) => at.x.invert(x),
    label: "slip at step, 0 for none",
    text: (step) => (step ? `step ${step}: ${now ? spoken(now) : ""}` : "none"),
  });
  return {
    parts: [
      stage(
        html("div", { class: "steps" }, area, key()),
        html("div", { class: "side" }, readout, sum),
      ),
      [presets(model, "switches", PRESETS), time],
    ],
    reveal: { ...PRESETS["in use"], own: spec.own.default, slip: spec.slip.default, t: STEPS },
    follow: [time, held],
    update(state, size) {
      const steps = run(state);
      now = { ...state, steps, ...sums(steps) };
      at = scales(size);
      area.draw(size, at, picture(now, at));
      toggles.forEach((node, i) => turn(node, i + 1, now, at));
      place(slip, at.x(now.slip), at.rows.slip);
      redraw(readout, words(now));
      redraw(sum, counted(now));
      return spoken(now);
    },
  };
});

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
  const left = (narrow ? 1.6 : 6) * em;
  const wide = (width - left - 0.3 * em) / STEPS;
  const floor = (slide ? 1.35 : 1.75) * em;
  const rows = {};
  let y = 0;
  const row = (name, high) => {
    rows[name] = y + high / 2;
    y += high;
  };
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
    !narrow && name(rows.slip, "accent", "slip"),
    ticksY(
      at,
      Array.from({ length: FLOORS }, (_, k) => k),
      (k) => (narrow ? k : `floor ${k}`),
    ),
    ["truth", narrow ? "own" : "own output"].map((word, i) =>
      text(
        at,
        narrow ? 0 : left - 0.5 * em,
        rows.switch + (i ? 0.55 : -0.55) * em,
        { class: `${narrow ? "start small" : "end"} ${i ? "output" : "target"}` },
        word,
      ),
    ),
    name(rows.h, "state", italic("h")),
    name(rows.x, "input", italic("x")),
    steps.map((one) => {
      const middle = x(one.t);
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
    ["true", MARKS.diamond, "true floor"],
    ["mark", MARKS.circle, "output"],
    ["mark wrong", CROSS, "wrong output"],
  ];
  return html(
    "p",
    { class: "key" },
    kinds.map(([name, d, words]) => html("span", {}, mark(name, d), words)),
  );
}

// ---- the words

function words({ steps, t }) {
  const { fed, forced, yhat, said, wrong, y } = steps[t - 1];
  const source =
    t === 1 ? "where the elevator starts" : forced ? "the truth" : "its own last output";
  return [
    html(
      "p",
      {},
      html("b", {}, `Step ${t}`),
      " has the move ",
      html("span", { class: "input" }, MOVES[t - 1]),
      ` and is fed floor ${fed}, `,
      html("span", { class: forced ? "target" : "output" }, source),
      ".",
    ),
    html(
      "p",
      {},
      "Its output is ",
      html("span", { class: wrong ? "loss" : "output" }, `floor ${said}`),
      wrong ? `; floor ${y} is right. ` : ", which is right. ",
      `It gave floor ${y} probability `,
      html("b", {}, format(yhat[y], 2)),
      ".",
    ),
  ];
}

const counted = ({ rounds, wrong }) => [
  html("b", { class: wrong ? "loss" : "" }, `${outputs(wrong)} wrong.`),
  rounds === 1 ? " All steps can be computed at once." : ` The steps take ${rounds} rounds.`,
];

const outputs = (wrong) => `${wrong} of ${STEPS} outputs ${wrong === 1 ? "is" : "are"}`;

const spoken = ({ steps, wrong, rounds, truths, t }) =>
  `With ${truths} of ${STEPS - 1} switches at the truth, ${outputs(wrong)} wrong, and ${rounds === 1 ? "all steps can be computed at once" : `the steps take ${rounds} rounds`}. ` +
  `Step ${t} is fed ${steps[t - 1].fed}, its output is ${steps[t - 1].said}; the truth is ${steps[t - 1].y}.`;
