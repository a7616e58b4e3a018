import { cells, frame, line, rule, ticksX, ticksY, title } from "../lib/chart.js";
import { ramp } from "../lib/colours.js";
import { transport } from "../lib/controls.js";
import { html, italic, redraw, svg, tableRow, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { draggable, keySlider, knob } from "../lib/handles.js";
import { decade, fromLog, raised, spokenLog } from "../lib/powers.js";
import { counted, format, linear } from "../lib/scales.js";
import { place, rect } from "../lib/shapes.js";
import { meta } from "./meta.js";
import { cause, compute, decades, STEPS } from "./math.js";

const VERDICTS = {
  slopes: "Slopes make the gradient vanish.",
  weights: "Weights make the gradient vanish.",
  lives: "The gradient survives.",
  explodes: "The gradient grows.",
};

export const render = figure("jacobian", meta, ({ model, spec, save }) => {
  const grip = knob();
  const area = areaOf("The gradient through time", grip);
  const readout = html("div", { class: "readout" });
  const where = (back) => `${counted(back, "step")} back`;
  const time = transport(model, "back", { ...spec.back, text: where, interval: 600 });
  let now, at;
  const write = (back) => save({ back });
  // The handle's value is a state and not a number of steps back, so the left arrow key moves it left.
  const held = keySlider(grip, {
    label: "state that the gradient has reached",
    min: 0,
    max: STEPS - 1,
    get: () => STEPS - model.get("back"),
    change: (t) => write(STEPS - t),
    text: (t) => `${where(STEPS - t)}: the gradient is ${now ? spokenLog(now.logs[t]) : ""}`,
  });
  draggable(grip, {
    surface: area.drawing,
    move: ({ x }) => write(STEPS - Math.round(at.x.invert(x))),
  });
  return {
    parts: [stage(area, readout), ["net", "gain", "noise", time]],
    reveal: { net: "default", gain: 1, noise: 0.2 },
    follow: [time, held],
    update(state, size) {
      now = { ...state, ...compute(state) };
      at = scales(now, size);
      const t = STEPS - now.back;
      area.draw(size, at, band(now, at), curve(now, at), factors(now, at), slopes(now, at));
      place(grip, at.x(t), at.curve.y(now.logs[t]));
      redraw(readout, words(now));
      const { label } = spec.net.options.find(({ value }) => value === now.net);
      return [sentence(now), `The chosen network is called “${label}”.`];
    },
  };
});

// ---- the drawing: three panels with a common time axis

function scales({ logs, parts, states }, { width, em, room }) {
  const narrow = width < 24 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const [left, right] = [(narrow ? 3.1 : 3) * em, width - 1.1 * em];
  const space = 1.5 * em; // for a title
  const free = Math.min(room - 5.7, 19) * em - 3 * space - 1.5 * em;
  const x = linear([0, STEPS], [left, right]);
  let end = 0;
  const panel = (share, domain) => {
    const top = end + space;
    end = top + share * free;
    const y = linear(domain, [end, top]);
    return { em, font, left, right, top, bottom: end, above: 0.7, x, y };
  };
  const [low, high] = decades(logs);
  const each = parts.flatMap(({ slopes, weights }) => [slopes, weights]);
  const most = Math.max(1, Math.ceil(Math.max(...each) - 1e-9));
  const least = Math.min(-1, Math.floor(Math.min(...each) + 1e-9));
  return {
    ...{ narrow, em, font, x, low, high, least },
    curve: panel(0.45, [low, high]),
    factors: panel(0.31, [least, most]),
    slopes: panel(0.24, [states[0].slopes.length, 0]),
    height: end + 1.5 * em,
  };
}

/** The SVG text of h^(above), with more text after it. */
const state = (at, above, after) => [italic("h"), raised(`(${above})`, at.font, after)];

/** Mark the step at the cursor, from h^(t) back to h^(t-1), in all three panels. */
function band({ back }, { x, curve, slopes }) {
  const high = slopes.bottom - curve.top;
  return rect(x(STEPS - back), curve.top, x(1) - x(0), high, { class: "band" });
}

function curve({ logs, back }, { narrow, low, high, curve: at }) {
  const { x, y, right, em } = at;
  const points = [...logs.entries()];
  const powers = [...new Set([high, 0, low / 2, low])].filter(
    (power) => power === 0 || Math.abs(power) > 0.15 * (high - low),
  );
  return [
    frame(at),
    rule(at, 0),
    line(at, points.slice(0, STEPS - back + 1), "curve ahead"),
    line(at, points.slice(STEPS - back), "curve"),
    points.map(([t, log]) =>
      svg("circle", {
        class: t < STEPS - back ? "dot ahead" : "dot",
        ...{ cx: x(t), cy: y(log), r: 0.16 * em },
      }),
    ),
    text(at, right + 0.35 * em, y(0), { class: "loss" }, "L"),
    ticksY(at, powers, (power) => decade(power, at.font)),
    title(
      at,
      [
        ...[narrow ? "size of ∂" : "size of the gradient ∂", italic("L"), " / ∂"],
        state(at, "t", narrow ? "" : ", 1 at the loss"),
      ],
      "title gradient",
    ),
  ];
}

function factors({ parts }, { narrow, least, factors: at }) {
  const { x, y } = at;
  const wide = (x(1) - x(0)) * 0.4;
  const bar = (name, left, value) =>
    rect(left, y(Math.max(value, 0)), wide, Math.abs(y(value) - y(0)), { class: name });
  const key = (words, name) => svg("tspan", { class: name }, words);
  return [
    frame(at),
    parts.map(({ slopes, weights }, t) => [
      // Time runs backward here, and the slopes come first, so their bar is on the right.
      bar("by-weights", x(t + 0.5) - wide, weights),
      bar("by-slopes", x(t + 0.5), slopes),
    ]),
    rule(at, 0, "one"),
    ticksY(at, [0, least], (power) => ["×", decade(power, at.font)]),
    title(
      at,
      [
        ...[narrow ? "per step: " : "each step multiplies by ", key("slopes", "by-slopes")],
        ...[narrow ? " and " : " and by ", key("weights", "by-weights")],
      ],
      "title ",
    ),
  ];
}

/** The slope of each unit at each step: a column for a step, and a row for a unit. */
function slopes({ states, back }, { narrow, slopes: at }) {
  const { x, y, top, bottom } = at;
  const units = states[0].slopes.length;
  const look = (slope) => ({ style: `fill:${ramp("amount", slope)}` });
  const [wide, high] = [x(1) - x(0), bottom - top];
  return [
    states.map((now, t) =>
      cells(
        { x: (j) => x(t + j), y },
        now.slopes.map((slope) => [slope]),
        look,
        -0.3,
      ),
    ),
    frame(at),
    rect(x(STEPS - back), top, wide, high, { class: "chosen" }),
    ticksY({ ...at, y: (unit) => y(unit - 0.5) }, [1, units]),
    title(
      at,
      ["slopes 1 − ", italic("h"), narrow ? "² (blank: 0)" : "² of the units (blank: 0)"],
      "title by-slopes",
    ),
    ticksX(at, [0, 6, 12, 18, STEPS], (t) => t || "step 0"),
  ];
}

// ---- the readout

const sup = (above) => [html("i", {}, "h"), html("sup", {}, `(${above})`)];

function words(now) {
  const { back, logs, parts, states } = now;
  const t = STEPS - back + 1;
  const { slopes, weights } = parts[t - 1];
  const row = (kind, name, value, total) =>
    tableRow(
      { class: total ? "total" : "" },
      html("th", { scope: "row", class: kind }, name),
      value,
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
