import { controls, controlsOf, setAll, transport } from "../../lib/controls.js";
import { html } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { live, said } from "../../lib/linked.js";
import { format } from "../../lib/scales.js";
import { defaults, fold, keepDrawn, settings } from "../../lib/stage.js";
import { inline } from "../../lib/words.js";
import { meta } from "./meta.js";
import { compute, pathOf, STEPS } from "./math.js";
import { strip } from "./strip.js";
import { through } from "./through.js";

const spec = meta.controls;
/** The controls that a path down Omega depends on. */
const START = ["w11", "w12", "w21", "w22", "angle", "inputs"];

export function render({ model, el }) {
  el.classList.add("fig-flow");
  const [eigenvalues, flow] = [strip(), through(model, spec.t)];
  const matrix = html("span", { class: "matrix" });
  const sizes = html("span", { class: "values" });
  const verdict = html("p", { class: "verdict" });
  const stage = html(
    "div",
    { class: "stage" },
    html(
      "div",
      { class: "weights" },
      html("div", { class: "head" }, html("b", {}, "W"), matrix),
      html("div", { class: "head" }, html("b", {}, "|λ| of W"), sizes),
      eigenvalues.node,
    ),
    flow.node,
  );
  const status = live();
  const steps = (k) => `${k} ${k === 1 ? "step" : "steps"} down`;
  const time = transport(model, "k", { ...spec.k, interval: 150, text: steps });
  el.append(
    stage,
    verdict,
    controls(time, controlsOf(model, spec, "angle")),
    fold(
      "W and the inputs, by number",
      controls(controlsOf(model, spec, ...START.filter((key) => key !== "angle"))),
    ),
    guess(meta.prediction, () => setAll(model, { ...defaults(spec), k: spec.k.max })),
    status,
  );

  let known = {};
  function draw() {
    const state = settings(model, spec);
    const start = START.map((key) => state[key]).join();
    if (known.start !== start) known = { start, path: pathOf(state) };
    const now = { ...state, ...compute(state, known.path) };
    eigenvalues.update(now);
    flow.update(now);
    matrix.replaceChildren(...now.W.flat().map((value) => html("span", {}, format(value))));
    sizes.textContent = now.radii.map((radius) => format(radius)).join(", ");
    verdict.innerHTML = inline(judge(now));
    status.announce(said(verdict));
  }
  function resize({ width, em, room }) {
    const slide = room < Infinity;
    flow.resize(width, (slide ? room - 7.8 : 24) * em, em, slide);
    eigenvalues.resize(Math.floor(Math.min(width, 16 * em)), 2.4 * em, em);
  }
  return keepDrawn(model, stage, draw, { resize, clocks: [time] });
}

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
