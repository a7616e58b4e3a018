// The panel of sizes over time on a logarithmic axis: |λ|^t, the length of h^(t), and ‖W^t‖.
import { band, line, rule, ticksX, ticksY } from "../lib/chart.js";
import { holds, setAll } from "../lib/controls.js";
import { gripCursor } from "../lib/cursor.js";
import { drawingOf, pointIn, redraw, set, setSize, svg } from "../lib/dom.js";
import { linear } from "../lib/scales.js";
import { size } from "../lib/vectors.js";
import { STEPS } from "./math.js";

/** The lower end of the axis. This and the ends below are powers of ten. */
const FLOOR = -3;
/** Possible upper ends of the axis. They are far apart so that the axis rarely changes during a drag. */
const TOPS = [1, 2, 4, 8, 16];
const WORDS = "Sizes over time on a logarithmic axis";

export function growth(model, spec) {
  const plot = svg("g");
  const cursor = gripCursor("handle cursor");
  const node = drawingOf(WORDS, plot, cursor.node);
  let at;
  const stepAt = (point) => at.x.invert(point.x);
  const limits = { ...spec, max: STEPS };
  const held = holds(cursor.node, model, "t", limits, {
    surface: node,
    at: stepAt,
    text: (t) => `step ${t}`,
  });
  node.addEventListener("click", (event) => {
    if (!cursor.node.contains(event.target)) setAll(model, { t: stepAt(pointIn(node, event)) });
  });

  function update(now, [width, height], em) {
    at = scales(now, width, height, em);
    setSize(node, width, height);
    redraw(plot, axes(at), curves(now, at));
    cursor.update(at.x(now.t), em, [0.3 * em, at.bottom], [0, height - 1.5 * em]);
  }
  return { node, held, update };
}

function scales({ norms }, width, height, em) {
  const most = Math.log10(Math.max(...norms));
  const top = TOPS.find((power) => power >= most) ?? TOPS.at(-1);
  const [left, bottom] = [3.2 * em, height - 2.4 * em];
  return {
    ...{ em, font: 0.9 * em, left, right: width, bottom, top, beside: 0.5, below: 1.385 },
    x: linear([0, STEPS], [left, width - 0.7 * em]),
    y: linear([FLOOR, top], [bottom, 0.7 * em]),
  };
}

/** The grid lines at powers of ten, their labels, and the labels of the steps. */
function axes(at) {
  const { em, right, top, x } = at;
  const every = Math.max(1, Math.round((top - FLOOR) / 6));
  const powers = Array.from({ length: top - FLOOR + 1 }, (_, i) => FLOOR + i);
  const marked = powers.filter((power) => power % every === 0);
  return [
    marked.map((power) => rule(at, power, power ? "grid" : "one")),
    ticksY(at, marked, (power) => tick(power, em)),
    rule(at, FLOOR, "axis"),
    ticksX(at, x.ticks(right < 25 * em ? 3 : 6)),
  ];
}

/** The label of a power of ten: 0.01, 1, 100, and 10⁴ for larger numbers. */
const tick = (power, em) =>
  power < 4
    ? String(10 ** power)
    : ["10", svg("tspan", { dy: -0.4 * em, "font-size": 0.75 * em }, power)];

/** The hump of ‖W^t‖ above 1, and all curves with their values at the cursor. */
function curves({ norms, lengths, eigenvalues, t }, at) {
  const { em, x, y } = at;
  // The logarithm of 0 is infinite. A curve that falls to 0 leaves the axis at the next step.
  const logs = (values) => values.map((value, s) => [s, value ? Math.log10(value) : FLOOR - 1e-9]);
  const powers = (lambda) => Array.from({ length: STEPS + 1 }, (_, s) => size(lambda) ** s);
  const [one, two] = eigenvalues.map(powers);
  const series = [
    ["one", "mode m1", logs(one)],
    ["two", "mode m2", logs(two)],
    ["W", "norm", logs(norms)],
    ["h", "state", logs(lengths)],
  ];
  const floor = norms.map(() => 1);
  const dot = (term, i, log) =>
    svg("circle", {
      ...{ class: `dot d${i}`, "data-term": term },
      ...{ cx: x(t), cy: y(log).toFixed(1), r: (i < 2 ? 0.26 : 0.32) * em },
    });
  return [
    band(at, logs(floor), logs(norms.map((norm) => Math.max(norm, 1))), "hump"),
    series.map(([term, name, points]) =>
      set(line(at, points, `curve ${name}`, FLOOR), { "data-term": term }),
    ),
    series.map(([term, , points], i) => points[t][1] >= FLOOR && dot(term, i, points[t][1])),
  ];
}
