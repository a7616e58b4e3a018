import { controls, controlsOf, setAll } from "../../lib/controls.js";
import { drawingOf, html, set, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { draggable, keySlider, knob } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { decade, fromLog, spokenLog } from "../../lib/powers.js";
import { clamp, format, linear } from "../../lib/scales.js";
import { place, rect, swatch } from "../../lib/shapes.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import { meta } from "./meta.js";
import { BIASES, biasOf, ideal, MEASURED, measured, nearest, reach, STEPS } from "./math.js";

const [LOW, HIGH] = [-14, 2]; // powers of ten of the axis

export function render({ model, el }) {
  const { controls: spec } = meta;
  const plot = svg("g");
  const grip = knob();
  const drawing = drawingOf("The size of the gradient by distance", plot, grip);
  const area = html("div", { class: "area" }, drawing);
  const readout = html("div", { class: "readout" });
  const [leak, back] = controlsOf(model, spec, "alpha", "back");
  const status = live();
  el.classList.add("fig-highway");
  el.append(
    html("div", { class: "stage" }, area, readout),
    controls(controlsOf(model, spec, "when", "bias"), leak, back),
    guess(meta.prediction, () => setAll(model, { when: "one", bias: 3, back: 50 })),
    status,
  );

  const figure = { model, drawing, grip, now: null, at: null };
  const curve = curves();
  const follow = holdBias(figure);
  function update(size) {
    const now = linesOf(settings(model, spec), curve);
    const at = scales(size);
    Object.assign(figure, { now, at });
    set(drawing, { viewBox: `0 0 ${size.width} ${at.height}` });
    plot.replaceChildren(svg("g", {}, picture(now, at)));
    place(grip, at.back(now.back), at.log(clamp(now.front[now.back], LOW, HIGH)));
    readout.replaceChildren(...[table(now), !now.live && spread(now)].filter(Boolean));
    el.classList.toggle("many", !now.live);
    follow();
    status.announce(
      `${now.back} steps back: ${now.rows.map(({ name, logs }) => `${name} ${spokenLog(logs[now.back])}`).join(", ")}.`,
    );
  }
  return keepDrawn(model, area, update);
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
  const others = [0, 3, 1].filter((other) => other !== bias).slice(0, 2);
  const share = live ? format(Math.round(100 * alpha) / 100) : "0.9";
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
function holdBias(figure) {
  const { model, drawing, grip } = figure;
  const { bias: spec } = meta.controls;
  const write = (bias) => {
    const step = Number((Math.round(bias / spec.step) * spec.step).toFixed(2));
    setAll(model, { bias: clamp(step, spec.min, spec.max) });
  };
  let held;
  draggable(grip, {
    surface: drawing,
    start: ({ y }) => (held = { y, bias: figure.now.bias }),
    move({ y }) {
      const { now, at } = figure;
      if (!now.live) return write(measuredAt(y, now, at));
      // The slope changes by the distance of the drag, divided by the steps back.
      const slope = ideal(held.bias) + (at.log.invert(y) - at.log.invert(held.y)) / now.back;
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
      `bias ${format(bias, 1)}: ${model.get("back")} steps back the gradient is ${size()}`,
  });
}

/** The bias of the measured network whose line is nearest to the pointer. */
function measuredAt(y, { when, back }, at) {
  const far = (bias) => Math.abs(at.log(measured(when, `lstm${bias}`)[1][back]) - y);
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
    narrow,
    em,
    font,
    left,
    right,
    top,
    bottom,
    height: bottom + 1.4 * em,
    back: linear([0, STEPS], [left, right]),
    log: linear([LOW, HIGH], [bottom, top]),
  };
}

/** A curve, up to the point where it leaves the axis. */
function path(logs, at) {
  let d = "";
  for (let k = 0; k <= STEPS; k++) {
    if (logs[k] < LOW) {
      const part = (LOW - logs[k - 1]) / (logs[k] - logs[k - 1]);
      return `${d}L${at.back(k - 1 + part).toFixed(1)} ${at.bottom}`;
    }
    d += `${k ? "L" : "M"}${at.back(k).toFixed(1)} ${at.log(Math.min(logs[k], HIGH)).toFixed(1)}`;
  }
  return d;
}

/** The area between the smallest and the largest of measured networks. */
function range({ low, high }, at) {
  const point = (log, k) => `${at.back(k).toFixed(1)} ${at.log(clamp(log, LOW, HIGH)).toFixed(1)}`;
  return `M${high.map(point).join("L")}L${low.map(point).reverse().join("L")}z`;
}

function picture({ live, rows, bias, back }, at) {
  const { left, right, top, bottom, em } = at;
  const alone = Array.from({ length: STEPS + 1 }, (_, k) => k * ideal(bias));
  return [
    rect(left, top, right - left, bottom - top, { class: "frame" }),
    svg("path", { class: "zero", d: `M${left} ${at.log(0)}H${right}` }),
    svg("path", { class: "cursor", d: `M${at.back(back)} ${top}V${bottom}` }),
    live
      ? svg("path", { class: "alone", d: path(alone, at) })
      : svg("path", { class: "range", d: range(rows.at(-1), at) }),
    rows.map(({ kind, logs }) => svg("path", { class: `curve ${kind}`, d: path(logs, at) })),
    [0, -5, -10].map((power) =>
      text(at, left - 0.4 * em, at.log(power), { class: "tick end" }, decade(power, at.font)),
    ),
    [0, at.narrow ? 20 : 30, STEPS].map((k) =>
      text(
        at,
        at.back(k),
        bottom + 0.85 * em,
        { class: k === STEPS ? "tick end" : "tick" },
        k === STEPS ? `${k} steps back` : String(k),
      ),
    ),
    text(
      at,
      left,
      top - 0.75 * em,
      { class: "title" },
      `size of the gradient${at.narrow ? "" : ", 1 at the last step"}`,
    ),
  ];
}

// ---- the table, which is also the legend

function table({ live, rows, bias, back }) {
  const sign = (kind) => swatch(40, 12, svg("path", { class: kind, d: "M1 6H39" }));
  const row = (kind, name, log) =>
    html(
      "tr",
      { class: kind },
      html("td", {}, sign(kind === "alone" ? kind : `curve ${kind}`)),
      html("th", { scope: "row" }, name),
      html("td", {}, fromLog(log)),
    );
  const sorted = [...rows].sort((p, q) => q.logs[back] - p.logs[back]);
  const far = `${back} ${back === 1 ? "step" : "steps"} back`;
  return html(
    "table",
    {},
    html("caption", {}, live ? far : `${far}, median of ${MEASURED.networks}`),
    sorted.map(({ kind, name, logs }) => row(kind, name, logs[back])),
    live && row("alone", [html("i", {}, "σ"), "(bias) alone"], back * ideal(bias)),
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
