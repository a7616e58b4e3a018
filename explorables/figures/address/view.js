import { control, controls, setAll, transport } from "../../lib/controls.js";
import { drawingOf, html, redraw, set, setSize, svg } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { arrowKeys, draggable, sliderRole } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { clamp, format } from "../../lib/scales.js";
import { keepDrawn, presets, settings } from "../../lib/stage.js";
import { around, picture, scales } from "./drawing.js";
import { cellOf, LINES, look, PLACES } from "./math.js";
import { meta } from "./meta.js";
import { shiftWords, sung, spoken, words } from "./words.js";

/** The controls of each part, and its examples. */
const PARTS = {
  find: {
    head: ["query"],
    examples: {
      "two lines": { query: "the lamb" },
      misspelled: { query: "wite snwo" },
      nothing: { query: "" },
    },
  },
  content: { head: ["query", "width"], below: ["beta"] },
  place: {
    head: ["query"],
    below: ["shift"],
    examples: {
      "the line after": { query: "white as", shift: 1, t: 0 },
      "sing on": { query: "white as", shift: 1, t: 4 },
    },
  },
};

export function render({ model, el }) {
  const { controls: spec } = meta;
  const part = model.get("part");
  const { head, below = [], examples } = PARTS[part];
  const [selects, moves] = [part === "content", part === "place"];
  const plot = svg("g");
  const mark = svg("rect", { class: "mark" });
  const grip = svg("rect", { class: "grip" });
  const drawing = drawingOf("The memory and the reading", plot, selects ? [mark, grip] : []);
  const area = html("div", { class: "area" }, drawing);
  const readout = html("p", { class: `readout ${part}` });
  const song = html("p", { class: "song" });
  const status = live();
  const time =
    moves &&
    transport(model, "t", {
      ...spec.t,
      interval: 1200,
      text: (t) => (t ? `${t}× read on` : "as typed"),
    });
  const text = { shift: { text: shiftWords } };
  el.classList.add("fig-address");
  el.append(
    ...[
      html(
        "div",
        { class: "head" },
        head.map((key) => control(model, key, spec[key])),
      ),
      area,
      readout,
      below.length && controls(below.map((key) => control(model, key, spec[key], text[key]))),
      moves && controls(time),
      moves && song,
      examples && presets(model, "Examples", examples),
      part === "find" && guess(meta.prediction, () => setAll(model, { query: "wite snwo" })),
      status,
    ].filter(Boolean),
  );

  let at = null;
  let now = null;
  const go = (line, column) => setAll(model, { at: placeOf(line, column) });
  const touched = ({ x, y }) => go(at.lineAt(y), Math.floor((x - at.left) / at.column));
  if (selects) {
    draggable(grip, { surface: drawing, start: touched, move: touched });
    set(grip, sliderRole("cell, with the arrow keys", 1, PLACES));
    // Left and right move by cells; up and down by lines, at the same letter.
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
  }

  function update(size) {
    const state = settings(model, spec);
    now = { ...state, ...look(state), j: cellOf(state.at, state.width) };
    at = scales(size, now);
    setSize(drawing, size.width, at.height);
    redraw(plot, picture(now, at));
    if (selects) {
      set(mark, around(now.cells[now.j], at));
      set(grip, { ...at.ground, "aria-valuenow": now.at, "aria-valuetext": spoken(now) });
    }
    readout.replaceChildren(...words(now));
    if (moves) {
      song.replaceChildren(...sung(now));
      time.update();
    }
    status.announce(spoken(now), opening(now));
  }
  return keepDrawn(model, area, update, { clocks: moves ? [time] : [] });
}

function opening({ part, cells, shift, t }) {
  const memory = `The memory has ${cells.length} cells`;
  if (part !== "place") return `${memory}.`;
  return `${memory}; the weights are shifted by ${format(shift, 1)} cells, and ${t} more reads have followed.`;
}

/** Return the number of the letter at a place, or of the nearest one. */
function placeOf(line, column) {
  const l = clamp(line, 0, LINES.length - 1);
  const before = LINES.slice(0, l).join("").length;
  return before + 1 + clamp(column, 0, LINES[l].length - 1);
}

/** Return the column of the letter with this number. */
function columnOf(place) {
  let rest = place - 1;
  for (const { length } of LINES) {
    if (rest < length) return rest;
    rest -= length;
  }
  return 0;
}
