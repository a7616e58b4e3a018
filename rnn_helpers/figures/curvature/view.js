import { chartIn, cross, cursor, frame, line, rule, ticksX, ticksY, title } from "../lib/chart.js";
import { controls, holds, holdsTwo, transport } from "../lib/controls.js";
import { html, italic, pointIn, redraw, set, svg, tableRow, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { knob } from "../lib/handles.js";
import { decade, fromLog, raised, spokenLog } from "../lib/powers.js";
import { clamp, counted, format } from "../lib/scales.js";
import { dots, place, point, swatch } from "../lib/shapes.js";
import { defaults, fold, presets } from "../lib/stage.js";
import CONSTANTS from "./constants.json";
import { landscape } from "./landscape.js";
import { meta } from "./meta.js";
import { descend, FIRST, METHODS, powers, STEPS } from "./math.js";

/** The limits of w and of r in the picture. */
const { W, R } = CONSTANTS;
/** Powers of ten of the two axes. */
const [LOW, HIGH] = [-12, 2];
const [LEAST, MOST] = [-8, 1];
const NAMES = {
  descent: "gradient descent",
  momentum: "momentum",
  nesterov: "Nesterov",
  newton: "Newton",
  gauss_newton: "Gauss–Newton",
};
/** Their shapes, in a box from -1 to 1. */
const MARKS = {
  descent: "M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z",
  momentum: "M0 -1.15L1.1 0.85H-1.1Z",
  nesterov: "M0 1.15L1.1 -0.85H-1.1Z",
  newton: "M0 -1.25L1.25 0L0 1.25L-1.25 0Z",
  gauss_newton: "M-0.95 -0.95H0.95V0.95H-0.95Z",
};
const PRESETS = {
  "in the valley": { w: 0.45, r: 1.8 },
  "near the saddle": { w: 0.3, r: 0.3 },
  "near the minimum": { w: 1, r: 0.7 },
};

export const render = figure("curvature", meta, ({ model, el, spec, save, control }) => {
  const field = html("canvas", { "aria-hidden": "true" });
  const view = landscape(field, el);
  const [start, span] = [knob(), knob()];
  const area = areaOf("The loss, and five methods from one start", start, span);
  area.node.prepend(field);
  const readout = html("div", { class: "readout" });
  const time = transport(model, "t", {
    ...spec.t,
    interval: 120,
    text: (t) => counted(t, "step"),
  });
  const exact = ["w", "r", "lr", "momentum", "longest"].map((key) => control(key));
  let at, now;
  holdsTwo(start, model, ["w", "r"], spec, {
    surface: area.drawing,
    at: ({ x, y }) => [at.plane.x.invert(x), at.plane.y.invert(y)],
    label: "start: w (left and right) and r (up and down)",
    step: 0.05,
    others: { PageUp: [0, 0.25], PageDown: [0, -0.25] },
  });
  const held = holds(span, model, "tau", spec.tau, {
    surface: area.drawing,
    at: ({ x }) => at.powers.x.invert(x),
    text: (tau) => {
      const { slope, curvature, ratio } = powers(model.get("w"), tau);
      return `τ = ${tau}: slope ${spokenLog(Math.log10(slope))}, curvature ${spokenLog(Math.log10(curvature))}, ratio ${format(ratio, 3)}`;
    },
  });
  // A press on the plot of the losses chooses a step.
  area.drawing.addEventListener("pointerdown", (event) => {
    const { x, y } = pointIn(area.drawing, event);
    if (within([x, y], at.losses)) save({ t: clamp(Math.round(at.losses.x.invert(x)), 0, STEPS) });
  });

  function told(state) {
    const same = now && Object.keys(spec).every((key) => key === "t" || now[key] === state[key]);
    return { ...state, ways: same ? now.ways : METHODS.map((method) => descend(method, state)) };
  }
  return {
    parts: [
      stage(area, readout),
      presets(model, "where to start", PRESETS),
      [time, "tau"],
      fold("Start and rates, by number", controls(exact)),
    ],
    reveal: { ...defaults(spec), t: 60 },
    follow: [time, view, held],
    update(state, size) {
      now = told(state);
      at = scales(size);
      const { w, r, tau } = now;
      const ratio = clamp(Math.log10(powers(w, tau).ratio), LOW, HIGH);
      view.draw(tau, at.plane);
      area.draw(size, at, axes(at), picture(now, at));
      place(start, at.plane.x(w), at.plane.y(r));
      place(span, at.powers.x(tau), at.powers.y(ratio));
      redraw(readout, words(now));
      set(start, {
        "aria-valuenow": w,
        "aria-valuetext": `start at w = ${format(w)}, r = ${format(r)}`,
      });
      return [sentence(now), `Five methods start at w = ${format(w)}, r = ${format(r)}.`];
    },
  };
});

// ---- the drawing

/** Where everything goes: the powers and the losses are beside the plane, and below it on a phone. */
function scales({ width, em, room }) {
  const slide = room < Infinity;
  const narrow = !slide && width < 30 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const [margin, title, ticks] = [2.4 * em, 1.6 * em, 1.5 * em];
  const { min, max } = meta.controls.tau;
  const chart = ([left, y, ...size], across, up) =>
    chartIn([left, y + title, ...size], across, up, { em, font, above: 0.8 });
  const planeAt = (...box) => ({ ...chart(box, W, R), W, R });
  const powersAt = (...box) => chart(box, [min, max], [LOW, HIGH]);
  function lossesAt(...box) {
    const made = chart(box, [0, Math.log1p(STEPS)], [LEAST, MOST]);
    const x = (t) => made.x(Math.log1p(t));
    x.invert = (place) => Math.expm1(made.x.invert(place));
    return { ...made, x };
  }
  if (narrow) {
    const w = width - margin - 0.6 * em;
    const plane = planeAt(margin, 0, w, 16 * em);
    const powers = powersAt(margin + 0.5 * em, plane.bottom + 1.6 * ticks, w - 0.5 * em, 9 * em);
    const losses = lossesAt(powers.left, powers.bottom + 1.6 * ticks, w - 0.5 * em, 8 * em);
    return { narrow, slide, em, font, plane, powers, losses, height: losses.bottom + ticks };
  }
  const height = (slide ? room - 5 : 24) * em;
  const side = (slide ? 0.42 : 0.47) * width - margin;
  const x = margin + side + 3.6 * em;
  const wide = width - x - 0.6 * em;
  const high = (height - 2 * title - 2.3 * ticks) / 2;
  const plane = planeAt(margin, 0, side, height - title - 1.1 * ticks);
  const powers = powersAt(x, 0, wide, high);
  const over = powers.bottom + 1.2 * ticks;
  const losses = lossesAt(x, over, wide, height - over - title - 1.1 * ticks);
  return { narrow, slide, em, font, plane, powers, losses, height };
}

const within = ([x, y], { left, right, top, bottom }) =>
  x >= left && x <= right && y >= top && y <= bottom;
/** The part of a path within a box. */
function cut(points, { left, right, top, bottom }) {
  let d = "";
  let last; // where the line drawn so far ends
  for (let i = 1; i < points.length; i++) {
    const [[x, y], [p, q]] = [points[i - 1], points[i]];
    let [from, to] = [0, 1]; // the share of this piece that lies within
    for (const [start, way, low, high] of [
      [x, p - x, left, right],
      [y, q - y, top, bottom],
    ]) {
      const ends = way
        ? [(low - start) / way, (high - start) / way].sort((a, b) => a - b)
        : start >= low && start <= high
          ? [0, 1]
          : [1, 0];
      [from, to] = [Math.max(from, ends[0]), Math.min(to, ends[1])];
    }
    if (!(from < to)) continue;
    const at = (share) => point(x + share * (p - x), y + share * (q - y));
    d += `${at(from) === last ? "" : `M${at(from)}`}L${at(to)}`;
    last = at(to);
  }
  return d;
}

/** Frames, axes and names. */
function axes({ plane, powers, losses, font, narrow, slide }) {
  const decades = (chart, list) =>
    list.map((power) => [
      rule(chart, power, "grid"),
      ticksY(chart, [power], () => decade(power, font)),
    ]);
  return [
    cross(plane, "grid"),
    decades(powers, [0, -4, -8, -12]),
    decades(losses, [0, -4, -8]),
    [plane, powers, losses].map((chart) => frame(chart)),
    title(plane, "loss", "title loss"),
    ticksX(plane, [0, 0.5, 1]),
    ticksX(plane, [1.3], () => italic("w")),
    ticksY(plane, [0, 1, 2]),
    ticksY(plane, [2.6], () => italic("r")),
    ticksX(powers, [2, 10]),
    ticksX(powers, [30], () => ["span ", italic("τ"), " = 30"], "tick end"),
    title(losses, "loss, by steps taken", "title loss"),
    ticksX(losses, slide ? [0, 1, 3, 10] : [0, 1, 3, 10, 30]),
    ticksX(losses, [STEPS], () => (narrow ? STEPS : `${STEPS} steps`), "tick end"),
  ];
}

const picture = (now, at) => [
  places(at.plane),
  ways(now, at.plane),
  marks(now, at.plane),
  sizes(now, at),
  courses(now, at.losses),
  cursor(at.losses, now.t),
];

/** Saddle and minimum. */
function places(at) {
  const [r, name] = [0.3 * at.em, (x, y, words) => text(at, x, y, { class: "place" }, words)];
  return [
    svg("path", {
      class: "spot",
      d: `M${at.x(0) - r} ${at.y(0) - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`,
    }),
    svg("path", { class: "spot", d: `M${at.x(1) - r} ${at.y(1)}h${2 * r}m${-r} ${-r}v${2 * r}` }),
    name(at.x(0) + 0.8 * at.em, at.y(0) + 0.15 * at.em, "saddle"),
    name(at.x(1) + 0.7 * at.em, at.y(1), "min."),
  ];
}

/** The paths up to step t. */
const ways = ({ ways, t }, at) =>
  ways.map(({ method, path: way }) => {
    const points = way.map(([w, r]) => [at.x(w), at.y(r)]);
    const done = points.slice(0, t + 1);
    return [
      svg("path", { class: `way ${method}`, d: cut(done, at) }),
      svg("path", { class: `dots ${method}`, d: dots(done.filter((spot) => within(spot, at))) }),
    ];
  });

/** The methods' marks, at the edge if they have left the picture. */
function marks({ ways, t }, at) {
  const { left, right, top, bottom } = at;
  return ways.map(({ method, path: way }) => {
    const [w, r] = way[Math.min(t, way.length - 1)];
    const [x, y] = [at.x(w), at.y(r)];
    const inside = within([x, y], at);
    const look = { class: `mark ${method}${inside ? "" : " away"}`, d: MARKS[method] };
    return place(svg("path", look), clamp(x, left, right), clamp(y, top, bottom), 0.36 * at.em);
  });
}

/** Slope, curvature and their ratio by span, with their values at the cursor. */
function sizes({ w, tau }, at) {
  const { em, powers: box } = at;
  const { min, max } = meta.controls.tau;
  const spans = Array.from({ length: max - min + 1 }, (_, i) => min + i);
  const fall = (value) => box.y(clamp(Math.log10(value || 1e-99), LOW - 20, HIGH + 20));
  const now = powers(w, tau);
  const rows = [
    ["slope", [italic("L"), "′"], now.slope],
    ["curvature", [italic("L"), "″"], now.curvature],
    ["ratio", [italic("L"), "′/", italic("L"), "″"], now.ratio],
  ];
  const words = rows.map(([key, name, value], i) => [
    svg("tspan", { class: key }, ...name, " ", ...inText(Math.log10(value), at.font)),
    i < 2 ? (at.narrow ? " " : "  ") : "",
  ]);
  return [
    cursor(box, tau),
    rows.map(([key]) =>
      svg("path", {
        class: `size ${key}`,
        d: cut(
          spans.map((n) => [box.x(n), fall(powers(w, n)[key])]),
          box,
        ),
      }),
    ),
    text(
      at,
      box.left + 0.5 * em,
      box.bottom - 0.9 * em,
      { class: "place" },
      italic("w"),
      raised(italic("τ"), at.font, " at "),
      italic("w"),
      ` = ${format(w)}`,
    ),
    title({ ...box, left: box.left - 1.8 * em }, words),
  ];
}

/** A number of the title: plain, or with a power of ten. */
function inText(log, font) {
  if (Math.abs(log) < 2.995) return [format(10 ** log, 2 - Math.trunc(log))];
  const power = Math.floor(log);
  return [`${format(10 ** (log - power), 1)}·10`, raised(format(power, 0), font, "\u200b")].flat();
}

function courses({ ways, t }, at) {
  const log = (E) => clamp(Math.log10(E || 1e-99), LEAST, MOST);
  return ways.map(({ method, losses }) => {
    const points = Array.from(losses.slice(0, t + 1), (E, k) => [k, log(E)]);
    const [last, end] = points.at(-1);
    return [
      line(at, points, `way ${method}`),
      place(
        svg("path", { class: `mark ${method}`, d: MARKS[method] }),
        ...[at.x(last), at.y(end), 0.3 * at.em],
      ),
    ];
  });
}

// ---- the key, with the numbers

function words({ ways, t }) {
  const sign = (method) =>
    swatch(
      40,
      12,
      svg("path", { class: `way ${method}`, d: "M1 6H39" }),
      svg("path", {
        class: `mark ${method}`,
        d: MARKS[method],
        transform: "translate(20 6) scale(4.4)",
      }),
    );
  const row = ({ method, losses, first, gone }) => {
    const left = gone >= 0 && t >= gone;
    const E = losses[Math.min(t, losses.length - 1)];
    return tableRow(
      { class: method },
      sign(method),
      html("th", { scope: "row" }, NAMES[method]),
      left ? "far away" : number(E),
      first < 0 || first > t ? "—" : first,
    );
  };
  return [
    html(
      "table",
      {},
      html(
        "thead",
        {},
        tableRow(
          {},
          html("th", { scope: "col", colspan: 3 }, `loss after ${t}`),
          html("th", { scope: "col" }, `first below ${FIRST} after`),
        ),
      ),
      html("tbody", {}, ways.map(row)),
    ),
  ];
}

/** The same for screen readers. */
function sentence({ ways, t }) {
  const all = ways.map(({ method, losses, first, gone }) => {
    const E = losses[Math.min(t, losses.length - 1)];
    const loss = gone >= 0 && t >= gone ? "far away" : E ? spokenLog(Math.log10(E)) : 0;
    return `${loss} with ${NAMES[method]}${first < 0 || first > t ? "" : ` (first below ${FIRST} after ${counted(first, "update")})`}`;
  });
  return `After ${counted(t, "update")}, the loss is ${all.join(", ")}.`;
}

/** A loss in three digits, or as a power of ten. */
const number = (E) => (E === 0 ? "0" : fromLog(Math.log10(E)));
