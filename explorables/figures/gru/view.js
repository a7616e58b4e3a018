import { button, controls, controlsOf, setAll, transport } from "../../lib/controls.js";
import { drawingOf, html, italic, set, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { draggable, keySlider, knob } from "../../lib/handles.js";
import { equation, linked, live } from "../../lib/linked.js";
import { clamp, format, linear } from "../../lib/scales.js";
import { place, rect } from "../../lib/shapes.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import eq from "./equations.tex";
import { meta } from "./meta.js";
import { held, hold, read, run, total, write } from "./math.js";

const NUMBERS = { u: "10.46", r: "10.47", fresh: "", h: "10.45" };

const two = (value) => format(Math.round(100 * value) / 100);

export function render({ model, el }) {
  const { controls: spec } = meta;
  const steps = () => Math.max(model.get("x").length, 1);
  const chosen = () => Math.min(model.get("t"), steps());
  const plot = svg("g");
  const grips = { u: grip("u"), r: grip("r") };
  const drawing = drawingOf("Inputs, gates and states over time", plot, grips.u, grips.r);
  const area = html("div", { class: "area" }, drawing);
  const formulas = html("div", { class: "formulas" }, Object.keys(NUMBERS).map(formula));
  const readout = html("div", { class: "readout" });
  const status = live();
  const time = transport(model, "t", {
    ...spec.t,
    limit: steps,
    text: (t) => `step ${Math.min(t, steps())} of ${steps()}`,
  });
  const free = button("free the gates", () => setAll(model, { u: "", r: "" }));
  el.classList.add("fig-gru");
  el.append(
    html("div", { class: "stage" }, area, html("div", { class: "side" }, formulas, readout)),
    controls(controlsOf(model, spec, "x"), time, free),
    guess(meta.prediction, () =>
      setAll(model, { x: spec.x.default, u: "5:0.5 8:0.67", r: "", t: 8 }),
    ),
    status,
  );
  const link = linked(el);
  const figure = { model, drawing, plot, grips, steps, chosen, now: null, at: null };
  const follow = ["u", "r"].map((key) => holdGate(figure, key));
  plot.addEventListener("click", (event) => turnInput(figure, event));

  function update(size) {
    const given = settings(model, spec);
    const now = { ...given, ...run(given), xs: read(given.x), t: chosen() };
    const at = scales(now, size);
    Object.assign(figure, { now, at });
    set(drawing, { viewBox: `0 0 ${size.width} ${at.height}` });
    plot.replaceChildren(svg("g", {}, picture(now, at)));
    for (const key of ["u", "r"]) placeGrip(grips[key], key, now, at);
    readout.replaceChildren(...words(now));
    set(free, { disabled: null, "aria-disabled": String(!given.u && !given.r) });
    time.update();
    for (const refresh of follow) refresh();
    link.refresh();
    status.announce(spoken(now));
  }
  return keepDrawn(model, area, update, { clocks: [time] });
}

const formula = (name) =>
  html(
    "div",
    { class: `formula ${name}` },
    equation(eq[name]),
    NUMBERS[name] && html("span", { class: "number" }, `(G ${NUMBERS[name]})`),
  );

/** Give an input that is clicked its next value. */
function turnInput({ model, plot, now }, { target }) {
  const at = [...plot.querySelectorAll(".cell")].indexOf(target.closest(".cell"));
  if (at < 0) return;
  const next = { 0: 1, 1: -1, "-1": 0 };
  setAll(model, { x: write(now.xs.map((x, k) => (k === at ? next[x] : x))) });
}

/** Let the reader set a gate of the chosen step. Return a function that updates the handle. */
function holdGate(figure, key) {
  const { model, grips, drawing, steps, chosen } = figure;
  const change = (value) =>
    setAll(model, { [key]: hold({ ...held(model.get(key)), [chosen()]: clamp(value, 0, 1) }) });
  draggable(grips[key], {
    surface: drawing,
    start: ({ x }) => setAll(model, { t: clamp(Math.ceil(figure.at.time.invert(x)), 1, steps()) }),
    move: ({ y }) => change(Math.round(20 * figure.at[key].invert(y)) / 20),
  });
  const by = () => `set by ${chosen() in held(model.get(key)) ? "you" : "the weights"}`;
  return keySlider(grips[key], {
    label: `${key === "u" ? "update" : "reset"} gate ${key} of the chosen step`,
    min: 0,
    max: 1,
    step: 0.05,
    get: () => figure.now?.gru[chosen() - 1]?.[key] ?? 0,
    change,
    text: (value) => `step ${chosen()}: ${format(value)}, ${by()}`,
  });
}

/** A row that can be dragged anywhere, with its handle. */
const grip = (name) => svg("g", { "data-term": name }, svg("rect", { class: "hit" }), knob());

function placeGrip(node, key, { gru, t }, at) {
  const [hit, handle] = node.children;
  set(hit, {
    x: at.left,
    y: at[key](1) - 4,
    width: at.right - at.left,
    height: at[key](0) - at[key](1) + 8,
  });
  place(handle, at.time(t - 0.5), at[key](gru[t - 1]?.[key] ?? 0));
}

// ---- the drawing: rows over one time

function scales({ xs, gru, lstm }, { width, em, room }) {
  const narrow = width < 18 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const left = (narrow ? 1.5 : 5) * em;
  const right = width - 0.9 * em;
  const title = (narrow ? 1.35 : 0.75) * em; // above each row
  const free = Math.min(room - 3.5, narrow ? 26 : 20.5) * em - 6 * title - 1.1 * em;
  const weights = { x: 0.1, u: 0.16, r: 0.16, fresh: 0.15, h: 0.29, share: 0.14 };
  const rows = {};
  let top = 0;
  for (const [key, weight] of Object.entries(weights)) {
    rows[key] = [top + title, top + title + weight * free];
    [, top] = rows[key];
  }
  const all = [...gru.map((now) => now.h), ...lstm.map((now) => now.s)];
  const [low, high] = [
    Math.min(0, Math.floor(Math.min(...all))),
    Math.max(1, Math.ceil(Math.max(...all))),
  ];
  const least = gru.some((now) => now.fresh < -0.02) ? -1 : 0;
  const scale = (key, a, b) => linear([a, b], [rows[key][1], rows[key][0]]);
  return {
    narrow,
    em,
    font,
    left,
    right,
    rows,
    low,
    high,
    least,
    height: top + 1.1 * em,
    time: linear([0, Math.max(xs.length, 1)], [left, right]),
    wide: (right - left) / Math.max(xs.length, 1),
    u: scale("u", 0, 1),
    r: scale("r", 0, 1),
    fresh: scale("fresh", least, 1),
    h: scale("h", low, high),
    share: scale("share", 0, 1),
  };
}

function picture(now, at) {
  const { xs, gru, lstm, gruShares, lstmShares, t } = now;
  return [
    band(now, at),
    inputs(xs, at),
    gate("u", "keep", gru, at),
    gate("r", "reset", gru, at),
    candidates(gru, at),
    // both states on one scale
    name("h", ["h", "h", "GRU"], at, ["s", "s", "LSTM"]),
    frame("h", at),
    zero(at.h(0), at),
    at.high > 1 && zero(at.h(1), at),
    gru.map(({ h }, i) => pair(at.h, i, [h, lstm[i].s], at)),
    [...new Set([1, at.high])].map((value) => tick(at.h, value, at)),
    at.low < 0 && tick(at.h, at.low, at),
    [at.u, at.r, at.share].map((scale) => tick(scale, 1, at)),
    left(at),
    frame("share", at),
    xs.map(
      (x, i) =>
        x !== 0 && [
          [0, 1].map((k) => bar(at.share, side(i, k, at), 0.36 * at.wide, 1, { class: "whole" })),
          pair(at.share, i, [gruShares[i], lstmShares[i]], at),
        ],
    ),
    xs.map((_, i) =>
      text(
        at,
        at.time(i + 0.5),
        at.rows.share[1] + 0.65 * at.em,
        { class: i + 1 === t ? "tick now" : "tick" },
        String(i + 1),
      ),
    ),
  ];
}

/** The name of a row, perhaps with a second one on the same line or below it. */
function name(key, first, at, second) {
  const { narrow, left, right, rows, em } = at;
  const [y0, y1] = rows[key];
  const label = (x, y, kind, [term, letter, says]) =>
    text(
      at,
      x,
      y,
      { class: `label ${kind} ${term}`, "data-term": term },
      italic(letter),
      " ",
      says,
    );
  if (narrow)
    return [
      label(left, y0 - 0.65 * em, "start", first),
      second && label(right, y0 - 0.65 * em, "end", second),
    ];
  const y = (y0 + y1) / 2 - (second ? 0.62 * em : 0);
  return [
    label(left - 0.5 * em, y, "end", first),
    second && label(left - 0.5 * em, y + 1.25 * em, "end", second),
  ];
}

const frame = (key, { left, right, rows }) =>
  rect(left, rows[key][0], right - left, rows[key][1] - rows[key][0], { class: "frame" });
const zero = (y, { left, right }) => svg("path", { class: "zero", d: `M${left} ${y}H${right}` });
const tick = (scale, value, at) =>
  text(at, at.right + 0.25 * at.em, scale(value), { class: "tick start" }, format(value, 0));
const bar = (scale, x, width, value, attributes) =>
  rect(x, scale(Math.max(value, 0)), width, Math.max(Math.abs(scale(value) - scale(0)), 0.6), {
    ...attributes,
  });
/** The left end of the GRU's or the LSTM's bar, which stand side by side. */
const side = (i, k, { time, wide }) => time(i) + (k ? 0.54 : 0.1) * wide;
const pair = (scale, i, values, at) =>
  ["h", "s"].map((name, k) =>
    bar(scale, side(i, k, at), 0.36 * at.wide, values[k], { class: name, "data-term": name }),
  );

/** The column of the chosen step, down to its state. */
const band = ({ t }, { time, wide, rows }) =>
  rect(time(t - 1), rows.x[0], wide, rows.h[1] - rows.x[0], { class: "band" });

function inputs(xs, at) {
  const { rows, em, wide } = at;
  const [y0, y1] = rows.x;
  return [
    name("x", ["x", "x", "input"], at),
    xs.map((x, i) =>
      svg(
        "g",
        { class: "cell", "data-term": "x" },
        rect(at.time(i) + 1, y0 - 0.2 * em, wide - 2, y1 - y0 + 0.4 * em, {
          rx: 0.15 * em,
          class: x ? "event" : "",
        }),
        text(at, at.time(i + 0.5), (y0 + y1) / 2, { class: x ? "event" : "" }, format(x, 0)),
      ),
    ),
  ];
}

function gate(key, says, gru, at) {
  const value = (one, i) => [
    bar(at[key], at.time(i) + 0.18 * at.wide, 0.64 * at.wide, one[key], {
      class: "gate",
      "data-term": key,
    }),
    svg("circle", {
      class: one.hand[key] === undefined ? "dot" : "dot hand",
      cx: at.time(i + 0.5),
      cy: at[key](one[key]),
      r: 0.2 * at.em,
    }),
  ];
  return [name(key, [key, key, says], at), frame(key, at), gru.map(value)];
}

function candidates(gru, at) {
  const value = ({ fresh }, i) =>
    bar(at.fresh, at.time(i) + 0.18 * at.wide, 0.64 * at.wide, fresh, {
      class: "fresh",
      "data-term": "fresh",
    });
  return [
    name("fresh", ["fresh", "h̃", at.narrow ? "candidate" : "new"], at),
    frame("fresh", at),
    zero(at.fresh(0), at),
    gru.map(value),
  ];
}

/** The name of the row with the share of each input that is left. */
function left(at) {
  const { narrow, em, rows } = at;
  const [y0, y1] = rows.share;
  if (narrow) {
    const words = "left of each input at the end";
    return text(at, at.left, y0 - 0.65 * em, { class: "label start" }, words);
  }
  return ["left of it", "at the end"].map((words, i) =>
    text(
      at,
      at.left - 0.5 * em,
      (y0 + y1) / 2 + (i ? 0.6 : -0.6) * em,
      { class: "label end" },
      words,
    ),
  );
}

// ---- the words

const above = (name, t) => [html("i", {}, name), html("sup", {}, `(${t})`)];

function words(now) {
  const { gru, lstm, t, xs, gruShares, lstmShares } = now;
  const [one, other] = [gru[t - 1], lstm[t - 1]];
  if (!one) return [html("p", {}, "Type a sequence of 0, 1 and -.")];
  const term = (name, ...what) => html("b", { class: name, "data-term": name }, what);
  const part = (kind, share, name) =>
    html("span", {
      class: `part uf-fill ${kind}`,
      style: `width:${50 * share}%`,
      "data-term": name,
    });
  const split = (name, parts, sum) =>
    html(
      "div",
      { class: "split" },
      html("span", { class: "who" }, name),
      html("span", { class: "track uf-fill" }, parts),
      sum,
    );
  const product = (keep, old, take, fresh) =>
    `${two(keep)} × ${two(old)} + ${two(take)} × ${two(fresh)}`;
  return [
    html("p", { class: "head" }, `Step ${t} keeps and takes in:`),
    split(
      "GRU",
      [part("kept", one.u, "u"), part("taken", 1 - one.u, "new")],
      html("output", {}, `${two(one.u)} + ${two(1 - one.u)}`),
    ),
    split(
      "LSTM",
      [part("kept lstm", other.f, "f"), part("taken lstm", other.g, "g")],
      html("output", {}, `${two(other.f)} + ${two(other.g)}`),
    ),
    html(
      "p",
      { class: "sum" },
      term("h", above("h", t)),
      ` = ${product(one.u, one.before, 1 - one.u, one.fresh)} = `,
      html("b", {}, two(one.h)),
    ),
    html(
      "p",
      { class: "sum" },
      term("s", above("s", t)),
      ` = ${product(other.f, other.before, other.g, other.fresh)} = `,
      html("b", {}, two(other.s)),
    ),
    html(
      "p",
      { class: "left" },
      "Left at the end: ",
      term("h", "GRU ", two(total(xs, gruShares))),
      ", ",
      term("s", "LSTM ", two(total(xs, lstmShares))),
    ),
  ];
}

function spoken({ gru, lstm, t, xs, gruShares, lstmShares }) {
  const one = gru[t - 1];
  if (!one) return "No steps.";
  return `Step ${t}: the GRU keeps ${two(one.u)} and takes in ${two(1 - one.u)}; h is ${two(one.h)}, the LSTM's s is ${two(lstm[t - 1].s)}. Left of the inputs at the end: GRU ${two(total(xs, gruShares))}, LSTM ${two(total(xs, lstmShares))}.`;
}
