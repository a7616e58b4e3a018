import { control, controls, setAll, transport } from "../../lib/controls.js";
import { drawingOf, html, redraw, set, setSize, svg } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { arrowKeys, draggable, sliderRole } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { clamp } from "../../lib/scales.js";
import { keepDrawn, presets, settings } from "../../lib/stage.js";
import { around, picture, scales } from "./drawing.js";
import { cellOf, corrected, LINES, look, PLACES, readFrom, written } from "./math.js";
import { meta } from "./meta.js";
import { shiftWords, sung, spoken, words } from "./words.js";

export function render({ model, el }) {
  const { controls: spec } = meta;
  const plot = svg("g");
  const mark = svg("rect", { class: "mark" });
  const grip = svg("rect", { class: "grip" });
  const drawing = drawingOf("The memory, and what is read", plot, mark, grip);
  const area = html("div", { class: "area" }, drawing);
  const readout = html("div", { class: "readout" });
  const song = html("p", { class: "song" });
  const status = live();
  const time = transport(model, "t", {
    ...spec.t,
    interval: 1200,
    text: (t) => (t ? `${t}× read on` : "as typed"),
  });
  el.classList.add("fig-address");
  el.append(
    html(
      "div",
      { class: "head" },
      control(model, "query", spec.query),
      control(model, "width", spec.width),
    ),
    area,
    readout,
    controls(
      control(model, "beta", spec.beta),
      control(model, "shift", spec.shift, { text: shiftWords }),
      control(model, "shows", spec.shows),
    ),
    controls(time),
    song,
    presets(model, "To try", EXAMPLES),
    guess(meta.prediction, () =>
      setAll(model, {
        query: spec.query.default,
        width: 1,
        beta: spec.beta.default,
        shift: 0,
        t: 0,
        shows: "weights",
      }),
    ),
    status,
  );

  let at = null;
  let now = null;
  const go = (line, column) => setAll(model, { at: placeOf(line, column) });
  const touched = ({ x, y }) => go(at.lineAt(y), Math.floor((x - at.left) / at.column));
  draggable(grip, { surface: drawing, start: touched, move: touched });
  set(grip, sliderRole("cell, with the arrow keys", 1, PLACES));
  // To the sides by cells; upwards and downwards by lines, at the same letter.
  arrowKeys(
    grip,
    ([right, up, end]) => {
      if (end) return setAll(model, { at: end });
      const { line, start } = now.cells[clamp(now.j + right, 0, now.cells.length - 1)];
      go(line - up, up ? columnOf(model.get("at")) : start);
    },
    1,
    { Home: [0, 0, 1], End: [0, 0, PLACES] },
  );

  function update(size) {
    now = seen(settings(model, spec));
    at = scales(size, now);
    setSize(drawing, size.width, at.height);
    redraw(plot, picture(now, at));
    set(mark, { ...around(now.cells[now.j], at), "data-shows": now.shows });
    set(grip, {
      ...at.ground,
      "aria-valuenow": now.at,
      "aria-valuetext": spoken(now),
    });
    readout.replaceChildren(...words(now));
    song.replaceChildren(...sung(now));
    time.update();
    status.announce(spoken(now));
  }
  return keepDrawn(model, area, update, { clocks: [time] });
}

const LINE = meta.controls.width.default;
const EXAMPLES = {
  "two lines": { query: "the lamb", width: LINE, shift: 0, t: 0, shows: "weights" },
  misspelt: { query: "wite snwo", width: LINE, shift: 0, t: 0, shows: "weights" },
  "the line after": { query: "white as", width: LINE, shift: 1, t: 0, shows: "weights" },
  "sing on": { query: "white as", width: LINE, shift: 1, t: 4, shows: "weights" },
  "nothing known": { query: "", width: LINE, shift: 0, t: 0, shows: "weights" },
};

/** All that is told of a state. */
function seen(state) {
  const found = look(state);
  const j = cellOf(state.at, state.width);
  const after = state.shows === "write" ? written(found, state) : null;
  return {
    ...state,
    ...found,
    j,
    ...(state.shows === "gradient" && corrected(found, state, j)),
    read: after ? readFrom(found.weights, after) : found.read,
  };
}

/** Number of the letter at a place, or of the nearest that there is. */
function placeOf(line, column) {
  const l = clamp(line, 0, LINES.length - 1);
  const before = LINES.slice(0, l).join("").length;
  return before + 1 + clamp(column, 0, LINES[l].length - 1);
}

/** Column of the letter of this number. */
function columnOf(place) {
  let rest = place - 1;
  for (const { length } of LINES) {
    if (rest < length) return rest;
    rest -= length;
  }
  return 0;
}
