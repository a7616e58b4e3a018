import { button, control, controls, setAll, transport } from "../../lib/controls.js";
import { html, pointIn, responsive, set, setSize, svg } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { draggable, keySlider } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { clamp, format, linear } from "../../lib/scales.js";
import { rect } from "../../lib/shapes.js";
import { meta } from "./meta.js";
import {
  curves,
  DEEPEST,
  directionChanges,
  grid,
  histogram,
  LEVELS,
  REACH,
  span,
  steepness,
} from "./math.js";

// Milliseconds of a frame that go into new points: of one that draws as well, and of others.
const BUDGET = { drawn: 4, other: 9 };
const REST = 100; // milliseconds after the hand has moved, for which nothing but its frame is worked on
const ROUGH = 3; // levels that are not drawn until all is known
const KEPT = 60000; // points
const TOP = 3.2; // of the vertical axis
const BINS = { low: -4, high: 3, width: 0.25 };
const WHOLE = [-REACH, REACH];
const layers = (depth) => `${depth} layer${depth === 1 ? "" : "s"}`;
const short = (size) => (size < 1e-3 ? format(size, 3) : String(Number(size.toPrecision(2))));
const percent = (share) => `${format(100 * share, share < 0.1 ? 1 : 0)} %`;

export function render({ model, el }) {
  const spec = meta.controls;
  const plot = svg("g", { class: "plot" });
  const curve = svg("path", { class: "curve" });
  const steep = svg("path", { class: "steep" });
  const surface = svg("rect", { class: "surface", fill: "transparent" });
  const strip = svg("path", { class: "rug" });
  const pane = svg("rect", { class: "pane", rx: 3 });
  const hit = svg("rect", { class: "uf-ring", rx: 4 });
  const handle = svg("g", { class: "handle" }, pane, hit);
  const inside = svg("svg", {}, curve, steep); // clips what leaves the axes
  const picture = svg("g", { role: "img" }, plot, inside);
  const drawing = svg("svg", { class: "uf-drawing" }, picture, surface, strip, handle);
  const area = html("div", { class: "area" }, drawing);
  const facts = html("div", { class: "facts" });
  const bars = html("div", { class: "slopes" });
  const side = html("div", { class: "side" }, facts, bars);
  const say = live();
  const time = transport(model, "depth", { ...spec.depth, text: layers, interval: 1500 });
  const another = button("another network", () => {
    model.set("seed", (model.get("seed") + 1) % (spec.seed.max + 1));
    model.save_changes();
  });
  el.classList.add("fig-compose");
  el.append(
    html("div", { class: "stage" }, area, side),
    controls(time, control(model, "gain", spec.gain), control(model, "zoom", spec.zoom), another),
    guess(meta.prediction, () => setAll(model, { gain: 2, depth: 5, zoom: 1 })),
    say,
  );

  // ---- what has been computed, and what remains to be

  let known; // x -> heights and slopes of every depth
  let at; // the function that computes them
  function begin() {
    known = new Map();
    at = curves(model.get("seed"), model.get("gain"));
  }
  const reach = () => span(model.get("centre"), model.get("zoom"));

  let level; // how coarse is the finest grid of the window that is complete
  /** Compute what the window lacks, down to a level, then some of the whole line: true when done. */
  function refine(budget, finest) {
    const end = performance.now() + budget;
    const complete = (xs) =>
      xs.every((x) => {
        if (known.has(x)) return true;
        if (performance.now() > end) return false;
        return known.set(x, at(x));
      });
    if (known.size > KEPT) known.clear();
    level = LEVELS;
    if (!complete(grid(reach(), level))) return false;
    while (level > finest && complete(grid(reach(), level - 1))) level--;
    return level === 0 && complete(grid(WHOLE, 3));
  }

  let frame = 0;
  let moving = true; // whether a hand has changed something since the last frame
  let movedAt = -Infinity;
  let due = false; // whether all is known and not drawn yet
  let drawnAt = 0;
  function work() {
    const hand = moving;
    if (!hand && performance.now() - movedAt < REST) {
      frame = requestAnimationFrame(work);
      return;
    }
    moving = false;
    const drawn = hand || due || performance.now() - drawnAt > 120;
    const done = refine(drawn ? BUDGET.drawn : BUDGET.other, hand ? ROUGH : 0);
    if (drawn) draw(done && !hand ? 0 : ROUGH);
    due = done && !drawn; // the last picture has the next frame
    frame = (hand || due || !done) && el.isConnected ? requestAnimationFrame(work) : 0;
    if (!frame) say.say(told);
  }
  function later() {
    moving = true;
    movedAt = performance.now();
    frame ||= requestAnimationFrame(work);
  }

  // ---- drawing

  let size;
  let told = "";
  let scales;
  function frameOf({ width, em, room }) {
    const high = Number.isFinite(room)
      ? (room - 6.4) * em
      : clamp(0.62 * width, 13 * em, 19.5 * em);
    const left = 2.1 * em;
    const bottom = high - 4.3 * em;
    return {
      width,
      em,
      high,
      left,
      right: width - 0.4 * em,
      top: 0.5 * em,
      bottom,
      rug: bottom + 2.9 * em,
    };
  }

  function axes() {
    const { em, left, right, top, bottom, high } = scales.box;
    const { x, y } = scales;
    const font = 0.9 * em;
    const [first, last] = reach();
    const places = x.ticks(right - left < 22 * em ? 4 : 6);
    const digits = clamp(Math.ceil(-Math.log10((last - first) / 5)), 0, 4);
    const words = (attributes, ...text) =>
      svg("text", { "font-size": font, ...attributes }, ...text);
    plot.replaceChildren(
      ...[-3, 0, 3].flatMap((value) => [
        svg("line", {
          x1: left,
          x2: right,
          y1: y(value),
          y2: y(value),
          class: value ? "guide" : "zero",
        }),
        words(
          { x: left - 0.4 * em, y: y(value) + 0.3 * em, "text-anchor": "end" },
          format(value, 0),
        ),
      ]),
      ...places.map((place) =>
        words(
          { x: x(place), y: bottom + 1.1 * em, "text-anchor": "middle" },
          format(place, digits),
        ),
      ),
      words(
        { x: (left + right) / 2, y: bottom + 2.2 * em, "text-anchor": "middle", class: "name" },
        "start, along a random direction",
      ),
      words(
        {
          x: 0,
          y: 0,
          "text-anchor": "middle",
          class: "name",
          transform: `translate(${0.75 * em} ${(top + bottom) / 2}) rotate(-90)`,
        },
        "projection",
      ),
    );
    setSize(drawing, scales.box.width, high);
    const space = { x: left, y: top, width: right - left, height: bottom - top };
    set(surface, space);
    set(inside, { ...space, viewBox: Object.values(space).join(" ") });
    set(surface, { class: model.get("zoom") > 1 ? "surface moves" : "surface" });
  }

  /** Draw all but the finest levels, so many of them. */
  function draw(rough) {
    drawnAt = performance.now();
    const depth = model.get("depth");
    const box = frameOf(size);
    const [from, to] = reach();
    scales = {
      box,
      x: linear([from, to], [box.left, box.right]),
      y: linear([-TOP, TOP], [box.bottom, box.top]),
    };
    axes();
    // Even spacing for the numbers, all there is for the curve.
    const coarse = Math.max(level, rough);
    const even = grid([from, to], coarse).filter((x) => known.has(x));
    const slopes = even.map((x) => known.get(x)[depth + DEEPEST + 1]);
    const found = steepness(slopes);
    const marked = depth > 0;
    const paths = trace(grid([from, to], rough), depth, marked ? found.least : Infinity);
    set(curve, { d: paths.all });
    set(steep, { d: paths.steep });
    drawStrip(depth);
    // Of a window that no point is computed of yet there is nothing to tell.
    side.style.visibility = slopes.length ? "" : "hidden";
    if (!slopes.length) return;
    const counts = Array.from({ length: depth + 1 }, (_, i) =>
      directionChanges(even.map((x) => known.get(x)[i])),
    );
    const turns = counts.pop();
    const whole = model.get("zoom") > 1 ? "window" : "line";
    // A finer grid may find more turns, never fewer.
    const [least, about] = coarse ? ["≥ ", "≈ "] : ["", ""];
    told = `${layers(depth)}, gain ${format(model.get("gain"), 1)}: ${coarse ? "at least " : ""}${turns} turns between ${format(from)} and ${format(to)}; half of the up and down on ${percent(found.share)} of it.`;
    set(picture, { "aria-label": told });
    facts.replaceChildren(
      fact(
        least + turns,
        turns === 1 ? "turn" : "turns",
        depth ? `before: ${least}${counts.join(", ")}` : "rising to falling or back",
      ),
      fact(about + percent(found.share), `of the ${whole}`, "does half the up and down", "steep"),
      fact(about + short(found.median), "median slope", `the steepest is ${short(found.most)}`),
    );
    bars.replaceChildren(slopesView(slopes, found, marked));
  }

  /** The curve as a path, and its steep pieces as another; points that fall together are left out. */
  function trace(xs, depth, least) {
    let [all, pieces, px, py, pen] = ["", "", -9, -9, false];
    xs.forEach((value, i) => {
      const point = known.get(value);
      if (!point) return;
      const [x, y] = [scales.x(value), clamp(scales.y(point[depth]), -1e4, 1e4)];
      const on = Math.abs(point[depth + DEEPEST + 1]) >= least;
      if (on === pen && Math.abs(x - px) + Math.abs(y - py) < 0.5 && i < xs.length - 1) return;
      const place = `${x.toFixed(1)} ${y.toFixed(1)}`;
      all += `${all ? "L" : "M"}${place}`;
      if (on && !pen && px >= 0) pieces += `M${px.toFixed(1)} ${py.toFixed(1)}`;
      if (on) pieces += `${pieces ? "L" : "M"}${place}`;
      [px, py, pen] = [x, y, on];
    });
    return { all, steep: pieces };
  }

  /** The whole line, dark where it is steep, and the window on it. */
  function drawStrip(depth) {
    const { left, right, rug, em, high } = scales.box;
    const x = linear(WHOLE, [left, right]);
    const xs = grid(WHOLE, 3).filter((place) => known.has(place));
    const slopes = xs.map((place) => known.get(place)[depth + DEEPEST + 1]);
    const { least } = steepness(slopes);
    const tall = high - rug;
    const marks = xs.filter((_, i) => depth && Math.abs(slopes[i]) >= least);
    set(strip, {
      d: `M${left} ${rug + tall / 2}H${right}${marks.map((place) => `M${x(place).toFixed(1)} ${rug}v${tall}`).join("")}`,
    });
    const [from, to] = reach().map(x);
    const around = (least) => {
      const width = Math.max(to - from, least);
      return { x: (from + to - width) / 2, width };
    };
    set(pane, { ...around(6), y: rug - 2, height: tall + 4 });
    set(hit, { ...around(26), y: rug - 0.4 * em, height: Math.max(tall + 0.6 * em, 26) });
    set(handle, { visibility: model.get("zoom") > 1 ? null : "hidden" });
    moved();
  }

  // ---- hands

  const slide = () => REACH - REACH / model.get("zoom");
  const go = (centre) => model.set("centre", Number(clamp(centre, -slide(), slide()).toFixed(4)));
  const now = () => reach().reduce((p, q) => p + q) / 2;
  const moved = keySlider(handle, {
    label: "window",
    min: -REACH,
    max: REACH,
    get: now,
    // An arrow asks for one more or less: it gets an eighth of the window.
    change(centre) {
      const step = (centre - now()) * (REACH / model.get("zoom")) * 0.25;
      go(Math.abs(centre) === REACH ? centre : now() + step);
      model.save_changes();
    },
    text: (centre) => `centre ${format(centre)}`,
  });
  const pan = (node, along) => {
    let from;
    draggable(node, {
      surface: drawing,
      start: ({ x }) => (from = { x, centre: now() }),
      move: ({ x }) => go(from.centre + (x - from.x) * along()),
      end: () => model.save_changes(),
    });
  };
  const perPixel = () => 1 / (scales.box.right - scales.box.left);
  pan(handle, () => 2 * REACH * perPixel());
  pan(surface, () => ((-2 * REACH) / model.get("zoom")) * perPixel());
  surface.addEventListener("dblclick", (event) => {
    const x = scales.x.invert(pointIn(drawing, event).x);
    model.set("zoom", model.get("zoom") * 4);
    go(x);
    model.save_changes();
  });

  begin();
  const anew = () => {
    begin();
    later();
  };
  model.on("change:seed", anew);
  model.on("change:gain", anew);
  model.on("change", later);
  const stop = responsive(area, (next) => {
    size = next;
    moving = true;
    cancelAnimationFrame(frame);
    work();
  });
  return () => {
    cancelAnimationFrame(frame);
    stop();
    time.stop();
  };
}

const fact = (number, what, more, kind = "") =>
  html("p", { class: `fact ${kind}` }, html("b", {}, number), ` ${what}`, html("small", {}, more));

/** How the sizes of the slopes are spread. */
function slopesView(slopes, found, marked) {
  const { low, high, width } = BINS;
  const shares = histogram(slopes, low, high, width);
  const [wide, tall, top, left] = [200, 60, 2, 4];
  const x = linear([low, high], [left, wide - left]);
  const y = linear([0, Math.max(0.05, ...shares)], [tall, top]);
  const step = x(low + width) - x(low);
  return svg(
    "svg",
    {
      viewBox: `0 0 ${wide} ${tall + 36}`,
      role: "img",
      "aria-label": `Sizes of the slopes: median ${short(found.median)}, largest ${short(found.most)}.`,
    },
    shares.map((share, i) => {
      const from = low + i * width;
      const on = marked && 10 ** (from + width / 2) >= found.least;
      return rect(x(from) + 0.5, y(share), step - 1, tall - y(share), { class: on ? "on" : "" });
    }),
    svg("path", { d: `M${left} ${tall}H${wide - left}` }),
    [0.01, 1, 100].map((value) => svg("text", { x: x(Math.log10(value)), y: tall + 15 }, value)),
    svg("text", { x: wide / 2, y: tall + 32, class: "name" }, "size of the slope"),
  );
}
