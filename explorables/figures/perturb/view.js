import { button, control, controls, setAll, transport } from "../../lib/controls.js";
import { html, svg } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { linked, live } from "../../lib/linked.js";
import { format } from "../../lib/scales.js";
import { MARKS } from "../../lib/shapes.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import { inline } from "../../lib/words.js";
import { chart } from "./chart.js";
import { ends, starts } from "./frames.js";
import { meta } from "./meta.js";
import { compare, drift, EIGENVALUES, GAIN, STEPS, TIMES, TURNING } from "./math.js";
import { units } from "./units.js";

const CURVES = {
  linear: [
    { name: "mine", mark: "circle", text: "this *v*" },
    { name: "most", mark: "square", text: "widest possible" },
    { name: "along", mark: "diamond", text: `eigenvector of *λ* = ${EIGENVALUES[0]}` },
  ],
  tanh: [
    { name: "free", text: `${GAIN}^{*t*}` },
    { name: "growth", mark: "nabla", text: "‖∂*h*^{(*t*)}/∂*h*^{(0)}‖" },
    { name: "state", mark: "circle", text: "‖*h*^{(*t*)}‖ < √2" },
  ],
};

export function render({ model, el }) {
  el.classList.add("fig-perturb");
  const spec = meta.controls;
  const [before, after, unit] = [starts(model), ends(), units()];
  const charts = {
    linear: chart(model, {
      label: "Distance of the two runs after each step, in units of δ, on a logarithmic axis",
      time: { key: "n", label: "steps" },
      last: STEPS,
      low: -2,
      high: 1,
      every: 1,
      curves: CURVES.linear,
    }),
    tanh: chart(model, {
      label: "Length of the state, and growth of a small change, on a logarithmic axis",
      time: { key: "t", label: "time" },
      last: TIMES,
      low: -15,
      high: 15,
      every: 5,
      curves: CURVES.tanh,
      begin: {
        key: "start",
        label: "length of the start",
        low: -12,
        high: 0,
        text: (power) => `10 to the ${format(power, 1)}`,
      },
    }),
  };
  const legends = { linear: legend(CURVES.linear), tanh: legend(CURVES.tanh) };
  const heads = ["before", "after", "unit", "size"].map(() => html("div", { class: "head" }));
  const part = (name, head, ...more) => html("div", { class: `part ${name}` }, head, more);
  const parts = {
    before: part("before", heads[0], before.node),
    after: part("after", heads[1], after.node),
    unit: part("unit", heads[2], unit.node),
    linear: part("chart", legends.linear.node, charts.linear.node),
    tanh: part("chart", legends.tanh.node, charts.tanh.node),
  };
  const stage = html("div", { class: "stage" }, Object.values(parts));
  const verdict = html("p", { class: "verdict" });
  const status = live();
  const clocks = [
    transport(model, "n", { ...spec.n, interval: 500, text: (n) => `n = ${n}` }),
    transport(model, "t", { ...spec.t, interval: 200, text: (t) => `t = ${t}` }),
  ];
  const turn = (name, direction) =>
    button(name, () => {
      if (model.get("map") === "tanh") return;
      const [x, y] = direction(now);
      model.set(
        "angle",
        Number(((Math.atan2(y, x) * 180) / Math.PI + (y < 0 ? 360 : 0)).toFixed(2)),
      );
      model.save_changes();
    });
  const way = control(model, "way", spec.way);
  const along = [
    turn("eigenvector", ({ vectors }) => vectors[0]),
    turn("widest", ({ top }) => top),
  ];
  const presets = { class: "uf-control presets", role: "group", "aria-label": "v along" };
  const rows = {
    linear: controls(
      clocks[0],
      html("div", presets, html("span", {}, "v along"), along),
      control(model, "beats", spec.beats),
      control(model, "angle", spec.angle),
    ),
    tanh: controls(clocks[1], control(model, "start", spec.start)),
  };
  const [symbol, entries] = [html("span"), html("span", { class: "entries" })];
  const matrix = (name, M) => {
    symbol.innerHTML = `${inline(name)} =`;
    const short = (entry) => String(Number(entry.toFixed(2))).replace("-", "−");
    entries.replaceChildren(...M.flat().map((entry) => html("span", {}, short(entry))));
  };
  el.append(
    controls(
      control(model, "map", spec.map),
      way,
      html("div", { class: "matrix" }, symbol, entries),
    ),
    stage,
    verdict,
    ...Object.values(rows),
    guess(meta.prediction, () =>
      setAll(model, { map: "linear", way: "backward", n: 3, beats: true }),
    ),
    status,
  );
  const link = linked(el);

  let now, form;
  function draw(area) {
    const state = settings(model, spec);
    const mood = state.map === "tanh" ? "tanh" : "linear";
    if (form !== `${mood} ${Object.values(area)}`) arrange(mood, area);
    form = `${mood} ${Object.values(area)}`;
    now = { ...state, ...(mood === "tanh" ? drift(state.start) : compare(state)) };
    (mood === "tanh" ? squashed : straight)(now);
    link.refresh();
  }

  function arrange(mood, area) {
    const sizes = layout(area, mood);
    stage.dataset.form = sizes.form;
    for (const [name, node] of Object.entries(parts)) {
      const size = sizes[name];
      node.hidden = !size;
      if (size) node.style.width = `${size[0]}px`;
    }
    const { em } = area;
    if (mood === "tanh") unit.resize(...sizes.unit, em);
    else [before, after].forEach((view) => view.resize(...sizes.before, em));
    charts[mood].resize(...sizes[mood], em);
    for (const name in rows) rows[name].hidden = name !== mood;
    way.hidden = mood === "tanh";
    clocks.forEach((clock) => clock.stop());
  }

  function straight(now) {
    const { M, n, way, apart, along, most, better, beats, own, map } = now;
    before.update(now);
    after.update(now);
    charts.linear.update([apart, most, along], n);
    legends.linear.update([apart[n], most[n], along[n]].map((value) => [format(value), " δ"]));
    el.dataset.way = way;
    matrix(way === "forward" ? "*J*" : "*J*^{⊤}", M);
    heads[0].innerHTML = "<b>Two starts</b> δ apart";
    const steps = `${n} ${n === 1 ? "step" : "steps"} ${way === "forward" ? "on" : "back"}`;
    heads[1].innerHTML = `<b>${steps}</b><span> from <i class="dot"></i> and <i class="dot two"></i></span>`;
    const [first, then = ""] = judge();
    verdict.innerHTML = `${inline(first)} <span>${inline(then)}</span>`;
    status.announce(verdict.textContent);

    function judge() {
      const count = `${format(better, 0)} of 100 directions separate the runs more than the eigenvector does.`;
      if (n === 0) return ["No step yet: in every direction the runs are δ apart."];
      if (map === "normal")
        return [
          `With orthogonal eigenvectors no direction beats that of *λ* = 0.9: |*λ*|^{*n*} = ${format(most[n])}.`,
        ];
      const first = `Along the eigenvector |*λ*|^{*n*} = ${format(along[n])}, the widest is ${format(most[n] / along[n], 1)} times that.`;
      if (beats) return [count, first];
      if (way === "forward")
        return [first, "Its direction is the first right singular vector of *J*^{*n*}."];
      return [
        first,
        `The eigenvector of *J* itself, at 0°, is none of *J*^{⊤}: a gradient along it is stretched ${format(own)}-fold.`,
      ];
    }
  }

  function squashed(now) {
    const { steps, lengths, growth, free, bends, t } = now;
    const { slopes } = steps[t];
    unit.update(steps[t]);
    charts.tanh.update([free, growth, lengths], t);
    matrix("*W*", TURNING);
    legends.tanh.update([free[t], growth[t], lengths[t]].map(power));
    const values = slopes ? slopes.map((slope) => format(slope)).join(" and ") : "no step yet";
    heads[2].innerHTML = `<b>Slopes</b> ${values}`;
    const first = [
      "A small change of the start, or a gradient sent back, is now ",
      power(growth[t]),
    ];
    const then = !t
      ? ["No step has been taken."]
      : t < bends
        ? [
            `No unit has left the middle of its curve: it grows as without tanh, ${GAIN}`,
            html("sup", {}, t),
            ".",
          ]
        : [
            `From step ${bends} on slopes below 1 hold it, as they hold the state; until then both grew alike.`,
          ];
    verdict.replaceChildren(...first.flat(), " times as large. ", html("span", {}, then));
    status.announce(verdict.textContent);
  }

  return keepDrawn(model, stage, draw, { clocks });
}

/** The sizes of the drawings that a mood shows: a row on a slide, two on a page. */
function layout({ width, em, room }, mood) {
  const gap = 1.2 * em;
  const floor = (...pair) => pair.map(Math.floor);
  if (room < Infinity) {
    const high = (room - 10.4) * em;
    const side = Math.min(high - 1.6 * em, 0.26 * width);
    if (mood === "tanh")
      return {
        form: "row",
        unit: floor(1.3 * side, side),
        tanh: floor(width - 1.3 * side - gap - 1, high - 1.6 * em),
      };
    const rest = width - 2 * (side + gap) - 1;
    return {
      form: "row",
      before: floor(side, side),
      after: floor(side, side),
      linear: floor(rest, high - 2.6 * em),
    };
  }
  const narrow = width < 30 * em;
  if (mood === "tanh") {
    if (narrow) return { form: "column", unit: floor(width, 9 * em), tanh: floor(width, 16 * em) };
    const side = 0.36 * width;
    return {
      form: "page",
      unit: floor(side, 16 * em),
      tanh: floor(width - side - gap - 1, 17 * em),
    };
  }
  const half = (width - gap - 1) / 2;
  const frame = floor(half, Math.min(half, 16 * em));
  return {
    form: "page",
    before: frame,
    after: frame,
    linear: floor(width, (narrow ? 11 : 13) * em),
  };
}

/** About two digits of a size, in HTML: plain from 0.01 to 1000, else with a power of ten. */
function power(value) {
  if (value >= 0.00995 && value < 999.5)
    return [format(value, Math.max(0, 1 - Math.floor(Math.log10(value))))];
  const [digits, exponent] = value.toExponential(1).split("e");
  return [`${digits} · 10`, html("sup", {}, format(Number(exponent), 0))];
}

/** The curves' names, shapes and values at the cursor. */
function legend(curves) {
  const items = curves.map(({ name, mark, text }) => {
    const words = html("span", { class: "name" });
    words.innerHTML = inline(text);
    const value = html("b", { class: "value" });
    const line = svg(
      "svg",
      { viewBox: "0 0 30 12", "aria-hidden": "true" },
      svg("path", { class: `curve ${name}`, d: "M0 6H30" }),
      mark &&
        svg("path", {
          class: `mark ${name}`,
          d: MARKS[mark],
          transform: "translate(15 6) scale(4.4)",
        }),
    );
    return {
      node: html("span", { class: `item ${name}`, "data-term": name }, line, value, words),
      value,
    };
  });
  return {
    node: html(
      "div",
      { class: "legend" },
      items.map(({ node }) => node),
    ),
    update: (values) =>
      items.forEach(({ value }, i) => value.replaceChildren(...[values[i]].flat())),
  };
}
