import { frame, line, ticksX, ticksY, title } from "../lib/chart.js";
import { html, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure } from "../lib/figure.js";
import { said } from "../lib/linked.js";
import { decade, fromLog } from "../lib/powers.js";
import { counted, linear } from "../lib/scales.js";
import { dots, MARKS, path, place } from "../lib/shapes.js";
import * as bit from "./math.js";
import { meta } from "./meta.js";

const ORBITS = bit.STARTS.map(bit.orbit);
const LOGS = { cycle: bit.logGradient(ORBITS[0]), rest: bit.logGradientOfOne() };
const LOW = -160; // lowest power of ten on the axis
const KINDS = [
  { kind: "first", d: MARKS.circle },
  { kind: "second", d: MARKS.square },
];
/** The closed curve: the states of both orbits, sorted by their angle. */
const CURVE = ORBITS.flat()
  .filter((_, i) => i % (bit.STEPS + 1) > 20)
  .sort(([p, q], [r, s]) => Math.atan2(q, p) - Math.atan2(s, r));

export const render = figure("phase", meta, () => {
  const area = areaOf("The plane of states, and the size of the gradient");
  const readout = html("p", { class: "readout" });
  return {
    parts: [area, readout, ["t", "noise"]],
    reveal: { t: bit.STEPS, noise: 0 },
    update({ t, noise }, size) {
      const states = noise > 0 ? bit.runs(noise, t) : [];
      const at = scales(size);
      area.draw(size, at, plane(t, states, at.plane), gradients(t, at.gradients));
      redraw(readout, words(t, states));
      return said(readout);
    },
  };
});

/** The readout: how much of the gradient is left, and how many runs keep their bit. */
function words(t, states) {
  const held = states.length && bit.kept(states, ORBITS[0][t]);
  return [
    html("b", {}, `After ${counted(t, "step")}: `),
    html("span", { class: "number" }, fromLog(LOGS.cycle[t])),
    " of the gradient is left here, and ",
    html("span", { class: "number" }, fromLog(LOGS.rest[t])),
    " in one unit at rest.",
    states.length
      ? ` With noise, ${held} of ${bit.RUNS} runs still hold their bit.`
      : " Without noise, the bit is safe.",
  ];
}

function scales({ width, em, room }) {
  const narrow = width < 30 * em;
  const side = Math.min(narrow ? width - 2 * em : 0.42 * width, Math.min(room - 9, 15) * em);
  const [x0, y0] = [0.6 * em, 1.6 * em];
  const [left, right] = [narrow ? 3.6 * em : x0 + side + 4 * em, width - 0.8 * em];
  const top = narrow ? y0 + side + 2.6 * em : y0;
  const bottom = narrow ? top + 8 * em : y0 + side;
  const sizes = { em, font: 0.9 * em };
  return {
    height: bottom + 1.6 * em,
    plane: {
      ...{ ...sizes, left: x0, right: x0 + side, top: y0, bottom: y0 + side },
      x: linear([-1.15, 1.15], [x0, x0 + side]),
      y: linear([-1.15, 1.15], [y0 + side, y0]),
    },
    gradients: {
      ...{ ...sizes, left, right, top, bottom, below: 0.95 },
      x: linear([0, bit.STEPS], [left, right]),
      y: linear([LOW, 0], [bottom, top + 0.5 * em]),
    },
  };
}

function plane(t, states, at) {
  const points = (list) => list.map(([p, q]) => [at.x(p), at.y(q)]);
  const half = bit.RUNS / 2;
  const clouds = [states.slice(0, half), states.slice(half)];
  return [
    frame(at),
    svg("path", { class: "cycle", d: `${path(points(CURVE))}Z` }),
    title(at, "state: unit 1 across, unit 2 up"),
    KINDS.map(({ kind, d }, i) => {
      const [[x, y]] = points([ORBITS[i][t]]);
      return svg(
        "g",
        { class: kind },
        clouds[i].length > 0 && svg("path", { class: "cloud", d: dots(points(clouds[i])) }),
        place(svg("path", { class: "mark", d }), x, y, 0.45 * at.em),
      );
    }),
  ];
}

function gradients(t, at) {
  const { em, x, y } = at;
  const late = t > 0.55 * bit.STEPS; // the names stand to the left of the ends
  const curve = (logs, kind) => line(at, [...logs.slice(0, t + 1).entries()], `gradient ${kind}`);
  // Below its falling curve, a name that ends this far to the left doesn't touch it.
  const clear = 1.1 / ((y(LOGS.rest[t]) - y(0)) / (x(t) - x(0) || 1));
  const end = (logs, words, kind, below) =>
    text(
      at,
      x(t) + (late ? -(kind === "rest" ? clear : 0.5) : 0.6) * em,
      y(logs[t]) + below * em,
      { class: `${kind} ${late ? "end" : "start"}` },
      words,
    );
  return [
    frame(at),
    title(at, "size of the gradient"),
    ticksY(at, [0, -50, -100, -150], (power) => decade(power, at.font)),
    ticksX(
      at,
      [0, 100, bit.STEPS],
      (k) => (k === bit.STEPS ? `${k} steps` : k),
      (k) => (k === bit.STEPS ? "tick end" : "tick"),
    ),
    curve(LOGS.rest, "rest"),
    curve(LOGS.cycle, "cycle"),
    end(LOGS.cycle, "this network", "cycle", late ? 1 : 0),
    end(LOGS.rest, "one unit at rest", "rest", t < 30 ? 1.1 : 0),
  ];
}
