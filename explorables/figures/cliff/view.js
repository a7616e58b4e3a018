import { controls, controlsOf, holds, holdsTwo, setAll, transport } from "../../lib/controls.js";
import { drawingOf, html, set, setSize, svg } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { arrowKeys, draggable, knob, sliderRole } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { format } from "../../lib/scales.js";
import { place } from "../../lib/shapes.js";
import { defaults, fold, keepDrawn, presets, settings } from "../../lib/stage.js";
import { worker } from "../../lib/worker.js";
import { charts, descents, exit, frame, LINE, LOOKS, scales, together } from "./drawing.js";
import { landscape } from "./ground.js";
import { meta } from "./meta.js";
import { along, descend, fate, leaves, nearby, STEPS, thrown } from "./math.js";
import { plain } from "./numbers.js";
import { everywhere, FATE_WORDS, neighbours, ramp, words } from "./words.js";

/** Milliseconds after which a hand rests. */
const REST = 200;
/** Starts each way that are followed, for the map and for counting. */
const [SHOWN, COUNTED] = [96, 32];
const PRESETS = {
  start: {},
  "0.1 to the right": { w: 5 },
  "10 steps, no wall": { T: 10 },
  chance: { b: -2.9, lr: 0.3, near: true },
};
const spec = meta.controls;

export function render({ model, el }) {
  const figure = { model, el, ...parts(), now: null, at: null, framed: "" };
  const paint = landscape(figure.canvas, el);
  const time = transport(model, "k", { ...spec.k, interval: 160, text: (k) => `update ${k}` });
  el.classList.add("fig-cliff");
  el.append(...stage(figure, time));
  holdPane(figure, holdStart(figure));
  const follow = holdCursor(figure);

  const later = worker(REST);
  const veilStarts = () => {
    if (figure.now.view === "starts") paint.veil(figure.veil, figure.now.lost);
  };
  function draw() {
    const { now, status, readout, near } = figure;
    paint.draw(ground(figure));
    figure.veil.hidden = now.view !== "starts";
    veilStarts();
    drawOver(figure);
    drawHandles(figure);
    readout.replaceChildren(...words(now));
    near.replaceChildren(...everywhere(now), ...neighbours(now));
    follow();
    status.announce(`${readout.textContent} ${near.textContent}`);
  }
  function update() {
    figure.now = compute(settings(model, spec), figure.now);
    later.start(jobs(figure.now, draw), veilStarts);
    draw();
  }
  const resize = (size) => layOut(figure, size);
  return keepDrawn(model, figure.area, update, { resize, clocks: [time, paint, later] });
}

/** What is drawn, and where the words go. */
function parts() {
  const [front, back] = [svg("g"), svg("g")];
  const [start, cursor] = [knob({ class: "start" }), knob({ class: "cursor course" })];
  const pane = svg("rect", { class: "pane" });
  const drawing = drawingOf("The loss, and two descents on it", back, pane, front, start, cursor);
  const canvas = html("canvas", { "aria-hidden": "true" });
  const veil = html("canvas", { class: "veil", "aria-hidden": "true" });
  const area = html("div", { class: "area" }, canvas, veil, drawing);
  const [readout, near] = [html("div", { class: "readout" }), html("p", { class: "near" })];
  const status = live();
  return { front, back, start, cursor, pane, drawing, canvas, veil, area, readout, near, status };
}

/** All of the figure from top to bottom. */
function stage({ model, readout, area, near, status }, time) {
  const { view: _view, turn: _turn, ...rest } = defaults(spec);
  const examples = Object.fromEntries(
    Object.entries(PRESETS).map(([name, state]) => [name, { ...rest, ...state }]),
  );
  const row = (...keys) => controlsOf(model, spec, ...keys);
  const offered = presets(model, "examples", examples, ["k"]);
  offered.append(...row("near"));
  return [
    readout,
    area,
    ramp(),
    controls(time, row("view")),
    controls(row("v", "lr", "kind")),
    offered,
    near,
    fold("Set by number", controls(row("w", "b", "T", "turn"))),
    guess(meta.prediction, () => setAll(model, examples["0.1 to the right"])),
    status,
  ];
}

// ---- hands

/** Returns what puts the start at the weight and the bias of a point of the drawing. */
function holdStart(figure) {
  const at = ({ x, y }) => [figure.at.w.invert(x), figure.at.b.invert(y)];
  const put = holdsTwo(figure.start, figure.model, ["w", "b"], spec, {
    surface: figure.drawing,
    at,
    label: "start: weight (left and right) and bias (up and down)",
    step: 0.02,
    others: { PageUp: [0, 0.2], PageDown: [0, -0.2] },
  });
  return (point) => put(at(point));
}

/** From above, a press anywhere puts the start there; the relief is turned. */
function holdPane(figure, putStart) {
  const { model, pane, drawing } = figure;
  const isRelief = () => model.get("view") === "relief";
  const turnTo = (angle) => setAll(model, { turn: ((angle + 540) % 360) - 180 });
  let held;
  draggable(pane, {
    surface: drawing,
    start(point) {
      held = { x: point.x, turn: model.get("turn") };
      if (!isRelief()) putStart(point);
    },
    move(point) {
      if (isRelief()) turnTo(Math.round(held.turn + (point.x - held.x) / 2));
      else putStart(point);
    },
  });
  const rotate = ([x, y]) => turnTo(model.get("turn") + x + y);
  arrowKeys(pane, rotate, 5, { PageUp: [0, 50], PageDown: [0, -50] });
}

/** Returns what follows an update that was chosen elsewhere. */
function holdCursor(figure) {
  const loss = (k) => (figure.now ? plain(figure.now.ways[1].E[k]) : "");
  return holds(figure.cursor, figure.model, "k", spec.k, {
    surface: figure.drawing,
    at: ({ x }) => figure.at.k.invert(x),
    text: (k) => `update ${k}: loss ${loss(k)}`,
  });
}

// ---- what is computed

/** A state with its descents and what is known of them; `before` has what need not be computed anew. */
function compute(state, before) {
  const same = (...keys) => before && keys.every((key) => before[key] === state[key]);
  const known = same("w", "b", "lr", "v", "T", "kind");
  const ways = known ? before.ways : ["none", state.kind].map((kind) => descend(state, kind));
  let lost = same("lr", "v", "T", "kind") ? before.lost : undefined;
  if (state.view === "starts") lost ??= { out: new Uint8Array(SHOWN ** 2), n: SHOWN };
  const [free, held] = ways;
  return {
    ...state,
    ways,
    lost,
    tried: known ? before.tried : undefined,
    fates: ways.map(fate),
    out: ways.map(leaves),
    lines: ways.map(({ w, b }) => along(w[state.k], b[state.k], state.T, LINE)),
    parted: free.w.findIndex((w, k) => w !== held.w[k] || free.b[k] !== held.b[k]),
  };
}

/** What takes long: the starts nearby, and all starts. `draw()` follows each. */
function jobs(now, draw) {
  const list = [];
  const add = (job, keep) =>
    list.push([
      job,
      (found) => {
        keep(found);
        draw();
      },
    ]);
  if (now.near && !now.tried) {
    let free;
    add(nearby(now, "none"), (found) => (free = found));
    add(nearby(now, now.kind), (found) => (now.tried = [free, found]));
  }
  const { lost } = now;
  if (now.view === "starts" && !lost.held) {
    lost.work ??= [thrown(now, "none", SHOWN, lost.out), thrown(now, now.kind, COUNTED)];
    const share = (out) => out.reduce((sum, one) => sum + one, 0) / out.length;
    add(lost.work[0], (out) => (lost.free = share(out)));
    add(lost.work[1], (out) => (lost.held = share(out)));
  }
  return list;
}

// ---- what is drawn

function layOut(figure, size) {
  const { el, drawing, pane, canvas, veil } = figure;
  const at = { ...scales(size), key: Object.values(size).join() };
  figure.at = at;
  const { x0, x1, y0, y1 } = at.boxes.field;
  setSize(drawing, size.width, at.height);
  set(pane, { x: x0, y: y0, width: x1 - x0, height: y1 - y0 });
  const [left, top, width, height] = [x0, y0, x1 - x0, y1 - y0].map((length) => `${length}px`);
  for (const { style } of [canvas, veil]) Object.assign(style, { left, top, width, height });
  el.style.setProperty("--readout", `${at.boxes.line.x0 - 1.5 * at.em}px`);
}

/** What the landscape shows. */
function ground({ now, at }) {
  const { x0, x1 } = at.boxes.field;
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
  return { ...now, ways, relief: now.view === "relief", side: x1 - x0 };
}

/** What lies over the landscape, and the charts beside it. */
function drawOver(figure) {
  const { now, at, back, front } = figure;
  const relief = now.view === "relief";
  const framed = `${relief} ${at.key}`;
  if (figure.framed !== framed) back.replaceChildren(...frame(at, relief));
  figure.framed = framed;
  front.replaceChildren(...(relief ? [] : descents(now, at)), ...charts(now, at));
}

/** The start is a handle from above; of the relief the pane is one. */
function drawHandles({ now, at, start, cursor, pane }) {
  const relief = now.view === "relief";
  if (!relief && document.activeElement === pane) {
    set(start, { visibility: null, tabindex: 0 });
    start.focus({ preventScroll: true });
  }
  const fates = now.fates.map(
    (name, i) => `${i ? "clipped" : "without clipping"} ${FATE_WORDS[name]}`,
  );
  set(start, {
    visibility: relief ? "hidden" : null,
    tabindex: relief ? null : 0,
    "aria-valuenow": now.w,
    "aria-valuetext": `w ${format(now.w)}, b ${format(now.b)}: ${fates.join(", ")}`,
  });
  place(start, at.w(now.w), at.b(now.b));
  place(cursor, at.k(now.k), at.chart.y1);
  set(pane, relief ? turned(now.turn) : NO_SLIDER);
}

const turned = (angle) => ({
  ...sliderRole("turn of the relief", -180, 180),
  "aria-valuenow": angle,
  "aria-valuetext": `${format(angle, 0)} degrees`,
});
const NO_SLIDER = {
  ...Object.fromEntries(Object.keys(turned(0)).map((name) => [name, null])),
  "data-lm-suppress-shortcuts": "true",
};
