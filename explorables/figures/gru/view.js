import { button, control, controls, setAll, transport } from "../../lib/controls.js";
import { drawingOf, html, italic, set, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { draggable, keySlider, knob } from "../../lib/handles.js";
import { equation, linked, live } from "../../lib/linked.js";
import { format, linear } from "../../lib/scales.js";
import { place, rect } from "../../lib/shapes.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import eq from "./equations.tex";
import { meta } from "./meta.js";
import { held, hold, read, run, total, write } from "./math.js";

const EQUATIONS = {
  before: ["u", "r", "before", "h"],
  after: ["u", "r", "after", "h"],
  printed: ["uprinted", "rprinted", "printed", "hprinted"],
};
const NUMBERS = ["10.46", "10.47", "", "10.45"];
const NOTES = {
  before: "",
  after:
    "Reset after, as in PyTorch: here only the bias bʰ feels it. Among several units, before silences senders, after receivers.",
  printed:
    "As printed, x reaches h one step late, the last x never. And with σ for tanh no state is below 0.",
};

const two = (value) => format(Math.round(100 * value) / 100);

export function render({ model, el }) {
  const { controls: spec } = meta;
  const steps = () => Math.max(model.get("x").length, 1);
  const chosen = () => Math.min(model.get("t"), steps());
  const plot = svg("g");
  const grips = { u: grip("u"), r: grip("r") };
  const drawing = drawingOf("Inputs, gates and states over time", plot, grips.u, grips.r);
  const area = html("div", { class: "area" }, drawing);
  const formulas = html("div", { class: "formulas" });
  const readout = html("div", { class: "readout" });
  const note = html("p", { class: "note", role: "status" });
  const status = live();
  const time = transport(model, "t", {
    ...spec.t,
    limit: steps,
    text: (t) => `step ${Math.min(t, steps())} of ${steps()}`,
  });
  const free = button("weights decide", () => setAll(model, { u: "", r: "" }));
  el.classList.add("fig-gru");
  el.append(
    html("div", { class: "stage" }, area, html("div", { class: "side" }, formulas, readout, note)),
    controls(control(model, "form", spec.form), control(model, "x", spec.x), time, free),
    guess(meta.prediction, () =>
      setAll(model, { form: "before", x: spec.x.default, u: "5:0.5 8:0.67", r: "", t: 8 }),
    ),
    status,
  );
  const link = linked(el);

  let now;
  let at;
  const write1 = (key, value) => {
    model.set(key, hold({ ...held(model.get(key)), [chosen()]: Math.min(Math.max(value, 0), 1) }));
    model.save_changes();
  };
  const follow = ["u", "r"].map((key) => {
    const name = key === "u" ? "update gate u" : "reset gate r";
    const value = () => now?.gru[chosen() - 1]?.[key] ?? 0;
    const choose = ({ x }) =>
      setAll(model, { t: Math.min(Math.max(Math.ceil(at.time.invert(x)), 1), steps()) });
    draggable(grips[key], {
      surface: drawing,
      start: choose,
      move: ({ y }) => write1(key, Math.round(20 * at[key].invert(y)) / 20),
    });
    return keySlider(grips[key], {
      label: `${name} of the chosen step`,
      min: 0,
      max: 1,
      step: 0.05,
      get: value,
      change: (next) => write1(key, next),
      text: (v) =>
        `step ${chosen()}: ${format(v)}, ${chosen() in held(model.get(key)) ? "by hand" : "by the weights"}`,
    });
  });

  let form;
  function update(size) {
    const given = settings(model, spec);
    now = { ...given, ...run(given), xs: read(given.x), t: chosen() };
    at = scales(now, size);
    set(drawing, { viewBox: `0 0 ${size.width} ${at.height}` });
    plot.replaceChildren(svg("g", {}, picture(now, at)));
    plot.querySelectorAll(".cell").forEach((cell, i) => {
      cell.addEventListener("click", () =>
        setAll(model, {
          x: write(now.xs.map((x, k) => (k === i ? { 0: 1, 1: -1, "-1": 0 }[x] : x))),
        }),
      );
    });
    for (const key of ["u", "r"]) placeGrip(grips[key], key, now, at);
    if (form !== now.form) {
      form = now.form;
      formulas.replaceChildren(
        ...EQUATIONS[form].map((name, i) =>
          html(
            "div",
            { class: `formula ${name}` },
            equation(eq[name]),
            NUMBERS[i] && html("span", { class: "number" }, `(${NUMBERS[i]})`),
          ),
        ),
      );
      note.textContent = NOTES[form];
    }
    readout.replaceChildren(...words(now));
    set(free, { disabled: null, "aria-disabled": String(!given.u && !given.r) });
    time.update();
    follow.forEach((refresh) => refresh());
    link.refresh();
    status.announce(spoken(now));
  }
  return keepDrawn(model, area, update, { clocks: [time] });
}

/** A row to take hold of anywhere, with its handle. */
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
  const { left, right, rows, wide, em, narrow } = at;
  const middle = (i) => at.time(i + 0.5);
  const label = (key, term, name, says, more) => {
    const [y0, y1] = rows[key];
    const y = narrow ? y0 - 0.65 * em : (y0 + y1) / 2 - (more ? 0.62 * em : 0);
    const x = narrow ? left : left - 0.5 * em;
    const kind = narrow ? "start" : "end";
    return [
      text(
        at,
        x,
        y,
        { class: `label ${kind} ${term}`, "data-term": term },
        italic(name),
        " ",
        says,
      ),
      more &&
        (narrow
          ? text(
              at,
              right,
              y,
              { class: `label end ${more[0]}`, "data-term": more[0] },
              italic(more[1]),
              " ",
              more[2],
            )
          : text(
              at,
              x,
              y + 1.25 * em,
              { class: `label end ${more[0]}`, "data-term": more[0] },
              italic(more[1]),
              " ",
              more[2],
            )),
    ];
  };
  const frame = (key) =>
    rect(left, rows[key][0], right - left, rows[key][1] - rows[key][0], { class: "frame" });
  const bar = (scale, x, width, value, attributes) =>
    rect(x, scale(Math.max(value, 0)), width, Math.max(Math.abs(scale(value) - scale(0)), 0.6), {
      ...attributes,
    });
  // The GRU's bar and the LSTM's, side by side.
  const side = (i, k) => at.time(i) + (k ? 0.54 : 0.1) * wide;
  const pair = (scale, i, ...values) =>
    ["h", "s"].map((name, k) =>
      bar(scale, side(i, k), 0.36 * wide, values[k], { class: name, "data-term": name }),
    );
  const zero = (scale) => svg("path", { class: "zero", d: `M${left} ${scale(0)}H${right}` });
  const tick = (scale, value) =>
    text(at, right + 0.25 * em, scale(value), { class: "tick start" }, format(value, 0));

  // What the chosen state is made of: as printed, all from one step before.
  const from = gru[t - 1]?.from;
  const seam = (rows.r[1] + rows.fresh[0]) / 2;
  const strip = (k, y0, y1) => rect(at.time(k - 1), y0, wide, y1 - y0, { class: "band" });
  const band = [
    from && strip(from, rows.x[0], seam),
    strip(t, seam, rows.h[1]),
    from &&
      from !== t &&
      svg("path", {
        class: "late",
        d: `M${middle(from - 1)} ${rows.r[1] - 0.2 * em}L${middle(t - 1)} ${rows.fresh[0] + 0.3 * em}`,
      }),
  ];
  const gate = (key) => [
    frame(key),
    gru.map((one, i) => {
      const byHand = one.hand[key] !== undefined;
      return [
        bar(at[key], at.time(i) + 0.18 * wide, 0.64 * wide, one[key], {
          class: "gate",
          "data-term": key,
        }),
        svg("circle", {
          class: byHand ? "dot hand" : "dot",
          cx: middle(i),
          cy: at[key](one[key]),
          r: 0.2 * em,
        }),
      ];
    }),
  ];
  return [
    ...band,
    // x
    label("x", "x", "x", "input"),
    xs.map((x, i) =>
      svg(
        "g",
        { class: "cell", "data-term": "x" },
        rect(at.time(i) + 1, rows.x[0] - 0.2 * em, wide - 2, rows.x[1] - rows.x[0] + 0.4 * em, {
          rx: 0.15 * em,
          class: x ? "event" : "",
        }),
        text(at, middle(i), (rows.x[0] + rows.x[1]) / 2, { class: x ? "event" : "" }, format(x, 0)),
      ),
    ),
    label("u", "u", "u", "keep"),
    gate("u"),
    label("r", "r", "r", "reset"),
    gate("r"),
    label("fresh", "fresh", "h̃", narrow ? "candidate" : "new"),
    frame("fresh"),
    zero(at.fresh),
    gru.map(({ fresh }, i) =>
      fresh === null
        ? text(at, middle(i), at.fresh(0.4), { class: "none" }, "?")
        : bar(at.fresh, at.time(i) + 0.18 * wide, 0.64 * wide, fresh, {
            class: "fresh",
            "data-term": "fresh",
          }),
    ),
    // the two states, on one scale
    label("h", "h", "h", "GRU", ["s", "s", "LSTM"]),
    frame("h"),
    zero(at.h),
    at.high > 1 && svg("path", { class: "zero", d: `M${left} ${at.h(1)}H${right}` }),
    gru.map(({ h }, i) => pair(at.h, i, h, lstm[i].s)),
    [...new Set([1, at.high])].map((value) => tick(at.h, value)),
    at.low < 0 && tick(at.h, at.low),
    [at.u, at.r, at.share].map((scale) => tick(scale, 1)),
    // what is left
    narrow
      ? text(
          at,
          left,
          rows.share[0] - 0.65 * em,
          { class: "label start" },
          "left of each input at the end",
        )
      : [
          text(
            at,
            left - 0.5 * em,
            (rows.share[0] + rows.share[1]) / 2 - 0.6 * em,
            { class: "label end" },
            "left of it",
          ),
          text(
            at,
            left - 0.5 * em,
            (rows.share[0] + rows.share[1]) / 2 + 0.6 * em,
            { class: "label end" },
            "at the end",
          ),
        ],
    frame("share"),
    xs.map((x, i) =>
      x
        ? [
            [0, 1].map((k) => bar(at.share, side(i, k), 0.36 * wide, 1, { class: "whole" })),
            pair(at.share, i, gruShares[i], lstmShares[i]),
          ]
        : null,
    ),
    xs.map((_, i) =>
      text(
        at,
        middle(i),
        rows.share[1] + 0.65 * em,
        { class: i + 1 === t ? "tick now" : "tick" },
        String(i + 1),
      ),
    ),
  ];
}

// ---- the words

const above = (name, t) => [html("i", {}, name), html("sup", {}, `(${t})`)];

function words(now) {
  const { gru, lstm, t, xs, gruShares, lstmShares } = now;
  const [one, other] = [gru[t - 1], lstm[t - 1]];
  if (!one) return [html("p", {}, "Type a sequence of 0, 1 and -.")];
  const term = (name, ...what) => html("b", { class: name, "data-term": name }, what);
  const part = (kind, share, name) =>
    html("span", { class: `part ${kind}`, style: `width:${50 * share}%`, "data-term": name });
  const split = (name, parts, sum) =>
    html(
      "div",
      { class: "split" },
      html("span", { class: "who" }, name),
      html("span", { class: "track" }, parts),
      sum,
    );
  const product = (keep, old, take, fresh) =>
    `${two(keep)} × ${two(old)} + ${two(take)} × ${two(fresh)}`;
  return [
    html(
      "p",
      { class: "head" },
      one.from === t
        ? `Step ${t} keeps and takes in:`
        : `Step ${t}, by the gates of step ${t - 1}:`,
    ),
    split(
      "GRU",
      [part("kept", one.keep, "u"), part("taken", 1 - one.keep, "new")],
      html("output", {}, `${two(one.keep)} + ${two(1 - one.keep)}`),
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
      one.fresh === null
        ? " would need x⁽⁰⁾"
        : [
            ` = ${product(one.keep, one.before, 1 - one.keep, one.fresh)} = `,
            html("b", {}, two(one.h)),
          ],
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
  return `Step ${t}: the GRU keeps ${two(one.keep)} and takes in ${two(1 - one.keep)}; h is ${two(one.h)}, the LSTM's s is ${two(lstm[t - 1].s)}. Left of the inputs at the end: GRU ${two(total(xs, gruShares))}, LSTM ${two(total(xs, lstmShares))}.`;
}
