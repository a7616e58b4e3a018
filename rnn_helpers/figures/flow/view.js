import { controls, transport } from "../lib/controls.js";
import { html, redraw } from "../lib/dom.js";
import { figure, stage } from "../lib/figure.js";
import { said } from "../lib/linked.js";
import { remembered } from "../lib/remembered.js";
import { counted, format } from "../lib/scales.js";
import { defaults, fold } from "../lib/stage.js";
import { inline } from "../lib/words.js";
import { meta } from "./meta.js";
import { compute, pathOf, STEPS } from "./math.js";
import { strip } from "./strip.js";
import { through } from "./through.js";

export const render = figure("flow", meta, ({ model, spec, control }) => {
  const [eigenvalues, flow] = [strip(), through(model, spec.t)];
  const matrix = html("span", { class: "matrix" });
  const sizes = html("span", { class: "values" });
  const verdict = html("p", { class: "verdict" });
  const head = (name, value) => html("div", { class: "head" }, html("b", {}, name), value);
  const steps = (k) => `${counted(k, "step")} down`;
  const time = transport(model, "k", { ...spec.k, interval: 150, text: steps });
  const numbers = ["w11", "w12", "w21", "w22", "inputs"];
  const path = remembered((w11, w12, w21, w22, inputs, angle) =>
    pathOf({ w11, w12, w21, w22, inputs, angle }),
  );
  return {
    parts: [
      stage(
        html(
          "div",
          { class: "weights" },
          head("W", matrix),
          head("|λ| of W", sizes),
          eigenvalues.node,
        ),
        flow.node,
      ),
      verdict,
      [time, "angle"],
      fold("W and the inputs, by number", controls(numbers.map((key) => control(key)))),
    ],
    reveal: { ...defaults(spec), k: spec.k.max },
    follow: [time, flow.held],
    update(state, size) {
      const start = [...numbers, "angle"].map((key) => state[key]);
      const now = { ...state, ...compute(state, path(...start)) };
      eigenvalues.update(now, size);
      flow.update(now, size);
      redraw(
        matrix,
        now.W.flat().map((value) => html("span", {}, format(value))),
      );
      sizes.textContent = now.radii.map((radius) => format(radius)).join(", ");
      verdict.innerHTML = inline(judge(now));
      return said(verdict);
    },
  };
});

/** Omega in three digits or fewer. */
const omegaText = (omega) =>
  omega === 0 ? "0" : omega < 1e-4 ? format(omega, 4) : format(omega, omega < 0.1 ? 3 : 2);

/** What happens to the gradient, in a sentence or two. */
function judge({ logs, ratios, omega }) {
  const value = `Ω = ${omegaText(omega)}.`;
  if (logs[1] === undefined)
    return `The gradient becomes 0 on its way. Terms without a gradient are left out. ${value}`;
  const length =
    Math.abs(logs[1]) < 2.995
      ? format(10 ** logs[1], Math.min(3, 2 - Math.trunc(logs[1])))
      : `10^{${format(logs[1], 1)}}`;
  const [least, most] = [Math.min, Math.max].map((f) => format(f(...Object.values(ratios))));
  const each = least === most ? `${least}` : `between ${least} and ${most}`;
  return `Each step back leaves ${each} of the gradient's length: 1 at *h*^{(${STEPS})}, ${length} at *h*^{(1)}. ${value}`;
}
