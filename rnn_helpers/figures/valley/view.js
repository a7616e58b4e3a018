import { frame, line, ticksX, ticksY } from "../lib/chart.js";
import { holdsPower, transport } from "../lib/controls.js";
import { html, redraw, svg, text } from "../lib/dom.js";
import { areaOf, fact, figure } from "../lib/figure.js";
import { knob } from "../lib/handles.js";
import { clamp, counted, linear, rounded } from "../lib/scales.js";
import { place } from "../lib/shapes.js";
import { upTo } from "../lib/vectors.js";
import { gradient, loss, path, points, quotient, W } from "./math.js";
import { meta } from "./meta.js";

const [LOW, HIGH] = [-2.5, 2.5]; // weights on the axis
const SLOPE = gradient(W);
const CURVE = upTo(120).map((i) => LOW + ((HIGH - LOW) * (i - 1)) / 119);
const clipped = (w) => clamp(w, LOW, HIGH);

export const render = figure("valley", meta, ({ model, el, spec }) => {
  const checks = model.get("view") === "check";
  const facts = html("div", { class: "facts" });
  el.classList.add(checks ? "checks" : "steps");
  return checks ? check({ model, spec, facts }) : descend({ model, spec, facts });
});

/** The view that compares the slope of the curve with a difference quotient. */
function check({ model, spec, facts }) {
  const dot = knob({ class: "at" });
  const area = areaOf("The loss over the weight W, and two slopes at W = 0.5", dot);
  let across = Number; // from a place in the drawing to a weight
  const hold = holdsPower(dot, model, "eps", {
    surface: area.drawing,
    at: ({ x }) => Math.log10(Math.max(across(x) - W, 1e-3)),
    ...{ min: -3, max: 0, step: 0.1, label: spec.eps.label },
    text: (power) => rounded(10 ** power, 3),
  });
  return {
    parts: [area, ["eps", "sides"], facts],
    reveal: { eps: 0.05, sides: "two" },
    follow: [hold],
    watch: area.node,
    update({ eps, sides }, size) {
      const at = scales(size);
      across = at.x.invert;
      const ends = points(eps, sides);
      const found = quotient(eps, sides);
      area.draw(
        size,
        at,
        axes(at),
        line(at, tangent(0.6), "tangent"),
        line(at, through(ends, found), "secant"),
        ends.map((w) => mark(at, w, "end")),
        mark(at, W, "start"),
      );
      place(dot, at.x(ends[1]), at.y(loss(ends[1])));
      redraw(
        facts,
        fact(rounded(SLOPE, 4), "slope by BPTT", null, "bptt"),
        fact(rounded(found, 4), "difference quotient", null, "quotient"),
        fact(rounded(Math.abs(found - SLOPE), 5), "apart"),
      );
      return `With ε = ${rounded(eps, 3)} on ${sides === "two" ? "two sides" : "one side"}, the difference quotient is ${rounded(found, 4)}. The slope by BPTT is ${rounded(SLOPE, 4)}.`;
    },
  };
}

/** The view that takes steps of gradient descent. */
function descend({ model, spec, facts }) {
  const area = areaOf("The loss over the weight W, and the steps of gradient descent");
  const time = transport(model, "steps", { ...spec.steps, text: (n) => counted(n, "step") });
  return {
    parts: [area, ["eta", time], facts],
    follow: [time],
    watch: area.node,
    update({ eta, steps }, size) {
      const at = scales(size);
      const weights = path(eta, steps);
      const now = weights.at(-1);
      area.draw(
        size,
        at,
        axes(at),
        line(at, tangent(0.5, now), "tangent"),
        weights.slice(1).map((w, i) => jump(at, weights[i], w)),
        weights.map((w, i) => mark(at, w, i === steps ? "now" : "past")),
      );
      const better = loss(now) <= loss(W);
      redraw(
        facts,
        fact(rounded(now, 3), "weight W"),
        fact(rounded(loss(now), 3), "loss", null, better ? "" : "worse"),
        fact(rounded(gradient(now), 3), "gradient", null, "bptt"),
      );
      return `After ${counted(steps, "step")} with the learning rate ${eta}, W is ${rounded(now, 3)} and the loss is ${rounded(loss(now), 3)}. At the start it was ${rounded(loss(W), 3)}.`;
    },
  };
}

/** The ends of a tangent that reaches this far to both sides. */
const tangent = (far, w = W) => [-far, far].map((by) => [w + by, loss(w) + by * gradient(w)]);

/** The ends of a line through the points, somewhat longer than the distance between them. */
function through([left, right], slope) {
  const more = Math.max(0.35, (right - left) / 4);
  return [
    [left - more, loss(left) - more * slope],
    [right + more, loss(right) + more * slope],
  ];
}

/** A step, as an arc from one point of the curve to the next. */
function jump(at, from, to) {
  const [a, b] = [clipped(from), clipped(to)];
  const [x, y, p, q] = [at.x(a), at.y(loss(a)), at.x(b), at.y(loss(b))];
  const top = Math.min(y, q) - 0.25 * Math.abs(p - x) - 0.4 * at.em;
  return svg("path", { class: "jump", d: `M${x} ${y}Q${(x + p) / 2} ${top} ${p} ${q}` });
}

const mark = (at, w, name) =>
  svg("circle", {
    class: `mark ${name}`,
    cx: at.x(clipped(w)),
    cy: at.y(loss(clipped(w))),
    r: (name === "past" ? 0.22 : 0.32) * at.em,
  });

function scales({ width, em, room }) {
  const [left, right, top] = [2.6 * em, width - 0.6 * em, 1.5 * em];
  const bottom = Math.min(room - 7.5, 15) * em;
  return {
    ...{ em, font: 0.9 * em, left, right, top, bottom, below: 0.95 },
    height: bottom + 1.6 * em,
    x: linear([LOW, HIGH], [left, right]),
    y: linear([0.9, 2.2], [bottom, top]),
  };
}

const axes = (at) => [
  frame(at),
  text(at, at.left, at.top - 0.8 * at.em, { class: "start" }, "loss"),
  ticksY(at, [1, 1.5, 2], (value) => rounded(value, 1)),
  ticksX(at, [-2, -1, 0, 1, 2], (value) => (value === 2 ? "W = 2" : rounded(value, 0))),
  line(
    at,
    CURVE.map((w) => [w, loss(w)]),
    "curve",
  ),
];
