import { controls, transport } from "../lib/controls.js";
import { html, redraw, svg } from "../lib/dom.js";
import { figure, stage } from "../lib/figure.js";
import { equation, linked, said } from "../lib/linked.js";
import { norm, stretch } from "../lib/planar.js";
import { format, rounded } from "../lib/scales.js";
import { swatch } from "../lib/shapes.js";
import { defaults, fold, presets } from "../lib/stage.js";
import { size } from "../lib/vectors.js";
import { inline } from "../lib/words.js";
import eq from "./equations.tex";
import { growth } from "./growth.js";
import { meta } from "./meta.js";
import { between, compute, STEPS, tidy } from "./math.js";
import { plane } from "./plane.js";
import { complex, spectrum } from "./spectrum.js";
import { arithmetic } from "./sum.js";

const PRESETS = {
  "non-normal": {},
  normal: { c: 0 },
  "with the 10": { re: 0.5, re2: 0.5, c: 10, t: 1 },
  rotation: { re: 0.9408, im: 0.2744, c: 0, t: 40 },
  "non-normal rotation": { re: 0.912, im: 0.266, c: 1.2, t: 28 },
  growing: { re: 1.2, re2: 1.1, c: 0, angle: 45, t: 50 },
};

const { modes: _, ...FIRST } = defaults(meta.controls);
const EXAMPLES = Object.fromEntries(
  Object.entries(PRESETS).map(([name, state]) => [name, { ...FIRST, ...state }]),
);

export const render = figure("eigen", meta, ({ model, el, spec, control }) => {
  const views = [spectrum(model), growth(model, spec.t), plane(model)];
  const values = html("span", { class: "values" });
  const matrix = html("span", { class: "matrix" });
  const legend = html("div", { class: "legend" });
  const is = html("span", {}, html("b", {}, html("i", {}, "W")), " =");
  const law = html("div", { class: "law" }, equation(eq.power), is, matrix);
  const part = (name, title, head, view) =>
    html(
      "div",
      { class: `part ${name}` },
      html("div", { class: "head" }, html("b", {}, title), head),
      view.node,
    );
  const parts = [
    part("spectrum", "Eigenvalues", values, views[0]),
    part("growth", "Size at each step", legend, views[1]),
    part("plane", "State", law, views[2]),
  ];
  const shown = stage(parts);
  const verdict = html("p", { class: "verdict" });
  const sum = arithmetic(eq);
  const time = transport(model, "t", { ...spec.t, interval: 300, text: (t) => `t = ${t}` });
  const exact = ["re", "im", "re2", "angle"].map((key) => control(key));
  return {
    parts: [
      shown,
      verdict,
      sum.node,
      [time, "c", "modes"],
      presets(model, "examples", EXAMPLES, ["t"]),
      fold("Set by number", controls(exact)),
    ],
    reveal: EXAMPLES.normal,
    follow: [time, views[1].held, views[2].held, linked(el)],
    update(given, size) {
      const state = tidy(given);
      const now = { ...state, ...compute(state), summed: state.modes, paired: state.im !== 0 };
      now.longer = stretch(now.powers[state.t]);
      const [form, ...sizes] = layout(size);
      shown.dataset.form = form;
      el.classList.toggle("summed", now.summed);
      views.forEach((view, i) => {
        const box = sizes[i].map(Math.floor);
        parts[i].style.width = `${box[0]}px`;
        view.update(now, box, size.em);
      });
      values.innerHTML = inline(
        now.paired
          ? `*λ* = ${complex([state.re, Math.abs(state.im)], 2).replace("+", "±")}, |*λ*| = ${format(now.radius)}`
          : `*λ*_{1} = ${format(state.re)}, *λ*_{2} = ${format(state.re2)}`,
      );
      redraw(
        matrix,
        now.W.flat().map((entry) => html("span", {}, entryOf(entry))),
      );
      redraw(legend, curves(now));
      const [before, main, after] = judge(now, state).map(inline);
      verdict.innerHTML = `<span>${before}</span>${main}<span>${after}</span>`; // a slide shows only `main`
      sum.update(now);
      const pair = now.eigenvalues.map((value) => (now.paired ? complex(value) : format(value[0])));
      return `The eigenvalues are ${pair.join(" and ")}. ${said(verdict)} At step ${now.t}, the state in the plane has length ${short(now.lengths[now.t])}.`;
    },
  };
});

/** The arrangement and the sizes of the drawings: a row on a slide, two on a page, a column on a phone. */
function layout({ width, em, room }) {
  const gap = 1.4 * em;
  if (room < Infinity) {
    const high = (room - 9.9) * em;
    const side = Math.min(high, 11 * em);
    const rest = [(width - side - 2 * gap) / 2, high];
    return ["row", [side, side], rest, rest];
  }
  if (width < 28 * em) {
    const side = Math.min(width, 17 * em);
    return ["column", [side, side], [width, 12 * em], [width, 0.55 * width]];
  }
  const side = Math.min(0.37 * width, 15 * em);
  return ["page", [side, side], [width - side - gap - 1, side], [width, 13 * em]];
}

/** The names of the curves with their values at the cursor. */
function curves({ paired, eigenvalues, norms, lengths, t }) {
  const [one, two] = eigenvalues.map((lambda) => size(lambda) ** t);
  return [
    ["one", "mode m1", paired ? "|*λ*|^{*t*}" : "|*λ*_{1}|^{*t*}", "", one],
    !paired && ["two", "mode m2", "|*λ*_{2}|^{*t*}", "", two],
    ["h", "state", "‖*h*^{(*t*)}‖", "this state", lengths[t]],
    ["W", "norm", "‖*W*^{*t*}‖", "longest state", norms[t]],
  ]
    .filter(Boolean)
    .map(([term, look, text, means, value]) => {
      const name = html("span", { class: "name" });
      name.innerHTML = inline(text);
      return html(
        "span",
        { class: `item ${look}`, "data-term": term },
        swatch(28, 8, svg("path", { class: `curve ${look}`, d: "M0 4H28" })),
        name,
        means && html("small", {}, means),
        html("span", { class: "value" }, short(value)),
      );
    });
}

/** Write an entry of the matrix, with one more digit if it is small. */
const entryOf = (value) => rounded(value, value && Math.abs(value) < 0.05 ? 3 : 2);

/** Write a size with about four digits. */
const short = (value) => {
  if (value && (value < 5e-4 || value >= 1e4))
    return value.toExponential(1).replace("-", "−").replace("+", "");
  return format(value, Math.max(0, 3 - Math.floor(Math.log10(Math.max(value, 1)))));
};

/** Three sentences: the angle of the eigenvectors, how far states grow, and the long run. */
function judge({ W, norms, peak, calm, radius }, state) {
  const angle = between(state);
  const apart = `The eigenvectors are ${format(angle, angle < 10 ? 1 : 0)}° apart. `;
  const lie = angle ? apart : angle === 0 ? "All eigenvectors are parallel. " : "";
  const rate = `${format(radius)}^{*t*}`;
  if (radius > 1 + 1e-9)
    return [lie, `In the long run, nearly every state grows like ${rate}.`, ""];
  const most = norm(W);
  if (most <= 1 + 1e-9) {
    const none = most < 1 - 1e-9 ? "every state shrinks at every step" : "no state ever grows";
    return [lie, `‖*W*‖ = ${format(most)}: ${none}.`, ""];
  }
  const end = calm > STEPS ? `more than 1 up to step ${STEPS}` : `less than 1 from step ${calm} on`;
  const main = `The longest state has length ${format(norms[peak])} at step ${peak}, and ${end}.`;
  return [lie, main, ` In the long run, its length shrinks like ${rate}.`];
}
