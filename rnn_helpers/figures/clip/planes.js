// Two planes of gradients: the minibatches' own, which the reader can move, and the clipped ones.
import { holdsPower, setAll } from "../lib/controls.js";
import { drawingOf, italic, redraw, set, setSize, svg } from "../lib/dom.js";
import { arrowKeys, draggable, knob, sliderRole } from "../lib/handles.js";
import { clamp, format } from "../lib/scales.js";
import { arrow, MARKS, path, place, point } from "../lib/shapes.js";
import { over, size } from "../lib/vectors.js";
import { ARROWS } from "./math.js";

/** The longest entry that fits in the first plane. */
const REACH = 12.6;
/** The direction of the threshold's handle. */
const [CX, CY] = [0.5, -Math.sqrt(0.75)];
const SUBSCRIPTS = ["", "₁", "₂", "₃", "₄"];
/** The means: name, mark and its size. */
const MEANS = [
  ["mean", "circle", 0.3],
  ["after", "square", 0.5],
  ["before", "diamond", 0.4],
];
/** Keys besides the arrow keys, which move a head by 0.1. */
const KEYS = { PageUp: [0, 1], PageDown: [0, -1], Home: [-99, 0], End: [99, 0] };
const round = (value) => Number(value.toFixed(1)) + 0;

/** The scales of a square plane, with `k` pixels for 1. */
const scales = (side, em, k, c = side / 2) => ({
  ...{ side, em, k, c },
  spot: ([x, y]) => [c + k * x, c - k * y],
});

/** Both planes: axes, the half in which steps go uphill, the threshold, and `more` in the plane. */
function ground(at, { mean, v, kind }, ...more) {
  const { c, k, side } = at;
  const length = size(mean.vector);
  const way = length > 0 && over(mean.vector, length);
  const bound = kind === "element" ? box(c, k * v) : ring(c, k * v);
  return [
    svg(
      "svg",
      { width: side, height: side },
      way && svg("path", { class: "half", d: beyond(c, [-way[0], way[1]]) }),
      svg("path", { class: "axis", d: `M0 ${c}H${side}M${c} 0V${side}` }),
      way && svg("path", { class: "border", d: border(at, way) }),
      svg("path", { class: "bound", "data-term": "v", d: bound }),
      more,
    ),
    way && halves(at, way),
  ];
}

const border = ({ c }, [ux, uy]) =>
  path([1, -1].map((i) => within(c, [c + 2 * c * i * uy, c + 2 * c * i * ux]).end));

/** The names of the halves stand beside their border, where no mean lies. In a small plane, one is enough. */
function halves({ c, side, em }, [ux, uy]) {
  const [tx, ty] = ux + uy >= 0 ? [-uy, ux] : [uy, -ux];
  const edge = Math.min(
    (c - 1.1 * em) / Math.abs(ty || 1e-9),
    (c - 4.1 * em) / Math.abs(tx || 1e-9),
  );
  return (side > 15 * em ? ["uphill", "downhill"] : ["uphill"]).map((word, i) => {
    const off = (i ? 1 : -1) * (0.8 + 2 * Math.abs(ux)) * em;
    const x = clamp(c + edge * tx + off * ux, 3.3 * em, side - 3.3 * em).toFixed(1);
    const y = clamp(c - edge * ty - off * uy + 0.35 * em, 1.1 * em, side - 0.4 * em).toFixed(1);
    const look = { class: `word ${word}`, "text-anchor": "middle", "font-size": em };
    return svg("text", { ...look, x, y }, `step ${word}`);
  });
}

const box = (c, r) => (r < c ? `M${c - r} ${c - r}h${2 * r}v${2 * r}h${-2 * r}Z` : "");

/** The part of a circle around the center of a square of side 2c that lies in the square. */
function ring(c, r) {
  const turns = Array.from({ length: 241 }, (_, i) => (i * Math.PI) / 120);
  const points = turns.map((turn) => [c + r * Math.cos(turn), c + r * Math.sin(turn)]);
  const seen = points.map((point) => point.every((x) => x >= 0 && x <= 2 * c));
  return points
    .map(([x, y], i) => (seen[i] ? `${seen[i - 1] ? "L" : "M"}${point(x, y)}` : ""))
    .join("");
}

/** The part of that square on the side of `way` of its center. */
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

/** The end of a line from the center to a point, cut at the edge of the square, and whether it was cut. */
function within(c, [x, y]) {
  const far = Math.max(Math.abs(x - c), Math.abs(y - c));
  if (far <= c) return { end: [x, y], inside: true };
  return { end: [c + ((x - c) * c) / far, c + ((y - c) * c) / far], inside: false };
}

/** An arrow from the center, with a tip if it ends in the plane. */
function arrowTo(g, name, { c, em, spot }) {
  const { end, inside } = within(c, spot(g));
  const long = Math.hypot(end[0] - c, end[1] - c) > 0.5;
  const one = arrow(name);
  one.update(long && [[c, c], end], em, inside);
  return one.node;
}

/** The line and the mark of a mean. */
function meanOf([name, mark, r], now, { c, em, spot }) {
  const { end, inside } = within(c, spot(now[name].vector));
  const shape = { class: `mark ${name}`, "data-term": name, d: MARKS[mark] };
  return {
    line: svg("path", { class: `line ${name}`, "data-term": name, d: path([[c, c], end]) }),
    mark: inside && place(svg("path", shape), ...end, r * em),
  };
}

/** The minibatches' gradients with handles at their heads, and the handle of the threshold. */
export function gradients(model, spec) {
  const plot = svg("g");
  let at;
  const given = () => at;
  const node = drawingOf("The gradients of minibatches, in a plane", plot);
  const heads = ARROWS.map((i) => head(model, spec, node, i, given));
  const grip = gripOf(model, spec, node, given);
  node.append(grip.node, ...heads.map((one) => one.node));
  return {
    node,
    held: grip.held,
    /** Draws a state, and returns the number of pixels for 1. */
    update(now, side, em) {
      at = scales(side, em, side / 2 / REACH);
      const { line, mark } = meanOf(MEANS[0], now, at);
      const cuts = now.arrows.map(({ clipped }) =>
        svg("path", { class: "cut", d: path([[0, 0], clipped.vector].map(at.spot)) }),
      );
      const raw = now.arrows.map(({ g }) => arrowTo(g, "raw", at));
      setSize(node, side, side);
      redraw(
        plot,
        ground(at, now, line, raw, cuts, mark),
        grip.draw(now.v),
        now.arrows.map((one) => nameOf(one, at)),
      );
      heads.forEach((one, k) => {
        const i = ARROWS[k];
        one.draw(
          now.arrows.find((found) => found.i === i),
          i === now.at,
        );
      });
      return at.k;
    },
  };
}

/** The handle at the head of a minibatch's gradient. */
function head(model, spec, surface, i, at) {
  const keys = [`x${i}`, `y${i}`];
  const { min, max } = spec[keys[0]];
  const label = `gradient ${i}; arrow keys move its head`;
  const node = knob({ "data-term": `g${i}`, ...sliderRole(label, min, max) });
  const choose = () => setAll(model, { at: i });
  const put = (x, y) => setAll(model, { at: i, [keys[0]]: round(x), [keys[1]]: round(y) });
  draggable(node, {
    surface,
    start: choose,
    move: ({ x, y }) => put((x - at().c) / at().k, (at().c - y) / at().k),
  });
  node.addEventListener("focus", () => node.matches(":focus-visible") && choose());
  arrowKeys(node, ([x, y]) => put(model.get(keys[0]) + x, model.get(keys[1]) + y), 0.1, KEYS);
  return {
    node,
    draw(found, chosen) {
      set(node, { display: found ? null : "none" });
      node.classList.toggle("held", chosen);
      if (!found) return;
      const { g, count } = found;
      place(node, ...at().spot(g));
      set(node, {
        "aria-valuenow": g[0],
        "aria-valuetext": `(${g.map((x) => format(x, 1)).join(", ")}), ${count} times`,
      });
    },
  };
}

/** The name of a gradient stands beyond its head, inside the plane. */
function nameOf({ i, g, count }, { spot, em, side }) {
  const [x, y] = spot(g);
  const [ux, uy] = over(g, size(g) || 1);
  const above = 1.2 * em * (Math.abs(uy) < 0.5 ? 0.95 : uy);
  return svg(
    "text",
    {
      ...{ class: "label", "text-anchor": "middle", "font-size": em },
      x: clamp(x + 1.5 * em * ux, 1.2 * em, side - 1.2 * em).toFixed(1),
      y: clamp(y - above + 0.35 * em, em, side - 0.3 * em).toFixed(1),
    },
    count > 1 && `${count} `,
    italic("g"),
    SUBSCRIPTS[i],
  );
}

/** The handle of the threshold, on a stem outside the circle or the box. */
function gripOf(model, spec, surface, at) {
  const node = knob({ class: "grip", "data-term": "v" });
  // Along the stem, the circle or the side of the box is this many v from the middle.
  const share = () => (model.get("kind") === "element" ? 1 / -CY : 1);
  const gap = ({ c, k, em }) => clamp((c - REACH * 0.8 * k) / 1.6, 0.6 * em, 1.3 * em);
  const held = holdsPower(node, model, "v", {
    ...{ surface, label: "threshold v", min: -1, max: 1, step: 0.05 },
    at({ x, y }) {
      const { c, k } = at();
      const out = (x - c) * CX + (c - y) * CY;
      return Math.log10(Math.max((out - gap(at())) / k / share(), spec.v.min));
    },
    text: (log) => format(10 ** log),
  });
  return {
    node,
    held,
    /** Places the handle, and returns its stem. */
    draw(v) {
      const { c, k } = at();
      const rim = k * v * share();
      const far = rim + gap(at());
      const [start, end] = [rim, far].map((out) => [c + CX * out, c - CY * out]);
      place(node, ...end);
      return svg("path", { class: "stem", d: `M${start.join(" ")}L${end.join(" ")}` });
    },
  };
}

/** The clipped gradients and the three means, as large as they allow. */
export function means() {
  const node = svg("svg", { class: "uf-drawing", role: "img" });
  return {
    node,
    /** Draws a state, and returns the number of pixels for 1. */
    update(now, side, em) {
      const least = Math.max(size(now.after.vector), size(now.before.vector), 0.1 * now.v);
      const reach = 1.25 * Math.max(least, Math.min(size(now.mean.vector), 1.3 * least));
      const at = scales(side, em, (side / 2 - 0.4 * em) / reach);
      const arrows = now.arrows.map(({ i, clipped }) =>
        arrowTo(clipped.vector, i === now.at ? "clipped held" : "clipped", at),
      );
      const drawn = MEANS.map((mean) => meanOf(mean, now, at));
      const [lines, marks] = ["line", "mark"].map((key) => drawn.map((mean) => mean[key]));
      setSize(node, side, side);
      redraw(node, ground(at, now, arrows, lines, marks));
      const pair = ([x, y]) => `(${format(x)}, ${format(y)})`;
      set(node, {
        "aria-label": `True gradient ${pair(now.mean.vector)}; clipped ${pair(now.after.vector)}; mean of the clipped minibatches ${pair(now.before.vector)}.`,
      });
      return at.k;
    },
  };
}
