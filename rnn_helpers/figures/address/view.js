import { transport } from "../lib/controls.js";
import { html, redraw, set, svg } from "../lib/dom.js";
import { areaOf, figure } from "../lib/figure.js";
import { arrowKeys, draggable, sliderRole } from "../lib/handles.js";
import { clamp, counted, format } from "../lib/scales.js";
import { presets } from "../lib/stage.js";
import { around, picture, scales } from "./drawing.js";
import { cellOf, LINES, LONGEST, look, PLACES } from "./math.js";
import { meta } from "./meta.js";
import { shiftWords, spoken, sung, words } from "./words.js";

/** Number of the first letter of “The mouse ran up the clock”. */
const START = placeOf(9, 0);

/** The controls of each part, and its examples. */
const PARTS = {
  find: {
    head: ["query"],
    examples: {
      "two lines": { query: "the lamb" },
      clock: { query: "clock" },
      nothing: { query: "" },
    },
  },
  content: {
    head: ["query", "width"],
    below: ["beta"],
    examples: {
      "two lines with “clock”": { query: "clock", width: LONGEST, beta: 20, at: START },
      "one letter per cell": { query: "white as", width: 1, beta: 20 },
    },
  },
  place: {
    head: ["query"],
    below: ["gate", "shift", "gamma"],
    examples: {
      "sing on": { query: "white as", gate: 1, shift: 1, gamma: 1, t: 4 },
      "by location alone": { query: "twinkle", gate: 0, shift: 0.9, gamma: 1, t: 9 },
      sharpened: { query: "twinkle", gate: 0, shift: 0.9, gamma: 2, t: 9 },
    },
  },
};

export const render = figure("address", meta, ({ model, spec, save, control }) => {
  const part = model.get("part");
  const { head, below, examples } = PARTS[part];
  const [selects, moves] = [part === "content", part === "place"];
  const mark = svg("rect", { class: "mark" });
  const grip = svg("rect", { class: "grip" });
  const area = areaOf("The memory and the reading", selects && [mark, grip]);
  const readout = html("p", { class: `readout ${part}` });
  const song = html("p", { class: "song" });
  const time =
    moves &&
    transport(model, "t", {
      ...spec.t,
      interval: 1200,
      text: (t) => (t ? counted(t, "further read") : "as typed"),
    });

  let [at, now] = [null, null];
  const go = (line, column) => save({ at: placeOf(line, column) });
  const touched = ({ x, y }) => go(at.lineAt(y), Math.floor((x - at.left) / at.column));
  if (selects) {
    draggable(grip, { surface: area.drawing, start: touched, move: touched });
    set(grip, sliderRole("cell, with the arrow keys", 1, PLACES));
    // Left and right move by cells; up and down by lines, at the same letter.
    arrowKeys(
      grip,
      ([right, up, end]) => {
        if (end) return save({ at: end });
        const { line, start } = now.cells[clamp(now.j + right, 0, now.cells.length - 1)];
        go(line - up, up ? columnOf(model.get("at")) : start);
      },
      1,
      { Home: [0, 0, 1], End: [0, 0, PLACES] },
    );
  }

  return {
    parts: [
      html(
        "div",
        { class: "head" },
        head.map((key) => control(key)),
      ),
      area,
      readout,
      below?.map((key) => control(key, key === "shift" && { text: shiftWords })),
      moves && [time],
      moves && song,
      examples && presets(model, "Examples", examples),
    ],
    reveal: part === "find" && { query: "wite snwo" },
    follow: moves ? [time] : [],
    update(state, size) {
      now = { ...state, ...look(state), j: cellOf(state.at, state.width) };
      at = scales(size, now);
      area.draw(size, at, picture(now, at));
      if (selects) {
        set(mark, around(now.cells[now.j], at));
        set(grip, { ...at.ground, "aria-valuenow": now.at, "aria-valuetext": spoken(now) });
      }
      redraw(readout, words(now));
      if (moves) redraw(song, sung(now));
      return [spoken(now), opening(now)];
    },
  };
});

function opening({ part, cells, gate, shift, gamma, t }) {
  const memory = `The memory has ${cells.length} cells`;
  if (part !== "place") return `${memory}.`;
  return `${memory}; the gate is ${format(gate, 1)}, the weights are shifted by ${format(shift, 1)} cells, the exponent is ${format(gamma, 1)}, and ${t} more reads have followed.`;
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
