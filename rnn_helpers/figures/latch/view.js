import { cross, frame, line, rule, ticksX, ticksY, title } from "../lib/chart.js";
import { drawingOf, html, italic, redraw, setSize, svg, text } from "../lib/dom.js";
import { figure, stage } from "../lib/figure.js";
import { draggable, keySlider, knob } from "../lib/handles.js";
import { said } from "../lib/linked.js";
import { decade, fromLog, raised } from "../lib/powers.js";
import { clamp, format, linear } from "../lib/scales.js";
import { place } from "../lib/shapes.js";
import { meta } from "./meta.js";
import { cobweb, compute, decades, factor, RUNS, STEPS, UNITS, verdict } from "./math.js";

/** Limits of the axes of the state. They are wider for a linear unit, because its state isn't bounded. */
const REACH = { tanh: 1.5, linear: 6 };
const RESULTS = { held: "Held", fading: "Fading", lost: "Lost" };

export const render = figure("latch", meta, ({ model, spec, save, reseed }) => {
  const plot = svg("g");
  const [slope, begin] = [knob(), knob()];
  const drawing = drawingOf("Map, runs and gradient", plot, slope, begin);
  const readout = html("div", { class: "readout" });
  const another = reseed("another run", {}, "run");
  const write = (key, value) => {
    const { step } = spec[key];
    save({ [key]: Number((Math.round(value / step) * step).toFixed(2)) });
  };
  const held = (node, key, label, text) =>
    keySlider(node, {
      ...{ label, min: spec[key].min, max: spec[key].max, step: spec[key].step, text },
      get: () => model.get(key),
      change: (value) => write(key, value),
    });

  let at; // scales of the drawing
  draggable(slope, {
    surface: drawing,
    move({ x, y }) {
      // The line rotates about the origin, and its slope stays positive.
      const [run, rise] = [Math.abs(x - at.map.x(0)), Math.abs(at.map.y(0) - y)];
      write("w", clamp(rise / Math.max(run, 1e-3), spec.w.min, spec.w.max));
    },
  });
  draggable(begin, { surface: drawing, move: ({ x }) => write("start", at.map.x.invert(x)) });

  return {
    parts: [stage(drawing, readout), ["unit", "w", "noise", another]],
    reveal: { unit: "linear", w: 1, noise: 0.2, start: 1 },
    follow: [
      held(slope, "w", "slope of the line: the weight w", (w) => `w = ${format(w)}`),
      held(begin, "start", "initial state", (start) => `start at ${format(start)}`),
    ],
    update(state, size) {
      const now = { ...state, ...compute(state) };
      at = scales(now, size);
      setSize(drawing, size.width, at.height);
      redraw(plot, map(now, at), runs(now, at), gradient(now, at));
      place(slope, ...onLine(now.w, at.map));
      place(begin, at.map.x(now.start), at.map.y(0));
      redraw(readout, words(now));
      readout.style = at.readout;
      return [
        said(readout),
        `A ${now.unit} unit has to hold a sign, with w = ${format(now.w)} and noise ${format(now.noise)}.`,
      ];
    },
  };
});

// ---- the drawing

/** The layout: the map on the left, and on the right the runs and the gradient over the same time. */
function scales({ unit, logs }, { width, em, room }) {
  const narrow = width < 30 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const margin = (narrow ? 3.2 : 2.6) * em;
  const gap = 1.4 * em; // space for the numbers of an axis
  const rows = Math.min(room - 4, 18.5) * em; // height of a wide drawing; the controls need the rest
  const side = narrow ? Math.min(width - margin - em, 15 * em) : 0.54 * rows;
  const top = 1.5 * em;
  const [left, right] = [narrow ? margin : margin + side + 4.4 * em, width - 0.6 * em];
  const y0 = narrow ? top + side + 3.6 * em : top;
  const y1 = y0 + (narrow ? 8 * em : side);
  const g0 = y1 + (narrow ? 1.6 : 1.9) * em;
  const g1 = narrow ? g0 + 6.5 * em : rows - gap;
  const reach = REACH[unit];
  const [low, high] = decades(logs);
  const chart = (left, right, top, bottom, x, y) => ({
    ...{ em, font, left, right, top, bottom, above: 0.7, below: 0.8 },
    x: linear(x, [left, right]),
    y: linear(y, [bottom, top]),
  });
  const both = [-reach, reach];
  return {
    ...{ narrow, em, reach, low, high, side },
    marks: [-1, 1].map((h) => h * (unit === "tanh" ? 1 : 4)), // numbers on the axes of the state
    map: { ...chart(margin, margin + side, top, top + side, both, both), below: 1.1 },
    runs: chart(left, right, y0, y1, [0, STEPS], both),
    back: chart(left, right, g0, g1, [0, STEPS], [low, high]),
    height: g1 + gap,
    readout: narrow
      ? ""
      : `position:absolute;left:0;width:${margin + side + em}px;top:${top + side + 1.9 * em}px`,
  };
}

/** The position of the handle on the line of slope w. */
function onLine(w, { x, y, left, right }) {
  const [angle, arm] = [Math.atan(w), 0.44 * (right - left)];
  return [x(0) + arm * Math.cos(angle), y(0) - arm * Math.sin(angle)];
}

/** The SVG text of h^(t), with more text after it. */
const state = (at, above, after) => [italic("h"), raised(`(${above})`, at.font, after)];

function map({ unit, w, start, attractor }, { map: at, runs, narrow, reach, marks, em, side }) {
  const { x, y, left, right, top, bottom } = at;
  const tanh = unit === "tanh";
  const wide = Math.min(reach, reach / w); // where the line w h leaves the frame
  const curve = Array.from({ length: 61 }, (_, i) => -reach + (i * reach) / 30);
  const web = cobweb(unit, w, start).map((point) => point.map((h) => clamp(h, -reach, reach)));
  const [hx, hy] = onLine(w, at);
  const fixed = tanh && w > 1 ? [-attractor, attractor] : [];
  const dot = (name, h) => svg("circle", { class: name, cx: x(h), cy: y(h), r: 0.3 * em });
  const straight = (name, wide, slope) =>
    line(
      at,
      [-wide, wide].map((h) => [h, slope * h]),
      name,
    );
  return [
    frame(at),
    cross(at, "zero"),
    straight("same", reach, 1),
    fixed.map((h) =>
      svg("path", { class: "pull", d: `M${x(h)} ${y(h)}H${narrow ? right : runs.right}` }),
    ),
    straight("line", wide, w),
    text(at, hx + 0.6 * em, hy - 0.25 * em, { class: "weight" }, italic("wh")),
    tanh &&
      line(
        at,
        curve.map((h) => [h, UNITS[unit].squash(w * h)]),
        "f",
      ),
    line(at, web, "web"),
    fixed.map((h) => dot("attracts", h)),
    tanh && dot(w > 1 ? "repels" : "attracts", 0),
    text(at, left + side / 2, bottom + 1.1 * em, { class: "axis" }, state(at, "t−1")),
    text(at, left - 0.3 * em, top - 0.7 * em, { class: "axis" }, state(at, "t")),
    marks.map((h) => [ticksY(at, [h], () => format(h, 0)), ticksX(at, [h], () => format(h, 0))]),
  ];
}

function runs({ all, h, lost, attractor }, { runs: at, narrow, reach, marks, em }) {
  const { x, y, right, bottom } = at;
  // Draw a run that leaves the frame along the edge.
  const clip = (value) => clamp(value, -reach, reach);
  const faint = Array.from({ length: 8 }, (_, k) =>
    all
      .filter((_, i) => i % 8 === k)
      .map((run) => {
        let d = "";
        for (let t = 0; t <= STEPS; t += 4)
          d += `${t ? "L" : "M"}${Math.round(x(t))} ${Math.round(y(clip(run[t])))}`;
        return d;
      })
      .join(""),
  );
  const half = 0.35 * em;
  return [
    frame(at),
    rule(at, 0),
    faint.map((d) => svg("path", { class: "runs", d })),
    narrow && attractor > 0 && [-attractor, attractor].map((h) => rule(at, h, "pull")),
    line(
      at,
      h.map((value, t) => [t, clip(value)]),
      "run",
    ),
    lost !== null && [
      svg("path", {
        class: "lost",
        d: `M${x(lost)} ${y(0)}m${-half} ${-half}l${2 * half} ${2 * half}m0 ${-2 * half}l${-2 * half} ${2 * half}`,
      }),
      text(
        at,
        Math.min(x(lost) + 0.6 * em, right - 9 * em),
        bottom - 0.8 * em,
        { class: "lost" },
        `sign lost at step ${lost}`,
      ),
    ],
    title(at, state(at, "t", ` in ${RUNS} noisy runs`), "axis start"),
    narrow && ticksY(at, marks, (h) => format(h, 0)),
  ];
}

function gradient({ logs }, { back: at, low, high, em }) {
  const apart = (power) => power === 0 || Math.abs(power) > 0.2 * (high - low);
  const shown = [...new Set([high, high > 0 && low < 0 ? 0 : (low + high) / 2, low])].filter(apart);
  return [
    frame(at),
    rule(at, 0),
    line(at, [...logs.entries()], "gradient"),
    ticksY(at, shown, (power) => decade(power, at.font)),
    title(
      at,
      ["∂", state(at, "t", " / ∂"), state(at, "0", " of the run in front")],
      "axis start gradient",
    ),
    ticksX(
      at,
      [0, 50, 100, 150, 200],
      (t) => t || "step 0",
      (t) => (t === STEPS ? "tick end" : "tick"),
    ),
    svg("circle", { class: "last", cx: at.right, cy: at.y(logs.at(-1)), r: 0.28 * em }),
  ];
}

// ---- the readout

const h = (above) => [html("i", {}, "h"), html("sup", {}, `(${above})`)];

function words({ unit, w, attractor, held, logs }) {
  const result = verdict(held);
  const rest = format(factor(unit, w, attractor));
  return [
    html("p", {}, html("b", { class: result }, RESULTS[result]), `: ${held} of ${RUNS} signs`),
    html(
      "p",
      {},
      "∂",
      h(STEPS),
      " / ∂",
      h(0),
      " = ",
      html("b", { class: "gradient" }, fromLog(logs.at(-1))),
    ),
    unit === "linear"
      ? html("p", {}, "Each step: ", html("i", {}, "w"), ` = ${rest}`)
      : html("p", {}, "At rest: ", html("i", {}, "w"), "(1 − ", html("i", {}, "h"), `²) = ${rest}`),
  ];
}
