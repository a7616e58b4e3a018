import { controls, controlsOf, setAll } from "../../lib/controls.js";
import { drawingOf, html, set, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { live, said } from "../../lib/linked.js";
import { decade, fromLog } from "../../lib/powers.js";
import { linear } from "../../lib/scales.js";
import { dots, MARKS, path, place, rect } from "../../lib/shapes.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import * as bit from "./math.js";
import { meta } from "./meta.js";

const ORBITS = bit.STARTS.map(bit.orbit);
const LOGS = { cycle: bit.logGradient(ORBITS[0]), rest: bit.logGradientOfOne() };
const LOW = -160; // lowest power of ten on the axis
const KINDS = ["first", "second"];
/** The closed curve: the states of both orbits, sorted by their angle. */
const CURVE = ORBITS.flat()
  .filter((_, i) => i % (bit.STEPS + 1) > 20)
  .sort(([p, q], [r, s]) => Math.atan2(q, p) - Math.atan2(s, r));

export function render({ model, el }) {
  const { controls: spec } = meta;
  const plot = svg("g");
  const drawing = drawingOf("The plane of states, and the size of the gradient", plot);
  const readout = html("p", { class: "readout" });
  const status = live();
  el.classList.add("fig-phase");
  el.append(
    html("div", { class: "area" }, drawing),
    readout,
    controls(controlsOf(model, spec, "t", "noise")),
    guess(meta.prediction, () => setAll(model, { t: bit.STEPS, noise: 0 })),
    status,
  );
  return keepDrawn(model, drawing.parentElement, (size) => {
    const { t, noise } = settings(model, spec);
    const states = noise > 0 ? bit.runs(noise, t) : [];
    const at = scales(size);
    set(drawing, { viewBox: `0 0 ${size.width} ${at.height}` });
    plot.replaceChildren(plane(t, states, at), gradients(t, at));
    readout.replaceChildren(...words(t, states));
    status.announce(said(readout));
  });
}

/** The readout: how much of the gradient is left, and how many runs keep their bit. */
function words(t, states) {
  const held = states.length && bit.kept(states, ORBITS[0][t]);
  return [
    html("b", {}, `After ${t} ${t === 1 ? "step" : "steps"}: `),
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
  const font = 0.9 * em;
  const side = Math.min(narrow ? width - 2 * em : 0.42 * width, Math.min(room - 9, 15) * em);
  const [left, top] = [0.6 * em, 1.6 * em];
  const x0 = narrow ? 3.6 * em : left + side + 4 * em;
  const y0 = narrow ? top + side + 2.6 * em : top;
  const y1 = narrow ? y0 + 8 * em : top + side;
  return {
    em,
    font,
    left,
    top,
    side,
    x0,
    x1: width - 0.8 * em,
    y0,
    y1,
    height: y1 + 1.6 * em,
    x: linear([-1.15, 1.15], [left, left + side]),
    y: linear([-1.15, 1.15], [top + side, top]),
    t: linear([0, bit.STEPS], [x0, width - 0.8 * em]),
    log: linear([LOW, 0], [y1, y0 + 0.5 * em]),
  };
}

function plane(t, states, at) {
  const { left, top, side, em } = at;
  const points = (list) => list.map(([p, q]) => [at.x(p), at.y(q)]);
  const half = bit.RUNS / 2;
  return svg(
    "g",
    {},
    rect(left, top, side, side, { class: "frame" }),
    svg("path", { class: "cycle", d: `${path(points(CURVE))}Z` }),
    text(at, left, top - 0.75 * em, { class: "title" }, "state: unit 1 across, unit 2 up"),
    KINDS.map((kind, i) => {
      const mark = svg("path", { class: "mark", d: i ? MARKS.square : MARKS.circle });
      place(mark, at.x(ORBITS[i][t][0]), at.y(ORBITS[i][t][1]), 0.45 * em);
      const mine = i ? states.slice(half) : states.slice(0, half);
      return svg(
        "g",
        { class: kind },
        mine.length && svg("path", { class: "cloud", d: dots(points(mine)) }),
        mark,
      );
    }),
  );
}

function gradients(t, at) {
  const { x0, x1, y0, y1, em } = at;
  const line = (logs, kind) => {
    const points = logs.slice(0, t + 1).map((log, k) => [at.t(k), at.log(log)]);
    return svg("path", { class: `gradient ${kind}`, d: path(points) });
  };
  const end = (logs, words, kind, above) =>
    text(
      at,
      t > 0.55 * bit.STEPS ? at.t(t) - 0.5 * em : at.t(t) + 0.6 * em,
      at.log(logs[t]) + above * em,
      { class: t > 0.55 * bit.STEPS ? `${kind} end` : `${kind} start` },
      words,
    );
  return svg(
    "g",
    {},
    rect(x0, y0, x1 - x0, y1 - y0, { class: "frame" }),
    text(at, x0, y0 - 0.75 * em, { class: "title" }, "size of the gradient"),
    [0, -50, -100, -150].map((power) =>
      text(at, x0 - 0.4 * em, at.log(power), { class: "tick end" }, decade(power, at.font)),
    ),
    [0, 100, bit.STEPS].map((k) =>
      text(
        at,
        at.t(k),
        y1 + 0.95 * em,
        { class: k === bit.STEPS ? "tick end" : "tick" },
        k === bit.STEPS ? `${k} steps` : String(k),
      ),
    ),
    line(LOGS.rest, "rest"),
    line(LOGS.cycle, "cycle"),
    end(LOGS.cycle, "this network", "cycle", 1),
    end(LOGS.rest, "one unit at rest", "rest", t > 0.9 * bit.STEPS ? 0 : t < 30 ? 2.1 : 1.1),
  );
}
