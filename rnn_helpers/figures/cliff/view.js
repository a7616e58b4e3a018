import { controls, holds, holdsTwo, setAll, transport } from "../lib/controls.js";
import { html, redraw, set, svg } from "../lib/dom.js";
import { areaOf, figure } from "../lib/figure.js";
import { arrowKeys, draggable, knob, sliderRole } from "../lib/handles.js";
import { said } from "../lib/linked.js";
import { format } from "../lib/scales.js";
import { place } from "../lib/shapes.js";
import { defaults, fold } from "../lib/stage.js";
import {
  axes,
  charts,
  descents,
  exit,
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

const opening = ({ T }, how) => `The loss of a network with ${T} steps is drawn ${how}.`;
const clock = (model, spec, limit) =>
  transport(model, "k", { ...spec.k, limit, interval: 160, text: (k) => `update ${k}` });

export const render = figure("cliff", meta, (given) => {
  const canvas = html("canvas", { "aria-hidden": "true" });
  const paint = landscape(canvas, given.el);
  const readout = html("div", { class: "readout" });
  const view = given.model.get("view") === "relief" ? relief : map;
  return view({ ...given, canvas, paint, readout });
});

/** Lay the canvas and the pane over the field of the drawing. Return the width of the field. */
function layOut(canvas, pane, at) {
  const { left, right, top, bottom } = at.field;
  const [width, height] = [right - left, bottom - top];
  set(pane, { x: left, y: top, width, height });
  const sides = { left, top, width, height };
  for (const [side, length] of Object.entries(sides)) canvas.style[side] = `${length}px`;
  return width;
}

// ---- the relief

function relief({ model, spec, canvas, paint, readout }) {
  const pane = svg("rect", { class: "pane turns" });
  const area = areaOf("The loss as a landscape, and a descent on it", pane);
  area.node.prepend(canvas);
  const { view: _view, turn: _turn, ...start } = defaults(spec);
  let now = null;
  const time = clock(model, spec, () => (now && now.out > 0 ? now.out : STEPS));
  holdTurn(model, pane, area.drawing);
  return {
    parts: [area, readout, [time]],
    reveal: { ...start, k: 34 },
    follow: [time, paint],
    update(state, size) {
      now = reliefState(state, now);
      const at = reliefScales(size);
      const side = layOut(canvas, pane, at);
      paint.draw({ ...now, relief: true, side });
      area.draw(size, at, reliefNames(now, at));
      readout.textContent = reliefWords(now);
      set(pane, {
        "aria-valuenow": now.turn,
        "aria-valuetext": `${format(now.turn, 0)} degrees`,
      });
      return [readout.textContent, opening(now, "as a landscape, with a descent on it")];
    },
  };
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

/** Let the reader turn the relief by dragging it and by the arrow keys. */
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

function map({ model, el, spec, control, canvas, paint, readout }) {
  const [front, pane] = [svg("g"), svg("rect", { class: "pane" })];
  const [start, cursor] = [knob({ class: "start" }), knob({ class: "cursor course" })];
  const area = areaOf("The loss from above, and two descents on it", pane, front, start, cursor);
  const { drawing } = area;
  area.node.prepend(canvas);
  readout.classList.add("both");
  const time = clock(model, spec);
  let [at, now] = [null, null];

  // The start follows its handle, or a press anywhere on the map.
  const where = ({ x, y }) => [at.field.x.invert(x), at.field.y.invert(y)];
  const put = holdsTwo(start, model, ["w", "b"], spec, {
    surface: drawing,
    at: where,
    label: "start: weight (left and right) and bias (up and down)",
    step: 0.02,
    others: { PageUp: [0, 0.2], PageDown: [0, -0.2] },
  });
  const move = (point) => put(where(point));
  draggable(pane, { surface: drawing, start: move, move });
  const held = holds(cursor, model, "k", spec.k, {
    surface: drawing,
    at: ({ x }) => at.losses.x.invert(x),
    text: (k) => `update ${k}: loss ${now ? plain(now.ways[1].E[k]) : ""}`,
  });

  return {
    parts: [
      ...[readout, area, ramp(), [time], ["v", "lr", "kind"]],
      fold("Set by number", controls(control("w"), control("b"))),
    ],
    follow: [time, paint, held],
    update(state, size) {
      now = mapState(state, now);
      at = mapScales(size);
      const side = layOut(canvas, pane, at);
      paint.draw({ ...now, side });
      area.draw(size, at, axes(at));
      redraw(front, descents(now, at), charts(now, at));
      redraw(readout, mapWords(now));
      el.style.setProperty("--readout", `${at.along.left - 1.5 * at.em}px`);
      const { w, b } = now;
      set(start, { "aria-valuenow": w, "aria-valuetext": `w ${format(w)}, b ${format(b)}` });
      place(start, at.field.x(w), at.field.y(b));
      place(cursor, at.losses.x(now.k), at.losses.bottom);
      return [said(readout), opening(now, "as a map, with two descents on it")];
    },
  };
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
