// Two pictures, both seen from the first run: the circle of all starts of the second run, and its image
// after n steps.
import { drawingOf, italic, redraw, set, setSize, svg } from "../lib/dom.js";
import { knob } from "../lib/handles.js";
import { holdsAngle } from "../lib/controls.js";
import { apply, CIRCLE } from "../lib/planar.js";
import { clamp, format } from "../lib/scales.js";
import { dots, MARKS, path, place } from "../lib/shapes.js";
import { EIGENVALUES } from "./math.js";

const SIDES = [1, -1];
const times = (v, factor) => v.map((entry) => factor * entry);

/** The middle of a picture, and its places at `k` pixels for δ. */
function scales([width, height], em, pixels) {
  const [x, y] = [width / 2, height / 2];
  const k = pixels(x, y);
  return { em, width, height, x, y, k, spot: ([a, b]) => [x + k * a, y - k * b] };
}

/**
 * What both pictures show: axes, the circle of radius δ, the directions `along` (both eigenvectors) and
 * `most` with their marks, and the `gap` between the runs. `more` lies below the gap.
 */
function base({ em, width, height, x, y, k, spot }, { along, most, gap }, ...more) {
  const way = (name, v) => {
    const d = path(SIDES.map((side) => spot(times(v, side))));
    return svg("path", { class: `way ${name}`, "data-term": name, d });
  };
  const marks = (name, kind, v) =>
    SIDES.map((side) => {
      const mark = svg("path", { class: `mark ${name}`, "data-term": name, d: MARKS[kind] });
      return place(mark, ...spot(times(v, side)), 0.32 * em);
    });
  return [
    svg("path", { class: "axis", d: `M0 ${y}H${width}M${x} 0V${height}` }),
    svg("circle", { class: "unit", cx: x, cy: y, r: k }),
    way("along", along[0]),
    way("second", along[1]),
    most && way("most", most),
    more,
    svg("path", { class: "gap", "data-term": "mine", d: path([[0, 0], gap].map(spot)) }),
    marks("along", "diamond", along[0]),
    most && marks("most", "square", most),
    svg("circle", { class: "run one", cx: x, cy: y, r: 0.28 * em }),
  ];
}

/** Words of a picture, kept inside it: around a point, `half` ems to each side. */
function word({ width, height, em }, [x, y], half, name, ...content) {
  const inside = (value, edge, size) => clamp(value, edge, size - edge).toFixed(1);
  const place = { x: inside(x, half * em, width), y: inside(y + 0.35 * em, em, height) };
  const look = { class: name, "text-anchor": "middle", "font-size": em };
  return svg("text", { ...look, ...place }, content);
}

/** The starts, with the handle. */
export function starts(model) {
  const plot = svg("g");
  const handle = knob({ "data-term": "mine" });
  const node = drawingOf(null, plot, handle);
  let at;
  const held = holdsAngle(handle, model, "angle", {
    ...{ surface: node, middle: () => [at.x, at.y], label: "direction of v", digits: 1 },
  });
  function update(now, frame, em) {
    const { vectors: along, top, v, n, apart, most } = now;
    const room = frame[0] > 17 * em; // for names beside the circle
    at = scales(frame, em, (x, y) => Math.min(x - (room ? 4.7 : 1.6) * em, y - 1.6 * em));
    setSize(node, ...frame);
    redraw(
      plot,
      base(at, { along, most: n > 0 && top, gap: v }, arcs(now, at)),
      names(now, at, room),
    );
    place(handle, ...at.spot(v));
    set(node, {
      "aria-label": `The second run starts δ from the first, anywhere on a circle. After ${n} steps the two are ${format(apart[n])} δ apart; the widest possible is ${format(most[n])} δ.`,
    });
  }
  return { node, held, update };
}

/** Arcs outside the circle, where a start beats the eigenvector. */
function arcs({ beats, arc, top }, { em, k, spot }) {
  const out = 1 + (0.5 * em) / k;
  const bend = (side) => {
    const middle = Math.atan2(side * top[1], side * top[0]);
    const turns = Array.from({ length: 41 }, (_, i) => middle + arc * (i / 20 - 1));
    return path(turns.map((turn) => spot([out * Math.cos(turn), out * Math.sin(turn)])));
  };
  return beats && arc > 0 && svg("path", { class: "beats", d: SIDES.map(bend).join("") });
}

/** The names of both runs and, if there is room, of two directions, each on the side without the handle. */
function names({ vectors, top, v, way, n }, at, room) {
  const { em, x, y, spot } = at;
  const letter = italic(way === "forward" ? "h" : "g");
  const beside = (vector) => {
    const side = vector[0] * v[0] + vector[1] * v[1] > 0 ? -1 : 1;
    const [px, py] = spot(times(vector, side));
    return [px + 2.7 * em * (side * vector[0] < -1e-9 ? -1 : 1), py];
  };
  const separate = Math.abs(vectors[0][0] * top[1] - vectors[0][1] * top[0]) > 0.3;
  const up = room ? v[1] : v[1] < -0.3 ? -1 : 1;
  const [a, b] = spot(v);
  return [
    word(at, [x - 0.9 * em * v[0], y + 0.9 * em * v[1]], 0.5, "run", letter),
    room && word(at, beside(vectors[0]), 1.9, "along", italic("λ"), ` = ${EIGENVALUES[0]}`),
    room && separate && n > 0 && word(at, beside(top), 1.9, "most", "widest"),
    word(
      at,
      [a + (room ? 2.6 : 1.6) * em * v[0], b - 1.3 * em * up],
      1.9,
      ...["run", letter.cloneNode(true), " + ", italic("δv")],
    ),
  ];
}

/** The images of the starts, at one scale for all n. */
export function ends() {
  const node = drawingOf(null);
  function update({ power, vectors, top, gaps, most, n, apart }, frame, em) {
    const image = (v) => apply(power, v);
    const widest = Math.max(...most);
    const at = scales(frame, em, (x, y) => (Math.min(x, y) - 0.9 * em) / widest);
    const { x, y, k, spot } = at;
    const done = gaps.slice(0, n + 1).map(spot);
    const [cx, cy] = done[n].map((value) => value.toFixed(1));
    setSize(node, ...frame);
    redraw(
      node,
      base(
        at,
        { along: vectors.map(image), most: n > 0 && image(top), gap: gaps[n] },
        svg("path", { class: "image", d: `${path(CIRCLE.map((v) => spot(image(v))))}Z` }),
        svg("path", { class: "trail", d: path(done) }),
        svg("path", { class: "steps", d: dots(done), "stroke-width": 0.24 * em }),
      ),
      svg("circle", { class: "run two", "data-term": "mine", cx, cy, r: 0.36 * em }),
      word(
        at,
        [x, y].map((middle) => middle - 0.75 * k - 0.5 * em),
        0.5,
        "quiet",
        "δ",
      ),
    );
    set(node, {
      role: "img",
      "aria-label": `The circle after ${n} steps: an ellipse as long as ${format(2 * most[n])} δ; the second run is ${format(apart[n])} δ from the first.`,
    });
  }
  return { node, update };
}
