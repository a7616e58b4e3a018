import { control, controls, setAll, transport } from "../../lib/controls.js";
import { html, pointIn, set, svg, uniqueId } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { sliderRole, isShortcut } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { clamp } from "../../lib/scales.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import { leftOut } from "../../lib/typed.js";
import { drawBars, layout, overlay } from "./drawing.js";
import { heat } from "./heat.js";
import { meta } from "./meta.js";
import { best, correlations, features, read, UNITS } from "./math.js";
import { cellWords, followers, nextWords } from "./words.js";

export function render({ model, el }) {
  const { controls: spec } = meta;
  const { area, map, side, draw, stop } = sheet(el);
  const [cell, who, next] = ["readout", "who", "next"].map((name) => html("div", { class: name }));
  const below = html("div", { class: "below" }, html("div", {}, cell, who), next);
  const status = live();
  const typing = textField(model, spec.text.label);
  const setting = (key) => control(model, key, spec[key]);
  const length = () => Array.from(model.get("text")).length;
  const time = transport(model, "t", {
    ...spec.t,
    limit: length,
    interval: 350,
    text: (t) => `${Math.min(t, length())} of ${length()}`,
  });
  el.classList.add("fig-units");
  el.append(
    typing.node,
    html("div", { class: "scene" }, area, below),
    controls(setting("net"), setting("follow"), time, setting("unit")),
    guess(meta.prediction, () => setAll(model, { net: "rnn", follow: "brackets" })),
    status,
  );

  let now; // what is shown, and what was computed for it
  let at; // where it is drawn
  let passed = null; // the cell that the pointer passes, if any

  const choose = (unit) => setAll(model, { unit });
  // Another network or feature: to the unit that follows it best in unseen code.
  const jump = () => model.set("unit", best(model.get("net"), model.get("follow")));
  for (const key of ["net", "follow"]) model.on(`change:${key}`, jump);

  function update(size) {
    now = compute(settings(model, spec), now);
    at = layout(now, size, at?.first);
    typing.follow();
    draw(now, at);
    time.update();
    passed = null;
    lookAt(now);
    replaceRanks(who, followers(now, choose));
    status.announce(`${cell.textContent} ${who.firstChild.textContent}`);
  }
  /** Show what depends on the cell looked at: the chosen one, or what the pointer passes. */
  function lookAt(found) {
    map.point(now, at, found);
    cell.replaceChildren(cellWords(now, found));
    next.replaceChildren(...nextWords(now, found.t, at.guesses));
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
    choose: (found) => setAll(model, found),
  });
  side.addEventListener("click", (event) => {
    const { y } = pointIn(side, event);
    const { unit } = event.target.dataset; // of a sign that there are more
    if (unit || y > at.top.heat) choose(unit ? Number(unit) : unitAt(y));
  });
  cellKeys(map.cell, (key, [dt, du]) => {
    const ends = { Home: 1, End: now.steps.length };
    setAll(model, {
      t: ends[key] ?? clamp(now.t + dt, 1, now.steps.length),
      unit: clamp(now.unit + du, 1, now.n),
    });
  });

  return keepDrawn(model, area, update, { clocks: [time, { stop }] });
}

/** The units over the text, which may scroll, and beside them how well each follows. */
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

/** What is shown of the settings; what was computed for those before is not computed again. */
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

/** The text to type. After each letter, what may come next is shown at the caret. */
function textField(model, label) {
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
    note.textContent = leftOut(meta.controls.text, box.value);
    const before = Array.from(box.value.slice(0, box.selectionStart)).length;
    setAll(model, { text: box.value, t: Math.max(before, 1) });
  });
  const settle = () => {
    if (box.value !== model.get("text")) box.value = model.get("text");
  };
  box.addEventListener("blur", settle);
  box.addEventListener("keydown", (event) => event.stopPropagation()); // a deck turns its slides
  return {
    node: html(
      "div",
      {},
      html("div", { class: "uf-control typed" }, html("label", { for: id }, label), box),
      note,
    ),
    follow: () => document.activeElement !== box && settle(),
  };
}

/** Give the drawing its width, and scroll to a column where it is wider than its room. */
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

/** Put other buttons in the place of those that stand there; the focus stays on its rank. */
function replaceRanks(who, nodes) {
  const rank = who.contains(document.activeElement) ? document.activeElement.dataset.rank : null;
  who.replaceChildren(...nodes);
  if (rank !== null) who.querySelector(`[data-rank="${rank}"]`)?.focus({ preventScroll: true });
}

/** `pass` the cell below a mouse or a pen, null where it leaves; `choose` one that is clicked. */
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

/** Let keys move the cell that is chosen: `move(key, [characters, units])`. */
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
