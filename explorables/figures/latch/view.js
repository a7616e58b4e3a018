import { button, controls, controlsOf, setAll } from "../../lib/controls.js";
import { drawingOf, html, set, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { draggable, keySlider, knob } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { decade, fromLog, raised } from "../../lib/powers.js";
import { format, linear } from "../../lib/scales.js";
import { path, place } from "../../lib/shapes.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import { meta } from "./meta.js";
import { cobweb, compute, decades, factor, RUNS, STEPS, UNITS, verdict } from "./math.js";

/** Limits of the axes of the state. They are wider for a linear unit, because its state isn't bounded. */
const REACH = { tanh: 1.5, linear: 6 };
const RESULTS = { held: "Held", fading: "Fading", lost: "Lost" };

export function render({ model, el }) {
  const { controls: spec } = meta;
  const plot = svg("g");
  const [line, begin] = [knob(), knob()];
  const drawing = drawingOf("Map, runs and gradient");
  drawing.append(plot, line, begin);
  const readout = html("div", { class: "readout" });
  const status = live();
  const another = button("another run", () =>
    setAll(model, { run: (model.get("run") % RUNS) + 1 }),
  );
  el.classList.add("fig-latch");
  el.append(
    html("div", { class: "stage" }, drawing, readout),
    controls(controlsOf(model, spec, "unit", "w", "noise"), another),
    guess(meta.prediction, () => setAll(model, { unit: "linear", w: 1, noise: 0.2, start: 1 })),
    status,
  );

  const held = (key, label, text) => ({
    label,
    min: spec[key].min,
    max: spec[key].max,
    step: spec[key].step,
    text,
    get: () => model.get(key),
    change: (value) => write(key, value),
  });
  const write = (key, value) => {
    model.set(key, Number((Math.round(value / spec[key].step) * spec[key].step).toFixed(2)));
    model.save_changes();
  };
  const follow = [
    keySlider(
      line,
      held("w", "slope of the line: the weight w", (w) => `w = ${format(w)}`),
    ),
    keySlider(
      begin,
      held("start", "initial state", (start) => `start at ${format(start)}`),
    ),
  ];

  let at; // scales of the drawing
  draggable(line, {
    surface: drawing,
    move({ x, y }) {
      // The line rotates about the origin, and its slope stays positive.
      const [run, rise] = [Math.abs(x - at.from(0)), Math.abs(at.to(0) - y)];
      write("w", Math.min(Math.max(rise / Math.max(run, 1e-3), spec.w.min), spec.w.max));
    },
  });
  draggable(begin, { surface: drawing, move: ({ x }) => write("start", at.from.invert(x)) });

  function update(size) {
    const state = settings(model, spec);
    const now = { ...state, ...compute(state) };
    at = scales(now, size);
    set(drawing, { viewBox: `0 0 ${size.width} ${at.height}` });
    plot.replaceChildren(map(now, at), runs(now, at), gradient(now, at));
    place(line, ...onLine(now.w, at));
    place(begin, at.from(now.start), at.to(0));
    readout.replaceChildren(...words(now));
    readout.style = at.readout;
    follow.forEach((refresh) => refresh());
    status.announce(readout.textContent);
  }
  return keepDrawn(model, el.firstChild, update);
}

// ---- the drawing

/** The layout: the map on the left, and on the right the runs and the gradient over the same time. */
function scales({ unit, logs }, { width, em, room }) {
  const narrow = width < 30 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const margin = (narrow ? 3.2 : 2.6) * em;
  const gap = 1.4 * em; // space for the numbers of an axis
  const rows = Math.min(room - 4, 18.5) * em; // height of a wide drawing; the controls need the rest
  const side = narrow ? Math.min(width - margin - em, 15 * em) : 0.54 * rows;
  const [left, top] = [margin, 1.5 * em];
  const x0 = narrow ? margin : left + side + 3.6 * em;
  const x1 = width - 0.6 * em;
  const y0 = narrow ? top + side + 3.6 * em : top;
  const runs = narrow ? 8 * em : side;
  const g0 = y0 + runs + (narrow ? 1.6 : 1.9) * em;
  const g1 = narrow ? g0 + 6.5 * em : rows - gap;
  const reach = REACH[unit];
  const [low, high] = decades(logs);
  return {
    narrow,
    width,
    em,
    font,
    left,
    top,
    side,
    x0,
    x1,
    y0,
    runs,
    g0,
    g1,
    reach,
    low,
    high,
    height: g1 + gap,
    from: linear([-reach, reach], [left, left + side]),
    to: linear([-reach, reach], [top + side, top]),
    h: linear([-reach, reach], [y0 + runs, y0]),
    time: linear([0, STEPS], [x0, x1]),
    log: linear([low, high], [g1, g0]),
    readout: narrow
      ? ""
      : `position:absolute;left:0;width:${left + side + em}px;top:${top + side + 1.9 * em}px`,
  };
}

/** The position of the handle on the line of slope w. */
function onLine(w, { from, to, side }) {
  const [angle, arm] = [Math.atan(w), 0.44 * side];
  return [from(0) + arm * Math.cos(angle), to(0) - arm * Math.sin(angle)];
}

const rect = (x, y, width, height) => svg("rect", { class: "frame", x, y, width, height });
/** The SVG text of h^(t), with more text after it. */
const state = (at, above, after) => [
  svg("tspan", { "font-style": "italic" }, "h"),
  raised(`(${above})`, at.font, after),
];

function map(now, at) {
  const { unit, w, start, attractor } = now;
  const { left, top, side, reach, from, to, em } = at;
  const clip = (x) => Math.max(Math.min(x, reach), -reach);
  const wide = Math.min(reach, reach / w); // where the line w h leaves the frame
  const curve = Array.from({ length: 61 }, (_, i) => -reach + (i * reach) / 30).map((h) => [
    h,
    UNITS[unit].squash(w * h),
  ]);
  const web = cobweb(unit, w, start).map(([x, y]) => [from(clip(x)), to(clip(y))]);
  const [hx, hy] = onLine(w, at);
  const fixed = unit === "tanh" && w > 1 ? [-attractor, attractor] : [];
  return svg(
    "g",
    {},
    rect(left, top, side, side),
    svg("path", { class: "zero", d: `M${left} ${to(0)}h${side}M${from(0)} ${top}v${side}` }),
    svg("path", {
      class: "same",
      d: path([
        [from(-reach), to(-reach)],
        [from(reach), to(reach)],
      ]),
    }),
    fixed.map((h) =>
      svg("path", { class: "pull", d: `M${from(h)} ${to(h)}H${at.narrow ? left + side : at.x1}` }),
    ),
    svg("path", {
      class: "line",
      d: path([
        [from(-wide), to(-wide * w)],
        [from(wide), to(wide * w)],
      ]),
    }),
    text(
      at,
      hx + 0.6 * em,
      hy - 0.25 * em,
      { class: "weight" },
      svg("tspan", { "font-style": "italic" }, "wh"),
    ),
    unit === "tanh" &&
      svg("path", { class: "f", d: path(curve.map(([h, f]) => [from(h), to(f)])) }),
    svg("path", { class: "web", d: path(web) }),
    fixed.map((h) => svg("circle", { class: "attracts", cx: from(h), cy: to(h), r: 0.3 * em })),
    unit === "tanh" &&
      svg("circle", { class: w > 1 ? "repels" : "attracts", cx: from(0), cy: to(0), r: 0.3 * em }),
    text(at, left + side / 2, top + side + 1.1 * em, { class: "axis" }, state(at, "t−1")),
    text(at, left - 0.3 * em, top - 0.7 * em, { class: "axis" }, state(at, "t")),
    [-1, 1]
      .map((h) => h * (unit === "tanh" ? 1 : 4))
      .flatMap((h) => [
        text(at, left - 0.4 * em, to(h), { class: "tick end" }, format(h, 0)),
        text(at, from(h), top + side + 1.1 * em, { class: "tick" }, format(h, 0)),
      ]),
  );
}

function runs(now, at) {
  const { all, h, lost, unit, attractor } = now;
  const { x0, x1, y0, runs, reach, em } = at;
  // Draw a run that leaves the frame along the edge.
  const clip = (x) => Math.max(Math.min(x, reach), -reach);
  const y = (value) => Math.round(at.h(clip(value)));
  const faint = Array.from({ length: 8 }, (_, k) =>
    all
      .filter((_, i) => i % 8 === k)
      .map((run) => {
        let d = "";
        for (let t = 0; t <= STEPS; t += 4)
          d += `${t ? "L" : "M"}${Math.round(at.time(t))} ${y(run[t])}`;
        return d;
      })
      .join(""),
  );
  return svg(
    "g",
    {},
    rect(x0, y0, x1 - x0, runs),
    svg("path", { class: "zero", d: `M${x0} ${at.h(0)}H${x1}` }),
    faint.map((d) => svg("path", { class: "runs", d })),
    at.narrow &&
      attractor > 0 &&
      [-attractor, attractor].map((h) =>
        svg("path", { class: "pull", d: `M${x0} ${at.h(h)}H${x1}` }),
      ),
    svg("path", { class: "run", d: path(h.map((value, t) => [at.time(t), at.h(clip(value))])) }),
    lost !== null && [
      svg("path", {
        class: "lost",
        d: `M${at.time(lost)} ${at.h(0)}m${-0.35 * em} ${-0.35 * em}l${0.7 * em} ${0.7 * em}m0 ${-0.7 * em}l${-0.7 * em} ${0.7 * em}`,
      }),
      text(
        at,
        Math.min(at.time(lost) + 0.6 * em, x1 - 9 * em),
        y0 + runs - 0.8 * em,
        { class: "lost" },
        `sign lost at step ${lost}`,
      ),
    ],
    text(at, x0, y0 - 0.7 * em, { class: "axis start" }, state(at, "t", ` in ${RUNS} noisy runs`)),
    at.narrow &&
      [-1, 1]
        .map((h) => h * (unit === "tanh" ? 1 : 4))
        .map((h) => text(at, x0 - 0.4 * em, at.h(h), { class: "tick end" }, format(h, 0))),
  );
}

function gradient(now, at) {
  const { logs } = now;
  const { x0, x1, g0, g1, low, high, em } = at;
  const last = logs.at(-1);
  const apart = (power) => power === 0 || Math.abs(power) > 0.2 * (high - low);
  const shown = [...new Set([high, high > 0 && low < 0 ? 0 : (low + high) / 2, low])].filter(apart);
  const y = at.log(last);
  return svg(
    "g",
    {},
    rect(x0, g0, x1 - x0, g1 - g0),
    svg("path", { class: "zero", d: `M${x0} ${at.log(0)}H${x1}` }),
    svg("path", {
      class: "gradient",
      d: path(logs.map((value, t) => [at.time(t), at.log(value)])),
    }),
    shown.map((power) =>
      text(at, x0 - 0.4 * em, at.log(power), { class: "tick end" }, decade(power, at.font)),
    ),
    text(
      at,
      x0,
      g0 - 0.7 * em,
      { class: "axis start gradient" },
      "∂",
      state(at, "t", " / ∂"),
      state(at, "0", " of the run in front"),
    ),
    [0, 50, 100, 150, 200].map((t) =>
      text(
        at,
        at.time(t),
        g1 + 0.8 * em,
        { class: t === STEPS ? "tick end" : "tick" },
        t ? String(t) : "step 0",
      ),
    ),
    svg("circle", { class: "last", cx: x1, cy: y, r: 0.28 * em }),
  );
}

// ---- the readout

const h = (above) => [html("i", {}, "h"), html("sup", {}, `(${above})`)];

function words({ unit, w, attractor, held, logs }) {
  const result = verdict(held);
  const rest = format(factor(unit, w, attractor));
  return [
    html("p", {}, html("b", { class: result }, RESULTS[result]), `: ${held} of ${RUNS} signs kept`),
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
