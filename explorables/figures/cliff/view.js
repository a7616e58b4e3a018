import { control, controls, setAll, transport } from "../../lib/controls.js";
import { drawingOf, html, italic, set, setSize, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { arrowKeys, draggable, keySlider, knob, sliderRole } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { decade, fromLog } from "../../lib/powers.js";
import { clamp, format, linear, log } from "../../lib/scales.js";
import { path, place, point, rect } from "../../lib/shapes.js";
import { defaults, fold, keepDrawn, presets, settings } from "../../lib/stage.js";
import { landscape, place as onRamp } from "./ground.js";
import { meta } from "./meta.js";
import {
  along,
  ALWAYS,
  B,
  descend,
  fate,
  inside,
  leaves,
  MANY,
  nearby,
  STEPS,
  thrown,
  W,
} from "./math.js";

/** Distances of the line along the gradient, and powers of ten of the axis of losses. */
const LINE = [-0.4, 1.3];
const [LOW, HIGH] = [-6, 0];
/** Milliseconds: the hand rests after so many, and what it then waits for works so long at a time. */
const [REST, SLICE] = [200, 6];
/** Starts each way that are followed, for the map and for counting. */
const [SHOWN, COUNTED] = [96, 32];
/** How the two descents look: the first follows the gradient, the second a clipped one. */
const LOOKS = [
  { name: "free", colour: "gradient", wide: 1.8, dash: [5, 3], square: true },
  { name: "held", colour: "parameter", wide: 1.8, dash: [] },
];
const PRESETS = {
  "like figure 10.17": {},
  "0.1 to the right": { w: 5 },
  "10 steps, no wall": { T: 10 },
  chance: { b: -2.9, lr: 0.3, near: true },
};
const NAMES = {
  norm: "Norm clipped",
  element: "Each entry clipped",
  random: "Random step",
  none: "Not clipped either",
};

export function render({ model, el }) {
  const spec = meta.controls;
  const [ground, plot] = [svg("g"), svg("g")];
  const [start, cursor] = [knob({ class: "start" }), knob({ class: "cursor course" })];
  const pane = svg("rect", { class: "pane" });
  const drawing = drawingOf("The loss, and two descents on it", ground, pane, plot, start, cursor);
  const canvas = html("canvas", { "aria-hidden": "true" });
  const veil = html("canvas", { class: "veil", "aria-hidden": "true" });
  const area = html("div", { class: "area" }, canvas, veil, drawing);
  const readout = html("div", { class: "readout" });
  const near = html("p", { class: "near" });
  const paint = landscape(canvas, el);
  const time = transport(model, "k", { ...spec.k, interval: 160, text: (k) => `update ${k}` });
  const status = live();
  const { view: _view, turn: _turn, T, ...rest } = defaults(spec);
  const examples = Object.fromEntries(
    Object.entries(PRESETS).map(([name, state]) => [name, { ...rest, T, ...state }]),
  );
  const row = presets(model, "examples", examples, ["k"]);
  row.append(control(model, "near", spec.near));
  const exact = ["w", "b", "T", "turn"].map((key) => control(model, key, spec[key]));
  el.classList.add("fig-cliff");
  el.append(
    readout,
    area,
    ramp(),
    controls(time, control(model, "view", spec.view)),
    controls(
      ...["v", "lr"].map((key) => control(model, key, spec[key])),
      control(model, "kind", spec.kind),
    ),
    row,
    near,
    fold("Set by number", controls(exact)),
    guess(meta.prediction, () => setAll(model, examples["0.1 to the right"])),
    status,
  );

  let at; // scales of the drawing
  let now; // the state, and what was computed for it
  let timer;
  let framed; // what the frames were drawn for
  const put = (w, b) => {
    const fits = (value, { min, max }) => clamp(Math.round(100 * value) / 100, min, max);
    setAll(model, { w: fits(w, spec.w), b: fits(b, spec.b) });
  };
  const label = "start: weight (left and right) and bias (up and down)";
  set(start, sliderRole(label, spec.w.min, spec.w.max));
  draggable(start, { surface: drawing, move: ({ x, y }) => put(at.w.invert(x), at.b.invert(y)) });
  const move = ([w, b]) => put(model.get("w") + w, model.get("b") + b);
  arrowKeys(start, move, 0.02, { PageUp: [0, 0.2], PageDown: [0, -0.2] });
  // From above, a press anywhere puts the start there; the relief is turned.
  let held;
  draggable(pane, {
    surface: drawing,
    start(point) {
      held = { x: point.x, turn: model.get("turn") };
      if (model.get("view") !== "relief") put(at.w.invert(point.x), at.b.invert(point.y));
    },
    move({ x, y }) {
      if (model.get("view") !== "relief") return put(at.w.invert(x), at.b.invert(y));
      setAll(model, { turn: ((Math.round(held.turn + (x - held.x) / 2) + 540) % 360) - 180 });
    },
  });
  const rotate = ([x, y]) =>
    setAll(model, { turn: ((model.get("turn") + x + y + 540) % 360) - 180 });
  arrowKeys(pane, rotate, 5, { PageUp: [0, 50], PageDown: [0, -50] });
  draggable(cursor, { surface: drawing, move: ({ x }) => setAll(model, { k: at.k.invert(x) }) });
  const follow = keySlider(cursor, {
    label: "update",
    min: spec.k.min,
    max: spec.k.max,
    get: () => model.get("k"),
    change: (k) => setAll(model, { k }),
    text: (k) => `update ${k}: loss ${now ? plain(now.ways[1].E[k]) : ""}`,
  });

  function compute() {
    const state = settings(model, spec);
    const same = (...keys) => now && keys.every((key) => now[key] === state[key]);
    const known = same("w", "b", "lr", "v", "T", "kind");
    const [ways, tried] = known
      ? [now.ways, now.tried]
      : [["none", state.kind].map((kind) => descend(state, kind))];
    const lost = same("lr", "v", "T", "kind") ? now.lost : undefined;
    now = { ...state, ways, tried, lost };
    now.fates = ways.map(fate);
    now.out = ways.map(leaves);
    now.lines = ways.map((way) => along(way.w[now.k], way.b[now.k], now.T, LINE));
    now.parted = ways[0].w.findIndex((w, k) => w !== ways[1].w[k] || ways[0].b[k] !== ways[1].b[k]);
    clearTimeout(timer);
    if (state.view === "starts") now.lost ??= { out: new Uint8Array(SHOWN ** 2), n: SHOWN };
    const jobs = [];
    if (now.near && !tried)
      jobs.push(
        [nearby(now, "none"), (found) => (now.first = found)],
        [nearby(now, now.kind), (found) => (now.tried = [now.first, found])],
      );
    if (now.view === "starts" && !now.lost.held) {
      now.lost.work ??= [thrown(now, "none", SHOWN, now.lost.out), thrown(now, now.kind, COUNTED)];
      jobs.push(
        [now.lost.work[0], (out) => (now.lost.free = share(out))],
        [now.lost.work[1], (out) => (now.lost.held = share(out))],
      );
    }
    if (jobs.length) timer = setTimeout(settle, REST, jobs);
  }
  const share = (out) => out.reduce((sum, one) => sum + one, 0) / out.length;
  /** What takes long, once the hand rests: a little at a time, for it may move again. */
  function settle(jobs) {
    const until = performance.now() + SLICE;
    while (jobs.length && performance.now() < until) {
      const [[job, done]] = jobs;
      const next = job.next();
      if (!next.done) continue;
      if (next.value) done(next.value);
      jobs.shift();
      draw();
    }
    if (now.view === "starts") paint.veil({ veil, ...now.lost });
    if (jobs.length) timer = setTimeout(settle, 0, jobs);
  }
  function draw() {
    const relief = now.view === "relief";
    const { field } = at.boxes;
    const ways = now.ways.map((way, i) => {
      const n = now.out[i];
      return {
        way,
        look: LOOKS[i],
        last: n < 0 ? STEPS : n - 1,
        edge: n > 0 && exit(way, n),
        here: i === 1 || !together(now),
      };
    });
    paint.draw({ ...now, ways, relief, side: field.x1 - field.x0 });
    veil.hidden = now.view !== "starts";
    if (!veil.hidden) paint.veil({ veil, ...now.lost });
    if (!relief && document.activeElement === pane) {
      set(start, { visibility: null, tabindex: 0 });
      start.focus({ preventScroll: true });
    }
    if (framed !== `${relief} ${at.key}`) ground.replaceChildren(...frame(at, relief));
    framed = `${relief} ${at.key}`;
    plot.replaceChildren(...(relief ? [] : descents(now, at)), ...charts(now, at));
    set(start, { visibility: relief ? "hidden" : null, tabindex: relief ? null : 0 });
    place(start, at.w(now.w), at.b(now.b));
    place(cursor, at.k(now.k), at.chart.y1);
    set(
      pane,
      relief
        ? {
            ...sliderRole("turn of the relief", -180, 180),
            "aria-valuenow": now.turn,
            "aria-valuetext": `${format(now.turn, 0)} degrees`,
          }
        : {
            role: null,
            tabindex: null,
            "aria-label": null,
            "aria-valuemin": null,
            "aria-valuemax": null,
            "aria-valuenow": null,
            "aria-valuetext": null,
          },
    );
    readout.replaceChildren(...words(now));
    near.replaceChildren(...everywhere(now), ...neighbours(now));
    set(start, {
      "aria-valuenow": now.w,
      "aria-valuetext": `w ${format(now.w)}, b ${format(now.b)}: ${now.fates.map((name, i) => `${i ? "clipped" : "without clipping"} ${FATE_WORDS[name]}`).join(", ")}`,
    });
    follow();
    status.announce(`${readout.textContent} ${near.textContent}`);
  }
  function update() {
    compute();
    draw();
  }
  function resize(next) {
    at = { ...scales(next), key: Object.values(next).join() };
    const { field } = at.boxes;
    setSize(drawing, next.width, at.height);
    set(pane, {
      x: field.x0,
      y: field.y0,
      width: field.x1 - field.x0,
      height: field.y1 - field.y0,
    });
    const [left, top, width, height] = [
      field.x0,
      field.y0,
      field.x1 - field.x0,
      field.y1 - field.y0,
    ].map((size) => `${size}px`);
    [canvas, veil].forEach(({ style }) => Object.assign(style, { left, top, width, height }));
    el.style.setProperty("--readout", `${at.boxes.line.x0 - 1.5 * at.em}px`);
  }
  const job = { stop: () => clearTimeout(timer) };
  return keepDrawn(model, area, update, { resize, clocks: [time, paint, job] });
}

// ---- the drawing

/** Where everything goes: the field beside two charts on a page and a slide, above them on a phone. */
function scales({ width, em, room }) {
  const slide = room < Infinity;
  const narrow = !slide && width < 34 * em;
  const font = (narrow ? 0.82 : slide ? 0.9 : 0.88) * em; // a slide has no words below 24 px
  const [margin, title, ticks] = [2.7 * em, 1.7 * em, 1.4 * em];
  const boxes = {};
  const box = (name, x, y, w, h) =>
    (boxes[name] = {
      x0: Math.round(x),
      x1: Math.round(x + w),
      y0: Math.round(y),
      y1: Math.round(y + h),
    });
  let height;
  if (narrow) {
    const side = width - margin - 0.3 * em;
    box("field", margin, 0.4 * em, side, side);
    box("line", margin, side + 2.6 * ticks + title, side, 8 * em);
    box("chart", margin, boxes.line.y1 + 1.6 * ticks + title, side, 8 * em);
    height = boxes.chart.y1 + 1.7 * ticks;
  } else {
    // A slide has the words beside the field, and the chart of the line alone.
    const side = slide ? (room - 6.9) * em : Math.min(0.56 * width, 30 * em);
    box("field", margin, 0.4 * em, side, side);
    const right = margin + side + 3.4 * em;
    const [top, wide] = [slide ? 7.2 * em : title, width - right - 0.5 * em];
    const high = (side - title * 2 - 1.4 * ticks) / 2;
    box("line", right, top, wide, slide ? boxes.field.y1 - top : high);
    box("chart", right, boxes.field.y1 - high, wide, high);
    height = boxes.field.y1 + 1.7 * ticks;
  }
  const { field, line, chart } = boxes;
  return {
    narrow,
    slide,
    em,
    font,
    height: Math.round(height),
    boxes,
    chart,
    w: linear(W, [field.x0, field.x1]),
    b: linear(B, [field.y1, field.y0]),
    s: linear(LINE, [line.x0, line.x1]),
    e: linear([0, 0.5], [line.y1, line.y0]),
    k: linear([0, STEPS], [chart.x0, chart.x1]),
    E: log([10 ** LOW, 10 ** HIGH], [chart.y1, chart.y0]),
  };
}

/** What the colours of the ground mean. */
const ramp = () =>
  html(
    "p",
    { class: "ramp" },
    "loss ",
    html("span", { class: "colours", "aria-hidden": "true" }),
    [
      [1e-4, "10⁻⁴"],
      [1e-3, "10⁻³"],
      [ALWAYS, String(ALWAYS)],
      [0.5, "0.5"],
    ].map(([loss, words]) =>
      html("span", { class: "at", style: `--at:${onRamp(loss).toFixed(3)}` }, words),
    ),
  );

/** Frames, axes and names. */
function frame(at, relief) {
  const { boxes, em, font } = at;
  const { field, line, chart } = boxes;
  const title = ({ x0, y0 }, ...words) =>
    text(at, x0, y0 - 0.85 * em, { class: "title" }, ...words);
  const tick = (x, y, words, end) => text(at, x, y, { class: end ? "tick end" : "tick" }, words);
  const corners = ({ x0, x1, y0, y1 }, more) =>
    rect(x0, y0, x1 - x0, y1 - y0, { class: "frame", ...more });
  return [
    corners(line),
    !relief && [
      corners(field),
      [3.5, 4, 4.5, 5, 5.5].map((w) => tick(at.w(w), field.y1 + 0.8 * em, String(w))),
      [-3.5, -3, -2.5, -2, -1.5].map((b) => tick(field.x0 - 0.4 * em, at.b(b), format(b, 1), true)),
      text(at, at.w(5.78), field.y1 + 0.85 * em, { class: "name end" }, italic("w")),
      text(at, field.x0 - 0.9 * em, at.b(-1.22), { class: "name end" }, italic("b")),
    ],
    title(line, "loss along the gradient"),
    [0, 0.5, 1].map((s) => tick(at.s(s), line.y1 + 0.8 * em, String(s))),
    [0, 0.25, 0.5].map((e) =>
      tick(line.x0 - 0.4 * em, at.e(e), e ? format(e, e === 0.5 ? 1 : 2) : "0", true),
    ),
    svg("g", { class: "course" }, [
      corners(chart),
      title(chart, "loss, by update"),
      [0, 50, 100, 150].map((k) => tick(at.k(k), chart.y1 + 0.95 * em, String(k))),
      [-6, -4, -2, 0].map((power) =>
        tick(chart.x0 - 0.4 * em, at.E(10 ** power), decade(power, font), true),
      ),
      svg("path", { class: "always", d: `M${chart.x0} ${at.E(ALWAYS)}H${chart.x1}` }),
    ]),
    svg("path", { class: "zero", d: `M${at.s(0)} ${line.y0}V${line.y1}` }),
  ]
    .flat(3)
    .filter(Boolean);
}

/** The two descents on the map; where one leaves the picture, an arrow at the edge says where to. */
function descents(now, at) {
  const { ways, k, out, tried } = now;
  const { em } = at;
  const parts = ways.map((way, i) => {
    const look = LOOKS[i];
    const end = out[i] < 0 ? STEPS : out[i] - 1;
    const points = way.w.slice(0, end + 1).map((w, n) => [at.w(w), at.b(way.b[n])]);
    const edge = out[i] > 0 ? exit(way, out[i]) : null;
    const line = edge ? [...points, [at.w(edge.w), at.b(edge.b)]] : points;
    const dots = points.map(([x, y]) => `M${point(x, y)}h0`).join("");
    const here = points[Math.min(k, end)];
    return {
      line: [
        svg("path", { class: `halo`, d: path(line) }),
        svg("path", { class: `way ${look.name}`, d: path(line) }),
        svg("path", { class: `dots ${look.name}`, d: dots }),
      ],
      // A point that has left stands at the edge.
      here: k > end && edge ? null : marker(look, here, em),
      edge: edge && arrow(edge, way, out[i], look, at),
      tried: tried?.[i].ends
        .filter(({ w, b }) => inside(w, b))
        .map(({ w, b }) => mark(look, [at.w(w), at.b(b)], 0.2 * em, "tried")),
    };
  });
  return [
    parts[1].line,
    parts[0].line,
    parts.map((part) => part.edge),
    parts.map((part) => part.tried),
    parts[1].here,
    together(now) ? null : parts[0].here,
  ]
    .flat(3)
    .filter(Boolean);
}

const mark = (look, [x, y], r, name) =>
  look.square
    ? rect(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r, { class: `${name} ${look.name}` })
    : svg("circle", { class: `${name} ${look.name}`, cx: x, cy: y, r });
const marker = (look, point, em) => mark(look, point, 0.36 * em, "here");

/** Where the step to update n crosses the edge of the picture, and how it is directed there. */
function exit({ w, b }, n) {
  const [from, to] = [
    [w[n - 1], b[n - 1]],
    [w[n], b[n]],
  ];
  const shares = [W, B].map((limits, i) => {
    const d = to[i] - from[i];
    return d === 0 ? Infinity : ((d > 0 ? limits[1] : limits[0]) - from[i]) / d;
  });
  const share = clamp(Math.min(...shares), 0, 1);
  return {
    w: from[0] + share * (to[0] - from[0]),
    b: from[1] + share * (to[1] - from[1]),
    d: [to[0] - from[0], to[1] - from[1]],
  };
}

function arrow({ w, b, d }, way, n, look, at) {
  const { em, font } = at;
  const { field } = at.boxes;
  const [x, y] = [at.w(w), at.b(b)];
  const angle = (Math.atan2(-d[1], d[0]) * 180) / Math.PI;
  const words = `to (${format(way.w[n], short(way.w[n]))}, ${format(way.b[n], short(way.b[n]))})`;
  const wide = 0.56 * font * words.length;
  const left = x - field.x0 > 0.5 * (field.x1 - field.x0);
  return [
    svg("path", {
      class: `head ${look.name}`,
      d: `M0 0L${-1.1 * em} ${-0.45 * em}L${-0.8 * em} 0L${-1.1 * em} ${0.45 * em}Z`,
      transform: `translate(${point(x, y)}) rotate(${angle.toFixed(1)})`,
    }),
    text(
      at,
      clamp(
        x + (left ? -1.4 : 1.4) * em,
        field.x0 + (left ? wide : 0) + 0.3 * em,
        field.x1 - (left ? 0 : wide) - 0.3 * em,
      ),
      clamp(y + (y < field.y0 + 2 * em ? 0.9 : 0) * em, field.y0 + 0.9 * em, field.y1 - 0.9 * em),
      { class: `to ${look.name} ${left ? "end" : ""}` },
      words,
    ),
  ];
}
const short = (value) => (Math.abs(value) < 100 ? 2 : 0);

function charts(now, at) {
  const { ways, k, lines, kind, v, lr } = now;
  const { line, chart } = at.boxes;
  const { em } = at;
  const one = together(now);
  const curve = (points, name) => svg("path", { class: name, d: path(points) });
  const height = (E) => at.E(clamp(E, 10 ** LOW, 1));
  const profile = (i) =>
    curve(
      lines[i].map(([s, E]) => [at.s(s), at.e(E)]),
      `profile ${LOOKS[i].name}`,
    );
  const step = ({ name }, i) => {
    const norm = ways[i].norm[k];
    // What a clipped entry or a random step does is not on this line.
    if (!norm || (i && norm > v && kind !== "norm" && kind !== "none")) return null;
    const length = lr * (i && kind === "norm" ? Math.min(norm, v) : norm);
    const [y, beyond, head] = [line.y0 + (1.7 + 1.5 * i) * em, length > LINE[1] - 0.02, 0.42 * em];
    const end = beyond ? line.x1 : at.s(length);
    return [
      svg("path", { class: `step ${name}`, d: `M${at.s(0)} ${y}H${end.toFixed(1)}` }),
      end - at.s(0) > head &&
        svg("path", {
          class: `head ${name}`,
          d: `M${end.toFixed(1)} ${y}l${-1.8 * head} ${-0.8 * head}v${1.6 * head}Z`,
        }),
      text(
        at,
        beyond ? line.x1 - 1.2 * em : end + 0.4 * em,
        y - (beyond ? 0.8 * em : 0),
        { class: `size ${name} ${beyond ? "end" : ""}` },
        `${digits(length)}${beyond ? " far" : ""}`,
      ),
    ];
  };
  const both = (draw) => LOOKS.map((look, i) => (i || !one) && draw(look, i));
  return [
    both((_, i) => profile(i)),
    LOOKS.map(step),
    both((look, i) => marker(look, [at.s(0), at.e(ways[i].E[k])], em)),
    svg("g", { class: "course" }, [
      svg("path", { class: "at", d: `M${at.k(k).toFixed(1)} ${chart.y0}V${chart.y1}` }),
      ...[1, 0].map((i) =>
        curve(
          ways[i].E.map((E, n) => [at.k(n), height(E)]),
          `loss ${LOOKS[i].name}`,
        ),
      ),
      ...both((look, i) => marker(look, [at.k(k), height(ways[i].E[k])], em)).flat(2),
    ]),
  ]
    .flat(3)
    .filter(Boolean);
}

/** Whether both descents are still at one point. */
const together = ({ parted, k }) => parted < 0 || k < parted;

// ---- the words

const FATE_WORDS = { out: "is thrown out", found: "finds the ravine", on: "is still on its way" };
/** Three digits of a size, without zeros at their end. */
const digits = (value) =>
  value < 1e-3 ? "0.000" : value >= 1e4 ? plain(value) : String(Number(value.toPrecision(3)));
const plain = (value) =>
  value >= 0.001 && value < 1e4
    ? format(value, value < 0.01 ? 4 : 3)
    : value === 0
      ? "0"
      : value.toExponential(1).replace("-", "−").replace("+", "");

function words(now) {
  const { ways, fates, out, kind, v, lr, k } = now;
  const line = ({ name }, i, title) => {
    const { w, b, E } = ways[i];
    const n = out[i];
    const where =
      fates[i] === "out"
        ? ` at update ${n}, to (${[w, b].map((values) => format(values[n], short(values[n]))).join(", ")})`
        : "";
    const swatch = svg(
      "svg",
      { viewBox: "0 0 34 10", "aria-hidden": "true" },
      svg("path", { class: `way ${name}`, d: "M1 5H33" }),
      mark(LOOKS[i], [17, 5], 4, "here"),
    );
    return html(
      "p",
      { class: name },
      swatch,
      html("b", {}, title),
      ` ${FATE_WORDS[fates[i]]}`,
      html("span", {}, `${where}; last loss ${plain(E.at(-1))}.`),
    );
  };
  const [free, held] = ways.map((way) => way.norm[k]);
  const long = together(now)
    ? `gradient ${digits(held)} long`
    : `gradients ${digits(free)} and ${digits(held)} long`;
  const cut = {
    norm: `step ${digits(lr * v)} instead of ${digits(lr * held)}`,
    element: "each entry clipped",
    random: "a random step",
  }[kind];
  return [
    line(LOOKS[0], 0, "Without clipping"),
    line(LOOKS[1], 1, NAMES[kind]),
    html(
      "p",
      { class: "now" },
      `Update ${k}: ${long}${held > v && cut ? `, above v = ${v}: ${cut}` : ""}.`,
    ),
  ];
}

function everywhere({ view, lost }) {
  if (view !== "starts") return [];
  const part = (value) =>
    value === undefined ? "…" : `${format(100 * value, value && value < 0.1 ? 1 : 0)}\u00a0%`;
  return [
    `Of all starts in the picture, ${part(lost.free)} are thrown out without clipping, the veiled ones, and ${part(lost.held)} with it. `,
  ];
}

function neighbours({ near, tried }) {
  if (!near) return [];
  if (!tried) return ["…"];
  const [free, held] = tried;
  const far = (value) => fromLog(Math.log10(value), 0);
  return [
    `Of ${MANY} starts within `,
    fromLog(-12),
    ` of this one, ${free.out} leave the picture without clipping; their ends are up to `,
    far(free.apart),
    ` apart. With clipping ${held.out} leave, ${held.found} find the ravine, up to `,
    far(held.apart),
    " apart.",
    [free, held].some(({ out }) => out > 0 && out < MANY)
      ? " Descents are chaotic here: the rounding of numbers decides where one ends."
      : "",
  ].flat();
}
