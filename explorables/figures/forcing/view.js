import { ramp } from "../../lib/colours.js";
import { button, control, controls, setAll, transport, holds } from "../../lib/controls.js";
import { drawingOf, html, italic, set, setSize, svg, text, redraw } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { knob } from "../../lib/handles.js";
import { equation, linked, live } from "../../lib/linked.js";
import { format, linear } from "../../lib/scales.js";
import { MARKS, path, place, point, rect } from "../../lib/shapes.js";
import { keepDrawn, presets, settings } from "../../lib/stage.js";
import { switches } from "../../lib/switches.js";
import eq from "./equations.tex";
import { FLOORS, MOVES, run, STEPS, sums } from "./math.js";
import { meta } from "./meta.js";

const PRESETS = {
  training: { share: 1, flips: 0 },
  "in use": { share: 0, flips: 0 },
  "half and half": { share: 0.5, flips: 0 },
};
/** Arrows of the lift, around 0, 0: up, down, and down to the line of the ground. */
const ARROWS = {
  up: "M0-0.8L0.7 0.6H-0.7Z",
  down: "M0 0.8L0.7-0.6H-0.7Z",
  ground: "M0 0.4L0.7-0.8H-0.7ZM-0.8 0.55H0.8V0.85H-0.8Z",
};
/** The step whose term stands in each line of (G 10.15) and (G 10.16). */
const LINES = { joint: null, second: 2, first: 1 };
const CROSS = "M-1.2-1.2L1.2 1.2M-1.2 1.2L1.2-1.2";
const MOVE_NAMES = { up: "up", down: "down", ground: "ground floor" };

export function render({ model, el }) {
  const { controls: spec } = meta;
  const plot = svg("g");
  const slip = knob({ class: "slip" });
  const knobs = svg("g", { role: "group", "aria-label": "switches" });
  const drawing = drawingOf("Eight steps, and what each is fed", plot, knobs, slip);
  const area = html("div", { class: "area" }, drawing);
  const readout = html("div", { class: "readout" });
  const values = { joint: html("span"), second: html("span"), first: html("span") };
  const formula = html("div", { class: "formula" }, Object.entries(values).map(line));
  const sum = html("p", { class: "sum" });
  const status = live();
  const save = (state) => setAll(model, state);
  const time = transport(model, "t", { ...spec.t, interval: 1100, text: (t) => `step ${t}` });
  const share = control(model, "share", spec.share);
  // Whoever sets a share, a sentence too, wants the coins to count, not what a hand has turned over.
  model.on("change:share", () => model.set("flips", 0));
  const coins = button("other coins", () =>
    save({ seed: (model.get("seed") + 1) % (spec.seed.max + 1), flips: 0 }),
  );
  el.classList.add("fig-forcing");
  el.append(
    html(
      "div",
      { class: "stage" },
      html("div", { class: "steps" }, area, key()),
      html("div", { class: "side" }, readout, formula, sum),
    ),
    controls(presets(model, "switches", PRESETS, ["slip"]), share, coins),
    controls(time, control(model, "own", spec.own)),
    guess(meta.prediction, () =>
      save({ ...PRESETS["in use"], own: "likeliest", slip: 2, t: STEPS }),
    ),
    status,
  );
  const light = linked(el, (term) => {
    if (term && Number(term) !== model.get("t")) save({ t: Number(term) });
  });

  const toggles = Array.from({ length: STEPS - 1 }, (_, i) =>
    toggle(i + 2, () => save({ flips: model.get("flips") ^ (1 << i) })),
  );
  knobs.append(...toggles);
  const at = { scales: null };
  let now;
  const follow = holds(slip, model, "slip", spec.slip, {
    surface: drawing,
    at: ({ x }) => at.scales.step.invert(x),
    label: "step at which the network is made to slip, 0 for none",
    text: (step) => (step ? `step ${step}: ${now ? spoken(now) : ""}` : "none"),
  });
  plot.addEventListener("click", (event) => {
    const t = event.target.closest("[data-at]")?.dataset.at;
    if (t) save({ t: Number(t) });
  });

  function update(size) {
    const state = settings(model, spec);
    const steps = run(state);
    now = { ...state, steps, ...sums(steps) };
    at.scales = scales(size);
    setSize(drawing, size.width, at.scales.height);
    redraw(plot, picture(now, at.scales));
    toggles.forEach((node, i) => turn(node, i, now, at.scales));
    place(slip, at.scales.step(now.slip), at.scales.rows.slip);
    readout.replaceChildren(...words(now));
    sum.replaceChildren(...charged(now));
    fill(values, now, formula);
    light.refresh();
    follow();
    status.announce(spoken(now));
  }
  return keepDrawn(model, area, update, { clocks: [time] });
}

/** A line of the formula, with its value. */
const line = ([name, value]) =>
  html("div", { class: "line", "data-term": LINES[name] }, equation(eq[name]), value);

/** The switch of a step, between the truth and what was said. */
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
  const x0 = (narrow ? 1.6 : 5.4) * em;
  const wide = (width - x0 - 0.3 * em) / STEPS;
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
  y += FLOORS * floor;
  row("gap", 0.7 * em);
  row("switch", 2.8 * em);
  row("gap2", 0.5 * em);
  row("h", 1.9 * em);
  row("x", 2.1 * em);
  return {
    em,
    font,
    narrow,
    wide,
    x0,
    rows,
    top,
    floor,
    bottom: top + FLOORS * floor,
    height: y,
    step: linear([1, STEPS], [x0 + wide / 2, x0 + (STEPS - 0.5) * wide]),
    level: (k) => top + (FLOORS - 0.5 - k) * floor,
  };
}

function picture(now, at) {
  const { steps, t, slip } = now;
  const { em, wide, rows, step, level, top, bottom, floor, x0, narrow, font } = at;
  const name = (y, kind, ...says) => text(at, x0 - 0.5 * em, y, { class: `end ${kind}` }, ...says);
  const r = Math.min(0.75 * em, 0.3 * wide);
  const mark = Math.min(0.34 * em, 0.13 * wide);
  const offset = Math.min(0.24 * wide, 0.75 * em);
  const line = (key, side) =>
    path(steps.flatMap((one) => [[step(one.t) + side * offset, level(one[key])]]));
  return [
    rect(step(t) - wide / 2 + 1, 0, wide - 2, at.height, { class: "held", rx: 0.4 * em }),
    !narrow && name(rows.cost, "loss", "log ", italic("p")),
    !narrow && name(rows.slip, "accent", "slip"),
    Array.from({ length: FLOORS }, (_, k) =>
      text(at, x0 - 0.5 * em, level(k), { class: "end tick" }, narrow ? k : `floor ${k}`),
    ),
    !narrow && name(rows.switch, "muted", "fed"),
    name(rows.h, "state", italic("h")),
    name(rows.x, "input", italic("x")),
    steps.map((one) => {
      const x = step(one.t);
      return svg(
        "g",
        { "data-at": one.t },
        one.yhat.map((p, k) =>
          rect(x - 0.44 * wide, level(k) - floor / 2 + 1, 0.88 * wide, floor - 2, {
            class: "cell",
            style: `fill:${ramp("amount", 0.5 * p)}`,
          }),
        ),
        text(
          at,
          x,
          rows.cost,
          { class: "cost", "data-term": one.t },
          format(one.logp, wide < 3 * em ? 1 : 2),
        ),
        svg("path", { class: "wire", d: `M${point(x, rows.x - 0.7 * em)}V${rows.h + r}` }),
        svg("circle", { class: "node", cx: x, cy: rows.h, r }),
        svg("path", { class: "wire", d: `M${point(x, rows.h - r)}V${bottom + 2}` }),
        place(
          svg("path", { class: "move", d: ARROWS[MOVES[one.t - 1]] }),
          x,
          rows.x + 0.1 * em,
          0.62 * em,
        ),
      );
    }),
    // the truth a little to the left of the middle, what is said a little to the right
    svg("path", { class: "truth", d: line("y", -1) }),
    svg("path", { class: "said", d: line("said", 1) }),
    steps.map((one) => [
      place(
        svg("path", { class: "true", d: MARKS.diamond }),
        step(one.t) - offset,
        level(one.y),
        mark,
      ),
      place(
        svg("path", {
          class: one.wrong ? "mark wrong" : "mark",
          d: one.wrong ? CROSS : MARKS.circle,
        }),
        step(one.t) + offset,
        level(one.said),
        mark,
      ),
    ]),
    slip > 0 &&
      svg("path", {
        class: "stem",
        d: `M${point(step(slip), rows.slip + 0.5 * em)}V${top}`,
      }),
    // from what is fed to the hidden units of the next step
    steps.slice(1).map((one) => {
      const before = steps[one.t - 2];
      const [x, z] = [step(one.t - 1), step(one.t)];
      const between = (x + z) / 2;
      const y = rows.switch + (one.forced ? -0.55 : 0.55) * em;
      const from = one.forced ? [x - offset, "fed truth"] : [x + offset, "fed own"];
      return [
        svg("path", {
          class: `${from[1]} ${before.wrong && !one.forced ? "astray" : ""}`,
          d: `M${point(from[0], level(one.forced ? before.y : before.said) + 0.5 * em)}V${bottom + 0.25 * em}L${point(between, bottom + 0.7 * em)}V${y - 0.3 * em}M${point(between, y + 0.3 * em)}V${rows.h - 1.1 * em}L${point(z - 0.85 * r, rows.h - 0.55 * r)}`,
        }),
      ];
    }),
    narrow &&
      text(at, 0, rows.slip, { class: "start accent small", "font-size": 0.9 * font }, "slip"),
  ];
}

/** A switch: up, the truth; down, what was said. */
function turn(node, i, { steps }, { em, wide, step, rows }) {
  const [area, box, lever] = node.children;
  const x = (step(i + 1) + step(i + 2)) / 2;
  const forced = steps[i + 1].forced;
  const w = Math.min(0.95 * em, 0.6 * wide);
  const target = Math.max(Math.min(1.7 * em, wide - 2), 24);
  set(area, {
    x: x - target / 2,
    y: rows.switch - 1.35 * em,
    width: target,
    height: 2.7 * em,
    rx: 0.4 * em,
  });
  set(box, {
    x: x - w / 2,
    y: rows.switch - 1.05 * em,
    width: w,
    height: 2.1 * em,
    rx: w / 2,
  });
  set(lever, { cx: x, cy: rows.switch + (forced ? -0.55 : 0.55) * em, r: 0.4 * w });
  node.classList.toggle("truth", forced);
  set(node, { "aria-checked": String(forced) });
}

/** What the three marks are. */
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

/** The numbers of (G 10.15) and (G 10.16), where they are that. */
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
  `With ${truths} of 7 switches at the truth, ${wrong} of 8 steps are wrong, and ${rounds === 1 ? "all steps run at once" : `the steps take ${rounds} rounds`}. ` +
  `Step ${t} is fed ${steps[t - 1].fed} and says ${steps[t - 1].said}; the truth is ${steps[t - 1].y}.`;
