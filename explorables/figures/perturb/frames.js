// Two pictures, both seen from the first run: the circle of all starts of the second run, and what
// n steps have made of it.
import { drawingOf, italic, set, setSize, svg } from "../../lib/dom.js";
import { draggable, keySlider, knob } from "../../lib/handles.js";
import { apply, CIRCLE } from "../../lib/planar.js";
import { clamp, format } from "../../lib/scales.js";
import { MARKS, path, place } from "../../lib/shapes.js";
import { EIGENVALUES } from "./math.js";

const part = (tag, name, more) => svg(tag, { class: name, ...more });
const SIDES = [1, -1];

/** What both pictures hold: axes, the circle of radius δ, directions and their marks, two runs. */
function base(...more) {
  const it = {
    axes: part("path", "axis"),
    unit: part("circle", "unit"),
    lines: ["along", "second", "most"].map((name) =>
      part("path", `way ${name}`, { "data-term": name }),
    ),
    marks: ["along", "most"].map((name) =>
      SIDES.map(() =>
        part("path", `mark ${name}`, {
          "data-term": name,
          d: MARKS[name === "along" ? "diamond" : "square"],
        }),
      ),
    ),
    gap: part("path", "gap", { "data-term": "mine" }),
    one: part("circle", "run one"),
  };
  it.node = drawingOf(null);
  it.node.append(it.axes, it.unit, ...it.lines, ...more, it.gap, ...it.marks.flat(), it.one);
  it.resize = (width, height, em) => {
    Object.assign(it, { width, height, em, x: width / 2, y: height / 2 });
    setSize(it.node, width, height);
    set(it.axes, { d: `M0 ${it.y}H${width}M${it.x} 0V${height}` });
    set(it.one, { cx: it.x, cy: it.y, r: 0.28 * em });
  };
  /** With k pixels for δ: `vectors` of the lines, and of the marks with how far out they lie. */
  it.update = (k, vectors, marked, gap) => {
    it.at = ([x, y]) => [it.x + k * x, it.y - k * y];
    set(it.unit, { cx: it.x, cy: it.y, r: k });
    it.lines.forEach((line, i) => {
      set(line, { d: path(SIDES.map((sign) => it.at(vectors[i].map((entry) => sign * entry)))) });
    });
    it.marks.forEach((pair, i) =>
      pair.forEach((mark, j) =>
        place(mark, ...it.at(marked[i].map((x) => SIDES[j] * x)), 0.32 * it.em),
      ),
    );
    set(it.gap, { d: path([it.at([0, 0]), it.at(gap)]) });
  };
  return it;
}

/** Words of a picture, kept inside it: around a point, `half` ems to each side. */
function word(name, ...content) {
  const node = svg("text", { class: name, "text-anchor": "middle" }, content);
  const inside = (value, edge, size) => clamp(value, edge, size - edge).toFixed(1);
  return Object.assign(node, {
    put([x, y], { width, height, em }, half, shown = true) {
      set(node, {
        x: inside(x, half * em, width),
        y: inside(y + 0.35 * em, em, height),
        "font-size": em,
        visibility: shown ? null : "hidden",
      });
    },
  });
}

/** The starts, with the handle: `{ node, resize, update }`. */
export function starts(model) {
  const arcs = part("path", "beats");
  const it = base(arcs);
  const [name, centre] = [word("run"), word("run")];
  const named = [word("along", italic("λ"), ` = ${EIGENVALUES[0]}`), word("most", "widest")];
  const handle = knob({ "data-term": "mine" });
  it.node.append(centre, ...named, name, handle);
  const turn = (angle) => model.set("angle", ((angle % 360) + 360) % 360);
  const spoken = keySlider(handle, {
    label: "direction of v",
    min: 0,
    max: 360,
    step: 1,
    get: () => model.get("angle"),
    change: (angle) => model.set("angle", angle),
    text: (angle) => `${format(angle, 1)} degrees`,
  });
  draggable(handle, {
    surface: it.node,
    move: ({ x, y }) => turn(Math.round((Math.atan2(it.y - y, x - it.x) * 180) / Math.PI)),
    end: () => model.save_changes(),
  });
  return {
    node: it.node,
    resize: it.resize,
    update({ vectors, top, v, arc, way, beats, n, most, apart }) {
      const { em } = it;
      const room = it.width > 17 * em; // for names beside the circle
      const k = Math.min(it.x - (room ? 4.7 : 1.6) * em, it.y - 1.6 * em);
      it.update(k, [...vectors, top], [vectors[0], top], v);
      const out = (vector, ems) => it.at(vector.map((entry) => entry * (1 + (ems * em) / k)));
      it.lines[2].setAttribute("visibility", n ? "visible" : "hidden");
      it.marks[1].forEach((mark) => mark.setAttribute("visibility", n ? "visible" : "hidden"));
      const [a, b] = it.at(v);
      place(handle, a, b);
      const letter = way === "forward" ? "h" : "g";
      centre.replaceChildren(italic(letter));
      name.replaceChildren(italic(letter), " + ", italic("δv"));
      // Names stand where the handle is not.
      centre.put([it.x - 0.9 * em * v[0], it.y + 0.9 * em * v[1]], it, 0.5);
      const up = room ? v[1] : v[1] < -0.3 ? -1 : 1;
      name.put([a + (room ? 2.6 : 1.6) * em * v[0], b - 1.3 * em * up], it, 1.9);
      const apartFrom = Math.abs(vectors[0][0] * top[1] - vectors[0][1] * top[0]) > 0.3;
      [vectors[0], top].forEach((vector, i) => {
        const side = vector[0] * v[0] + vector[1] * v[1] > 0 ? -1 : 1;
        const [x, y] = it.at(vector.map((entry) => side * entry));
        const beside = x + 2.7 * em * (side * vector[0] < -1e-9 ? -1 : 1);
        named[i].put([beside, y], it, 1.9, room && (!i || (apartFrom && n > 0)));
      });
      const arm = (angle) => out([Math.cos(angle), Math.sin(angle)], 0.5);
      const bend = (side) => {
        const middle = Math.atan2(side * top[1], side * top[0]);
        return path(Array.from({ length: 41 }, (_, i) => arm(middle + arc * (i / 20 - 1))));
      };
      set(arcs, { d: beats && arc > 0 ? SIDES.map(bend).join("") : "M0 0" });
      set(it.node, {
        "aria-label": `The second run starts δ from the first, anywhere on a circle. After ${n} steps the two are ${format(apart[n])} δ apart; the widest possible is ${format(most[n])} δ.`,
      });
      spoken();
    },
  };
}

/** What the steps have made of them, at one scale for all n. */
export function ends() {
  const image = part("path", "image");
  const trail = part("path", "trail");
  const steps = part("path", "steps");
  const it = base(image, trail, steps);
  const two = part("circle", "run two", { "data-term": "mine" });
  const unit = word("quiet", "δ");
  it.node.append(two, unit);
  return {
    node: it.node,
    resize: it.resize,
    update({ power, vectors, top, gaps, most, n, apart }) {
      const { em } = it;
      const k = (Math.min(it.x, it.y) - 0.9 * em) / Math.max(...most);
      const image2 = (v) => apply(power, v);
      it.update(k, [...vectors, top].map(image2), [vectors[0], top].map(image2), gaps[n]);
      set(image, { d: `${path(CIRCLE.map((v) => it.at(image2(v))))}Z` });
      it.marks[1].forEach((mark) => mark.setAttribute("visibility", n ? "visible" : "hidden"));
      const done = gaps.slice(0, n + 1).map(it.at);
      set(trail, { d: path(done) });
      set(steps, {
        d: done.map((point) => `${path([point])}h0`).join(""),
        "stroke-width": 0.24 * em,
      });
      const [x, y] = it.at(gaps[n]);
      set(two, { cx: x.toFixed(1), cy: y.toFixed(1), r: 0.36 * em });
      unit.put([it.x - 0.75 * k - 0.5 * em, it.y - 0.75 * k - 0.5 * em], it, 0.5);
      set(it.node, {
        role: "img",
        "aria-label": `The circle after ${n} steps: an ellipse as long as ${format(2 * most[n])} δ; the second run is ${format(apart[n])} δ from the first.`,
      });
    },
  };
}
