// Two runs through one matrix: where the second may start, where n steps put it, how far apart they are.
import { button, controls, controlsOf, transport } from "../../lib/controls.js";
import { html } from "../../lib/dom.js";
import { format } from "../../lib/scales.js";
import { inline } from "../../lib/words.js";
import { chart } from "./chart.js";
import { ends, starts } from "./frames.js";
import { legend } from "./legend.js";
import { compare, EIGENVALUES, STEPS } from "./math.js";
import { meta } from "./meta.js";

const CURVES = [
  { name: "mine", mark: "circle", text: "this *v*" },
  { name: "most", mark: "square", text: "widest possible" },
  { name: "along", mark: "diamond", text: `eigenvector of *λ* = ${EIGENVALUES[0]}` },
];
const spec = meta.controls;

export function linear(model) {
  const [before, after] = [starts(model), ends()];
  const curves = chart(model, {
    label: "Distance of the two runs after each step, in units of δ, on a logarithmic axis",
    time: { key: "n", label: "steps" },
    last: STEPS,
    low: -2,
    high: 1,
    every: 1,
    curves: CURVES,
  });
  const values = legend(CURVES);
  const heads = [0, 1].map(() => html("div", { class: "head" }));
  const clock = transport(model, "n", { ...spec.n, interval: 500, text: (n) => `n = ${n}` });
  let now;
  return {
    clock,
    pictures: {
      before: html("div", { class: "part before" }, heads[0], before.node),
      after: html("div", { class: "part after" }, heads[1], after.node),
    },
    chart: html("div", { class: "part chart" }, values.node, curves.node),
    row: controls(
      clock,
      directions(model, () => now),
      controlsOf(model, spec, "beats", "angle"),
    ),
    resize(sizes, em) {
      for (const view of [before, after]) view.resize(...sizes.before, em);
      curves.resize(...sizes.linear, em);
    },
    /** Draws a state; returns the name of its matrix, and the matrix. */
    update(state, verdict) {
      now = { ...state, ...compare(state) };
      const { n, way, apart, along, most } = now;
      const forward = way === "forward";
      before.update(now);
      after.update(now);
      curves.update([apart, most, along], n);
      values.update([apart[n], most[n], along[n]].map((value) => [format(value), " δ"]));
      heads[0].innerHTML = "<b>Two starts</b> δ apart";
      const steps = `${n} ${n === 1 ? "step" : "steps"} ${forward ? "on" : "back"}`;
      heads[1].innerHTML = `<b>${steps}</b><span> from <i class="dot uf-fill"></i> and <i class="dot two uf-fill"></i></span>`;
      const [first, then = ""] = judge(now);
      verdict.innerHTML = `${inline(first)} <span>${inline(then)}</span>`;
      return [forward ? "*J*" : "*J*^{⊤}", now.M];
    },
  };
}

/** Buttons that set v along what `now()` knows of. */
function directions(model, now) {
  const turn = (name, direction) =>
    button(name, () => {
      if (model.get("map") === "tanh") return;
      const [x, y] = direction(now());
      const angle = (Math.atan2(y, x) * 180) / Math.PI + (y < 0 ? 360 : 0);
      model.set("angle", Number(angle.toFixed(2)));
      model.save_changes();
    });
  return html(
    "div",
    { class: "uf-control presets", role: "group", "aria-label": "v along" },
    html("span", {}, "v along"),
    turn("eigenvector", ({ vectors }) => vectors[0]),
    turn("widest", ({ top }) => top),
  );
}

/** What is found, in one sentence or two. */
function judge({ n, way, along, most, better, beats, own, map }) {
  if (n === 0) return ["No step yet: in every direction the runs are δ apart."];
  if (map === "normal")
    return [
      `With orthogonal eigenvectors no direction beats that of *λ* = 0.9: |*λ*|^{*n*} = ${format(most[n])}.`,
    ];
  const first = `Along the eigenvector |*λ*|^{*n*} = ${format(along[n])}, the widest is ${format(most[n] / along[n], 1)} times that.`;
  if (beats)
    return [
      `${format(better, 0)} of 100 directions separate the runs more than the eigenvector does.`,
      first,
    ];
  if (way === "forward")
    return [first, "Its direction is the first right singular vector of *J*^{*n*}."];
  return [
    first,
    `The eigenvector of *J* itself, at 0°, is none of *J*^{⊤}: a gradient along it is stretched ${format(own)}-fold.`,
  ];
}
