// Two runs through one matrix: where the second run may start, where n steps take it, and the distances.
import { button, controls, transport } from "../lib/controls.js";
import { html, redraw } from "../lib/dom.js";
import { counted, format } from "../lib/scales.js";
import { inline } from "../lib/words.js";
import { chart } from "./chart.js";
import { ends, starts } from "./frames.js";
import { legend } from "./legend.js";
import { compare, EIGENVALUES, STEPS } from "./math.js";

const CURVES = [
  { name: "mine", mark: "circle", text: "this *v*" },
  { name: "most", mark: "square", text: "widest possible" },
  { name: "along", mark: "diamond", text: `eigenvector of *λ* = ${EIGENVALUES[0]}` },
];

export function linear({ model, spec, save, control }) {
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
  const values = html("div", { class: "legend" });
  const heads = [0, 1].map(() => html("div", { class: "head" }));
  heads[0].innerHTML = "<b>Two starts</b> δ apart";
  const clock = transport(model, "n", { ...spec.n, interval: 500, text: (n) => `n = ${n}` });
  let now;
  return {
    clock,
    held: [before.held, ...curves.held],
    parts: {
      before: html("div", { class: "part before" }, heads[0], before.node),
      after: html("div", { class: "part after" }, heads[1], after.node),
      linear: html("div", { class: "part chart" }, values, curves.node),
    },
    row: controls(
      clock,
      directions(save, () => now),
      control("beats"),
      control("angle"),
    ),
    /** Draws a state, and returns the name of its matrix and the matrix. */
    update(state, verdict, sizes, em) {
      now = { ...state, ...compare(state) };
      const { n, way, apart, along, most } = now;
      const forward = way === "forward";
      const series = [apart, most, along];
      before.update(now, sizes.before, em);
      after.update(now, sizes.after, em);
      curves.update(series, n, sizes.linear, em);
      redraw(
        values,
        legend(
          CURVES,
          series.map((list) => [format(list[n]), " δ"]),
        ),
      );
      const steps = `${counted(n, "step")} ${forward ? "on" : "back"}`;
      heads[1].innerHTML = `<b>${steps}</b><span> from <i class="dot uf-fill"></i> and <i class="dot two uf-fill"></i></span>`;
      const [first, then = ""] = judge(now);
      verdict.innerHTML = `${inline(first)} <span>${inline(then)}</span>`;
      return [forward ? "*J*" : "*J*^{⊤}", now.M];
    },
  };
}

/** Buttons that turn v to a direction of the state that `now()` returns. */
function directions(save, now) {
  const turn = (name, direction) =>
    button(name, () => {
      const [x, y] = direction(now());
      const angle = (Math.atan2(y, x) * 180) / Math.PI + (y < 0 ? 360 : 0);
      save({ angle: Number(angle.toFixed(2)) });
    });
  return html(
    "div",
    { class: "uf-control presets", role: "group", "aria-label": "v along" },
    html("span", {}, "v along"),
    turn("eigenvector", ({ vectors }) => vectors[0]),
    turn("widest", ({ top }) => top),
  );
}

/** Describe the result in one or two sentences. */
function judge({ n, way, along, most, better, beats, own, map }) {
  if (n === 0) return ["Before the first step, the runs are δ apart in every direction."];
  if (map === "normal")
    return [
      `With orthogonal eigenvectors, no direction ends farther apart than the eigenvector of *λ* = 0.9: |*λ*|^{*n*} = ${format(most[n])}.`,
    ];
  const first = `Along the eigenvector, the distance is |*λ*|^{*n*} = ${format(along[n])}. The widest distance is ${format(most[n] / along[n], 1)} times that.`;
  if (beats)
    return [
      `${format(better, 0)} of 100 directions end farther apart than the eigenvector.`,
      first,
    ];
  if (way === "forward")
    return [first, "The widest direction is the first right singular vector of *J*^{*n*}."];
  return [
    first,
    `(1, 0) is an eigenvector of *J* but not of *J*^{⊤}: a gradient along it becomes ${format(own)} times as long.`,
  ];
}
