import { button, transport } from "../lib/controls.js";
import { html, set, svg } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { guess } from "../lib/guess.js";
import { arrowKeys, draggable, isShortcut } from "../lib/handles.js";
import { remembered } from "../lib/remembered.js";
import { clamp } from "../lib/scales.js";
import { drawnSaid, drawnSeen, scales, spoken } from "./drawing.js";
import { corners, HALF, look, picture, says, SIDE, stroke } from "./math.js";
import { meta } from "./meta.js";

const KEYS = ["first", "second"];
const INSIDE = " In the maps and in the context, red is above 0 and blue below.";
const NEVER_MET = { first: "3", second: "6", place: "left", told: "own", draw: 0, at: 5 };
const AN_X = "cc1001cccfc11cfc1cfccfc101cffc1001cffc101cfccfc1cfc11cfccc1001cc";
const TURNED = { left: ["left", "right"], above: ["upper", "lower"] };

export const render = figure("caption", meta, ({ model, spec, save }) => {
  const alone = model.get("view") === "alone";
  const pads = KEYS.map((_, i) => pad(model, save, i));
  const area = areaOf("A picture and its caption", pads);
  const rows = html(
    "p",
    { class: "rows" },
    `Draw on a digit with mouse, finger, or arrow keys and space; wipe it first to draw your own. The number below a word is its probability.${alone ? "" : INSIDE}`,
  );
  let [now, at] = [null, null];
  // Most changes don't affect the picture. Then the convolutions and the drawing of their maps are kept.
  const keptEye = remembered((first, second, place) => {
    const seen = picture(first, second, place);
    return { seen, eye: look(seen) };
  });
  const keptWords = remembered(says);
  const keptMaps = remembered(() => svg("g", {}, drawnSeen(now, at, alone)));
  const time = transport(model, "at", {
    ...spec.at,
    limit: () => now?.said.words.length ?? spec.at.max,
    interval: 700,
    text: (at) => `word ${now ? now.at : at}`,
  });
  const digits = pick(model, save);
  const draw = button("sample", () =>
    save({ draw: (model.get("draw") % spec.draw.max) + 1, at: spec.at.max }),
  );
  const likeliest = button("most likely", () => save({ draw: 0 }));
  return {
    parts: alone
      ? [stage(area, rows), [digits], [time]]
      : [
          stage(area, rows),
          [digits],
          [time, likeliest, draw],
          ["place", "door", "told"],
          guess(meta.words[0].prediction, () => save(NEVER_MET)),
        ],
    reveal: alone && { first: AN_X, second: "0", place: "left", draw: 0, at: spec.at.max },
    follow: [time],
    update(state, size) {
      const { eye, seen } = keptEye(state.first, state.second, state.place);
      const said = keptWords(state.door, eye.context, state.draw, state.told);
      now = { ...state, seen, eye, said, at: clamp(state.at, 1, said.words.length) };
      at = scales(size, now, alone);
      area.draw(size, at, keptMaps(eye, size), drawnSaid(now, at, alone));
      pads.forEach((one, i) => one.place(corners(state.place)[i], at, TURNED[state.place][i]));
      set(likeliest, { "aria-pressed": String(state.draw === 0) });
      set(draw, { "aria-pressed": String(state.draw > 0) });
      digits.name(TURNED[state.place][state.pen]);
      return spoken(now);
    },
  };
});

/** Make buttons that put one of ten digits, or nothing, where the reader last drew. */
function pick(model, save) {
  const name = html("span", { class: "hand" });
  const put = (text) => save({ [KEYS[model.get("pen")]]: text });
  const buttons = Array.from({ length: 10 }, (_, d) => button(String(d), () => put(String(d))));
  const wipe = button("wipe", () => put(""));
  const node = html(
    "div",
    { class: "uf-control digits", role: "group", "aria-label": "digits to pick" },
    name,
    buttons,
    wipe,
  );
  return Object.assign(node, { name: (which) => (name.textContent = `${which} digit`) });
}

/** Make the place of one digit. The reader draws on it with a pointer, or with keys that move a pen. */
function pad(model, save, i) {
  const key = KEYS[i];
  const frame = svg("rect", { class: "frame uf-ring" });
  const nib = svg("rect", { class: "nib" });
  const node = svg("g", { class: "pad", tabindex: 0, role: "application" }, frame, nib);
  let [x, y, down] = [3, 3, false];
  let cell = 1;
  let corner = [0, 0];
  const ink = (a, b) => save({ [key]: stroke(model.get(key), a, b), pen: i });
  const mid = () => [x + 0.5, y + 0.5];
  const show = () => {
    node.classList.toggle("down", down);
    set(nib, { x: corner[0] + x * cell, y: corner[1] + y * cell, width: cell, height: cell });
  };
  node.addEventListener("focus", () => save({ pen: i }));
  node.addEventListener("blur", () => {
    down = false;
    show();
  });
  arrowKeys(node, ([right, up]) => {
    const from = mid();
    [x, y] = [clamp(x + right, 0, HALF - 1), clamp(y - up, 0, HALF - 1)];
    if (down) ink(from, mid());
    show();
  });
  node.addEventListener("keydown", (event) => {
    if (isShortcut(event)) return;
    if (event.key === " " || event.key === "Enter") {
      down = !down;
      if (down) ink(mid(), mid());
      show();
    } else if (/^[0-9]$/.test(event.key)) save({ [key]: event.key, pen: i });
    else if (event.key === "Backspace" || event.key === "Delete") save({ [key]: "" });
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  let last = null; // point of the stroke that is being drawn
  const go = (point) => {
    const next = [point.x, point.y].map((value, n) => clamp((value - corner[n]) / cell, 0, HALF));
    ink(last ?? next, next);
    last = next;
  };
  draggable(node, { surface: node, start: go, move: go, end: () => (last = null) });
  return {
    node,
    place([row, column], at, name) {
      cell = at.pad / SIDE;
      corner = [at.left + column * cell, at.top + row * cell];
      const side = HALF * cell;
      set(frame, { x: corner[0], y: corner[1], width: side, height: side, rx: 2 });
      node.classList.toggle("hand", model.get("pen") === i);
      set(node, {
        "aria-label": `${name} digit: a number key picks one, arrow keys move a pen, space sets it down or lifts it, delete wipes`,
      });
      show();
    },
  };
}
