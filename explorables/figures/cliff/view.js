import { controls, controlsOf, holds, holdsTwo, setAll, transport } from "../../lib/controls.js";
import { drawingOf, html, redraw, set, setSize, svg } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { arrowKeys, draggable, knob, sliderRole } from "../../lib/handles.js";
import { live, said } from "../../lib/linked.js";
import { format } from "../../lib/scales.js";
import { place } from "../../lib/shapes.js";
import { defaults, fold, keepDrawn, settings } from "../../lib/stage.js";
import {
  charts,
  descents,
  exit,
  frame,
  LINE,
  LOOKS,
  mapScales,
  reliefNames,
  reliefScales,
} from "./drawing.js";
import { landscape } from "./ground.js";
import { meta } from "./meta.js";
import { along, descend, leaves, STEPS } from "./math.js";
import { plain } from "./numbers.js";
import { mapWords, ramp, reliefWords } from "./words.js";

const spec = meta.controls;
const opening = ({ T }, how) => `The loss of a network with ${T} steps is drawn ${how}.`;
const clock = (model, limit) =>
  transport(model, "k", { ...spec.k, limit, interval: 160, text: (k) => `update ${k}` });

export function render({ model, el }) {
  el.classList.add("fig-cliff");
  const canvas = html("canvas", { "aria-hidden": "true" });
  const paint = landscape(canvas, el);
  const readout = html("div", { class: "readout" });
  const parts = { model, el, canvas, paint, readout, status: live() };
  return (model.get("view") === "relief" ? renderRelief : renderMap)(parts);
}

/** Put the drawing over the canvas, where the landscape is. */
function layOut({ canvas, pane, drawing }, at, width) {
  const { x0, x1, y0, y1 } = at.boxes.field;
  setSize(drawing, width, at.height);
  set(pane, { x: x0, y: y0, width: x1 - x0, height: y1 - y0 });
  const sides = { left: x0, top: y0, width: x1 - x0, height: y1 - y0 };
  for (const [side, length] of Object.entries(sides)) canvas.style[side] = `${length}px`;
}

// ---- the relief

function renderRelief({ model, el, canvas, paint, readout, status }) {
  const [names, pane] = [svg("g"), svg("rect", { class: "pane turns" })];
  const drawing = drawingOf("The loss as a landscape, and a descent on it", names, pane);
  const area = html("div", { class: "area" }, canvas, drawing);
  const { view: _view, turn: _turn, ...start } = defaults(spec);
  let [at, now] = [null, null];
  const time = clock(model, () => (now && now.out > 0 ? now.out : STEPS));
  el.append(
    area,
    readout,
    controls(time),
    guess(meta.prediction, () => setAll(model, { ...start, k: 34 })),
    status,
  );
  holdTurn(model, pane, drawing);

  function draw() {
    now = reliefState(settings(model, spec), now);
    const { x0, x1 } = at.boxes.field;
    paint.draw({ ...now, relief: true, side: x1 - x0 });
    redraw(names, reliefNames(now, at));
    readout.textContent = reliefWords(now);
    set(pane, {
      "aria-valuenow": now.turn,
      "aria-valuetext": `${format(now.turn, 0)} degrees`,
    });
    time.update();
    status.announce(readout.textContent, opening(now, "as a landscape, with a descent on it"));
  }
  const resize = (size) => {
    at = reliefScales(size);
    layOut({ canvas, pane, drawing }, at, size.width);
  };
  return keepDrawn(model, area, draw, { resize, clocks: [time, paint] });
}

/** A state with its descent up to update k, which ends outside the picture. */
function reliefState(state, before) {
  const keys = ["w", "b", "lr", "v", "T", "kind"];
  const same = before && keys.every((key) => before[key] === state[key]);
  const way = same ? before.way : descend(state, state.kind);
  const out = leaves(way);
  const k = out > 0 ? Math.min(state.k, out) : state.k;
  const look = LOOKS[state.kind === "none" ? 0 : 1];
  return { ...state, way, out, k, look, edge: out > 0 && k === out && exit(way, out) };
}

/** The relief is turned by dragging it and by the arrow keys. */
function holdTurn(model, pane, surface) {
  const turnTo = (angle) => setAll(model, { turn: ((Math.round(angle) + 540) % 360) - 180 });
  set(pane, sliderRole("turn of the landscape", -180, 180));
  let held;
  draggable(pane, {
    surface,
    start: ({ x }) => (held = { x, turn: model.get("turn") }),
    move: ({ x }) => turnTo(held.turn + (x - held.x) / 2),
  });
  const others = { PageUp: [0, 50], PageDown: [0, -50] };
  arrowKeys(pane, ([x, y]) => turnTo(model.get("turn") + x + y), 5, others);
}

// ---- the map

function renderMap({ model, el, canvas, paint, readout, status }) {
  const [front, back, pane] = [svg("g"), svg("g"), svg("rect", { class: "pane" })];
  const [start, cursor] = [knob({ class: "start" }), knob({ class: "cursor course" })];
  readout.classList.add("both");
  const name = "The loss from above, and two descents on it";
  const drawing = drawingOf(name, back, pane, front, start, cursor);
  const area = html("div", { class: "area" }, canvas, drawing);
  const row = (...keys) => controls(controlsOf(model, spec, ...keys));
  const time = clock(model);
  const byNumber = fold("Set by number", row("w", "b"));
  el.append(readout, area, ramp(), controls(time), row("v", "lr", "kind"), byNumber, status);
  let [at, now] = [null, null];
  holdStart();
  const follow = holds(cursor, model, "k", spec.k, {
    surface: drawing,
    at: ({ x }) => at.k.invert(x),
    text: (k) => `update ${k}: loss ${now ? plain(now.ways[1].E[k]) : ""}`,
  });

  /** The start follows its handle, or a press anywhere on the map. */
  function holdStart() {
    const where = ({ x, y }) => [at.w.invert(x), at.b.invert(y)];
    const put = holdsTwo(start, model, ["w", "b"], spec, {
      surface: drawing,
      at: where,
      label: "start: weight (left and right) and bias (up and down)",
      step: 0.02,
      others: { PageUp: [0, 0.2], PageDown: [0, -0.2] },
    });
    const move = (point) => put(where(point));
    draggable(pane, { surface: drawing, start: move, move });
  }

  function draw() {
    now = mapState(settings(model, spec), now);
    const { x0, x1 } = at.boxes.field;
    paint.draw({ ...now, side: x1 - x0 });
    redraw(front, descents(now, at), charts(now, at));
    readout.replaceChildren(...mapWords(now));
    const [w, b] = [now.w, now.b];
    set(start, { "aria-valuenow": w, "aria-valuetext": `w ${format(w)}, b ${format(b)}` });
    place(start, at.w(w), at.b(b));
    place(cursor, at.k(now.k), at.chart.y1);
    follow();
    status.announce(said(readout), opening(now, "as a map, with two descents on it"));
  }
  const resize = (size) => {
    at = mapScales(size);
    layOut({ canvas, pane, drawing }, at, size.width);
    redraw(back, frame(at));
    el.style.setProperty("--readout", `${at.boxes.line.x0 - 1.5 * at.em}px`);
  };
  return keepDrawn(model, area, draw, { resize, clocks: [time, paint] });
}

/** A state with both descents up to update k, and whether they are still at `one` point. */
function mapState(state, before) {
  const keys = ["w", "b", "lr", "v", "T", "kind"];
  const same = before && keys.every((key) => before[key] === state[key]);
  const ways = same ? before.ways : ["none", state.kind].map((kind) => descend(state, kind));
  const { k } = state;
  const edges = ways.map((way) => {
    const n = leaves(way);
    return n > 0 && n <= k ? exit(way, n) : null;
  });
  const [free, held] = ways;
  return {
    ...state,
    ways,
    edges,
    lines: ways.map(({ w, b }) => along(w[k], b[k], state.T, LINE)),
    one: free.w[k] === held.w[k] && free.b[k] === held.b[k],
  };
}
