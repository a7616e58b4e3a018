// The gradient through time: its length, the ratio of lengths at each step, and the terms of Omega,
// which add up from the right.
import { setAll } from "../../lib/controls.js";
import { drawingOf, italic, set, setSize, svg, text } from "../../lib/dom.js";
import { draggable, keySlider } from "../../lib/handles.js";
import { decade, raised, spokenLog } from "../../lib/powers.js";
import { clamp, format, linear } from "../../lib/scales.js";
import { path, point, rect } from "../../lib/shapes.js";
import { STEPS } from "./math.js";

const TOPS = [0.1, 0.5, 1, 2, 5, 10, 20, 50, 100, 200];
const RATIOS = [1.5, 2, 3, 5];
const POWERS = [2, 4, 6, 8, 10, 20, 30, 50, 100, 400];

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

  const spoken = keySlider(handle, {
    label: spec.label,
    min: spec.min,
    max: spec.max,
    get: () => model.get("t"),
    change: (t) => setAll(model, { t }),
    text: (t) =>
      now?.logs[t] !== undefined
        ? `step ${t}: the gradient is ${spokenLog(now.logs[t])} long, the step leaves ${format(now.ratios[t])} of it; ` +
          `Omega from here to the end ${format(now.sums[t])}`
        : `step ${t}: no gradient`,
  });
  const follow = ({ x }) => model.set("t", Math.round(at.time.invert(x) + 0.5));
  draggable(handle, { surface: node, move: follow, end: () => model.save_changes() });
  node.addEventListener("click", (event) => {
    if (handle.contains(event.target)) return;
    follow({ x: event.clientX - node.getBoundingClientRect().left });
    model.save_changes();
  });

  function resize(width, height, em, slide) {
    const narrow = width < 24 * em;
    const font = (narrow && !slide ? 0.82 : 0.9) * em;
    const [left, right] = [3 * em, width - 0.6 * em];
    const title = 1.6 * em;
    const free = height - 3 * title - 1.9 * em;
    let top = 0;
    const tracks = [0.42, 0.27, 0.31].map((share) => {
      const from = top + title;
      top = from + share * free;
      return [from, top];
    });
    at = { em, font, narrow, left, right, tracks, time: linear([1, STEPS], [left, right]) };
    setSize(node, width, height);
  }

  function update(next) {
    now = next;
    const { t } = now;
    const { em, tracks, time } = at;
    plot.replaceChildren(lengths(now, at), ratios(now, at), terms(now, at));
    const wide = time(1) - time(0);
    set(band, {
      x: time(t - 1),
      width: wide,
      y: tracks[0][0],
      height: tracks[2][1] - tracks[0][0],
    });
    const bar = Math.max(wide - 2, 0.6 * em);
    set(handle, { transform: `translate(${time(t - 0.5).toFixed(1)} ${tracks[2][1]})` });
    set(grip, { x: -bar / 2, y: -0.3 * em, width: bar, height: 0.6 * em, rx: 0.3 * em });
    const hold = Math.max(bar, 26);
    set(ring, { x: -hold / 2, y: -13, width: hold, height: 26, rx: 6 });
    spoken();
  }
  return { node, resize, update };
}

const frame = ({ left, right }, [top, bottom]) =>
  rect(left, top, right - left, bottom - top, { class: "frame" });
const title = (at, [top], kind, ...words) =>
  text(at, at.left, top - 0.75 * at.em, { class: `title ${kind}` }, words);
const tick = (at, y, ...words) => text(at, at.left - 0.4 * at.em, y, { class: "tick end" }, words);
const state = (t, font, after) => [italic("h"), raised(`(${t})`, font, after)];

/** The length of the gradient, also before the first step down Omega. */
function lengths(now, at) {
  const { em, font, left, right, tracks, narrow, time } = at;
  const { logs, before, after, t, k } = now;
  const track = tracks[0];
  const all = [before.logs, after.logs, logs].flatMap((list) => Object.values(list)); // the axis is the same for all k
  const beyond = (value) => POWERS.find((power) => power >= value) ?? POWERS.at(-1);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const low = least < -0.15 ? -beyond(-least) : -0.15;
  const high = most > 0.15 ? beyond(most) : 0.15;
  const y = linear([low, high], [track[1], track[0]]);
  const line = (list) => path(Object.entries(list).map(([s, value]) => [time(s), y(value)]));
  const mark = 0.24 * em;
  const marks = Object.entries(logs).map(
    ([s, value]) =>
      `M${point(time(s) - mark, y(value) - mark)}h${2 * mark}l${-mark} ${1.7 * mark}Z`,
  );
  const ticks = [high, 0, low / 2, low].filter(
    (power) => power === 0 || (Number.isInteger(power) && Math.abs(power) > 0.2 * (high - low)),
  );
  const here = logs[t] === undefined ? "—" : short(logs[t], font);
  return svg(
    "g",
    {},
    frame(at, track),
    svg("path", { class: "zero", d: `M${left} ${y(0)}H${right}` }),
    k > 0 && svg("path", { class: "curve before", d: line(before.logs) }),
    svg("path", { class: "curve now", d: line(logs) }),
    svg("path", { class: "marks", d: marks.join("") }),
    k > 0 && start(at, y, track, before.logs),
    ticks.map((power) => tick(at, y(power), decade(power, font))),
    title(
      at,
      track,
      "gradient",
      narrow ? "length at " : "length of the gradient at ",
      state(t, font, ": "),
      here,
    ),
  );
}

/** The name of the line before the first step down Omega, at its end. */
function start(at, y, track, logs) {
  const { em } = at;
  const [s, value] = Object.entries(logs)[0];
  if (s > STEPS / 2) return false; // the gradient is 0 early
  const height = clamp(
    y(value) + (value > -0.3 ? 1 : -0.9) * em,
    track[0] + 0.7 * em,
    track[1] - 0.6 * em,
  );
  return text(at, at.time(Number(s)) + 0.4 * em, height, { class: "ghost" }, "start");
}

/** The ratio of lengths at each step. */
function ratios(now, at) {
  const { em, left, right, tracks, narrow, time } = at;
  const { ratios: values, t } = now;
  const track = tracks[1];
  const list = Object.entries(values);
  const most = Math.max(...list.map(([, value]) => value));
  const top = RATIOS.find((value) => value >= most) ?? RATIOS.at(-1);
  const y = linear([0, top], [track[1], track[0]]);
  const stems = list.map(([s, value]) => `M${point(time(s - 0.5), y(1))}V${y(value).toFixed(1)}`);
  return svg(
    "g",
    {},
    frame(at, track),
    svg("path", { class: "one", d: `M${left} ${y(1)}H${right}` }),
    svg("path", { class: "stems", d: stems.join("") }),
    list.map(([s, value]) =>
      svg("circle", {
        class: "dot",
        cx: time(s - 0.5).toFixed(1),
        cy: y(value).toFixed(1),
        r: 0.2 * em,
      }),
    ),
    tick(at, y(1), "1"),
    tick(at, y(0), "0"),
    top > 1.5 && tick(at, y(top), top),
    title(
      at,
      track,
      "",
      narrow ? "ratio: " : "ratio of lengths, after the step to before it: ",
      format(values[t] ?? NaN),
    ),
  );
}

/** The terms of Omega, which add up from the right. */
function terms(now, at) {
  const { em, left, tracks, narrow, time } = at;
  const { sums, omega, ratios: values, t } = now;
  const track = tracks[2];
  const top = TOPS.find((value) => value >= omega) ?? TOPS.at(-1);
  const y = linear([0, top], [track[1], track[0]]);
  const wide = time(1) - time(0);
  const blocks = Object.entries(sums).map(([s, sum]) => {
    const below = sums[Number(s) + 1] ?? 0;
    const x = time(s - 1).toFixed(1);
    return [
      rect(x, y(sum), wide, Math.max(y(0) - y(sum), 0), { class: "sum" }),
      rect(x, y(sum), wide, Math.max(y(below) - y(sum), 0), { class: "term" }),
    ];
  });
  const far = (place) => Math.abs(place - y(omega)) > at.font;
  const term = values[t] === undefined ? NaN : (values[t] - 1) ** 2;
  return svg(
    "g",
    {},
    blocks,
    frame(at, track),
    tick(at, y(0), "0"),
    far(y(top)) && tick(at, y(top), top),
    far(y(0)) && text(at, left - 0.4 * em, y(omega), { class: "end loss omega" }, "Ω"),
    title(
      at,
      track,
      "loss",
      "(ratio − 1)²: ",
      format(Number(term.toFixed(2))),
      narrow ? "; sum " : "; sum from the right ",
      format(sums[t] ?? NaN),
    ),
    [1, 4, 8, 12, STEPS].map((s) =>
      text(at, time(s), track[1] + 1.1 * em, { class: "tick" }, s === 1 && !narrow ? "step 1" : s),
    ),
  );
}

/** A length in two or three digits, or as a power of ten. */
const short = (log, font) =>
  Math.abs(log) < 2.995
    ? format(10 ** log, 2 - Math.trunc(log))
    : ["10", raised(format(log, 1), font)];
