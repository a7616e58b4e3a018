import { button, controls, controlsOf, setAll } from "../../lib/controls.js";
import { html, set, setSize, svg } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { draggable, keySlider, knob } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { decade, fromLog, spokenLog } from "../../lib/powers.js";
import { clamp, format, linear } from "../../lib/scales.js";
import { path, place, swatch } from "../../lib/shapes.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import { meta } from "./meta.js";
import { keeping, sample, SAMPLES, trueRms } from "./math.js";

const DRAWN = 40; // number of products with a line
const DECADES = [-52, 33]; // range of the axis for 100 factors

export function render({ model, el }) {
  const spec = meta.controls;
  const it = parts();
  const facts = html("div", { class: "facts" });
  const hint = html("p", { class: "hint" });
  const status = live();
  const area = html("div", { class: "area" }, it.drawing);
  const kept = () => Number(keeping(model.get("kind")).toFixed(3));
  const keep = button("", () => setAll(model, { v: model.get("v") === kept() ? 1 : kept() }));
  const another = button("another sample", () =>
    setAll(model, { seed: (model.get("seed") + 1) % (spec.seed.max + 1) }),
  );
  el.classList.add("fig-products");
  el.append(
    hint,
    html("div", { class: "stage" }, area, facts),
    controls(
      controlsOf(model, spec, "kind", "n", "v"),
      html("div", { class: "uf-control buttons" }, keep, another),
    ),
    guess(meta.prediction, () => setAll(model, { kind: "100", v: 1, n: 100 })),
    status,
  );

  const figure = { ...it, model, products: sampler(), now: null, scales: null };
  const follow = [
    holdV(figure, it.ends.mean, "end of the true root mean square", (log, { n }) => (2 * log) / n),
    holdV(figure, it.ends.typical, "end of the median", (log, { n, found }) => {
      const t = handleAt(n);
      return (2 * (log - found.medians[t])) / t;
    }),
  ];
  function draw(size) {
    const state = settings(model, spec);
    const now = { ...state, found: figure.products(state), tilt: Math.log10(state.v) / 2 };
    Object.assign(figure, { now, scales: layout(size, state.n) });
    const last = lastOf(now);
    drawCurves(figure);
    setSize(it.drawing, size.width, figure.scales.box.high);
    it.ground.replaceChildren(...axes(figure, size));
    placeEnds(figure, last);
    const reaching = now.found.logs[now.n].filter((log) => log + now.n * now.tilt >= last.mean);
    facts.replaceChildren(...factsOf(last, reaching.length, SAMPLES[now.kind]));
    set(it.picture, {
      "aria-label": `After ${now.n} factors: median ${spokenLog(last.typical)}, true root mean square ${spokenLog(last.mean)}, root mean square of the sample ${spokenLog(last.seen)}.`,
    });
    for (const refresh of follow) refresh();
    hint.textContent = spec.kind.options.find(({ value }) => value === now.kind).hint;
    keep.textContent =
      now.v === kept() ? "v = 1: mean square 1" : `v = ${format(kept())}: typical size 1`;
    status.announce(
      it.picture.getAttribute("aria-label"),
      `${hint.textContent} Here v is ${format(now.v)}.`,
    );
  }
  return keepDrawn(model, area, draw);
}

/** The curves, in an inner drawing that clips them, and the handles of two of them. */
function parts() {
  const [paths, mean, seen, typical] = ["paths", "mean", "seen", "typical"].map((name) =>
    svg("path", { class: name }),
  );
  const ground = svg("g", { class: "ground" });
  const inside = svg("svg", {}, paths, seen, mean, typical);
  const ends = { mean: knob(), typical: knob() };
  const picture = svg("g", { role: "img" }, ground, inside);
  const drawing = svg("svg", { class: "uf-drawing" }, picture, ends.mean, ends.typical);
  return { paths, mean, seen, typical, ground, inside, ends, picture, drawing };
}

/** Draw the products once for each kind and seed. v only tilts the curves, and n extends them. */
function sampler() {
  const samples = new Map();
  return ({ kind, seed, n }) => {
    const key = `${kind} ${seed}`;
    if (!samples.has(key)) samples.set(key, sample(kind, seed));
    return samples.get(key).until(n);
  };
}

/** Let a handle change v. `height(log, now)` is log10 of the v that puts the handle at `log`. */
function holdV(figure, end, label, height) {
  const { model, drawing } = figure;
  const { min, max } = meta.controls.v;
  const toV = (log) => Number((10 ** log).toPrecision(4));
  draggable(end, {
    surface: drawing,
    move: ({ y }) => model.set("v", toV(height(figure.scales.y.invert(y), figure.now))),
    end: () => model.save_changes(),
  });
  return keySlider(end, {
    label,
    min: Math.log10(min),
    max: Math.log10(max),
    step: 0.02,
    get: () => Math.log10(model.get("v")),
    change: (log) => setAll(model, { v: toV(log) }),
    text: (log) => `v = ${format(10 ** log)}`,
  });
}

/** The last values of the curves, as powers of ten. */
const lastOf = ({ kind, v, n, found, tilt }) => ({
  typical: found.medians[n] + n * tilt,
  mean: trueRms(kind, v, n),
  seen: found.rms[n] + n * tilt,
});

function drawCurves({ paths, typical, seen, mean, inside, now, scales }) {
  const { kind, n, found, tilt } = now;
  const { x, y, box } = scales;
  const { left, top, right, bottom } = box;
  // The inner drawing has its own origin.
  const at = (t, log) => [x(t) - left, clamp(y(log) - top, -9999, 9999)];
  const line = (log) => path(Array.from({ length: n + 1 }, (_, t) => at(t, log(t) + t * tilt)));
  const each = Math.floor(SAMPLES[kind] / DRAWN);
  const chosen = Array.from({ length: DRAWN }, (_, i) => i * each);
  const moments = [0]; // log10 of the true root mean square for v = 1
  for (let t = 1; t <= n; t++)
    moments.push(moments[t - 1] + (kind === "same" ? Math.log10(2 * t - 1) / 2 : 0));
  set(paths, { d: chosen.map((i) => line((t) => found.logs[t][i])).join("") });
  set(typical, { d: line((t) => found.medians[t]) });
  set(seen, { d: line((t) => found.rms[t]) });
  set(mean, { d: line((t) => moments[t]) });
  set(inside, { x: left, y: top, width: right - left, height: bottom - top });
}

function placeEnds({ ends, now, scales }, last) {
  const { kind, n, found, tilt } = now;
  const { x, y, box } = scales;
  const put = (end, t, log) => place(end, x(t), clamp(y(log), box.top, box.bottom));
  const t = handleAt(n);
  put(ends.mean, n, last.mean);
  put(ends.typical, t, found.medians[t] + t * tilt);
  set(ends.mean, { visibility: kind === "same" ? "hidden" : "visible" });
}

function axes({ now, scales }, { width, em }) {
  const { x, y, box } = scales;
  const narrow = width < 26 * em;
  const text = (attributes, ...words) =>
    svg("text", { "font-size": 0.9 * em, ...attributes }, words);
  const [low, high] = [y.invert(box.bottom), y.invert(box.top)];
  const powers = y
    .ticks(5)
    .filter((power) => power === Math.round(power) && power > low && power < high);
  const line = (height, kind) =>
    svg("line", { x1: box.left, x2: box.right, y1: height, y2: height, class: kind });
  const end = { "text-anchor": "end" };
  const middle = { "text-anchor": "middle" };
  const v = Number(now.v.toPrecision(3));
  return [
    ...powers.flatMap((power) => [
      line(y(power), power ? "" : "zero"),
      text({ x: box.left - 0.4 * em, y: y(power) + 0.3 * em, ...end }, decade(power, 0.9 * em)),
    ]),
    ...x
      .ticks(narrow ? 2 : 5)
      .map((t) => text({ x: x(t), y: box.bottom + 1.15 * em, ...middle }, t)),
    text(
      { x: (box.left + box.right) / 2, y: box.bottom + 2.3 * em, ...middle, class: "name" },
      `number of factors${narrow ? "," : ", each of mean square"} v = ${v}`,
    ),
  ];
}

/** The step of the median's handle, before the end, where the other handle could cover it. */
const handleAt = (n) => Math.round(0.86 * n);

function layout({ width, em, room }, n) {
  const high = Number.isFinite(room) ? (room - 8.8) * em : clamp(0.6 * width, 13 * em, 19 * em);
  const box = {
    left: 3.1 * em,
    right: width - 0.9 * em,
    top: 0.5 * em,
    bottom: high - 2.6 * em,
    high,
  };
  return {
    box,
    x: linear([0, n], [box.left, box.right]),
    y: linear(
      DECADES.map((power) => (power * n) / 100),
      [box.bottom, box.top],
    ),
  };
}

/** The last values of the curves, and the number of products that reach the true root mean square. */
const factsOf = (last, reaching, samples) => [
  fact("typical", last.typical, "typical size (median)"),
  fact("mean", last.mean, "true root mean square"),
  fact("seen", last.seen, `root mean square of the sample`),
  html(
    "p",
    { class: "reach" },
    html("b", {}, reaching),
    ` of ${samples.toLocaleString("en-US")} products reach the true root mean square`,
  ),
];

/** A number, given by its logarithm, with a sample of its line. */
const fact = (kind, log, what) =>
  html(
    "p",
    { class: "fact" },
    swatch(28, 10, svg("path", { class: kind, d: "M1 5H27" })),
    html("b", {}, fromLog(log, 1)),
    html("small", {}, what),
  );
