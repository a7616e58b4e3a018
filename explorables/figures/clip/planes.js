// Two planes of gradients: the minibatches' own, in the reader's hands, and what clipping leaves.
import { setAll } from "../../lib/controls.js";
import { drawingOf, italic, set, setSize, svg } from "../../lib/dom.js";
import { arrowKeys, draggable, keySlider, knob, sliderRole } from "../../lib/handles.js";
import { clamp, format } from "../../lib/scales.js";
import { arrow, MARKS, path, place, point } from "../../lib/shapes.js";
import { over, size } from "../../lib/vectors.js";
import { ARROWS } from "./math.js";

/** The first plane reaches so far. */
const REACH = 12.6;
/** Where the handle of the threshold stands. */
const [CX, CY] = [0.5, -Math.sqrt(0.75)];
const SUBSCRIPTS = ["", "₁", "₂", "₃", "₄"];
const part = (tag, name, more) => svg(tag, { class: name, ...more });

/** What both planes have: axes, the shaded half against which steps go uphill, the threshold. */
function base(label, ...more) {
  const half = part("path", "half");
  const border = part("path", "border");
  const axes = part("path", "axis");
  const bound = part("path", "bound", { "data-term": "v" });
  const inside = svg("svg", {}, half, axes, border, bound, ...more);
  const words = ["uphill", "downhill"].map((word) =>
    svg("text", { class: `word ${word}`, "text-anchor": "middle" }, word),
  );
  const it = {
    inside,
    half,
    node: drawingOf(label, inside, words),
  };
  it.resize = (side, em) => {
    Object.assign(it, { side, em, c: side / 2 });
    setSize(it.node, side, side);
    set(inside, { width: side, height: side });
    set(axes, { d: `M0 ${it.c}H${side}M${it.c} 0V${side}` });
    words.forEach((word) => set(word, { "font-size": em }));
  };
  /** At `k` pixels for 1. */
  it.ground = (k, { mean, v, kind }) => {
    const { c, side, em } = it;
    it.k = k;
    it.at = ([x, y]) => [c + k * x, c - k * y];
    set(bound, { d: kind === "element" ? box(c, k * v) : ring(c, k * v) });
    const length = size(mean.vector);
    [half, border].forEach((node) => set(node, { visibility: length ? null : "hidden" }));
    // Where there is little room, one word says what the other would.
    words.forEach((word, i) =>
      set(word, { visibility: length && (!i || side > 15 * em) ? null : "hidden" }),
    );
    if (!length) return;
    const [ux, uy] = over(mean.vector, length);
    set(half, { d: beyond(c, [-ux, uy]) });
    set(border, {
      d: path([1, -1].map((i) => within(it, [c + 2 * c * i * uy, c + 2 * c * i * ux]).end)),
    });
    // The names stand by the border between the halves, where no mean lies.
    const [tx, ty] = ux + uy >= 0 ? [-uy, ux] : [uy, -ux];
    const edge = Math.min(
      (c - 1.1 * em) / Math.abs(ty || 1e-9),
      (c - 3.2 * em) / Math.abs(tx || 1e-9),
    );
    words.forEach((word, i) => {
      const off = (i ? 1 : -1) * (0.8 + 2 * Math.abs(ux)) * em;
      set(word, {
        x: clamp(c + edge * tx + off * ux, 2.4 * em, side - 2.4 * em).toFixed(1),
        y: clamp(c - edge * ty - off * uy + 0.35 * em, 1.1 * em, side - 0.4 * em).toFixed(1),
      });
    });
  };
  return it;
}

const box = (c, r) => (r < c ? `M${c - r} ${c - r}h${2 * r}v${2 * r}h${-2 * r}Z` : "");

/** What a square of side 2c shows of a circle around its centre. */
function ring(c, r) {
  const turns = Array.from({ length: 241 }, (_, i) => (i * Math.PI) / 120);
  const points = turns.map((turn) => [c + r * Math.cos(turn), c + r * Math.sin(turn)]);
  const seen = points.map((point) => point.every((x) => x >= 0 && x <= 2 * c));
  return points
    .map(([x, y], i) => (seen[i] ? `${seen[i - 1] ? "L" : "M"}${point(x, y)}` : ""))
    .join("");
}

/** What it has of the half plane on the side of `way` of its centre. */
function beyond(c, [wx, wy]) {
  const corners = [
    [0, 0],
    [2 * c, 0],
    [2 * c, 2 * c],
    [0, 2 * c],
  ];
  const off = corners.map(([x, y]) => (x - c) * wx + (y - c) * wy);
  const points = corners.flatMap((corner, i) => {
    const [next, to] = [corners[(i + 1) % 4], off[(i + 1) % 4]];
    const share = off[i] / (off[i] - to);
    const cut = off[i] * to < 0 ? [corner.map((x, j) => x + share * (next[j] - x))] : [];
    return [...(off[i] >= 0 ? [corner] : []), ...cut];
  });
  return `${path(points)}Z`;
}

/** Where the line from the centre to a point leaves the square, or the point; and whether it is in it. */
function within({ c }, [x, y]) {
  const far = Math.max(Math.abs(x - c), Math.abs(y - c));
  if (far <= c) return { end: [x, y], inside: true };
  return { end: [c + ((x - c) * c) / far, c + ((y - c) * c) / far], inside: false };
}

/** Draw an arrow from the centre, with a tip if that can be seen. */
function drawArrow(it, one, tip) {
  const { end, inside } = within(it, tip);
  const long = Math.hypot(end[0] - it.c, end[1] - it.c) > 0.5;
  one.update(long && [[it.c, it.c], end], it.em, inside);
}

/** The means: name, mark and its size. */
const MEANS = [
  ["mean", "circle", 0.3],
  ["after", "square", 0.5],
  ["before", "diamond", 0.4],
];
const lineOf = ([name, mark]) => [
  part("path", `line ${name}`, { "data-term": name }),
  part("path", `mark ${name}`, { "data-term": name, d: MARKS[mark] }),
];
function draw(it, [line, mark], point, r) {
  const { end, inside } = within(it, point);
  set(line, { d: path([[it.c, it.c], end]) });
  set(mark, { visibility: inside ? null : "hidden" });
  place(mark, ...end, r * it.em);
}

/** Keys beside the arrows, which move a head by 0.1. */
const KEYS = {
  PageUp: [0, 1],
  PageDown: [0, -1],
  Home: [-99, 0],
  End: [99, 0],
};
const round = (value) => Number(value.toFixed(1)) + 0;

/** The minibatches' gradients, to be dragged by their heads, and the threshold by its handle. */
export function gradients(model, spec) {
  const arrows = ARROWS.map((i) => ({ i, ...arrow("raw") }));
  const cut = ARROWS.map(() => part("path", "cut"));
  const [line, mark] = lineOf(MEANS[0]);
  const it = base("The gradients of minibatches, in a plane", line, arrows, cut, mark);
  const heads = ARROWS.map((i) => head(model, spec, it, i));
  const grip = gripOf(model, spec, it);
  it.node.append(
    grip.stem,
    ...heads.map(({ name }) => name),
    grip.node,
    ...heads.map(({ node }) => node),
  );
  return {
    node: it.node,
    resize: it.resize,
    scale: () => it.k,
    update(now) {
      it.ground(it.c / REACH, now);
      draw(it, [line, mark], it.at(now.mean.vector), MEANS[0][2]);
      ARROWS.forEach((i, k) => {
        const found = now.arrows.find((one) => one.i === i);
        for (const node of [arrows[k].node, cut[k]]) set(node, { display: found ? null : "none" });
        heads[k].update(found, i === now.at);
        if (!found) return;
        drawArrow(it, arrows[k], it.at(found.g));
        set(cut[k], { d: path([[it.c, it.c], it.at(found.clipped.vector)]) });
      });
      grip.update(now.v);
    },
  };
}

/** The head of the gradient of a minibatch, with its name. */
function head(model, spec, it, i) {
  const name = svg("text", { class: "label", "text-anchor": "middle" });
  const { min, max } = spec[`x${i}`];
  const label = `gradient ${i}; arrow keys move its head`;
  const node = knob({ "data-term": `g${i}`, ...sliderRole(label, min, max) });
  const put = (x, y) => {
    model.set("at", i);
    model.set(`x${i}`, round(x));
    model.set(`y${i}`, round(y));
  };
  draggable(node, {
    surface: it.node,
    start: () => model.set("at", i),
    move: ({ x, y }) => put((x - it.c) / it.k, (it.c - y) / it.k),
    end: () => model.save_changes(),
  });
  node.addEventListener("focus", () => node.matches(":focus-visible") && model.set("at", i));
  const move = ([x, y]) => {
    put(model.get(`x${i}`) + x, model.get(`y${i}`) + y);
    model.save_changes();
  };
  arrowKeys(node, move, 0.1, KEYS);
  return {
    node,
    name,
    update(found, held) {
      for (const one of [node, name]) set(one, { display: found ? null : "none" });
      node.classList.toggle("held", held);
      if (!found) return;
      const { g, count } = found;
      place(node, ...it.at(g));
      set(node, {
        "aria-valuenow": g[0],
        "aria-valuetext": `(${g.map((x) => format(x, 1)).join(", ")}), ${count} times`,
      });
      name.replaceChildren(count > 1 ? `${count} ` : "", italic("g"), SUBSCRIPTS[i]);
      placeName(it, name, g);
    },
  };
}

/** A gradient's name stands beyond its head, inside the plane. */
function placeName({ at, em, side }, name, g) {
  const length = size(g) || 1;
  const [x, y] = at(g);
  const [ux, uy] = over(g, length);
  const above = 1.2 * em * (Math.abs(uy) < 0.5 ? 0.95 : uy);
  set(name, {
    x: clamp(x + 1.5 * em * ux, 1.2 * em, side - 1.2 * em).toFixed(1),
    y: clamp(y - above + 0.35 * em, em, side - 0.3 * em).toFixed(1),
    "font-size": em,
  });
}

/** The handle of the threshold, on a stem beyond the circle, or the side of the box. */
function gripOf(model, spec, it) {
  const stem = part("path", "stem");
  const node = knob({ class: "grip", "data-term": "v" });
  // Along the stem the circle, or the side of the box, is this many v from the middle.
  const share = () => (model.get("kind") === "element" ? 1 / -CY : 1);
  const gap = () => clamp((it.c - REACH * 0.8 * it.k) / 1.6, 0.6 * it.em, 1.3 * it.em);
  const follow = keySlider(node, {
    label: "threshold v",
    min: -1,
    max: 1,
    step: 0.05,
    get: () => Math.log10(model.get("v")),
    change: (log) => setAll(model, { v: Number((10 ** log).toPrecision(2)) }),
    text: (log) => format(10 ** log),
  });
  draggable(node, {
    surface: it.node,
    move: ({ x, y }) => {
      const out = (x - it.c) * CX + (it.c - y) * CY;
      model.set("v", Number(Math.max((out - gap()) / it.k / share(), spec.v.min).toPrecision(2)));
    },
    end: () => model.save_changes(),
  });
  return {
    stem,
    node,
    update(v) {
      const { c, k } = it;
      const rim = k * v * share();
      const [x, y] = [CX, -CY].map((part) => part * (rim + gap()));
      set(stem, { d: `M${c + CX * rim} ${c - CY * rim}L${c + x} ${c + y}` });
      place(node, c + x, c + y);
      follow();
    },
  };
}

/** The clipped gradients and the three means; it comes as near as they allow. */
export function means() {
  const arrows = ARROWS.map(() => arrow("clipped"));
  const pairs = MEANS.map(lineOf);
  const it = base("", arrows, ...[0, 1].map((i) => pairs.map((pair) => pair[i])));
  set(it.node, { role: "img" });
  return {
    node: it.node,
    resize: it.resize,
    /** Returns how many pixels 1 has. */
    update(now) {
      const { c, em } = it;
      const least = Math.max(size(now.after.vector), size(now.before.vector), 0.1 * now.v);
      const reach = 1.25 * Math.max(least, Math.min(size(now.mean.vector), 1.3 * least));
      it.ground((c - 0.4 * em) / reach, now);
      arrows.forEach((one, k) => {
        const found = now.arrows[k];
        set(one.node, { display: found ? null : "none" });
        if (!found) return;
        drawArrow(it, one, it.at(found.clipped.vector));
        one.node.classList.toggle("held", found.i === now.at);
      });
      MEANS.forEach(([name, , r], k) => draw(it, pairs[k], it.at(now[name].vector), r));
      const pair = ([x, y]) => `(${format(x)}, ${format(y)})`;
      set(it.node, {
        "aria-label": `True gradient ${pair(now.mean.vector)}; clipped ${pair(now.after.vector)}; mean of the clipped minibatches ${pair(now.before.vector)}.`,
      });
      return it.k;
    },
  };
}
