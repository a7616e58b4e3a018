// The gradient through time: its length, the ratio of lengths at each step, and the terms of Omega,
// which add up from the right.
import { frame, line, rule, ticksX, ticksY, title } from "../lib/chart.js";
import { holds, setAll } from "../lib/controls.js";
import { drawingOf, italic, pointIn, redraw, set, setSize, svg, text } from "../lib/dom.js";
import { decade, raised, spokenLog } from "../lib/powers.js";
import { clamp, format, linear, rounded } from "../lib/scales.js";
import { point, rect } from "../lib/shapes.js";
import { STEPS } from "./math.js";

const TOPS = [0.1, 0.5, 1, 2, 5, 10, 20, 50, 100, 200];
const RATIOS = [1.5, 2, 3, 5];
const POWERS = [2, 4, 6, 8, 10, 20, 30, 50, 100, 400];
/** The first of the list that is at least `value`, or else the last. */
const beyond = (list, value) => list.find((one) => one >= value) ?? list.at(-1);

export function through(model, spec) {
  const plot = svg("g");
  const band = svg("rect", { class: "band" });
  const grip = svg("rect", { class: "grip" });
  const ring = svg("rect", { class: "uf-ring" });
  const handle = svg("g", { class: "handle cursor" }, ring, grip);
  const words =
    "The gradient through time: its length, the ratios of the steps, the terms of Omega";
  const node = drawingOf(words, band, plot, handle);
  let at, now;

  const stepAt = ({ x }) => Math.round(at.x.invert(x) + 0.5);
  const held = holds(handle, model, "t", spec, {
    surface: node,
    at: stepAt,
    text: (t) =>
      now?.logs[t] !== undefined
        ? `step ${t}: the gradient is ${spokenLog(now.logs[t])} long, the step leaves ${format(now.ratios[t])} of it; ` +
          `Omega from here to the end ${format(now.sums[t])}`
        : `step ${t}: no gradient`,
  });
  node.addEventListener("click", (event) => {
    if (!handle.contains(event.target)) setAll(model, { t: stepAt(pointIn(node, event)) });
  });

  function update(next, size) {
    [now, at] = [next, scales(size)];
    const { em, tracks, x, height } = at;
    setSize(node, size.width, height);
    redraw(plot, lengths(now, at), ratios(now, at), terms(now, at));
    const wide = x(1) - x(0);
    const [top, bottom] = [tracks[0].top, tracks[2].bottom];
    set(band, { x: x(now.t - 1), width: wide, y: top, height: bottom - top });
    const bar = Math.max(wide - 2, 0.6 * em);
    set(handle, { transform: `translate(${x(now.t - 0.5).toFixed(1)} ${bottom})` });
    set(grip, { x: -bar / 2, y: -0.3 * em, width: bar, height: 0.6 * em, rx: 0.3 * em });
    const hold = Math.max(bar, 26);
    set(ring, { x: -hold / 2, y: -13, width: hold, height: 26, rx: 6 });
  }
  return { node, held, update };
}

function scales({ width, em, room }) {
  const slide = room < Infinity;
  const height = (slide ? room - 7.8 : 24) * em;
  const narrow = width < 24 * em;
  const font = (narrow && !slide ? 0.82 : 0.9) * em;
  const [left, right] = [3 * em, width - 0.6 * em];
  const x = linear([1, STEPS], [left, right]);
  const above = 1.6 * em; // space for a title
  const free = height - 3 * above - 1.9 * em;
  let bottom = 0;
  const tracks = [0.42, 0.27, 0.31].map((share) => {
    const top = bottom + above;
    bottom = top + share * free;
    return { em, font, left, right, top, bottom, below: 1.1, x };
  });
  return { em, font, narrow, tracks, height, x };
}

/** A track with its vertical axis from `low` to `high`. */
const chart = ({ tracks }, i, low, high) => ({
  ...tracks[i],
  y: linear([low, high], [tracks[i].bottom, tracks[i].top]),
});
const state = (t, font, after) => [italic("h"), raised(`(${t})`, font, after)];

/** The length of the gradient, also before the first step down Omega. */
function lengths({ logs, before, after, t, k }, { em, font, narrow, tracks, x }) {
  // The axis is the same for all k.
  const all = [before.logs, after.logs, logs].flatMap((list) => Object.values(list));
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const low = least < -0.15 ? -beyond(POWERS, -least) : -0.15;
  const high = most > 0.15 ? beyond(POWERS, most) : 0.15;
  const at = chart({ tracks }, 0, low, high);
  const mark = 0.24 * em;
  const marks = Object.entries(logs).map(
    ([s, value]) =>
      `M${point(x(s) - mark, at.y(value) - mark)}h${2 * mark}l${-mark} ${1.7 * mark}Z`,
  );
  const powers = [high, 0, low / 2, low].filter(
    (power) => power === 0 || (Number.isInteger(power) && Math.abs(power) > 0.2 * (high - low)),
  );
  const here = logs[t] === undefined ? "—" : short(logs[t], font);
  const length = narrow ? "length at " : "length of the gradient at ";
  return [
    frame(at),
    rule(at, 0),
    k > 0 && line(at, Object.entries(before.logs), "curve before"),
    line(at, Object.entries(logs), "curve now"),
    svg("path", { class: "marks", d: marks.join("") }),
    k > 0 && start(at, before.logs),
    ticksY(at, powers, (power) => decade(power, font)),
    title(at, [length, state(t, font, ": "), here], "title gradient"),
  ];
}

/** The name of the line before the first step down Omega, at its end. */
function start(at, logs) {
  const { em, top, bottom } = at;
  const [s, value] = Object.entries(logs)[0];
  if (s > STEPS / 2) return false; // the gradient is 0 early
  const beside = at.y(value) + (value > -0.3 ? 1 : -0.9) * em;
  const y = clamp(beside, top + 0.7 * em, bottom - 0.6 * em);
  return text(at, at.x(s) + 0.4 * em, y, { class: "ghost" }, "start");
}

/** The ratio of lengths at each step. */
function ratios({ ratios: values, t }, { em, narrow, tracks, x }) {
  const list = Object.entries(values);
  const top = beyond(RATIOS, Math.max(...list.map(([, value]) => value)));
  const at = chart({ tracks }, 1, 0, top);
  const { y } = at;
  const stems = list.map(([s, value]) => `M${point(x(s - 0.5), y(1))}V${y(value).toFixed(1)}`);
  const name = narrow ? "ratio: " : "ratio of lengths, after the step to before it: ";
  return [
    frame(at),
    rule(at, 1, "one"),
    svg("path", { class: "stems", d: stems.join("") }),
    list.map(([s, value]) =>
      svg("circle", {
        class: "dot",
        cx: x(s - 0.5).toFixed(1),
        cy: y(value).toFixed(1),
        r: 0.2 * em,
      }),
    ),
    ticksY(at, [1, 0, ...(top > 1.5 ? [top] : [])]),
    title(at, [name, format(values[t] ?? NaN)], "title "),
  ];
}

/** The terms of Omega, which add up from the right. */
function terms({ sums, omega, ratios: values, t }, { narrow, tracks, x }) {
  const top = beyond(TOPS, omega);
  const at = chart({ tracks }, 2, 0, top);
  const { y } = at;
  const wide = x(1) - x(0);
  const blocks = Object.entries(sums).map(([s, sum]) => {
    const before = sums[Number(s) + 1] ?? 0;
    const block = (from, name) =>
      rect(x(s - 1).toFixed(1), y(sum), wide, Math.max(y(from) - y(sum), 0), { class: name });
    return [block(0, "sum"), block(before, "term")];
  });
  const far = (value) => Math.abs(y(value) - y(omega)) > at.font;
  const term = values[t] === undefined ? NaN : (values[t] - 1) ** 2;
  return [
    blocks,
    frame(at),
    ticksY(at, far(top) ? [0, top] : [0]),
    far(0) && ticksY(at, [omega], () => "Ω", "end loss omega"),
    title(
      at,
      [
        "(ratio − 1)²: ",
        rounded(term),
        narrow ? "; sum " : "; sum from the right ",
        format(sums[t] ?? NaN),
      ],
      "title loss",
    ),
    ticksX(at, [1, 4, 8, 12, STEPS], (s) => (s === 1 && !narrow ? "step 1" : s)),
  ];
}

/** A length in two or three digits, or as a power of ten. */
const short = (log, font) =>
  Math.abs(log) < 2.995
    ? format(10 ** log, 2 - Math.trunc(log))
    : ["10", raised(format(log, 1), font)];
