import { controls, holds, holdsTwo, transport } from "../../lib/controls.js";
import { html, italic, pointIn, redraw, set, svg, tableRow, text } from "../../lib/dom.js";
import { areaOf, figure, stage } from "../../lib/figure.js";
import { knob } from "../../lib/handles.js";
import { decade, fromLog, raised, spokenLog } from "../../lib/powers.js";
import { clamp, counted, format, linear } from "../../lib/scales.js";
import { path, place, point, rect, swatch } from "../../lib/shapes.js";
import { defaults, fold, presets } from "../../lib/stage.js";
import CONSTANTS from "../../../rnn_helpers/explore/figures/curvature.json";
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
    at: ({ x, y }) => [at.w.invert(x), at.r.invert(y)],
    label: "start: w (left and right) and r (up and down)",
    step: 0.05,
    others: { PageUp: [0, 0.25], PageDown: [0, -0.25] },
  });
  const held = holds(span, model, "tau", spec.tau, {
    surface: area.drawing,
    at: ({ x }) => at.tau.invert(x),
    text: (tau) => {
      const { slope, curvature, ratio } = powers(model.get("w"), tau);
      return `τ = ${tau}: slope ${spokenLog(Math.log10(slope))}, curvature ${spokenLog(Math.log10(curvature))}, ratio ${format(ratio, 3)}`;
    },
  });
  // A press on the plot of the losses chooses a step.
  area.drawing.addEventListener("pointerdown", (event) => {
    const { x, y } = pointIn(area.drawing, event);
    if (within([x, y], at.boxes.losses))
      save({ t: clamp(Math.round(at.step.invert(x)), 0, STEPS) });
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
      area.draw(size, at, frame(at), picture(now, at));
      place(start, at.w(w), at.r(r));
      place(span, at.tau(tau), at.power(ratio));
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
  const box = (x, y, w, h) => ({ x0: x, x1: x + w, y0: y + title, y1: y + title + h });
  let boxes;
  let height;
  if (narrow) {
    const w = width - margin - 0.6 * em;
    const plane = box(margin, 0, w, 16 * em);
    const high = box(margin + 0.5 * em, plane.y1 + 1.6 * ticks, w - 0.5 * em, 9 * em);
    const low = box(margin + 0.5 * em, high.y1 + 1.6 * ticks, w - 0.5 * em, 8 * em);
    boxes = { plane, powers: high, losses: low };
    height = low.y1 + ticks;
  } else {
    height = (slide ? room - 5 : 24) * em;
    const side = (slide ? 0.42 : 0.47) * width - margin;
    const x = margin + side + 3.6 * em;
    const high = (height - 2 * title - 2.3 * ticks) / 2;
    const plane = box(margin, 0, side, height - title - 1.1 * ticks);
    const above = box(x, 0, width - x - 0.6 * em, high);
    const below = box(
      x,
      above.y1 + 1.2 * ticks,
      width - x - 0.6 * em,
      height - above.y1 - 1.2 * ticks - title - 1.1 * ticks,
    );
    boxes = { plane, powers: above, losses: below };
  }
  const { plane, powers, losses } = boxes;
  const { min, max } = meta.controls.tau;
  const grow = linear([0, Math.log1p(STEPS)], [losses.x0, losses.x1]);
  const step = (t) => grow(Math.log1p(t));
  step.invert = (x) => Math.expm1(grow.invert(x));
  return {
    width,
    height,
    narrow,
    slide,
    em,
    font,
    boxes,
    step,
    plane: { ...plane, W, R },
    w: linear(W, [plane.x0, plane.x1]),
    r: linear(R, [plane.y1, plane.y0]),
    tau: linear([min, max], [powers.x0, powers.x1]),
    power: linear([LOW, HIGH], [powers.y1, powers.y0]),
    loss: linear([LEAST, MOST], [losses.y1, losses.y0]),
  };
}

const within = ([x, y], { x0, x1, y0, y1 }) => x >= x0 && x <= x1 && y >= y0 && y <= y1;
/** A dot at each point within a box. */
const dots = (points, box) =>
  points
    .filter((point) => within(point, box))
    .map(([x, y]) => `M${point(x, y)}h0`)
    .join("");

/** The part of a path within a box. */
function cut(points, { x0, x1, y0, y1 }) {
  let d = "";
  let last; // where the line drawn so far ends
  for (let i = 1; i < points.length; i++) {
    const [[x, y], [p, q]] = [points[i - 1], points[i]];
    let [from, to] = [0, 1]; // the share of this piece that lies within
    for (const [start, way, low, high] of [
      [x, p - x, x0, x1],
      [y, q - y, y0, y1],
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
function frame(at) {
  const { boxes, em, font, narrow, slide } = at;
  const { plane, powers, losses } = boxes;
  const tick = (x, y, words, end) => text(at, x, y, { class: end ? "tick end" : "tick" }, words);
  const grid = ({ x0, x1 }, y) => svg("path", { class: "grid", d: `M${x0} ${y}H${x1}` });
  const log = (box, scale, list) =>
    list.map((power) => [
      grid(box, scale(power)),
      tick(box.x0 - 0.4 * em, scale(power), decade(power, font), true),
    ]);
  return [
    svg("path", {
      class: "grid",
      d: `M${at.w(0)} ${plane.y0}V${plane.y1}M${plane.x0} ${at.r(0)}H${plane.x1}`,
    }),
    log(powers, at.power, [0, -4, -8, -12]),
    log(losses, at.loss, [0, -4, -8]),
    Object.values(boxes).map(({ x0, x1, y0, y1 }) =>
      rect(x0, y0, x1 - x0, y1 - y0, { class: "frame" }),
    ),
    text(at, plane.x0, plane.y0 - 0.8 * em, { class: "title loss" }, "loss"),
    [0, 0.5, 1].map((w) => tick(at.w(w), plane.y1 + 0.85 * em, String(w))),
    tick(at.w(1.3), plane.y1 + 0.85 * em, italic("w")),
    [0, 1, 2].map((r) => tick(plane.x0 - 0.4 * em, at.r(r), String(r), true)),
    tick(plane.x0 - 0.4 * em, at.r(2.6), italic("r"), true),
    [2, 10].map((tau) => tick(at.tau(tau), powers.y1 + 0.85 * em, String(tau))),
    tick(powers.x1, powers.y1 + 0.85 * em, ["span ", italic("τ"), " = 30"], true),
    text(at, losses.x0, losses.y0 - 0.8 * em, { class: "title loss" }, "loss, by steps taken"),
    (slide ? [0, 1, 3, 10] : [0, 1, 3, 10, 30]).map((t) =>
      tick(at.step(t), losses.y1 + 0.85 * em, String(t)),
    ),
    tick(losses.x1, losses.y1 + 0.85 * em, narrow ? String(STEPS) : `${STEPS} steps`, true),
  ];
}

const picture = (now, at) => [
  places(at),
  ways(now, at),
  marks(now, at),
  sizes(now, at),
  courses(now, at),
  svg("path", {
    class: "cursor",
    d: `M${at.step(now.t).toFixed(1)} ${at.boxes.losses.y0}V${at.boxes.losses.y1}`,
  }),
];

/** Saddle and minimum. */
function places(at) {
  const [r, name] = [0.3 * at.em, (x, y, words) => text(at, x, y, { class: "place" }, words)];
  return [
    svg("path", {
      class: "spot",
      d: `M${at.w(0) - r} ${at.r(0) - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`,
    }),
    svg("path", { class: "spot", d: `M${at.w(1) - r} ${at.r(1)}h${2 * r}m${-r} ${-r}v${2 * r}` }),
    name(at.w(0) + 0.8 * at.em, at.r(0) + 0.15 * at.em, "saddle"),
    name(at.w(1) + 0.7 * at.em, at.r(1), "min."),
  ];
}

/** The paths up to step t. */
const ways = ({ ways, t }, at) =>
  ways.map(({ method, path: way }) => {
    const points = way.map(([w, r]) => [at.w(w), at.r(r)]);
    const done = points.slice(0, t + 1);
    return [
      svg("path", { class: `way ${method}`, d: cut(done, at.plane) }),
      svg("path", { class: `dots ${method}`, d: dots(done, at.plane) }),
    ];
  });

/** The methods' marks, at the edge if they have left the picture. */
function marks({ ways, t }, at) {
  const { x0, x1, y0, y1 } = at.plane;
  return ways.map(({ method, path: way }) => {
    const [w, r] = way[Math.min(t, way.length - 1)];
    const [x, y] = [at.w(w), at.r(r)];
    const inside = within([x, y], at.plane);
    const look = { class: `mark ${method}${inside ? "" : " away"}`, d: MARKS[method] };
    return place(svg("path", look), clamp(x, x0, x1), clamp(y, y0, y1), 0.36 * at.em);
  });
}

/** Slope, curvature and their ratio by span, with their values at the cursor. */
function sizes({ w, tau }, at) {
  const { powers: box } = at.boxes;
  const { em } = at;
  const { min, max } = meta.controls.tau;
  const spans = Array.from({ length: max - min + 1 }, (_, i) => min + i);
  const fall = (value) => at.power(clamp(Math.log10(value || 1e-99), LOW - 20, HIGH + 20));
  const now = powers(w, tau);
  const rows = [
    ["slope", [italic("L"), "′"], now.slope],
    ["curvature", [italic("L"), "″"], now.curvature],
    ["ratio", [italic("L"), "′/", italic("L"), "″"], now.ratio],
  ];
  const title = rows.map(([key, name, value], i) => [
    svg("tspan", { class: key }, ...name, " ", ...inText(Math.log10(value), at.font)),
    i < 2 ? (at.narrow ? " " : "  ") : "",
  ]);
  return [
    svg("path", { class: "cursor", d: `M${at.tau(tau).toFixed(1)} ${box.y0}V${box.y1}` }),
    rows.map(([key]) =>
      svg("path", {
        class: `size ${key}`,
        d: cut(
          spans.map((n) => [at.tau(n), fall(powers(w, n)[key])]),
          box,
        ),
      }),
    ),
    text(
      at,
      box.x0 + 0.5 * em,
      box.y1 - 0.9 * em,
      { class: "place" },
      italic("w"),
      raised(italic("τ"), at.font, " at "),
      italic("w"),
      ` = ${format(w)}`,
    ),
    svg(
      "text",
      {
        class: "title",
        x: box.x0 - 1.8 * em,
        y: box.y0 - 0.8 * em + 0.35 * at.font,
        "font-size": at.font,
      },
      title.flat(2),
    ),
  ];
}

/** A number of the title: plain, or with a power of ten. */
function inText(log, font) {
  if (Math.abs(log) < 2.995) return [format(10 ** log, 2 - Math.trunc(log))];
  const power = Math.floor(log);
  return [`${format(10 ** (log - power), 1)}·10`, raised(format(power, 0), font, "\u200b")].flat();
}

function courses({ ways, t }, at) {
  const { em } = at;
  const height = (E) => at.loss(clamp(Math.log10(E || 1e-99), LEAST, MOST));
  return ways.map(({ method, losses }) => {
    const points = losses.slice(0, t + 1).map((E, k) => [at.step(k), height(E)]);
    return [
      svg("path", { class: `way ${method}`, d: path(points) }),
      place(
        svg("path", { class: `mark ${method}`, d: MARKS[method] }),
        ...[...points.at(-1), 0.3 * em],
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
          html("th", { scope: "col" }, `below ${FIRST} after`),
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
    return `${loss} with ${NAMES[method]}${first < 0 || first > t ? "" : ` (below ${FIRST} after ${first})`}`;
  });
  return `After ${t} updates, the loss is ${all.join(", ")}.`;
}

/** A loss in three digits, or as a power of ten. */
const number = (E) => (E === 0 ? "0" : fromLog(Math.log10(E)));
