import { band, cursor, frame, line, rule, ticksX, ticksY, title } from "../lib/chart.js";
import { button, controls } from "../lib/controls.js";
import { html, redraw, set, svg, tableRow } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { draggable, keySlider, knob } from "../lib/handles.js";
import { decade, fromLog, spokenLog } from "../lib/powers.js";
import { clamp, counted, format, linear, rounded } from "../lib/scales.js";
import { place, swatch } from "../lib/shapes.js";
import { meta } from "./meta.js";
import { BIASES, biasOf, ideal, MEASURED, measured, nearest, reach, STEPS } from "./math.js";

const [LOW, HIGH] = [-14, 2]; // powers of ten of the axis

export const render = figure("highway", meta, ({ model, el, save, control }) => {
  const grip = knob();
  const area = areaOf("The size of the gradient by distance", grip);
  const readout = html("div", { class: "readout" });
  const shown = { drawing: area.drawing, grip, now: null, at: null };
  const curve = curves();
  const biases = measuredBiases(save);
  return {
    parts: [
      stage(area, readout),
      controls(
        control("when"),
        biases,
        ["bias", "alpha", "back"].map((key) => control(key)),
      ),
    ],
    reveal: { when: "new", bias: 3, back: 50 },
    follow: [holdBias(shown, model, save)],
    update(state, size) {
      const now = linesOf(state, curve);
      const at = scales(size);
      Object.assign(shown, { now, at });
      area.draw(size, at, picture(now, at));
      place(grip, at.x(now.back), at.y(clamp(now.front[now.back], LOW, HIGH)));
      redraw(readout, table(now), !now.live && spread(now));
      el.classList.toggle("many", !now.live);
      biases.show(now.bias);
      const said = now.rows.map(({ name, logs }) => `${spokenLog(logs[now.back])} (${name})`);
      return `The gradient ${counted(now.back, "step")} back is ${said.join(", ")}.`;
    },
  };
});

/** Make a button for each forget bias that was measured. */
function measuredBiases(save) {
  const buttons = BIASES.map((bias) => button(String(bias), () => save({ bias })));
  return {
    node: html(
      "div",
      { class: "biases", role: "group", "aria-label": "forget bias of the LSTM" },
      "forget bias ",
      buttons,
    ),
    show: (chosen) =>
      buttons.forEach((node, i) => set(node, { "aria-pressed": String(BIASES[i] === chosen) })),
  };
}

/** Return the curves of the gradient, and compute only those that have changed. */
function curves() {
  const still = new Map();
  return (kind, number) => {
    const key = `${kind} ${number}`;
    const fixed = kind !== "lstm" && kind !== "leaky";
    if (!still.has(key)) still.set(key, reach(kind, number));
    if (still.size > 12 && !fixed)
      for (const old of [...still.keys()].slice(5, -3)) still.delete(old);
    return still.get(key);
  };
}

/** The lines of a state, one for each network. The LSTM that the reader moves comes last. */
function linesOf({ when, alpha, back, bias: set }, curve) {
  const live = when === "one";
  const bias = live ? Math.round(10 * set) / 10 : nearest(set);
  const line = (kind, name, number = 0, key = kind) => {
    const [low, logs, high] = live
      ? [null, curve(key, number), null]
      : measured(when, key + (key === "lstm" ? number : ""));
    return { kind, name, logs, low, high };
  };
  // The lines of new LSTMs with another bias would show the answer to the figure's prediction.
  const others = when === "new" ? [] : [0, 3, 1].filter((other) => other !== bias).slice(0, 2);
  const share = live ? rounded(alpha) : "0.9";
  const rows = [
    line("rnn", "plain RNN"),
    line("gru", "GRU"),
    line("orthogonal", "orthogonal RNN"),
    ...others.map((other) => line(`ghost b${other}`, `LSTM, bias ${other}`, other, "lstm")),
    line("leaky", `leaky, α = ${share}`, alpha),
    line("lstm", `LSTM, bias ${format(bias, Number.isInteger(bias) ? 0 : 1)}`, bias),
  ];
  return { when, live, bias, alpha, back, rows, front: rows.at(-1).logs };
}

/** Let the reader drag the LSTM's line at the cursor. Return a function that updates the handle. */
function holdBias(figure, model, save) {
  const { drawing, grip } = figure;
  const { bias: spec } = meta.controls;
  const write = (bias) => {
    const step = Number((Math.round(bias / spec.step) * spec.step).toFixed(2));
    save({ bias: clamp(step, spec.min, spec.max) });
  };
  let held;
  draggable(grip, {
    surface: drawing,
    start: ({ y }) => (held = { y, bias: figure.now.bias }),
    move({ y }) {
      const { now, at } = figure;
      if (!now.live) return write(measuredAt(y, now, at));
      // The slope changes by the distance of the drag, divided by the steps back.
      const slope = ideal(held.bias) + (at.y.invert(y) - at.y.invert(held.y)) / now.back;
      write(biasOf(slope));
    },
  });
  const size = () => spokenLog(figure.now?.front[model.get("back")] ?? 0);
  return keySlider(grip, {
    label: "forget bias",
    min: spec.min,
    max: spec.max,
    step: spec.step,
    get: () => figure.now?.bias ?? model.get("bias"),
    change: (bias) => write(figure.now.live ? bias : beyond(figure.now.bias, bias)),
    text: (bias) =>
      `bias ${format(bias, 1)}: ${counted(model.get("back"), "step")} back the gradient is ${size()}`,
  });
}

/** The bias of the measured network whose line is nearest to the pointer. */
function measuredAt(y, { when, back }, at) {
  const far = (bias) => Math.abs(at.y(measured(when, `lstm${bias}`)[1][back]) - y);
  return BIASES.reduce((p, q) => (far(q) < far(p) ? q : p));
}

/** The measured bias that a key selects: the nearest, or the next in its direction. */
function beyond(here, bias) {
  if (nearest(bias) !== here) return nearest(bias);
  const others = BIASES.filter((other) => (other - here) * (bias - here) > 0);
  return others.length ? (bias > here ? Math.min : Math.max)(...others) : here;
}

// ---- the drawing

function scales({ width, em, room }) {
  const narrow = width < 24 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const [left, right, top] = [3.1 * em, width - 0.9 * em, 1.5 * em];
  const bottom = Math.min(room - 4.2, 17) * em - 1.4 * em;
  return {
    ...{ narrow, em, font, left, right, top, bottom },
    height: bottom + 1.4 * em,
    x: linear([0, STEPS], [left, right]),
    y: linear([LOW, HIGH], [bottom, top]),
  };
}

const points = (logs) => logs.slice(0, STEPS + 1).map((log, k) => [k, Math.min(log, HIGH)]);
const inside = (logs) => logs.map((log, k) => [k, clamp(log, LOW, HIGH)]);

function picture({ when, live, rows, bias, back }, at) {
  const alone = Array.from({ length: STEPS + 1 }, (_, k) => k * ideal(bias));
  const { low, high } = rows.at(-1);
  return [
    frame(at),
    rule(at, 0),
    cursor(at, back),
    !live && band(at, inside(low), inside(high), "range"),
    when !== "trained" && line(at, points(alone), "alone", LOW),
    rows.map(({ kind, logs }) => line(at, points(logs), `curve ${kind}`, LOW)),
    ticksY(at, [0, -5, -10], (power) => decade(power, at.font)),
    ticksX(
      at,
      [0, at.narrow ? 20 : 30, STEPS],
      (k) => (k === STEPS ? `${k} steps back` : k),
      (k) => (k === STEPS ? "tick end" : "tick"),
    ),
    title(at, `size of the gradient${at.narrow ? "" : ", 1 at the last step"}`),
  ];
}

// ---- the table, which is also the legend

function table({ when, live, rows, bias, back }) {
  const sign = (kind) => swatch(40, 12, svg("path", { class: kind, d: "M1 6H39" }));
  const row = (kind, name, log) =>
    tableRow(
      { class: kind },
      sign(kind === "alone" ? kind : `curve ${kind}`),
      html("th", { scope: "row" }, name),
      fromLog(log),
    );
  const sorted = [...rows].sort((p, q) => q.logs[back] - p.logs[back]);
  const far = `${counted(back, "step")} back`;
  return html(
    "table",
    {},
    html("caption", {}, live ? far : `${far}, median of ${MEASURED.networks}`),
    sorted.map(({ kind, name, logs }) => row(kind, name, logs[back])),
    when !== "trained" && row("alone", [html("i", {}, "σ"), "(bias) alone"], back * ideal(bias)),
  );
}

/** The range of the measured networks, for the LSTM that the reader moves and for the plain one. */
const spread = ({ back, rows }) =>
  html(
    "p",
    { class: "spread" },
    `All ${MEASURED.networks}: `,
    [rows.at(-1), rows[0]].map(({ name, low, high }, i) => [
      i ? "; " : "",
      html("b", {}, name),
      " ",
      fromLog(low[back]),
      " to ",
      fromLog(high[back]),
    ]),
    ".",
  );
