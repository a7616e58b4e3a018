// The network with tanh: why its state stays bounded, and how a small difference at the start grows.
import { controls, transport } from "../lib/controls.js";
import { html, redraw } from "../lib/dom.js";
import { format } from "../lib/scales.js";
import { chart } from "./chart.js";
import { legend } from "./legend.js";
import { drift, GAIN, TIMES, TURNING } from "./math.js";
import { units } from "./units.js";

const CURVES = [
  { name: "free", text: `${GAIN}^{*t*}` },
  { name: "growth", mark: "nabla", text: "‖∂*h*^{(*t*)}/∂*h*^{(0)}‖" },
  { name: "state", mark: "circle", text: "‖*h*^{(*t*)}‖ < √2" },
];

export function squashed({ model, spec, control }) {
  const unit = units();
  const curves = chart(model, {
    label: "Length of the state and growth of a small difference, on a logarithmic axis",
    time: { key: "t", label: "time" },
    last: TIMES,
    low: -15,
    high: 15,
    every: 5,
    curves: CURVES,
    begin: {
      key: "start",
      label: "length of the start",
      min: -12,
      max: 0,
      text: (power) => `10 to the ${format(power, 1)}`,
    },
  });
  const values = html("div", { class: "legend" });
  const head = html("div", { class: "head" });
  const clock = transport(model, "t", { ...spec.t, interval: 200, text: (t) => `t = ${t}` });
  return {
    clock,
    held: curves.held,
    parts: {
      unit: html("div", { class: "part unit" }, head, unit.node),
      tanh: html("div", { class: "part chart" }, values, curves.node),
    },
    row: controls(clock, control("start")),
    /** Draws a state, and returns the name of its matrix and the matrix. */
    update({ t, start }, verdict, sizes, em) {
      const { steps, lengths, growth, free, bends } = drift(start);
      const { slopes } = steps[t];
      const series = [free, growth, lengths];
      unit.update(steps[t], sizes.unit, em);
      curves.update(series, t, sizes.tanh, em);
      redraw(
        values,
        legend(
          CURVES,
          series.map((list) => power(list[t])),
        ),
      );
      const numbers = slopes ? slopes.map((slope) => format(slope)).join(" and ") : "no step yet";
      head.innerHTML = `<b>Slopes</b> ${numbers}`;
      redraw(
        verdict,
        "A small difference at the start is now ",
        power(growth[t]),
        " times as large. So is a gradient that goes back. ",
        html("span", {}, reason(t, bends)),
      );
      return ["*W*", TURNING];
    },
  };
}

/** Say why the difference has that size. */
function reason(t, bends) {
  if (!t) return "No step has been taken.";
  if (t >= bends)
    return `From step ${bends} on, slopes below 1 limit it, and the state too. Until then, both grew alike.`;
  const middle = `No unit is saturated yet, so it grows as it would without the tanh: ${GAIN}`;
  return [middle, html("sup", {}, t), "."];
}

/** About two digits of a size, in HTML: plain from 0.01 to 1000, else with a power of ten. */
function power(value) {
  if (value >= 0.00995 && value < 999.5)
    return [format(value, Math.max(0, 1 - Math.floor(Math.log10(value))))];
  const [digits, exponent] = value.toExponential(1).split("e");
  return [`${digits} · 10`, html("sup", {}, format(Number(exponent), 0))];
}
