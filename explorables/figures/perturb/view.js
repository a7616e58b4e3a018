import { control, controls, setAll } from "../../lib/controls.js";
import { html } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { linked, live, said } from "../../lib/linked.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import { inline } from "../../lib/words.js";
import { linear } from "./linear.js";
import { meta } from "./meta.js";
import { squashed } from "./tanh.js";

export function render({ model, el }) {
  el.classList.add("fig-perturb");
  const spec = meta.controls;
  const moods = { linear: linear(model), tanh: squashed(model) };
  const clocks = [moods.linear.clock, moods.tanh.clock];
  const parts = {
    ...moods.linear.pictures,
    ...moods.tanh.pictures,
    linear: moods.linear.chart,
    tanh: moods.tanh.chart,
  };
  const stage = html("div", { class: "stage" }, Object.values(parts));
  const verdict = html("p", { class: "verdict" });
  const status = live();
  const way = control(model, "way", spec.way);
  const matrix = formula();
  el.append(
    controls(control(model, "map", spec.map), way, matrix.node),
    stage,
    verdict,
    moods.linear.row,
    moods.tanh.row,
    guess(meta.prediction, () =>
      setAll(model, { map: "linear", way: "backward", n: 3, beats: true }),
    ),
    status,
  );
  const link = linked(el);

  /** Show what belongs to a mood, in its sizes. */
  function arrange(mood, area) {
    const sizes = layout(area, mood);
    stage.dataset.form = sizes.form;
    for (const [name, node] of Object.entries(parts)) {
      const size = sizes[name];
      node.hidden = !size;
      if (size) node.style.width = `${size[0]}px`;
    }
    moods[mood].resize(sizes, area.em);
    for (const name in moods) moods[name].row.hidden = name !== mood;
    way.hidden = mood === "tanh";
    for (const clock of clocks) clock.stop();
  }

  let arranged;
  function draw(area) {
    const state = settings(model, spec);
    const mood = state.map === "tanh" ? "tanh" : "linear";
    const form = `${mood} ${Object.values(area)}`;
    if (arranged !== form) arrange(mood, area);
    arranged = form;
    if (mood === "linear") el.dataset.way = state.way;
    matrix.update(...moods[mood].update(state, verdict));
    link.refresh();
    status.announce(said(verdict), opening(state));
  }
  return keepDrawn(model, stage, draw, { clocks });
}

function opening({ map, way, n, t }) {
  const steps = (count) => `${count} ${count === 1 ? "step" : "steps"}`;
  if (map === "tanh") return `A network with tanh has run for ${steps(t)}.`;
  return way === "forward"
    ? `Two states have gone ${steps(n)} forward.`
    : `Two gradients have gone ${steps(n)} back.`;
}

/** A matrix and its name. */
function formula() {
  const [symbol, entries] = [html("span"), html("span", { class: "entries" })];
  const short = (entry) => String(Number(entry.toFixed(2))).replace("-", "−");
  return {
    node: html("div", { class: "matrix" }, symbol, entries),
    update(name, M) {
      symbol.innerHTML = `${inline(name)} =`;
      entries.replaceChildren(...M.flat().map((entry) => html("span", {}, short(entry))));
    },
  };
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
