import { controls, controlsOf, setAll, transport } from "../../lib/controls.js";
import { html, svg } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { equation, linked, live, said } from "../../lib/linked.js";
import { norm, stretch } from "../../lib/planar.js";
import { format } from "../../lib/scales.js";
import { defaults, fold, keepDrawn, presets, settings } from "../../lib/stage.js";
import { size } from "../../lib/vectors.js";
import { inline } from "../../lib/words.js";
import { swatch } from "../../lib/shapes.js";
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

export function render({ model, el }) {
  el.classList.add("fig-eigen");
  const spec = meta.controls;
  const views = [spectrum(model), growth(model, spec.t), plane(model)];
  const values = html("span", { class: "values" });
  const matrix = html("span", { class: "matrix" });
  const curves = table();
  const legend = html("div", { class: "legend" }, curves.nodes);
  const is = html("span", {}, html("b", {}, html("i", {}, "W")), " =");
  const law = html("div", { class: "law" }, equation(eq.power), is, matrix);
  const heads = [values, legend, law];
  const titles = ["Eigenvalues", "Size at each step", "State"];
  const parts = ["spectrum", "growth", "plane"].map((name, i) =>
    html(
      "div",
      { class: `part ${name}` },
      html("div", { class: "head" }, html("b", {}, titles[i]), heads[i]),
      views[i].node,
    ),
  );
  const stage = html("div", { class: "stage" }, parts);
  const verdict = html("p", { class: "verdict" });
  const sum = arithmetic(eq);
  const status = live();
  const time = transport(model, "t", { ...spec.t, interval: 300, text: (t) => `t = ${t}` });
  const exact = controlsOf(model, spec, "re", "im", "re2", "angle");
  const { modes: _, ...first } = defaults(spec);
  const examples = Object.fromEntries(
    Object.entries(PRESETS).map(([name, state]) => [name, { ...first, ...state }]),
  );
  el.append(
    stage,
    verdict,
    sum.node,
    controls(time, controlsOf(model, spec, "c", "modes")),
    presets(model, "examples", examples, ["t"]),
    fold("Set by number", controls(exact)),
    guess(meta.prediction, () => setAll(model, examples.normal)),
    status,
  );
  const link = linked(el);

  function draw({ em }) {
    const state = tidy(settings(model, spec));
    const now = { ...state, ...compute(state), summed: state.modes, paired: state.im !== 0 };
    now.longer = stretch(now.powers[state.t]);
    el.classList.toggle("summed", now.summed);
    views.forEach((view) => view.update(now, em));
    values.innerHTML = inline(
      now.paired
        ? `*λ* = ${complex([state.re, Math.abs(state.im)], 2).replace("+", "±")}, |*λ*| = ${format(now.radius)}`
        : `*λ*_{1} = ${format(state.re)}, *λ*_{2} = ${format(state.re2)}`,
    );
    matrix.replaceChildren(...now.W.flat().map((entry) => html("span", {}, entryOf(entry))));
    curves.update(now);
    const [before, main, after] = judge(now, state).map(inline);
    verdict.innerHTML = `<span>${before}</span>${main}<span>${after}</span>`; // a slide shows only `main`
    sum.update(now);
    const { t } = now;
    const pair = now.eigenvalues.map((value) => (now.paired ? complex(value) : format(value[0])));
    const length = `At step ${t}, the state in the plane has length ${short(now.lengths[t])}.`;
    status.announce(`The eigenvalues are ${pair.join(" and ")}. ${said(verdict)} ${length}`);
    link.refresh();
  }
  function resize(size) {
    const { form, sizes } = layout(size);
    stage.dataset.form = form;
    sizes.forEach(([width, height], i) => {
      views[i].resize(width, height, size.em);
      parts[i].style.width = `${width}px`;
    });
  }
  return keepDrawn(model, stage, draw, { resize, clocks: [time] });
}

/** Sizes of the drawings: one row on a slide, two rows on a page, and a column on a phone. */
function layout({ width, em, room }) {
  const gap = 1.4 * em;
  const floor = ([...sizes]) => sizes.map((pair) => pair.map(Math.floor));
  if (room < Infinity) {
    const high = (room - 9.9) * em;
    const side = Math.min(high, 11 * em);
    const rest = (width - side - 2 * gap) / 2;
    return {
      form: "row",
      sizes: floor([
        [side, side],
        [rest, high],
        [rest, high],
      ]),
    };
  }
  if (width < 28 * em) {
    const side = Math.min(width, 17 * em);
    const sizes = floor([
      [side, side],
      [width, 12 * em],
      [width, 0.55 * width],
    ]);
    return { form: "column", sizes };
  }
  const side = Math.min(0.37 * width, 15 * em);
  const sizes = floor([
    [side, side],
    [width - side - gap - 1, side],
    [width, 13 * em],
  ]);
  return { form: "page", sizes };
}

/** The names of the curves with their values at the cursor: `{ nodes, update(now) }`. */
function table() {
  const items = [
    ["one", "mode m1", "", ""],
    ["two", "mode m2", "|*λ*_{2}|^{*t*}", ""],
    ["h", "state", "‖*h*^{(*t*)}‖", "this state"],
    ["W", "norm", "‖*W*^{*t*}‖", "longest state"],
  ].map(([term, look, text, means]) => {
    const name = html("span", { class: "name" });
    name.innerHTML = inline(text);
    const value = html("span", { class: "value" });
    const line = swatch(28, 8, svg("path", { class: `curve ${look}`, d: "M0 4H28" }));
    const parts = [line, name, means && html("small", {}, means), value];
    return { node: html("span", { class: `item ${look}`, "data-term": term }, parts), name, value };
  });
  let kind;
  return {
    nodes: items,
    update({ paired, eigenvalues, norms, lengths, t }) {
      if (kind !== paired) {
        kind = paired;
        items[0].name.innerHTML = inline(paired ? "|*λ*|^{*t*}" : "|*λ*_{1}|^{*t*}");
        items[1].node.hidden = paired;
      }
      const values = [...eigenvalues.map((lambda) => size(lambda) ** t), lengths[t], norms[t]];
      items.forEach(({ value }, i) => (value.textContent = short(values[i])));
    },
  };
}

/** Write an entry of the matrix, with one more digit if it is small. */
const entryOf = (value) => {
  const digits = Math.abs(value) < 0.05 && value !== 0 ? 3 : 2;
  return format(Number(value.toFixed(digits)), digits);
};

/** Write a size with about four digits. */
const short = (value) => {
  if (value !== 0 && (value < 5e-4 || value >= 1e4))
    return value.toExponential(1).replace("-", "−").replace("+", "");
  return format(value, Math.max(0, 3 - Math.floor(Math.log10(Math.max(value, 1)))));
};

/** Three sentences: the angle of the eigenvectors, how far states grow, and the long run. */
function judge({ W, norms, peak, calm, radius }, state) {
  const angle = between(state);
  const apart = angle && `The eigenvectors are ${format(angle, angle < 10 ? 1 : 0)}° apart. `;
  const lie = angle === null ? "" : apart || "All eigenvectors are parallel. ";
  const rate = `${format(radius)}^{*t*}`;
  if (radius > 1 + 1e-9)
    return [lie, `In the long run, nearly every state grows like ${rate}.`, ""];
  if (norm(W) <= 1 + 1e-9) {
    const none = norm(W) < 1 - 1e-9 ? "every state shrinks at every step" : "no state ever grows";
    return [lie, `‖*W*‖ = ${format(norm(W))}: ${none}.`, ""];
  }
  const end = calm > STEPS ? `more than 1 up to step ${STEPS}` : `less than 1 from step ${calm} on`;
  const main = `The longest state has length ${format(norms[peak])} at step ${peak}, and ${end}.`;
  return [lie, main, ` In the long run, its length shrinks like ${rate}.`];
}
