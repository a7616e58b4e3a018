import { cursor, frame, line, rule, ticksX, ticksY, title } from "../lib/chart.js";
import { transport } from "../lib/controls.js";
import { headRow, html, redraw, set, svg, tableRow, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { arrowKeys, draggable, knob, sliderRole } from "../lib/handles.js";
import { paper } from "../lib/paper.js";
import { decade } from "../lib/powers.js";
import { remembered } from "../lib/remembered.js";
import { clamp, counted, format, linear } from "../lib/scales.js";
import { MARKS, path, place, rect } from "../lib/shapes.js";
import { errors, LENGTH, network, NETWORKS, PUSH, READS, run, SINCE } from "./math.js";
import { meta } from "./meta.js";

/** The input of each network during training, and the mark of its line. */
const NAMES = {
  truth: ["fed the truth", MARKS.diamond],
  mixed: ["fed a mixture", MARKS.circle],
  itself: ["fed its own outputs", MARKS.nabla],
};
const TALL = 1.8; // limit of the axis of signals
const POWERS = [-3, 0.5]; // limits of the axis of errors

export const render = figure("freerun", meta, ({ model, spec, save, reseed, again }) => {
  const grip = knob({ class: "grip" });
  const area = areaOf("Three networks and the wave", grip);
  const readout = html("div", { class: "readout" });
  const time = transport(model, "t", { ...spec.t, interval: 60, text: (t) => `step ${t}` });
  const another = reseed("another phase");
  const print = paper(again);
  let now;
  let at;
  // The handle moves the end of the truth sideways, and the push up and down.
  const put = (since, push) =>
    save({
      since: clamp(Math.round(since), ...SINCE),
      push: clamp(Math.round(20 * push) / 20, -PUSH, PUSH),
    });
  draggable(grip, {
    surface: area.drawing,
    move: ({ x, y }) => put(at.x.invert(x), at.strips[0].y.invert(y) - now.base),
  });
  set(
    grip,
    sliderRole("step at which the truth ends (left and right), and push (up and down)", ...SINCE),
  );
  arrowKeys(
    grip,
    ([right, up]) => put(model.get("since") + right, model.get("push") + up / 20),
    1,
    { PageUp: [10, 0], PageDown: [-10, 0] },
  );
  const runsOf = remembered((seed, since, push) => {
    const runs = NETWORKS.map((name) => run(network(name), { seed, since, push }));
    return { runs, errors: runs.map((steps) => errors(steps, since)) };
  });
  return {
    parts: [stage(area, readout), [time, another], ["since", "push"]],
    reveal: { seed: spec.seed.default, since: spec.since.default, push: 0, t: LENGTH },
    follow: [time, print],
    update(state, size) {
      const { seed, since, push } = state;
      now = { ...state, ...runsOf(seed, since, push) };
      if (print.on() && now.t === spec.t.default) now.t = LENGTH;
      now.base = now.runs[0][since].fed - push;
      at = scales(size);
      area.draw(size, at, picture(now, at));
      place(grip, at.x(since), at.strips[0].y(clamp(now.base + push, -TALL, TALL)));
      set(grip, { "aria-valuenow": since, "aria-valuetext": spoken(now) });
      redraw(readout, table(now));
      return spoken(now);
    },
  };
});

// ---- the drawing: a chart for each network, and below them their errors, over one time

function scales({ width, em, room }) {
  const slide = room < Infinity;
  const narrow = !slide && width < 30 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const [left, right] = [(narrow ? 2.4 : 2.6) * em, width - 0.6 * em];
  const x = linear([0, LENGTH], [left, right]);
  const gap = (slide ? 1.15 : 1.5) * em; // above each chart, for its title
  const chart = (top, height, limits) => ({
    ...{ em, font, left, right, top, bottom: top + height, x, above: 0.65, below: 0.8 },
    y: linear(limits, [top + height, top]),
  });
  const high = (slide ? 2.7 : 4) * em;
  const head = 1.2 * em; // for the words beside the end of the truth
  const strips = NETWORKS.map((_, k) =>
    chart(head + (k + 1) * gap + k * high, high, [-TALL, TALL]),
  );
  const [first, last] = [strips[0], strips.at(-1)];
  const error = chart(last.bottom + gap + 0.3 * em, (slide ? 4 : 6.5) * em, POWERS);
  // The whole drawing is a chart too, with the time as its axis.
  return {
    ...error,
    narrow,
    strips,
    error: { ...error, narrow },
    top: first.top - gap,
    height: error.bottom + 1.5 * em,
  };
}

/** The mark of a network's line, at a point. */
const mark = (name, x, y, em) =>
  place(svg("path", { class: `sign ${name}`, d: NAMES[name][1] }), x, y, 0.33 * em);

function picture(now, at) {
  const { since, t } = now;
  const { em, right, x, strips } = at;
  // A line through the charts, but not through their titles.
  const through = (step, name) => [...strips, at.error].map((one) => cursor(one, step, name));
  const beside = (by, kind, word) => text(at, x(since) + by * em, 0.7 * em, { class: kind }, word);
  return [
    cursor({ ...at, top: 0.2 * em, bottom: at.top }, since, "moment"),
    through(since, "moment"),
    t < LENGTH && through(t),
    NETWORKS.map((name, k) => strip(name, now.runs[k], now, strips[k])),
    beside(-0.5, "end input", "truth"),
    right - x(since) > 6.5 * em && beside(0.5, "free", "running free"),
    errorChart(now, at.error),
    ticksX(at, [0, 100, 200, 300], (step) => (step && !at.narrow ? `step ${step}` : step)),
  ];
}

/** The wave, and what a network predicts. */
function strip(name, steps, { since, t }, at) {
  const { em, left, top, bottom, x } = at;
  const curve = (key, end, kind) =>
    line(
      at,
      steps.slice(0, end).map((one) => [one.t, clamp(one[key], -TALL, TALL)]),
      kind,
    );
  return [
    rect(left, top, x(since) - left, bottom - top, { class: "reads" }),
    frame(at),
    rule(at, 0),
    curve("y", LENGTH, "right"),
    curve("o", t, `says ${name}`),
    mark(name, left + 0.5 * em, top - 0.65 * em, em),
    title({ ...at, left: left + 1.2 * em }, `${NAMES[name][0]} in training`, `name ${name}`),
    ticksY(at, [-1, 1], (value) => format(value, 0)),
  ];
}

function errorChart({ errors, since, t }, at) {
  const { x, y, em, font } = at;
  return [
    frame(at),
    title(
      at,
      `${at.narrow ? "RMS error" : "root mean squared error"} of the last ${READS} steps`,
      "name loss",
    ),
    [-3, -2, -1, 0].map((power) => [
      rule(at, power),
      ticksY(at, [power], () => decade(power, font)),
    ]),
    NETWORKS.map((name, k) => {
      const points = errors[k]
        .slice(0, t)
        .map((value, i) => [x(i + 1), y(clamp(Math.log10(value || 1e-9), ...POWERS))]);
      const d = path(points.slice(0, since)) + path(points.slice(since));
      const marked = points.filter((_, i) => (i + 12 * k) % 36 === 24);
      return [svg("path", { class: `says ${name}`, d }), marked.map((at) => mark(name, ...at, em))];
    }),
  ];
}

// ---- the words

function table({ errors, since, t, push }) {
  const free = Math.max(t - since, 0);
  return html(
    "table",
    {},
    html(
      "caption",
      {},
      free
        ? `${counted(free, "free step")}${push ? `, pushed by ${format(push)}` : ""}`
        : "no free step yet",
    ),
    headRow("in training", "error, fed the truth", "error, running free"),
    NETWORKS.map((name, k) =>
      tableRow(
        {},
        html("th", { scope: "row", class: name }, NAMES[name][0]),
        format(errors[k][Math.min(t, since) - 1], 3),
        html("b", {}, free ? format(errors[k][t - 1], 3) : "?"),
      ),
    ),
  );
}

const spoken = ({ errors, since, t, push }) =>
  `The truth ends after step ${since}${push ? `, and the next input is pushed by ${format(push)}` : ""}. At step ${t}, the errors are ` +
  `${NETWORKS.map((name, k) => `${format(errors[k][t - 1], 3)} (${NAMES[name][0]})`).join(", ")}.`;
