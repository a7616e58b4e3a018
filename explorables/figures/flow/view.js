import { control, controls, controlsOf, setAll, transport } from "../../lib/controls.js";
import { html, svg } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { live } from "../../lib/linked.js";
import { format } from "../../lib/scales.js";
import { defaults, fold, keepDrawn, presets, settings } from "../../lib/stage.js";
import { inline } from "../../lib/words.js";
import { swatch } from "../../lib/shapes.js";
import { down, omegaText, strip } from "./down.js";
import { meta } from "./meta.js";
import { compute, CONSTANT, paths, STEPS } from "./math.js";
import { plane } from "./plane.js";
import { through } from "./through.js";

/** What a state's paths depend on. */
const START = ["w11", "w12", "w21", "w22", "angle", "inputs"];
const PRESETS = {
  "differ, and work": {},
  "agree, and fail": {
    w11: 0.2,
    w12: 0.1,
    w21: 0.1,
    w22: 0.8,
    angle: 80,
    constant: "states",
    k: 60,
  },
  "Ω = 0, |λ| = 1.6": { w11: 1, w12: 0, w21: 0.8, w22: 1.6, angle: 0, inputs: 0 },
  "one degree on": { w11: 1, w12: 0, w21: 0.8, w22: 1.6, angle: 1, inputs: 0 },
};
const NAMES = { nothing: "nothing: exact", gradients: "gradients", states: "states too" };

export function render({ model, el }) {
  const { controls: spec } = meta;
  el.classList.add("fig-flow");
  const views = {
    plane: plane(model),
    strip: strip(),
    through: through(model, spec.t),
    down: down(model, spec.k),
  };
  const matrix = html("span", { class: "matrix" });
  const sizes = html("span", { class: "values" });
  const fall = html("span", { class: "values loss" });
  const head = (words, ...values) => html("div", { class: "head" }, html("b", {}, words), values);
  const part = (name, ...children) => html("div", { class: `part ${name}` }, children);
  const rows = CONSTANT.map(row);
  const verdict = html("p", { class: "verdict" });
  const table = html(
    "table",
    {},
    html(
      "thead",
      {},
      html(
        "tr",
        {},
        ["held constant", "cosine", "next Ω"].map((word) => html("th", {}, word)),
      ),
    ),
    html("tbody", {}, rows),
  );
  const parts = {
    plane: part("plane", head("Rows of W", matrix), views.plane.node, legend()),
    strip: part("strip", head("|λ| of W", sizes), views.strip.node),
    through: part("through", views.through.node),
    down: part("down", head("Ω", fall), views.down.node),
    readout: part("readout", table, verdict),
  };
  const stage = html(
    "div",
    { class: "stage" },
    html("div", { class: "first" }, parts.plane, parts.strip),
    parts.through,
    html("div", { class: "last" }, parts.down, parts.readout),
  );
  const status = live();
  const steps = (k) => `${k} ${k === 1 ? "step" : "steps"} down`;
  const time = transport(model, "k", { ...spec.k, interval: 150, text: steps });
  const first = defaults(spec);
  const examples = Object.fromEntries(
    Object.entries(PRESETS).map(([name, state]) => [name, { ...first, ...state }]),
  );
  const free = Object.keys(spec).filter((key) => !START.includes(key));
  el.append(
    stage,
    controls(control(model, "constant", spec.constant), time),
    presets(model, "examples", examples, free),
    fold("Set the start by number", controls(controlsOf(model, spec, ...START))),
    guess(meta.prediction, () => setAll(model, { ...first, constant: "states", k: spec.k.max })),
    status,
  );

  let known = {};
  function draw() {
    const state = settings(model, spec);
    // Before the first step down, the paths of what is not chosen are not to be seen.
    const chosen = state.k ? null : state.constant;
    const start = [...START.map((key) => state[key]), chosen].join();
    if (known.start !== start) known = { start, paths: paths(state, chosen) };
    const now = { ...state, ...compute(state, known.paths) };
    Object.values(views).forEach((view) => view.update(now));
    matrix.replaceChildren(...now.W.flat().map((value) => html("span", {}, format(value))));
    sizes.textContent = now.radii.map((radius) => format(radius)).join(", ");
    fall.textContent = state.k
      ? `${omegaText(now.before.omega)} → ${omegaText(now.omega)}`
      : omegaText(now.omega);
    rows.forEach((each, i) => each.update(now, i));
    verdict.innerHTML = inline(judge(now));
    status.announce(verdict.textContent);
  }
  function resize(size) {
    const { form, sizes } = layout(size);
    stage.dataset.form = form;
    for (const [name, [width, height]] of Object.entries(sizes)) {
      views[name].resize(Math.floor(width), Math.floor(height), size.em, form === "row");
      parts[name].style.width = `${Math.floor(width)}px`;
    }
  }
  return keepDrawn(model, stage, draw, { resize, clocks: [time] });
}

/** What the marks in the plane are. */
const legend = () =>
  html(
    "div",
    { class: "legend" },
    [
      ["M14 4h0", "end", "gradient at the end"],
      ["M0 4H17M24 4L15 0V8Z", "comes", "at t, drawn 1 long"],
      ["M0 4H17M26 4L15 -1V9Z", "leaves", "what step t leaves"],
    ].map(([d, name, words]) =>
      html("span", {}, swatch(28, 8, svg("path", { class: name, d })), words),
    ),
  );

/** A line of the table, which is the legend too. */
function row(held) {
  const line = swatch(28, 8, svg("path", { class: `path ${held}`, d: "M0 4H28" }));
  const [cosine, next] = [html("td"), html("td")];
  const node = html(
    "tr",
    { class: held },
    html("th", { scope: "row" }, line, NAMES[held]),
    cosine,
    next,
  );
  return {
    node,
    update(now, i) {
      node.classList.toggle("chosen", held === now.constant);
      cosine.textContent = now.cosines[i] === null ? "—" : format(now.cosines[i]);
      next.textContent = omegaText(now.next[i]);
    },
  };
}

/** Widths and heights of the drawings: a row on a slide, two rows on a page, a column on a phone. */
function layout({ width, em, room }) {
  const strip = 2.4 * em;
  if (room < Infinity) {
    const high = (room - 3.6) * em;
    const side = Math.min(high - strip - 4 * em, 0.25 * width);
    const last = 14.5 * em;
    return {
      form: "row",
      sizes: {
        plane: [side, side],
        strip: [side, strip],
        through: [width - side - last - 2.4 * em, high],
        down: [last, high - 8.6 * em],
      },
    };
  }
  if (width < 30 * em) {
    const side = Math.min(width, 18 * em);
    return {
      form: "column",
      sizes: {
        plane: [side, side],
        strip: [side, strip],
        through: [width, 19 * em],
        down: [width, 10 * em],
      },
    };
  }
  const side = Math.min(0.38 * width, 16 * em);
  return {
    form: "page",
    sizes: {
      plane: [side, side],
      strip: [side, strip],
      through: [width - side - 1.3 * em, side + strip + 7.2 * em],
      down: [width - 19.5 * em, 11 * em],
    },
  };
}

/** What has become of the gradient, in a sentence. */
function judge({ logs, ratios, omega, units, radii }) {
  const values = Object.values(ratios);
  const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => format(value));
  if (!units[1])
    return `Ω = ${omegaText(omega)}: the gradient ends on its way, and terms without one are left out.`;
  const log = logs[1];
  const length =
    Math.abs(log) < 2.995 ? format(10 ** log, 2 - Math.trunc(log)) : `10^{${format(log, 1)}}`;
  const flat = omega < 0.1;
  const steps =
    least === most
      ? `Each step leaves ${least} of the gradient`
      : `The steps leave from ${least} to ${most} of the gradient`;
  const far =
    flat && radii.some((radius) => Math.abs(radius - 1) > 0.2)
      ? `, and an eigenvalue is ${format(radii.find((radius) => Math.abs(radius - 1) > 0.2))} in size`
      : "";
  return `${steps}: on *h*^{(1)} it is ${length} long, where it was 1 on *h*^{(${STEPS})}. Ω = ${omegaText(omega)}${far}.`;
}
