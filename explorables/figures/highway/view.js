import { guess } from "../../lib/guess.js";
import {
  clamp,
  control,
  controls,
  draggable,
  format,
  html,
  keySlider,
  knob,
  linear,
  live,
  place,
  responsive,
  set,
  svg,
} from "../../lib/index.js";
import { decade, fromLog, spokenLog } from "../../lib/powers.js";
import { meta } from "./index.js";
import { biasOf, ideal, reach, STEPS } from "./math.js";

const [LOW, HIGH] = [-14, 2]; // powers of ten of the axis

export function render({ model, el }) {
  const { controls: spec } = meta;
  const plot = svg("g");
  const grip = knob();
  const drawing = svg(
    "svg",
    { class: "uf-drawing", role: "group", "aria-label": "The size of the gradient by distance" },
    ...[plot, grip],
  );
  const area = html("div", { class: "area" }, drawing);
  const told = html("div", { class: "told" });
  const say = live();
  el.classList.add("fig-highway");
  el.append(
    html("div", { class: "stage" }, area, told),
    controls(...["bias", "alpha", "back"].map((key) => control(model, key, spec[key]))),
    guess(meta.prediction, () =>
      Object.entries({ bias: 3, back: 50 }).forEach((pair) => model.set(...pair)),
    ),
    say,
  );

  const still = new Map(); // curves that no control moves, or that have not moved
  const curve = (kind, number) => {
    const key = `${kind} ${number}`;
    const fixed = kind !== "lstm" && kind !== "leaky";
    if (!still.has(key)) still.set(key, reach(kind, number));
    if (still.size > 12 && !fixed) for (const old of [...still.keys()].slice(5, -3)) still.delete(old);
    return still.get(key);
  };
  const read = () => {
    const [bias, alpha, back] = ["bias", "alpha", "back"].map((key) => model.get(key));
    const rows = [
      { kind: "rnn", name: "plain RNN", logs: curve("rnn", 0) },
      { kind: "gru", name: "GRU", logs: curve("gru", 0) },
      { kind: "orthogonal", name: "orthogonal RNN", logs: curve("orthogonal", 0) },
      { kind: "ghost", name: "LSTM, bias 0", logs: curve("lstm", 0) },
      { kind: "ghost", name: "LSTM, bias 3", logs: curve("lstm", 3) },
      { kind: "leaky", name: `leaky, α = ${format(Math.round(100 * alpha) / 100)}`, logs: curve("leaky", alpha) },
      { kind: "lstm", name: `LSTM, bias ${format(Math.round(10 * bias) / 10, 1)}`, logs: curve("lstm", bias) },
    ];
    return { bias, alpha, back, rows, front: rows.at(-1).logs };
  };
  let now;
  let at;
  let size;
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
      // As much steeper or flatter as the hand went, over the distance where it holds the line.
      const slope = ideal(held.bias) + (at.log.invert(y) - at.log.invert(held.y)) / now.back;
      write("bias", biasOf(slope));
    },
  });
  const follow = keySlider(grip, {
    ...{ label: "forget bias", min: spec.bias.min, max: spec.bias.max, step: spec.bias.step },
    get: () => model.get("bias"),
    change: (bias) => write("bias", bias),
    text: (bias) =>
      `bias ${format(bias, 1)}: ${model.get("back")} steps back the gradient is ${spokenLog(now?.front[model.get("back")] ?? 0)}`,
  });
  function update() {
    now = read();
    at = scales(size);
    set(drawing, { viewBox: `0 0 ${size.width} ${at.height}` });
    plot.replaceChildren(svg("g", {}, picture(now, at)));
    place(grip, at.back(now.back), at.log(clamp(now.front[now.back], LOW, HIGH)));
    told.replaceChildren(table(now));
    follow();
    say.say(
      `${now.back} steps back: ${now.rows.map(({ name, logs }) => `${name} ${spokenLog(logs[now.back])}`).join(", ")}.`,
    );
  }
  model.on("change", update);
  return responsive(area, (next) => {
    size = next;
    update();
  });
}

// ---- the drawing

function scales({ width, em, room }) {
  const narrow = width < 24 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const [left, right, top] = [2.9 * em, width - 0.9 * em, 1.5 * em];
  const bottom = Math.min(room - 4.2, 17) * em - 1.4 * em;
  return {
    ...{ narrow, em, font, left, right, top, bottom, height: bottom + 1.4 * em },
    back: linear([0, STEPS], [left, right]),
    log: linear([LOW, HIGH], [bottom, top]),
  };
}

const text = (at, x, y, attributes, ...words) =>
  svg("text", { x, y: y + 0.35 * at.font, "font-size": at.font, ...attributes }, words);

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

function picture({ rows, bias, back }, at) {
  const { left, right, top, bottom, em } = at;
  const alone = Array.from({ length: STEPS + 1 }, (_, k) => k * ideal(bias));
  return [
    svg("rect", { class: "frame", x: left, y: top, width: right - left, height: bottom - top }),
    svg("path", { class: "zero", d: `M${left} ${at.log(0)}H${right}` }),
    svg("path", { class: "cursor", d: `M${at.back(back)} ${top}V${bottom}` }),
    svg("path", { class: "alone", d: path(alone, at) }),
    rows.map(({ kind, logs }) => svg("path", { class: `curve ${kind}`, d: path(logs, at) })),
    [0, -5, -10].map((power) =>
      text(at, left - 0.4 * em, at.log(power), { class: "tick end" }, decade(power, at.font)),
    ),
    (at.narrow ? [0, 20, STEPS] : [0, 20, 40, STEPS]).map((k) =>
      text(at, at.back(k), bottom + 0.85 * em, { class: k === STEPS ? "tick end" : "tick" },
        k === STEPS ? `${k} steps back` : String(k)),
    ),
    text(at, left, top - 0.75 * em, { class: "title" }, `size of the gradient${at.narrow ? "" : ", 1 at the last step"}`),
  ];
}

// ---- the table, which is the key too

function table({ rows, bias, back }) {
  const swatch = (kind) =>
    svg("svg", { viewBox: "0 0 40 12", class: "swatch", "aria-hidden": "true" }, svg("path", { class: kind, d: "M1 6H39" }));
  const row = (kind, name, log) =>
    html("tr", { class: kind }, html("td", {}, swatch(kind === "alone" ? kind : `curve ${kind}`)), html("th", { scope: "row" }, name), html("td", {}, fromLog(log)));
  const sorted = [...rows].sort((p, q) => q.logs[back] - p.logs[back]);
  return html(
    "table",
    {},
    html("caption", {}, `${back} ${back === 1 ? "step" : "steps"} back`),
    sorted.map(({ kind, name, logs }) => row(kind, name, logs[back])),
    row("alone", [html("i", {}, "σ"), "(bias) alone"], back * ideal(bias)),
  );
}
