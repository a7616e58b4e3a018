import { html, redraw } from "../lib/dom.js";
import { figure, stage } from "../lib/figure.js";
import { linked, said } from "../lib/linked.js";
import { counted } from "../lib/scales.js";
import { inline } from "../lib/words.js";
import { linear } from "./linear.js";
import { meta } from "./meta.js";
import { squashed } from "./tanh.js";

export const render = figure("perturb", meta, (given) => {
  const { el, control } = given;
  const moods = { linear: linear(given), tanh: squashed(given) };
  const both = Object.values(moods);
  const pictures = { ...moods.linear.parts, ...moods.tanh.parts };
  const shown = stage(Object.values(pictures));
  const verdict = html("p", { class: "verdict" });
  const way = control("way");
  const matrix = formula();
  return {
    parts: [["map", way, matrix.node], shown, verdict, ...both.map(({ row }) => row)],
    reveal: { map: "linear", way: "forward", n: 3, beats: true },
    follow: [...both.flatMap(({ clock, held }) => [clock, ...held]), linked(el)],
    watch: shown,
    update(state, size) {
      const mood = moods[state.map] ?? moods.linear;
      const sizes = layout(size, mood === moods.tanh);
      shown.dataset.form = sizes.form;
      for (const [name, node] of Object.entries(pictures)) {
        node.hidden = !sizes[name];
        if (sizes[name]) node.style.width = `${sizes[name][0]}px`;
      }
      for (const one of both) {
        one.row.hidden = one !== mood;
        if (one !== mood) one.clock.stop();
      }
      way.hidden = mood === moods.tanh;
      if (mood === moods.linear) el.dataset.way = state.way;
      matrix.update(...mood.update(state, verdict, sizes, size.em));
      return [said(verdict), opening(state)];
    },
  };
});

function opening({ map, way, n, t }) {
  if (map === "tanh") return `A network with tanh has run for ${counted(t, "step")}.`;
  return way === "forward"
    ? `Two states have gone ${counted(n, "step")} forward.`
    : `Two gradients have gone ${counted(n, "step")} back.`;
}

/** A matrix and its name. */
function formula() {
  const [symbol, entries] = [html("span"), html("span", { class: "entries" })];
  const short = (entry) => String(Number(entry.toFixed(2))).replace("-", "−");
  return {
    node: html("div", { class: "matrix" }, symbol, entries),
    update(name, M) {
      symbol.innerHTML = `${inline(name)} =`;
      redraw(
        entries,
        M.flat().map((entry) => html("span", {}, short(entry))),
      );
    },
  };
}

/** The sizes of the drawings that are shown: a row on a slide, two on a page. */
function layout({ width, em, room }, tanh) {
  const gap = 1.2 * em;
  const floor = (...pair) => pair.map(Math.floor);
  if (room < Infinity) {
    const high = (room - 10.4) * em;
    const side = Math.min(high - 1.6 * em, 0.26 * width);
    if (tanh)
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
  if (tanh) {
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
