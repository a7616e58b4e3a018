import { control, controls, setAll } from "../../lib/controls.js";
import { drawingOf, html, set, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { draggable, keySlider, knob } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { decade, fromLog, spokenLog } from "../../lib/powers.js";
import { clamp, format, linear } from "../../lib/scales.js";
import { place, rect } from "../../lib/shapes.js";
import { keepDrawn } from "../../lib/stage.js";
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
  const [leak, back] = ["alpha", "back"].map((key) => control(model, key, spec[key]));
  const status = live();
  el.classList.add("fig-highway");
  el.append(
    html("div", { class: "stage" }, area, readout),
    controls(...["when", "bias"].map((key) => control(model, key, spec[key])), leak, back),
    guess(meta.prediction, () => setAll(model, { when: "one", bias: 3, back: 50 })),
    status,
  );

  const still = new Map(); // curves that no control moves, or that have not moved
  const curve = (kind, number) => {
    const key = `${kind} ${number}`;
    const fixed = kind !== "lstm" && kind !== "leaky";
    if (!still.has(key)) still.set(key, reach(kind, number));
    if (still.size > 12 && !fixed)
      for (const old of [...still.keys()].slice(5, -3)) still.delete(old);
    return still.get(key);
  };
  const read = () => {
    const [when, alpha, back] = ["when", "alpha", "back"].map((key) => model.get(key));
    const live = when === "one";
    const bias = live ? Math.round(10 * model.get("bias")) / 10 : nearest(model.get("bias"));
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
  };
  let now;
  let at;
  let held;
  const write = (key, value) => {
    const { min, max, step = 1 } = spec[key];
    model.set(key, clamp(Number((Math.round(value / step) * step).toFixed(2)), min, max));
    model.save_changes();
  };
  draggable(grip, {
    surface: drawing,
    start: ({ y }) => (held = { y, bias: now.bias }),
    move({ y }) {
      if (!now.live) {
        // The network measured whose line is nearest to the hand.
        const far = (bias) => Math.abs(at.log(measured(now.when, `lstm${bias}`)[1][now.back]) - y);
        return write(
          "bias",
          BIASES.reduce((p, q) => (far(q) < far(p) ? q : p)),
        );
      }
      // As much steeper or flatter as the hand went, over the distance where it holds the line.
      const slope = ideal(held.bias) + (at.log.invert(y) - at.log.invert(held.y)) / now.back;
      write("bias", biasOf(slope));
    },
  });
  /** The bias measured that a key asks for: the nearest, or the next that way. */
  const beyond = (bias) => {
    if (nearest(bias) !== now.bias) return nearest(bias);
    const others = BIASES.filter((other) => (other - now.bias) * (bias - now.bias) > 0);
    return others.length ? (bias > now.bias ? Math.min : Math.max)(...others) : now.bias;
  };
  const follow = keySlider(grip, {
    label: "forget bias",
    min: spec.bias.min,
    max: spec.bias.max,
    step: spec.bias.step,
    get: () => now?.bias ?? model.get("bias"),
    change: (bias) => write("bias", now.live ? bias : beyond(bias)),
    text: (bias) =>
      `bias ${format(bias, 1)}: ${model.get("back")} steps back the gradient is ${spokenLog(now?.front[model.get("back")] ?? 0)}`,
  });
  function update(size) {
    now = read();
    at = scales(size);
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

/** A curve, up to where it leaves the axis. */
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

/** From the least to the largest of networks measured. */
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

// ---- the table, which is the key too

function table({ live, rows, bias, back }) {
  const swatch = (kind) =>
    svg(
      "svg",
      { viewBox: "0 0 40 12", class: "swatch", "aria-hidden": "true" },
      svg("path", { class: kind, d: "M1 6H39" }),
    );
  const row = (kind, name, log) =>
    html(
      "tr",
      { class: kind },
      html("td", {}, swatch(kind === "alone" ? kind : `curve ${kind}`)),
      html("th", { scope: "row" }, name),
      html("td", {}, fromLog(log)),
    );
  const sorted = [...rows].sort((p, q) => q.logs[back] - p.logs[back]);
  const far = `${back} ${back === 1 ? "step" : "steps"} back`;
  return html(
    "table",
    {},
    html("caption", {}, live ? far : `${far}, middle of ${MEASURED.networks}`),
    sorted.map(({ kind, name, logs }) => row(kind, name, logs[back])),
    live && row("alone", [html("i", {}, "σ"), "(bias) alone"], back * ideal(bias)),
  );
}

/** How far the networks measured lie apart: those in hand, and those that do most. */
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
