import { transport } from "../lib/controls.js";
import { html, pointIn, redraw, set, svg, uniqueId } from "../lib/dom.js";
import { figure } from "../lib/figure.js";
import { sliderRole, isShortcut } from "../lib/handles.js";
import { clamp } from "../lib/scales.js";
import { leftOut } from "../lib/typed.js";
import { drawBars, layout, overlay } from "./drawing.js";
import { heat } from "./heat.js";
import { meta } from "./meta.js";
import { best, correlations, features, read, UNITS } from "./math.js";
import { cellWords, followers, nextWords } from "./words.js";

export const render = figure("units", meta, ({ model, el, spec, save }) => {
  const { area, map, side, draw, stop } = sheet(el);
  const [cell, who, next] = ["readout", "who", "next"].map((name) => html("div", { class: name }));
  const below = html("div", { class: "below" }, html("div", {}, cell, who), next);
  const typing = textField(model, save, spec.text);
  const length = () => Array.from(model.get("text")).length;
  const time = transport(model, "t", {
    ...spec.t,
    limit: length,
    interval: 350,
    text: (t) => `${Math.min(t, length())} of ${length()}`,
  });

  let now; // the settings, and the results for them
  let at; // the layout
  let passed = null; // the cell below the pointer, if any

  const choose = (unit) => save({ unit });
  // For another network or feature, choose the unit that follows it best in unseen code.
  const jump = () => model.set("unit", best(model.get("net"), model.get("follow")));
  for (const key of ["net", "follow"]) model.on(`change:${key}`, jump);

  /** Show everything that depends on a cell: the chosen one, or the one below the pointer. */
  function lookAt(found) {
    map.point(now, at, found);
    redraw(cell, cellWords(now, found));
    redraw(next, nextWords(now, found.t, at.guesses));
  }

  const unitAt = (y) => at.first + clamp(Math.ceil((y - at.top.heat) / at.rh), 1, at.rows);
  pointers(map.node, {
    find(event) {
      const { x, y } = pointIn(map.node, event);
      const t = clamp(Math.ceil(x / at.cw), 1, now.steps.length);
      return { t, unit: y > at.top.heat ? unitAt(y) : now.unit }; // above the units, the chosen one
    },
    pass(found) {
      if (found && found.t === passed?.t && found.unit === passed.unit) return;
      passed = found;
      lookAt(found ?? now);
    },
    choose: save,
  });
  side.addEventListener("click", (event) => {
    const { y } = pointIn(side, event);
    const { unit } = event.target.dataset; // if it is a sign for more units
    if (unit || y > at.top.heat) choose(unit ? Number(unit) : unitAt(y));
  });
  cellKeys(map.cell, (key, [dt, du]) => {
    const ends = { Home: 1, End: now.steps.length };
    save({
      t: ends[key] ?? clamp(now.t + dt, 1, now.steps.length),
      unit: clamp(now.unit + du, 1, now.n),
    });
  });

  return {
    parts: [typing, html("div", { class: "scene" }, area, below), ["net", "follow", time, "unit"]],
    reveal: { net: "rnn", follow: "brackets" },
    follow: [typing, time, { stop }],
    update(state, size) {
      now = compute(state, now);
      at = layout(now, size, at?.first);
      draw(now, at);
      passed = null;
      lookAt(now);
      replaceRanks(who, followers(now, choose));
      return `${cell.textContent} ${who.firstChild.textContent}`;
    },
  };
});

/** Make the map of the units over the text, which may scroll, and the bars beside it. */
function sheet(el) {
  const canvas = html("canvas", { "aria-hidden": "true" });
  const picture = heat(canvas, el);
  const map = overlay();
  const scroller = html("div", { class: "uf-scroll" });
  scroller.append(html("div", { class: "sheet" }, canvas, map.node));
  const side = svg("svg", { class: "uf-drawing bars", role: "img" });
  return {
    area: html("div", { class: "area" }, scroller, side),
    map,
    side,
    stop: picture.stop,
    draw(now, at) {
      const width = now.steps.length * at.cw;
      picture.draw(now.steps, { ...at, top: at.top.heat, width, height: at.rows * at.rh });
      map.draw(now, at);
      drawBars(side, now, at);
      scrollTo(scroller, now.t, at);
    },
  };
}

/** Compute the results for the settings. Results that haven't changed since the settings `before` are kept. */
function compute(state, before) {
  const { net, follow, text } = state;
  const same = before?.net === net && before.text === text;
  const steps = same ? before.steps : read(net, text, before?.net === net ? before.steps : []);
  const known = same ? before.features : features(Array.from(text));
  const rs = same && before.follow === follow ? before.rs : correlations(steps, known[follow]);
  const n = UNITS[net];
  const [unit, t] = [Math.min(state.unit, n), Math.min(state.t, steps.length)];
  return { ...state, steps, features: known, rs, n, unit, t };
}

/** Make the field for the text. Each letter that is typed moves the chosen character to the caret. */
function textField(model, save, spec) {
  const id = uniqueId("text");
  const box = html("textarea", {
    id,
    rows: 2,
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
  });
  const note = html("span", { class: "uf-left-out", role: "status" });
  box.addEventListener("input", () => {
    note.textContent = leftOut(spec, box.value);
    const before = Array.from(box.value.slice(0, box.selectionStart)).length;
    save({ text: box.value, t: Math.max(before, 1) });
  });
  const settle = () => {
    if (box.value !== model.get("text")) box.value = model.get("text");
  };
  box.addEventListener("blur", settle);
  box.addEventListener("keydown", (event) => event.stopPropagation()); // else a deck would turn its slides
  return {
    node: html(
      "div",
      {},
      html("div", { class: "uf-control typed" }, html("label", { for: id }, spec.label), box),
      note,
    ),
    update: () => document.activeElement !== box && settle(),
  };
}

/** Give the drawing its width and, if that is more than its room, scroll to a column. */
function scrollTo(scroller, t, { wide, room, cw }) {
  const scrolls = wide > room;
  scroller.firstChild.style.width = `${wide}px`;
  set(scroller, {
    tabindex: scrolls ? 0 : null,
    role: scrolls ? "region" : null,
    "aria-label": scrolls ? "the units over the text" : null,
  });
  const x = (t - 0.5) * cw;
  if (scrolls) scroller.scrollLeft = clamp(scroller.scrollLeft, x - room + 3 * cw, x - 3 * cw);
}

/** Replace the buttons, and keep the focus on the same rank. */
function replaceRanks(who, nodes) {
  const rank = who.contains(document.activeElement) ? document.activeElement.dataset.rank : null;
  redraw(who, nodes);
  if (rank !== null) who.querySelector(`[data-rank="${rank}"]`)?.focus({ preventScroll: true });
}

/** Call `pass` with the cell below a mouse or a pen, or with null when it leaves, and `choose` with a clicked one. */
function pointers(node, { find, pass, choose }) {
  node.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "touch") pass(find(event));
  });
  node.addEventListener("pointerleave", () => pass(null));
  node.addEventListener("click", (event) => choose(find(event)));
}

const STEPS = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
  PageDown: [0, 5],
  PageUp: [0, -5],
  Home: [0, 0],
  End: [0, 0],
};

/** Let keys move the chosen cell: `move(key, [characters, units])`. */
function cellKeys(cell, move) {
  set(cell, sliderRole("character, with left and right; unit, with up and down", 1));
  cell.addEventListener("keydown", (event) => {
    const by = STEPS[event.key];
    if (!by || isShortcut(event)) return;
    event.preventDefault();
    event.stopPropagation();
    move(event.key, by);
  });
}
