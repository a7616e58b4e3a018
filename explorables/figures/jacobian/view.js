import { ramp } from "../../lib/colours.js";
import { controls, controlsOf, setAll, transport } from "../../lib/controls.js";
import { drawingOf, html, set, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { draggable, keySlider, knob } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { decade, fromLog, raised, spokenLog } from "../../lib/powers.js";
import { format, linear } from "../../lib/scales.js";
import { path, place, rect } from "../../lib/shapes.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import { meta } from "./meta.js";
import { cause, compute, decades, STEPS } from "./math.js";

const VERDICTS = {
  slopes: "Slopes make the gradient vanish.",
  weights: "Weights make the gradient vanish.",
  lives: "The gradient survives.",
  explodes: "The gradient grows.",
};

export function render({ model, el }) {
  const { controls: spec } = meta;
  const plot = svg("g");
  const cursor = knob();
  const drawing = drawingOf("The gradient through time", plot, cursor);
  const area = html("div", { class: "area" }, drawing);
  const readout = html("div", { class: "readout" });
  const status = live();
  const where = (back) => `${back} ${back === 1 ? "step" : "steps"} back`;
  const time = transport(model, "back", { ...spec.back, text: where, interval: 600 });
  el.classList.add("fig-jacobian");
  el.append(
    html("div", { class: "stage" }, area, readout),
    controls(controlsOf(model, spec, "net", "gain", "noise"), time),
    guess(meta.prediction, () => setAll(model, { net: "default", gain: 1, noise: 0.2 })),
    status,
  );

  const read = () => {
    const state = settings(model, spec);
    return { ...state, ...compute(state) };
  };
  let now = read();
  let at;
  const write = (back) => setAll(model, { back });
  // The handle's value is a state and not a number of steps back, so the left arrow key moves it left.
  const follow = keySlider(cursor, {
    label: "state that the gradient has reached",
    min: 0,
    max: STEPS - 1,
    get: () => STEPS - model.get("back"),
    change: (t) => write(STEPS - t),
    text: (t) => `${where(STEPS - t)}: the gradient is ${spokenLog(now.logs[t])}`,
  });

  draggable(cursor, {
    surface: drawing,
    move: ({ x }) => write(STEPS - Math.round(at.time.invert(x))),
  });
  function update(size) {
    now = read();
    at = scales(now, size);
    set(drawing, { viewBox: `0 0 ${size.width} ${at.height}` });
    plot.replaceChildren(band(now, at), curve(now, at), factors(now, at), slopes(now, at));
    const t = STEPS - now.back;
    place(cursor, at.time(t), at.log(now.logs[t]));
    readout.replaceChildren(...words(now));
    follow();
    const { label } = spec.net.options.find(({ value }) => value === now.net);
    status.announce(sentence(now), `Network: ${label}.`);
  }
  return keepDrawn(model, area, update, { clocks: [time] });
}

// ---- the drawing: three panels with a common time axis

function scales({ logs, parts }, { width, em, room }) {
  const narrow = width < 24 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const left = (narrow ? 3.1 : 3) * em;
  const right = width - 1.1 * em;
  const title = 1.5 * em;
  const free = Math.min(room - 5.7, 19) * em - 3 * title - 1.5 * em;
  const heights = [0.45, 0.31, 0.24].map((share) => share * free);
  let top = 0;
  const tops = heights.map((height) => {
    const here = top + title;
    top = here + height;
    return here;
  });
  const [low, high] = decades(logs);
  const each = parts.flatMap(({ slopes, weights }) => [slopes, weights]);
  const most = Math.max(1, Math.ceil(Math.max(...each) - 1e-9));
  const least = Math.min(-1, Math.floor(Math.min(...each) + 1e-9));
  return {
    narrow,
    em,
    font,
    left,
    right,
    tops,
    heights,
    low,
    high,
    most,
    least,
    height: top + 1.5 * em,
    time: linear([0, STEPS], [left, right]),
    log: linear([low, high], [tops[0] + heights[0], tops[0]]),
    factor: linear([least, most], [tops[1] + heights[1], tops[1]]),
  };
}

const frame = (at, i) =>
  rect(at.left, at.tops[i], at.right - at.left, at.heights[i], { class: "frame" });
const title = (at, i, kind, ...words) =>
  text(at, at.left, at.tops[i] - 0.7 * at.em, { class: `title ${kind}` }, words);
const state = (at, above, after) => [
  svg("tspan", { "font-style": "italic" }, "h"),
  raised(`(${above})`, at.font, after),
];

/** Mark the step at the cursor, from h^(t) back to h^(t-1), in all three panels. */
function band({ back }, at) {
  const t = STEPS - back;
  return rect(
    at.time(t),
    at.tops[0],
    at.time(1) - at.time(0),
    at.tops[2] + at.heights[2] - at.tops[0],
    { class: "band" },
  );
}

function curve({ logs, back }, at) {
  const { low, high, left, right, em } = at;
  const points = logs.map((value, t) => [at.time(t), at.log(value)]);
  const ticks = [...new Set([high, 0, low / 2, low])].filter(
    (power) => power === 0 || Math.abs(power) > 0.15 * (high - low),
  );
  return svg(
    "g",
    {},
    frame(at, 0),
    svg("path", { class: "zero", d: `M${left} ${at.log(0)}H${right}` }),
    svg("path", { class: "curve ahead", d: path(points.slice(0, STEPS - back + 1)) }),
    svg("path", { class: "curve", d: path(points.slice(STEPS - back)) }),
    logs.map((value, t) =>
      svg("circle", {
        class: t < STEPS - back ? "dot ahead" : "dot",
        cx: at.time(t),
        cy: at.log(value),
        r: 0.16 * em,
      }),
    ),
    text(at, right + 0.35 * em, at.log(0), { class: "loss" }, "L"),
    ticks.map((power) =>
      text(at, left - 0.4 * em, at.log(power), { class: "tick end" }, decade(power, at.font)),
    ),
    title(
      at,
      0,
      "gradient",
      at.narrow ? "size of ∂" : "size of the gradient ∂",
      svg("tspan", { "font-style": "italic" }, "L"),
      " / ∂",
      state(at, "t", at.narrow ? "" : ", 1 at the loss"),
    ),
  );
}

function factors({ parts }, at) {
  const { left, right, em, least } = at;
  const wide = (at.time(1) - at.time(0)) * 0.4;
  const bar = (kind, x, value) =>
    rect(x, at.factor(Math.max(value, 0)), wide, Math.abs(at.factor(value) - at.factor(0)), {
      class: kind,
    });
  const key = (words, kind) => svg("tspan", { class: kind }, words);
  return svg(
    "g",
    {},
    frame(at, 1),
    parts.map(({ slopes, weights }, t) => [
      // Time runs backward here, and the slopes come first, so their bar is on the right.
      bar("by-weights", at.time(t + 0.5) - wide, weights),
      bar("by-slopes", at.time(t + 0.5), slopes),
    ]),
    svg("path", { class: "one", d: `M${left} ${at.factor(0)}H${right}` }),
    [0, least].map((power) =>
      text(
        at,
        left - 0.4 * em,
        at.factor(power),
        { class: "tick end" },
        "×",
        decade(power, at.font),
      ),
    ),
    title(
      at,
      1,
      "",
      at.narrow ? "per step: " : "each step multiplies by ",
      key("slopes", "by-slopes"),
      at.narrow ? " and " : " and by ",
      key("weights", "by-weights"),
    ),
  );
}

function slopes({ states, back }, at) {
  const { left, em } = at;
  const [top, height] = [at.tops[2], at.heights[2]];
  const units = states[0].slopes.length;
  const [wide, high] = [at.time(1) - at.time(0), height / units];
  return svg(
    "g",
    {},
    states.map((now, t) =>
      now.slopes.map((slope, i) =>
        rect(at.time(t), top + i * high, wide + 0.3, high + 0.3, {
          style: `fill:${ramp("amount", slope)}`,
        }),
      ),
    ),
    frame(at, 2),
    rect(at.time(STEPS - back), top, wide, height, { class: "chosen" }),
    text(at, left - 0.4 * em, top + high / 2, { class: "tick end" }, "1"),
    text(at, left - 0.4 * em, top + height - high / 2, { class: "tick end" }, String(units)),
    title(
      at,
      2,
      "by-slopes",
      "slopes 1 − ",
      svg("tspan", { "font-style": "italic" }, "h"),
      at.narrow ? "² (blank: 0)" : "² of the units (blank: 0)",
    ),
    [0, 6, 12, 18, STEPS].map((t) =>
      text(at, at.time(t), top + height + 0.85 * em, { class: "tick" }, t ? String(t) : "step 0"),
    ),
  );
}

// ---- the readout

const sup = (above) => [html("i", {}, "h"), html("sup", {}, `(${above})`)];

function words(now) {
  const { back, logs, parts, states } = now;
  const t = STEPS - back + 1;
  const { slopes, weights } = parts[t - 1];
  const row = (kind, name, value, total) =>
    html(
      "tr",
      { class: total ? "total" : "" },
      html("th", { scope: "row", class: kind }, name),
      html("td", {}, value),
    );
  const times = (log) => ["× ", fromLog(log, 1)];
  return [
    html("p", { class: `verdict ${cause(now)}` }, VERDICTS[cause(now)]),
    html(
      "table",
      {},
      html("caption", {}, `All ${STEPS} steps`),
      row("by-slopes", "slopes", times(now.slopes)),
      row("by-weights", "weights", times(now.weights)),
      row("gradient", "gradient", fromLog(now.total, 1), true),
    ),
    html(
      "table",
      {},
      html("caption", {}, "From ", sup(t), " back to ", sup(t - 1)),
      row("by-slopes", "slopes", times(slopes)),
      row("by-weights", "weights", times(weights)),
      row("gradient", "so far", fromLog(logs[t - 1], 1), true),
    ),
    units(states[t - 1].slopes),
    html("p", { class: "key", "aria-hidden": "true" }, "slopes here (0 to 1)"),
  ];
}

/** The same for screen readers. */
function sentence(now) {
  const { back, logs, parts } = now;
  const t = STEPS - back + 1;
  const factors = ({ slopes, weights }) =>
    `the slopes multiply the gradient by ${spokenLog(slopes)}, and the weights by ${spokenLog(weights)}`;
  return (
    `${VERDICTS[cause(now)]} In all ${STEPS} steps, ${factors(now)}; ${spokenLog(now.total)} is left. ` +
    `From h(${t}) back to h(${t - 1}), ${factors(parts[t - 1])}; so far ${spokenLog(logs[t - 1])} is left.`
  );
}

/** Bars for the slopes of the units at the cursor, between 0 and 1. */
function units(slopes) {
  const width = 100 / slopes.length;
  return html(
    "div",
    {
      class: "units",
      role: "img",
      "aria-label": `slopes of the units: ${slopes.map((slope) => format(slope)).join(", ")}`,
    },
    slopes.map((slope) =>
      html("span", {
        class: "uf-fill",
        style: `height:${(100 * slope).toFixed(1)}%;width:${(0.8 * width).toFixed(1)}%`,
      }),
    ),
  );
}
