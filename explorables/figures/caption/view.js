import { button, control, controls, setAll, transport } from "../../lib/controls.js";
import { drawingOf, html, redraw, set, setSize, svg } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { draggable, isShortcut } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { remembered } from "../../lib/remembered.js";
import { clamp } from "../../lib/scales.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import { drawnSaid, drawnSeen, scales, spoken } from "./drawing.js";
import { corners, HALF, look, picture, says, SIDE, stroke } from "./math.js";
import { meta } from "./meta.js";

const KEYS = ["first", "second"];
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const TURNED = { left: ["left", "right"], above: ["upper", "lower"] };

export function render({ model, el }) {
  const { controls: spec } = meta;
  const [seenPlot, saidPlot] = [svg("g"), svg("g")];
  const pads = KEYS.map((_, i) => pad(model, i));
  const drawing = drawingOf("A picture, and what a network says of it", seenPlot, saidPlot, pads);
  for (const one of pads) one.drawOn(drawing);
  const area = html("div", { class: "area" }, drawing);
  const rows = html(
    "p",
    { class: "rows" },
    "Draw on a digit with mouse, finger, or arrow keys and space; wipe it first to draw one of your own. Beside the picture, from the top: what the first layer makes of the picture, what the second makes of that, and the context, red above 0 and blue below. The layer that would have named a class was cut off.",
  );
  const status = live();
  let [now, at] = [null, null];
  // Most moves leave the picture as it is: then the first network and its maps are left alone, too.
  const keptEye = remembered((first, second, place) => {
    const seen = picture(first, second, place);
    return { seen, eye: look(seen) };
  });
  const keptWords = remembered(says);
  const drawSeen = remembered(() => redraw(seenPlot, drawnSeen(now, at)));
  const time = transport(model, "at", {
    ...spec.at,
    limit: () => now?.said.words.length ?? spec.at.max,
    interval: 700,
    text: (at) => `word ${now ? now.at : at}`,
  });
  const digits = pick(model);
  const draw = button("draw its words", () =>
    setAll(model, { draw: (model.get("draw") % spec.draw.max) + 1, at: spec.at.max }),
  );
  const likeliest = button("the likeliest", () => setAll(model, { draw: 0 }));
  el.classList.add("fig-caption");
  el.append(
    html("div", { class: "stage" }, area, rows),
    controls(digits),
    controls(time, likeliest, draw),
    controls(control(model, "place", spec.place), control(model, "door", spec.door)),
    guess(meta.prediction, () =>
      setAll(model, { first: "", second: "", draw: 0, at: spec.at.max }),
    ),
    status,
  );

  function update(size) {
    const state = settings(model, spec);
    const { eye, seen } = keptEye(state.first, state.second, state.place);
    const said = keptWords(state.door, eye.context, state.draw);
    now = { ...state, seen, eye, said, at: clamp(state.at, 1, said.words.length) };
    at = scales(size, now);
    setSize(drawing, size.width, at.height);
    drawSeen(eye, size);
    redraw(saidPlot, drawnSaid(now, at));
    pads.forEach((one, i) => one.place(corners(state.place)[i], at, TURNED[state.place][i]));
    for (const [node, on] of [
      [likeliest, state.draw === 0],
      [draw, state.draw > 0],
    ])
      set(node, { "aria-pressed": String(on) });
    digits.name(TURNED[state.place][state.pen]);
    time.update();
    status.announce(spoken(now));
  }
  return keepDrawn(model, area, update, { clocks: [time] });
}

/** Ten digits to pick for the place in hand, and a blank page. */
function pick(model) {
  const name = html("span", { class: "hand" });
  const put = (text) => setAll(model, { [KEYS[model.get("pen")]]: text });
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

/** The place of one digit: drawn on by a pointer, or by keys that move a pen. */
function pad(model, i) {
  const key = KEYS[i];
  const frame = svg("rect", { class: "frame uf-ring" });
  const nib = svg("rect", { class: "nib" });
  const node = svg("g", { class: "pad", tabindex: 0, role: "application" }, frame, nib);
  let [x, y, down] = [3, 3, false];
  let cell = 1;
  let corner = [0, 0];
  const ink = (a, b) => setAll(model, { [key]: stroke(model.get(key), a, b), pen: i });
  const mid = () => [x + 0.5, y + 0.5];
  const show = () => {
    node.classList.toggle("down", down);
    set(nib, { x: corner[0] + x * cell, y: corner[1] + y * cell, width: cell, height: cell });
  };
  node.addEventListener("focus", () => setAll(model, { pen: i }));
  // A finger that draws must not move the page; its style alone does not hold it in Chromium.
  node.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
  node.addEventListener("blur", () => {
    down = false;
    show();
  });
  node.addEventListener("keydown", (event) => {
    if (isShortcut(event)) return;
    const way = ARROWS[event.key];
    if (way) {
      const from = mid();
      [x, y] = [clamp(x + way[0], 0, HALF - 1), clamp(y + way[1], 0, HALF - 1)];
      if (down) ink(from, mid());
    } else if (event.key === " " || event.key === "Enter") {
      down = !down;
      if (down) ink(mid(), mid());
    } else if (/^[0-9]$/.test(event.key)) setAll(model, { [key]: event.key, pen: i });
    else if (event.key === "Backspace" || event.key === "Delete") setAll(model, { [key]: "" });
    else return;
    event.preventDefault();
    event.stopPropagation();
    show();
  });
  return {
    node,
    drawOn(surface) {
      let last = null;
      const inside = (point) =>
        [point.x, point.y].map((value, n) => clamp((value - corner[n]) / cell, 0, HALF));
      const go = (point) => {
        const next = inside(point);
        ink(last ?? next, next);
        last = next;
      };
      draggable(node, { surface, start: go, move: go, end: () => (last = null) });
    },
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
