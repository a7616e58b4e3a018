import { frame, rule, ticksX } from "../lib/chart.js";
import { button, transport } from "../lib/controls.js";
import { html, italic, redraw, set, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { draggable, keySlider, knob } from "../lib/handles.js";
import { equation, linked } from "../lib/linked.js";
import { clamp, format, linear, rounded } from "../lib/scales.js";
import { place, rect } from "../lib/shapes.js";
import eq from "./equations.tex";
import { meta } from "./meta.js";
import { held, hold, read, run, total, write } from "./math.js";

const NUMBERS = { u: "10.46", r: "10.47", fresh: "", h: "10.45" };
/** The value that an input has after a click. */
const NEXT = { 0: 1, 1: -1, "-1": 0 };

export const render = figure("gru", meta, ({ model, el, spec, save }) => {
  const steps = () => Math.max(model.get("x").length, 1);
  const chosen = () => Math.min(model.get("t"), steps());
  const grips = { u: grip("u"), r: grip("r") };
  const area = areaOf("Inputs, gates and states over time", grips.u, grips.r);
  const { drawing, plot } = area;
  const formulas = html("div", { class: "formulas" }, Object.keys(NUMBERS).map(formula));
  const readout = html("div", { class: "readout" });
  const time = transport(model, "t", { ...spec.t, limit: steps });
  const free = button("free the gates", () => save({ u: "", r: "" }));
  let [now, at] = [null, null];

  plot.addEventListener("click", ({ target }) => {
    const clicked = [...plot.querySelectorAll(".cell")].indexOf(target.closest(".cell"));
    if (clicked < 0) return;
    save({ x: write(now.xs.map((x, i) => (i === clicked ? NEXT[x] : x))) });
  });

  /** Let the reader set a gate of the chosen step. Return a function that updates the handle. */
  function holdGate(key) {
    const hands = () => held(model.get(key));
    const change = (value) => save({ [key]: hold({ ...hands(), [chosen()]: clamp(value, 0, 1) }) });
    draggable(grips[key], {
      surface: drawing,
      start: ({ x }) => save({ t: clamp(Math.ceil(at.x.invert(x)), 1, steps()) }),
      move: ({ y }) => change(Math.round(20 * at[key].y.invert(y)) / 20),
    });
    const by = () => (chosen() in hands() ? "you" : "the weights");
    return keySlider(grips[key], {
      ...{ min: 0, max: 1, step: 0.05, change },
      label: `${key === "u" ? "update" : "reset"} gate ${key} of the chosen step`,
      get: () => now?.gru[chosen() - 1]?.[key] ?? 0,
      text: (value) => `step ${chosen()}: ${format(value)}, set by ${by()}`,
    });
  }

  return {
    parts: [stage(area, html("div", { class: "side" }, formulas, readout)), ["x", time, free]],
    reveal: { x: spec.x.default, u: "5:0.5 8:0.67", r: "", t: 8 },
    follow: [time, holdGate("u"), holdGate("r"), linked(el)],
    update(state, size) {
      now = { ...state, ...run(state), xs: read(state.x), t: chosen() };
      at = scales(now, size);
      area.draw(size, at, picture(now, at));
      for (const key of ["u", "r"]) placeGrip(grips[key], key, now, at);
      redraw(readout, words(now));
      set(free, { "aria-disabled": String(!state.u && !state.r) });
      return spoken(now);
    },
  };
});

const formula = (name) =>
  html(
    "div",
    { class: `formula ${name}` },
    equation(eq[name]),
    NUMBERS[name] && html("span", { class: "number" }, `(G ${NUMBERS[name]})`),
  );

/** A row that can be dragged anywhere, with its handle. */
const grip = (name) => svg("g", { "data-term": name }, svg("rect", { class: "hit" }), knob());

function placeGrip(node, key, { gru, t }, { [key]: { left, right, top, bottom, x, y } }) {
  const [hit, handle] = node.children;
  set(hit, { x: left, y: top - 4, width: right - left, height: bottom - top + 8 });
  place(handle, x(t - 0.5), y(gru[t - 1]?.[key] ?? 0));
}

// ---- the drawing: rows over the same time

const WEIGHTS = { inputs: 0.1, u: 0.16, r: 0.16, fresh: 0.15, h: 0.29, share: 0.14 };

function scales({ xs, gru, lstm }, { width, em, room }) {
  const narrow = width < 18 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const left = (narrow ? 1.5 : 5) * em;
  const right = width - 0.9 * em;
  const title = (narrow ? 1.35 : 0.75) * em; // above each row
  const free = Math.min(room - 3.5, narrow ? 26 : 20.5) * em - 6 * title - 1.1 * em;
  const all = [...gru.map((now) => now.h), ...lstm.map((now) => now.s)];
  const low = Math.min(0, Math.floor(Math.min(...all)));
  const high = Math.max(1, Math.ceil(Math.max(...all)));
  const least = gru.some((now) => now.fresh < -0.02) ? -1 : 0;
  const limits = { fresh: [least, 1], h: [low, high] };
  const x = linear([0, Math.max(xs.length, 1)], [left, right]);
  const rows = {};
  let bottom = 0;
  for (const [key, weight] of Object.entries(WEIGHTS)) {
    const top = bottom + title;
    bottom = top + weight * free;
    const y = linear(limits[key] ?? [0, 1], [bottom, top]);
    rows[key] = { narrow, em, font, left, right, top, bottom, x, y, below: 0.65 };
  }
  return { ...rows, narrow, em, low, high, x, wide: x(1) - x(0), height: bottom + 1.1 * em };
}

function picture(now, at) {
  const { xs, gru, lstm, gruShares, lstmShares, t } = now;
  const { inputs, u, r, fresh, h, share, x, wide, low, high } = at;
  const step = (x) => x + 0.5; // whose middle is at x
  return [
    // the column of the chosen step, down to its state
    rect(x(t - 1), inputs.top, wide, h.bottom - inputs.top, { class: "band" }),
    name(inputs, ["x", "x", "input"]),
    xs.map((x, i) => cell(x, i, at)),
    gate("u", "keep", gru, at),
    gate("r", "reset", gru, at),
    name(fresh, ["fresh", "", "target"]),
    frame(fresh),
    rule(fresh, 0),
    gru.map((now, i) => single(fresh, "fresh", i, now.fresh, { class: "fresh" })),
    // both states on one scale
    name(h, ["h", "h", "GRU"], ["s", "s", "LSTM"]),
    frame(h),
    rule(h, 0),
    high > 1 && rule(h, 1),
    gru.map((now, i) => pair(h, i, [now.h, lstm[i].s])),
    [...new Set([1, high])].map((value) => tick(h, value)),
    low < 0 && tick(h, low),
    [u, r, share].map((row) => tick(row, 1)),
    left(share),
    frame(share),
    xs.map(
      (x, i) =>
        x !== 0 && [
          [0, 1].map((k) => bar(share, side(i, k), 0.36, 1, { class: "whole" })),
          pair(share, i, [gruShares[i], lstmShares[i]]),
        ],
    ),
    ticksX(
      share,
      xs.map((_, i) => i + 0.5),
      step,
      (x) => (step(x) === t ? "tick now" : "tick"),
    ),
  ];
}

/** The name of a row, perhaps with a second one on the same line or below it. */
function name(at, first, second) {
  const { narrow, left, right, top, bottom, em } = at;
  const label = (x, y, kind, [term, letter, says]) =>
    text(
      at,
      x,
      y,
      { class: `label ${kind} ${term}`, "data-term": term },
      letter ? [italic(letter), " "] : [],
      says,
    );
  const [x, y, kind] = narrow
    ? [left, top - 0.65 * em, "start"]
    : [left - 0.5 * em, (top + bottom) / 2 - (second ? 0.62 * em : 0), "end"];
  return [
    label(x, y, kind, first),
    second && (narrow ? label(right, y, "end", second) : label(x, y + 1.25 * em, "end", second)),
  ];
}

const tick = (at, value) =>
  text(at, at.right + 0.25 * at.em, at.y(value), { class: "tick start" }, format(value, 0));
/** A bar whose left end and width are in steps. One for 0 is still a thin line. */
const bar = ({ x, y }, from, width, value, attributes) =>
  rect(
    x(from),
    y(Math.max(value, 0)),
    x(width) - x(0),
    Math.max(Math.abs(y(value) - y(0)), 0.6),
    attributes,
  );
const single = (at, term, i, value, attributes) =>
  bar(at, i + 0.18, 0.64, value, { ...attributes, "data-term": term });
/** The left end of the GRU's or the LSTM's bar, which stand side by side. */
const side = (i, k) => i + (k ? 0.54 : 0.1);
const pair = (at, i, values) =>
  ["h", "s"].map((name, k) =>
    bar(at, side(i, k), 0.36, values[k], { class: name, "data-term": name }),
  );

function cell(value, i, { inputs: { em, font, top, bottom }, x, wide }) {
  const name = value ? "event" : "";
  return svg(
    "g",
    { class: "cell", "data-term": "x" },
    rect(x(i) + 1, top - 0.2 * em, wide - 2, bottom - top + 0.4 * em, {
      rx: 0.15 * em,
      class: name,
    }),
    text({ font }, x(i + 0.5), (top + bottom) / 2, { class: name }, format(value, 0)),
  );
}

function gate(key, says, gru, { [key]: at }) {
  const value = (now, i) => [
    single(at, key, i, now[key], { class: "gate" }),
    svg("circle", {
      class: now.hand[key] === undefined ? "dot" : "dot hand",
      cx: at.x(i + 0.5),
      cy: at.y(now[key]),
      r: 0.2 * at.em,
    }),
  ];
  return [name(at, [key, key, says]), frame(at), gru.map(value)];
}

/** The name of the row with the share of each input that is left. */
function left(at) {
  const { narrow, em, top, bottom } = at;
  const line = (x, y, kind, words) => text(at, x, y, { class: `label ${kind}` }, words);
  if (narrow) return line(at.left, top - 0.65 * em, "start", "share of each input at the end");
  const [x, y] = [at.left - 0.5 * em, (top + bottom) / 2];
  return [line(x, y - 0.6 * em, "end", "its share"), line(x, y + 0.6 * em, "end", "at the end")];
}

// ---- the words

function words({ gru, lstm, t, xs, gruShares, lstmShares }) {
  const [one, other] = [gru[t - 1], lstm[t - 1]];
  if (!one) return [html("p", {}, "Type a sequence of 0, 1 and -.")];
  const ofGru = [one.u, 1 - one.u]; // shares that are kept and taken in
  const ofLstm = [other.f, other.g];
  const term = (name, ...what) => html("b", { class: name, "data-term": name }, what);
  const part = (kind, share, name) =>
    html("span", {
      class: `part uf-fill ${kind}`,
      style: `width:${50 * share}%`,
      "data-term": name,
    });
  const split = (name, shares, terms, kind = "") =>
    html(
      "div",
      { class: "split" },
      html("span", { class: "who" }, name),
      html(
        "span",
        { class: "track uf-fill" },
        ["kept", "taken"].map((what, i) => part(`${what} ${kind}`, shares[i], terms[i])),
      ),
      html("output", {}, shares.map((value) => rounded(value)).join(" + ")),
    );
  const sum = (name, [keep, take], { before, fresh, [name]: value }) =>
    html(
      "p",
      { class: "sum" },
      term(name, html("i", {}, name), html("sup", {}, `(${t})`)),
      ` = ${rounded(keep)} × ${rounded(before)} + ${rounded(take)} × ${rounded(fresh)} = `,
      html("b", {}, rounded(value)),
    );
  return [
    html("p", { class: "head" }, `Step ${t} keeps and takes in:`),
    split("GRU", ofGru, ["u", "new"]),
    split("LSTM", ofLstm, ["f", "g"], "lstm"),
    sum("h", ofGru, one),
    sum("s", ofLstm, other),
    html(
      "p",
      { class: "left" },
      "Left at the end: ",
      term("h", "GRU ", rounded(total(xs, gruShares))),
      ", ",
      term("s", "LSTM ", rounded(total(xs, lstmShares))),
    ),
  ];
}

function spoken({ gru, lstm, t, xs, gruShares, lstmShares }) {
  const one = gru[t - 1];
  if (!one) return "There are no steps.";
  return `Step ${t}: the GRU keeps ${rounded(one.u)} and takes in ${rounded(1 - one.u)}; h is ${rounded(one.h)}, the LSTM's s is ${rounded(lstm[t - 1].s)}. At the end, ${rounded(total(xs, gruShares))} of the inputs is left in the GRU and ${rounded(total(xs, lstmShares))} in the LSTM.`;
}
