import { rule, ticksX, ticksY } from "../lib/chart.js";
import { button, holdsPower } from "../lib/controls.js";
import { html, redraw, set, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { knob } from "../lib/handles.js";
import { decade, fromLog, spokenLog } from "../lib/powers.js";
import { clamp, counted, format, linear } from "../lib/scales.js";
import { path, place, swatch } from "../lib/shapes.js";
import { meta } from "./meta.js";
import { keeping, sample, SAMPLES, trueRms } from "./math.js";

const DRAWN = 40; // number of products with a line
const DECADES = [-52, 33]; // range of the axis for 100 factors
/** Lengths through layers of 100 units hardly differ, so their axis is as short as their mean allows. */
const decades = ({ kind, n, last }) => {
  const reach = 1.3 * Math.max(1, Math.abs(last.mean));
  return kind === "100" ? [-reach, reach] : DECADES.map((power) => (power * n) / 100);
};
/** The step of the median's handle. It is before the end, where the other handle could cover it. */
const handleAt = (n) => Math.round(0.86 * n);

export const render = figure("products", meta, ({ model, spec, save, reseed, again }) => {
  const [mean, typical] = [knob(), knob()];
  const area = areaOf("The sizes of products by the number of factors", mean, typical);
  const facts = html("div", { class: "facts" });
  const hint = html("p", { class: "hint" });
  const kept = () => Number(keeping(model.get("kind")).toFixed(3));
  const keep = button("", () => save({ v: model.get("v") === kept() ? 1 : kept() }));
  const another = reseed("another sample");
  const products = sampler();
  let now, at;
  let range = null; // of the axis, which stays while a handle is held

  /** Let a handle change v. `change(log)` is log10 of the v that puts the handle at `log`. */
  const holdV = (end, label, change) =>
    holdsPower(end, model, "v", {
      ...{ surface: area.drawing, at: ({ y }) => change(at.y.invert(y)), label },
      ...{ min: Math.log10(spec.v.min), max: Math.log10(spec.v.max), step: 0.02, digits: 4 },
      start: () => (range = decades(now)),
      end() {
        range = null;
        again();
      },
      text: (log) => `v = ${format(10 ** log)}`,
    });
  const held = [
    holdV(mean, "end of the true root mean square", (log) => (2 * log) / now.n),
    holdV(typical, "end of the median", (log) => {
      const t = handleAt(now.n);
      return (2 * (log - now.found.medians[t])) / t;
    }),
  ];

  return {
    parts: [
      hint,
      stage(area, facts),
      ["kind", "n", "v", html("div", { class: "uf-control buttons" }, keep, another)],
    ],
    reveal: { kind: "100", v: 1, n: 100 },
    follow: held,
    update(state, size) {
      now = told(state, products(state));
      at = scales(size, state.n, range ?? decades(now));
      const label = spoken(now);
      area.draw(size, at, axes(now, at), curves(now, at));
      set(area.plot, { role: "img", "aria-label": label });
      placeEnds(mean, typical, now, at);
      redraw(facts, factsOf(now));
      hint.textContent = spec.kind.options.find(({ value }) => value === now.kind).hint;
      keep.textContent =
        now.v === kept() ? "v = 1: mean square 1" : `v = ${format(kept())}: typical size 1`;
      return [label, `${hint.textContent} Here v is ${format(now.v)}.`];
    },
  };
});

/** Draw the products once for each kind and seed. v only tilts the curves, and n extends them. */
function sampler() {
  const samples = new Map();
  return ({ kind, seed, n }) => {
    const key = `${kind} ${seed}`;
    if (!samples.has(key)) samples.set(key, sample(kind, seed));
    return samples.get(key).until(n);
  };
}

/** Three curves as powers of ten, their last values, and all products. */
function told(state, found) {
  const { kind, v, n } = state;
  const tilt = Math.log10(v) / 2;
  const curves = {
    typical: (t) => found.medians[t] + t * tilt,
    mean: (t) => trueRms(kind, v, t),
    seen: (t) => found.rms[t] + t * tilt,
  };
  const last = Object.fromEntries(Object.entries(curves).map(([key, curve]) => [key, curve(n)]));
  const product = (i) => (t) => found.logs[t][i] + t * tilt;
  return { ...state, found, curves, last, product };
}

// ---- the drawing

function scales({ width, em, room }, n, powers) {
  const height = Number.isFinite(room) ? (room - 8.8) * em : clamp(0.6 * width, 13 * em, 19 * em);
  const [left, right, top, bottom] = [3.1 * em, width - 0.9 * em, 0.5 * em, height - 2.6 * em];
  return {
    ...{ em, font: 0.9 * em, narrow: width < 26 * em, left, right, top, bottom, height },
    x: linear([0, n], [left, right]),
    y: linear(powers, [bottom, top]),
  };
}

function axes({ v }, at) {
  const { em, narrow, left, right, top, bottom, x, y } = at;
  const inside = (power) => y(power) > top && y(power) < bottom;
  const powers = y.ticks(5).filter((power) => Number.isInteger(power) && inside(power));
  return svg(
    "g",
    { class: "ground" },
    powers.map((power) => [
      rule(at, power, power ? "grid" : "zero"),
      ticksY(at, [power], () => decade(power, at.font)),
    ]),
    ticksX(at, x.ticks(narrow ? 2 : 5)),
    text(
      at,
      (left + right) / 2,
      bottom + 2 * em,
      { class: "name" },
      `number of factors${narrow ? "," : ", each of mean square"} v = ${Number(v.toPrecision(3))}`,
    ),
  );
}

/** The curves, in a drawing that clips them and has its own origin. */
function curves({ kind, n, curves, product }, { left, right, top, bottom, x, y }) {
  const line = (curve) =>
    path(
      Array.from({ length: n + 1 }, (_, t) => [x(t) - left, clamp(y(curve(t)) - top, -9999, 9999)]),
    );
  const each = Math.floor(SAMPLES[kind] / DRAWN);
  const products = Array.from({ length: DRAWN }, (_, i) => line(product(i * each)));
  return svg(
    "svg",
    { x: left, y: top, width: right - left, height: bottom - top },
    svg("path", { class: "paths", d: products.join("") }),
    ["seen", "mean", "typical"].map((name) => svg("path", { class: name, d: line(curves[name]) })),
  );
}

function placeEnds(mean, typical, { kind, n, curves }, { x, y, top, bottom }) {
  const put = (end, t, log) => place(end, x(t), clamp(y(log), top, bottom));
  put(mean, n, curves.mean(n));
  put(typical, handleAt(n), curves.typical(handleAt(n)));
  set(mean, { visibility: kind === "same" ? "hidden" : "visible" });
}

// ---- the words

const spoken = ({ n, last }) =>
  `After ${counted(n, "factor")}, the median is ${spokenLog(last.typical)}, the true root mean square is ${spokenLog(last.mean)}, and the root mean square of the sample is ${spokenLog(last.seen)}.`;

/** The last values of the curves, and the number of products that reach the true root mean square. */
function factsOf({ kind, n, last, product }) {
  const reaching = Array.from({ length: SAMPLES[kind] }, (_, i) => product(i)(n)).filter(
    (log) => log >= last.mean,
  );
  return [
    fact("typical", last.typical, "typical size (median)"),
    fact("mean", last.mean, "true root mean square"),
    fact("seen", last.seen, "root mean square of the sample"),
    html(
      "p",
      { class: "reach" },
      html("b", {}, reaching.length),
      ` of ${SAMPLES[kind].toLocaleString("en-US")} products reach the true root mean square`,
    ),
  ];
}

/** A number, given by its logarithm, with a sample of its line. */
const fact = (kind, log, what) =>
  html(
    "p",
    { class: "fact" },
    swatch(28, 10, svg("path", { class: kind, d: "M1 5H27" })),
    html("b", {}, fromLog(log, 1)),
    html("small", {}, what),
  );
