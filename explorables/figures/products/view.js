import { button, control, controls, setAll } from "../../lib/controls.js";
import { html, set, setSize, svg } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { draggable, keySlider, knob } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { decade, fromLog, spokenLog } from "../../lib/powers.js";
import { clamp, format, linear } from "../../lib/scales.js";
import { path, place } from "../../lib/shapes.js";
import { keepDrawn } from "../../lib/stage.js";
import { meta } from "./meta.js";
import { keeping, sample, SAMPLES, trueRms } from "./math.js";

const DRAWN = 40; // products
const DECADES = [-52, 33]; // of the axis, for 100 factors

export function render({ model, el }) {
  const spec = meta.controls;
  const ground = svg("g", { class: "ground" });
  const paths = svg("path", { class: "paths" });
  const mean = svg("path", { class: "mean" });
  const seen = svg("path", { class: "seen" });
  const typical = svg("path", { class: "typical" });
  const inside = svg("svg", {}, paths, seen, mean, typical);
  const ends = { mean: knob(), typical: knob() };
  const picture = svg("g", { role: "img" }, ground, inside);
  const drawing = svg("svg", { class: "uf-drawing" }, picture, ends.mean, ends.typical);
  const area = html("div", { class: "area" }, drawing);
  const facts = html("div", { class: "facts" });
  const hint = html("p", { class: "hint" });
  const status = live();
  const kept = () => Number(keeping(model.get("kind")).toFixed(3));
  const keep = button("", () => write("v", model.get("v") === kept() ? 1 : kept()));
  const another = button("another sample", () =>
    write("seed", (model.get("seed") + 1) % (spec.seed.max + 1)),
  );
  el.classList.add("fig-products");
  el.append(
    hint,
    html("div", { class: "stage" }, area, facts),
    controls(
      control(model, "kind", spec.kind),
      control(model, "n", spec.n),
      control(model, "v", spec.v),
      html("div", { class: "uf-control buttons" }, keep, another),
    ),
    guess(meta.prediction, () => setAll(model, { kind: "100", v: 1, n: 100 })),
    status,
  );
  function write(key, value) {
    model.set(key, value);
    model.save_changes();
  }

  // Products are drawn once for each kind and seed; v only tilts them, n continues them.
  const samples = new Map();
  function drawn() {
    const [kind, seed] = [model.get("kind"), model.get("seed")];
    const key = `${kind} ${seed}`;
    if (!samples.has(key)) samples.set(key, sample(kind, seed));
    return samples.get(key).until(model.get("n"));
  }

  let scales;
  function draw(size) {
    const [kind, v, n] = ["kind", "v", "n"].map((key) => model.get(key));
    const found = drawn();
    const tilt = Math.log10(v) / 2;
    scales = layout(size, n);
    const { x, y, box } = scales;
    // The inner drawing, which clips, has its own origin.
    const at = (t, log) => [x(t) - box.left, clamp(y(log) - box.top, -9999, 9999)];
    const line = (log) => path(Array.from({ length: n + 1 }, (_, t) => at(t, log(t))));
    const each = Math.floor(SAMPLES[kind] / DRAWN);
    const chosen = Array.from({ length: DRAWN }, (_, i) => i * each);
    set(paths, { d: chosen.map((i) => line((t) => found.logs[t][i] + t * tilt)).join("") });
    set(typical, { d: line((t) => found.medians[t] + t * tilt) });
    set(seen, { d: line((t) => found.rms[t] + t * tilt) });
    const moments = [0]; // of the same factor again and again, as powers of ten
    for (let t = 1; t <= n; t++) {
      moments.push(moments[t - 1] + (kind === "same" ? Math.log10(2 * t - 1) / 2 : 0));
    }
    set(mean, { d: line((t) => moments[t] + t * tilt) });
    set(inside, {
      x: box.left,
      y: box.top,
      width: box.right - box.left,
      height: box.bottom - box.top,
    });
    axes(size);

    const last = {
      typical: found.medians[n] + n * tilt,
      mean: trueRms(kind, v, n),
      seen: found.rms[n] + n * tilt,
    };
    const reaching = found.logs[n].reduce((sum, log) => sum + (log + n * tilt >= last.mean), 0);
    facts.replaceChildren(
      fact("typical", last.typical, "typical size: the median"),
      fact("mean", last.mean, "true root mean square"),
      fact("seen", last.seen, `that of these ${SAMPLES[kind]} samples`),
      html(
        "p",
        { class: "reach" },
        html("b", {}, reaching),
        ` of ${SAMPLES[kind]} are as large as the true one`,
      ),
    );
    set(picture, {
      "aria-label": `After ${n} factors: median ${spokenLog(last.typical)}, true root mean square ${spokenLog(last.mean)}, root mean square of the sample ${spokenLog(last.seen)}.`,
    });
    put(ends.mean, x(n), y(last.mean));
    const t = handleAt(n);
    put(ends.typical, x(t), y(found.medians[t] + t * tilt));
    ends.mean.setAttribute("visibility", kind === "same" ? "hidden" : "visible");
    updates.forEach((update) => update());
    hint.textContent = spec.kind.options.find(({ value }) => value === kind).hint;
    keep.textContent =
      v === kept() ? "v = 1: mean square 1" : `v = ${format(kept())}: typical size 1`;
    status.announce(picture.getAttribute("aria-label"));
  }

  const put = (end, x, y) => place(end, x, clamp(y, scales.box.top, scales.box.bottom));

  function axes(size) {
    const { em } = size;
    const { x, y, box } = scales;
    const narrow = size.width < 26 * em;
    const text = (attributes, ...words) =>
      svg("text", { "font-size": 0.9 * em, ...attributes }, words);
    const [low, high] = [y.invert(box.bottom), y.invert(box.top)];
    const powers = y
      .ticks(5)
      .filter((power) => power === Math.round(power) && power > low && power < high);
    ground.replaceChildren(
      ...powers.flatMap((power) => [
        svg("line", {
          x1: box.left,
          x2: box.right,
          y1: y(power),
          y2: y(power),
          class: power ? "" : "zero",
        }),
        text(
          { x: box.left - 0.4 * em, y: y(power) + 0.3 * em, "text-anchor": "end" },
          decade(power, 0.9 * em),
        ),
      ]),
      ...x
        .ticks(narrow ? 2 : 5)
        .map((t) => text({ x: x(t), y: box.bottom + 1.15 * em, "text-anchor": "middle" }, t)),
      text(
        {
          x: (box.left + box.right) / 2,
          y: box.bottom + 2.3 * em,
          "text-anchor": "middle",
          class: "name",
        },
        `number of factors${narrow ? "," : ", each of mean square"} v = ${Number(model.get("v").toPrecision(3))}`,
      ),
    );
    setSize(drawing, size.width, box.high);
  }

  // ---- hands: both ends move v

  const updates = [];
  const toV = (log) => write("v", Number((10 ** log).toPrecision(4)));
  function hand(end, label, height) {
    updates.push(
      keySlider(end, {
        label,
        min: Math.log10(spec.v.min),
        max: Math.log10(spec.v.max),
        step: 0.02,
        get: () => Math.log10(model.get("v")),
        change: toV,
        text: (log) => `v = ${format(10 ** log)}`,
      }),
    );
    draggable(end, {
      surface: drawing,
      move: ({ y }) => model.set("v", Number((10 ** height(scales.y.invert(y))).toPrecision(4))),
      end: () => model.save_changes(),
    });
  }
  hand(ends.mean, "end of the root mean square", (log) => (2 * log) / model.get("n"));
  hand(ends.typical, "the median", (log) => {
    const t = handleAt(model.get("n"));
    return (2 * (log - drawn().medians[t])) / t;
  });

  return keepDrawn(model, area, draw);
}

/** The median's handle is not at the end, where it might hide beneath the other. */
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

/** A number, by its logarithm, with a piece of the line that it ends. */
const fact = (kind, log, what) =>
  html(
    "p",
    { class: "fact" },
    svg(
      "svg",
      { viewBox: "0 0 28 10", "aria-hidden": "true" },
      svg("path", { class: kind, d: "M1 5H27" }),
    ),
    html("b", {}, fromLog(log, 1)),
    html("small", {}, what),
  );
