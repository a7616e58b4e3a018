import { transport } from "../lib/controls.js";
import { html, pointIn, redraw, set } from "../lib/dom.js";
import { fact, figure, stage } from "../lib/figure.js";
import { draggable, keySlider } from "../lib/handles.js";
import { remembered } from "../lib/remembered.js";
import { clamp, counted, format, percent } from "../lib/scales.js";
import { curveDrawing, layout, short, slope, slopesDrawing } from "./drawing.js";
import { meta } from "./meta.js";
import { directionChanges, grid, REACH, span, steepness } from "./math.js";
import { points } from "./points.js";

// Share of a frame for computing points, in frames that also draw and in other frames. A busy machine
// draws few frames, so a fixed time in each would be too little.
const SHARE = { drawn: 0.25, other: 0.5 };
const FRAME = [16, 250]; // shortest and longest frame, in milliseconds
const REST = 100; // milliseconds after a change in which no further points are computed
const ROUGH = 3; // number of fine levels that are drawn only when all points are known
const part = (share) => percent(share, share < 0.1 ? 1 : 0);

export const render = figure("compose", meta, ({ model, el, spec, save, reseed, again }) => {
  const drawing = curveDrawing();
  const area = html("div", { class: "area" }, drawing);
  const facts = html("div", { class: "facts" });
  const bars = html("div", { class: "slopes" });
  const side = html("div", { class: "side" }, facts, bars);
  const time = transport(model, "depth", {
    ...spec.depth,
    text: (n) => counted(n, "layer"),
    interval: 1500,
  });
  const another = reseed("another network");

  const known = points();
  const begin = remembered(known.begin);
  const reach = () => span(model.get("centre"), model.get("zoom"));
  let [now, size, at] = [null, null, null];
  let done = false; // whether all points of the drawing are known
  const held = hands(model, save, drawing, reach, () => at);

  /** Draw the curve without its `rough` finest levels. */
  function draw(rough) {
    const { depth, gain, zoom } = now;
    at = layout(size, reach());
    drawing.axes(at, zoom > 1);
    // The numbers need evenly spaced points. The curve uses all points.
    const coarse = Math.max(known.level(), rough);
    const values = known.known(grid(at.reach, coarse)).map(known.at);
    const slopes = values.map((point) => slope(point, depth));
    const found = steepness(slopes);
    drawing.curve(at, known, grid(at.reach, rough), depth, depth > 0 ? found.least : Infinity);
    drawing.strip(at, known, depth);
    // Hide the numbers until the window has its first points.
    side.style.visibility = slopes.length ? "" : "hidden";
    if (!slopes.length) return;
    const before = Array.from({ length: depth + 1 }, (_, i) =>
      directionChanges(values.map((point) => point[i])),
    );
    const shown = {
      ...{ depth, gain, zoom, coarse, found },
      turns: before.pop(),
      before,
      reach: at.reach,
    };
    set(drawing.picture, { "aria-label": summary(shown) });
    redraw(facts, factsOf(shown));
    redraw(bars, slopesDrawing(slopes, found, depth > 0));
  }

  const work = schedule({
    refine: (budget, finest) => known.refine(reach(), budget, finest),
    draw,
    rest() {
      done = true;
      again();
      done = false;
    },
    alive: () => el.isConnected,
  });
  return {
    parts: [stage(area, side), [time, "gain", "zoom", another]],
    reveal: { gain: 2, depth: 5, zoom: 1 },
    follow: [time, held, work],
    update(state, measured) {
      if (done) return drawing.picture.getAttribute("aria-label");
      now = state;
      begin(state.seed, state.gain);
      if (measured === size) return work.later();
      size = measured;
      work.now();
    },
  };
});

/**
 * Call `refine(milliseconds, finest level)` in each frame until it returns true. Call
 * `draw(levels to leave out)` from time to time, and `rest()` at the end.
 */
function schedule({ refine, draw, rest, alive }) {
  let frame = 0;
  let moving = true; // whether the reader changed something since the last frame
  let movedAt = -Infinity;
  let due = false; // whether all points are known but not drawn yet
  let drawnAt = 0;
  let before = 0; // when the last frame began
  function work() {
    const hand = moving;
    const length = clamp(performance.now() - before, ...FRAME);
    before = performance.now();
    if (!hand && performance.now() - movedAt < REST) {
      frame = requestAnimationFrame(work);
      return;
    }
    moving = false;
    const drawn = hand || due || performance.now() - drawnAt > 120;
    const done = refine(length * (drawn ? SHARE.drawn : SHARE.other), hand ? ROUGH : 0);
    if (drawn) {
      drawnAt = performance.now();
      draw(done && !hand ? 0 : ROUGH);
    }
    due = done && !drawn; // draw the last picture in the next frame
    frame = (hand || due || !done) && alive() ? requestAnimationFrame(work) : 0;
    if (!frame) rest();
  }
  return {
    later() {
      moving = true;
      movedAt = performance.now();
      frame ||= requestAnimationFrame(work);
    },
    now() {
      moving = true;
      cancelAnimationFrame(frame);
      work();
    },
    stop: () => cancelAnimationFrame(frame),
  };
}

/** Let the reader move the window and zoom. Returns a function that updates the handle after other changes. */
function hands(model, save, { node, handle, surface }, reach, scales) {
  const half = () => REACH / model.get("zoom");
  const go = (centre) => {
    const most = REACH - half();
    save({ centre: Number(clamp(centre, -most, most).toFixed(4)) });
  };
  const centreOf = () => reach().reduce((p, q) => p + q) / 2;
  const pan = (grip, length) => {
    let from;
    draggable(grip, {
      surface: node,
      start: ({ x }) => (from = { x, centre: centreOf() }),
      move({ x }) {
        const { left, right } = scales();
        go(from.centre + ((x - from.x) * length()) / (right - left));
      },
    });
  };
  pan(handle, () => 2 * REACH);
  pan(surface, () => -2 * half());
  surface.addEventListener("dblclick", (event) => {
    const x = scales().x.invert(pointIn(node, event).x);
    save({ zoom: model.get("zoom") * 4 });
    go(x);
  });
  return keySlider(handle, {
    label: "window",
    min: -REACH,
    max: REACH,
    get: centreOf,
    // An arrow key changes the value by 1, which moves the window by an eighth of its width.
    change: (centre) =>
      go(Math.abs(centre) === REACH ? centre : centreOf() + ((centre - centreOf()) * half()) / 4),
    text: (centre) => `center ${format(centre)}`,
  });
}

const summary = ({ depth, gain, coarse, turns, found, reach: [from, to] }) =>
  `With ${counted(depth, "layer")} and gain ${format(gain, 1)}, the curve turns ${coarse ? "at least " : ""}${counted(turns, "time")} between ${format(from)} and ${format(to)}. Half of its rising and falling happens on ${part(found.share)} of this range.`;

/** The turns and the slopes. On a coarse grid, they are bounds: a finer grid can only find more turns. */
function factsOf({ depth, zoom, coarse, turns, before, found }) {
  const [least, about] = coarse ? ["≥ ", "≈ "] : ["", ""];
  return [
    fact(
      least + turns,
      turns === 1 ? "turn" : "turns",
      depth ? `with fewer layers: ${least}${before.join(", ")}` : "from rising to falling or back",
    ),
    fact(
      about + part(found.share),
      `of the ${zoom > 1 ? "window" : "line"}`,
      "has half of the rise and fall",
      "steep",
    ),
    fact(about + short(found.median), "median slope", `the steepest is ${short(found.most)}`),
  ];
}
