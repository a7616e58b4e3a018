import { chartIn, frame, line, rule, ticksX, ticksY, title } from "../lib/chart.js";
import { holdsPower } from "../lib/controls.js";
import { html, redraw, svg } from "../lib/dom.js";
import { areaOf, figure } from "../lib/figure.js";
import { knob } from "../lib/handles.js";
import { decade } from "../lib/powers.js";
import { counted, log as logScale, format } from "../lib/scales.js";
import { path, place } from "../lib/shapes.js";
import { UPDATES } from "./constants.json";
import { compute } from "./math.js";
import { meta } from "./meta.js";

const [LOSS, NORM] = [
  [-4, 1],
  [-3, 2],
];
/** Powers of ten; a low chart has room for every second one. */
const powers = ([low, high], { bottom, top, em }) => {
  const step = bottom - top < 8 * em ? 2 : 1;
  return Array.from(
    { length: Math.floor((high - low) / step) + 1 },
    (_, i) => 10 ** (low + step * i),
  );
};

export const render = figure("norms", meta, ({ model, spec }) => {
  const handle = knob({ class: "grip" });
  const area = areaOf("The loss and the norm of the gradient at each update", handle);
  const readout = html("p", { class: "readout" });
  let at;
  const held = holdsPower(handle, model, "line", {
    surface: area.drawing,
    at: ({ y }) => Math.log10(at.norms.y.invert(y)),
    label: spec.line.label,
    ...{ min: -2, max: 2, step: 0.05 },
    text: (power) => format(10 ** power),
  });
  return {
    parts: [readout, area, ["optimizer", "v"]],
    watch: area.node,
    reveal: { optimizer: "SGD", v: "1" },
    follow: [held],
    update(state, size) {
      const now = compute(state);
      at = layout(size);
      area.draw(size, at, axes(at), curves(now, state, at));
      place(handle, at.norms.right + 0.6 * at.em, at.norms.y(state.line));
      const words = told(now, state);
      redraw(readout, words);
      return words;
    },
  };
});

function layout({ width, em, room }) {
  const slide = room < Infinity;
  const font = (slide ? 0.95 : width < 30 * em ? 0.85 : 0.9) * em;
  const [left, right] = [3 * em, 1.6 * em];
  const high = slide ? (0.5 * (room - 5.6) - 3.6) * em : 9.5 * em;
  const chart = (top, limits) =>
    chartIn(
      [left, top, width - left - right, high],
      [1, UPDATES],
      [10 ** limits[0], 10 ** limits[1]],
      { em, font, below: 0.95 },
      logScale,
    );
  const loss = chart(1.8 * em, LOSS);
  const norms = chart(loss.bottom + 2.4 * em, NORM);
  return { em, font, loss, norms, height: Math.round(norms.bottom + 2.9 * em) };
}

function axes({ loss, norms, em, font }) {
  const label = (value) => decade(Math.round(Math.log10(value)), font);
  return [
    [frame(loss), title(loss, "loss of the minibatch"), ticksY(loss, powers(LOSS, loss), label)],
    [frame(norms), title(norms, "norm of the gradient"), ticksY(norms, powers(NORM, norms), label)],
    ticksX(norms, [1, 100, 200, 300]),
    svg(
      "text",
      {
        class: "axis",
        "font-size": font,
        x: (norms.left + norms.right) / 2,
        y: norms.bottom + 2.5 * em,
      },
      "update",
    ),
  ];
}

/** The log, over that of the network without clipping. */
function curves({ loss, norm, free, cut: _ }, { v, line: threshold }, at) {
  const points = (chart, values) => values.map((value, k) => [k + 1, bounded(chart, value)]);
  const drawn = (chart, values, name) => line(chart, points(chart, values), name);
  return [
    free && [drawn(at.loss, free.loss, "curve free"), drawn(at.norms, free.norm, "curve free")],
    drawn(at.loss, loss, "curve loss"),
    drawn(at.norms, norm, "curve norm"),
    v !== "none" && rule(at.norms, Number(v), "clipped"),
    svg("path", {
      class: "threshold",
      d: path([
        [at.norms.left, at.norms.y(threshold)],
        [at.norms.right + 0.6 * at.em, at.norms.y(threshold)],
      ]),
    }),
  ];
}

function bounded({ y, top, bottom }, value) {
  return Math.min(Math.max(value, y.invert(bottom)), y.invert(top));
}

function told({ median, above, cut }, { optimizer, v, line: threshold }) {
  const how = v === "none" ? "without clipping" : `clipped at ${v}`;
  const name = optimizer === "SGD" ? "Gradient descent" : optimizer;
  const changed = v === "none" ? "" : ` Clipping has changed ${cut} of them.`;
  return `${name} ${how}: of ${counted(UPDATES, "gradient")}, ${above} are longer than ${Number(threshold.toPrecision(2))}, and the median is ${format(median, 3)}.${changed}`;
}
