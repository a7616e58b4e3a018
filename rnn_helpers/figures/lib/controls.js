// Labeled controls of a model, made from their entries in `meta.controls`.
import { html, reducedMotion, set, uniqueId } from "./dom.js";
import { arrowKeys, draggable, keySlider, sliderRole } from "./handles.js";
import { clamp, format } from "./scales.js";
import { leftOut } from "./typed.js";

/**
 * The control for `model`'s `key`, of the type that its `spec` in `meta.controls` has:
 * a slider with a number field (int, float), radio buttons or a menu (choice), a box (bool),
 * a line of text (text). It follows the model and writes to it. `limit()` shortens a slider as the
 * figure changes.
 */
export function control(model, key, spec, options = {}) {
  const make = { int: range, float: range, choice, bool, text }[spec.type];
  return make(model, key, { label: key, ...spec, ...options });
}

/** A row for controls. */
export const controls = (...children) => html("div", { class: "uf-controls" }, ...children);

function write(model, key, value) {
  model.set(key, value);
  model.save_changes();
}

function range(model, key, spec) {
  const id = uniqueId(key);
  const step = spec.step ?? (spec.type === "int" ? 1 : (spec.max - spec.min) / 100);
  // A logarithmic slider moves the exponent; the number beside it stays the number.
  const [out, into] = spec.log ? [(x) => 10 ** x, Math.log10] : [(x) => x, (x) => x];
  const tidy = (value) => Number(value.toPrecision(12));
  const atStep = (value) =>
    spec.log ? value : tidy(spec.min + Math.round((value - spec.min) / step) * step);
  const slider = html("input", {
    id,
    type: "range",
    min: into(spec.min),
    step: spec.log ? (into(spec.max) - into(spec.min)) / 60 : step,
    oninput: () => {
      const value = out(Number(slider.value));
      write(model, key, tidy(spec.log ? Number(value.toPrecision(2)) : value));
    },
  });
  const number = html("input", {
    type: "number",
    min: spec.min,
    step: spec.log ? "any" : step,
    "aria-label": spec.label,
    onchange: () => {
      if (number.value !== "") write(model, key, atStep(Number(number.value)));
      follow();
    },
    onwheel: () => number.blur(), // the wheel scrolls the page; it would change a focused number
  });
  const follow = () => {
    const value = model.get(key);
    const max = spec.limit?.() ?? spec.max;
    slider.max = into(max);
    number.max = max;
    slider.value = into(value); // after its limit, which would cut the value off
    slider.setAttribute(
      "aria-valuetext",
      spec.text ? spec.text(value) : format(value, spec.type === "int" ? 0 : 3),
    );
    number.value = atStep(value);
  };
  model.on(spec.limit ? "change" : `change:${key}`, follow);
  follow();
  return html(
    "div",
    { class: "uf-control" },
    html("label", { for: id }, spec.label),
    slider,
    number,
  );
}

function choice(model, key, spec) {
  const options = spec.options.map((option) =>
    typeof option === "object" ? option : { value: option, label: String(option) },
  );
  return options.length > 6 ? menu(model, key, spec, options) : radios(model, key, spec, options);
}

function menu(model, key, spec, options) {
  const id = uniqueId(key);
  const select = html(
    "select",
    { id, onchange: () => write(model, key, options[select.selectedIndex].value) },
    options.map(({ label }) => html("option", {}, label)),
  );
  const follow = () => {
    select.selectedIndex = options.findIndex(({ value }) => value === model.get(key));
  };
  model.on(`change:${key}`, follow);
  follow();
  return html("div", { class: "uf-control" }, html("label", { for: id }, spec.label), select);
}

function radios(model, key, spec, options) {
  const name = uniqueId(key);
  const inputs = options.map(({ value }) =>
    html("input", { type: "radio", name, onchange: () => write(model, key, value) }),
  );
  const follow = () => {
    inputs.forEach((input, i) => (input.checked = options[i].value === model.get(key)));
  };
  model.on(`change:${key}`, follow);
  follow();
  return html(
    "fieldset",
    { class: "uf-control uf-radios" },
    html("legend", {}, spec.label),
    inputs.map((input, i) => html("label", {}, input, html("span", {}, options[i].label))),
  );
}

function bool(model, key, spec) {
  const box = html("input", { type: "checkbox", onchange: () => write(model, key, box.checked) });
  const follow = () => (box.checked = model.get(key));
  model.on(`change:${key}`, follow);
  follow();
  return html("label", { class: "uf-control uf-check" }, box, html("span", {}, spec.label));
}

function text(model, key, spec) {
  const id = uniqueId(key);
  let typing = false;
  const note = html("span", { class: "uf-left-out", role: "status" });
  const input = html("input", {
    id,
    type: "text",
    spellcheck: "false",
    autocomplete: "off",
    // The model may change the text. The field shows that only when the reader has finished typing.
    oninput: () => {
      typing = true;
      write(model, key, input.value);
      typing = false;
      note.textContent = leftOut(spec, input.value);
    },
    onchange: () => follow(),
    onblur: () => follow(),
  });
  const follow = () => {
    if (!typing && input.value !== model.get(key)) input.value = model.get(key);
  };
  model.on(`change:${key}`, () => {
    if (!typing) note.textContent = "";
    follow();
  });
  follow();
  return html(
    "div",
    { class: "uf-control uf-text" },
    html("label", { for: id }, spec.label),
    input,
    note,
  );
}

/** A push button that shows its `label`, or an `icon` (a path in a 16 by 16 box) with the label as its name. */
export function button(label, onclick, icon) {
  const node = html("button", { type: "button", class: "uf-button", onclick });
  if (!icon) node.textContent = label;
  else setIcon(node, label, icon);
  return node;
}

function setIcon(node, label, icon) {
  node.setAttribute("aria-label", label);
  node.title = label;
  node.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${icon}"/></svg>`;
}

const ICONS = {
  start: "M3 3h2v10H3zM13 3v10L6 8z",
  back: "M11 3v10L4 8z",
  play: "M4 2.5v11l9-5.5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  step: "M5 3v10l7-5z",
};

/**
 * Controls for the time: to the start, back, play or pause, step, and a slider.
 * `spec` is the control's line in `meta.controls` (an int); `limit()` may shorten it as the figure
 * changes; `text(value)` describes the time, by default as "step 2 of 9". Nothing plays by itself.
 */
export function transport(model, key, spec) {
  const max = () => spec.limit?.() ?? spec.max;
  const steps = (value) => `step ${Math.min(value, max())} of ${max()}`;
  const { label = key, text = steps, interval = 900 } = spec;
  let timer = null;
  let filmed = false; // whether the timer, not the reader, is changing the value
  const move = (value) => {
    const next = Math.min(Math.max(value, spec.min), max());
    if (next !== model.get(key)) write(model, key, next);
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    setIcon(play, "play", ICONS.play);
  };
  const by = (step) => () => {
    stop();
    move(model.get(key) + step);
  };
  const play = button(
    "play",
    () => {
      if (timer) return stop();
      if (model.get(key) >= max()) move(spec.min);
      setIcon(play, "pause", ICONS.pause);
      timer = setInterval(
        () => {
          if (!node.isConnected || model.get(key) >= max()) return stop();
          filmed = true;
          move(model.get(key) + 1);
          filmed = false;
        },
        reducedMotion() ? 1.5 * interval : interval,
      );
    },
    ICONS.play,
  );
  const bar = html("input", {
    type: "range",
    min: spec.min,
    "aria-label": label,
    oninput: () => move(Number(bar.value)),
  });
  const where = html("output", { class: "uf-where" });
  const start = button("to the start", by(-Infinity), ICONS.start);
  const back = button("back", by(-1), ICONS.back);
  const step = button("step", by(1), ICONS.step);
  const node = html(
    "div",
    { class: "uf-control uf-transport", role: "group", "aria-label": label },
    html("div", { class: "uf-buttons" }, start, back, play, step),
    bar,
    where,
  );
  const update = () => {
    const value = model.get(key);
    bar.max = max();
    bar.value = value;
    bar.setAttribute("aria-valuetext", text(value));
    where.textContent = text(value);
    // A button that becomes `disabled` would lose the focus of a reader who uses the keyboard.
    start.ariaDisabled = back.ariaDisabled = String(value <= spec.min);
    step.ariaDisabled = String(value >= max());
  };
  model.on(`change:${key}`, () => {
    if (!filmed) stop(); // the reader has changed it
    update();
  });
  model.on("reset", stop);
  setIcon(play, "play", ICONS.play);
  update();
  return Object.assign(node, { update, stop });
}

/**
 * Make a part of a drawing the handle of a control: dragging it on `surface` sets the value `at(point)`,
 * and keys move it. Call the returned function after other changes of the control.
 */
export function holds(node, model, key, spec, { surface, at, label = spec.label, text }) {
  const { min, max } = spec;
  const change = (value) => setAll(model, { [key]: clamp(Math.round(value), min, max) });
  draggable(node, { surface, move: (point) => change(at(point)) });
  return keySlider(node, { label, min, max, get: () => model.get(key), change, text });
}

/** Make a part the handle of an angle in degrees: it turns around the point `middle()`. */
export function holdsAngle(node, model, key, { surface, middle, max = 360, step, label, digits }) {
  const change = (angle) => setAll(model, { [key]: angle });
  const at = ({ x, y }, [cx, cy]) =>
    (Math.round((Math.atan2(cy - y, x - cx) * 180) / Math.PI) + 360) % 360;
  draggable(node, { surface, move: (point) => change(at(point, middle())) });
  const text = (angle) => `${format(angle, digits)} degrees`;
  return keySlider(node, { label, min: 0, max, step, get: () => model.get(key), change, text });
}

/**
 * Make a part the handle of a control on a logarithmic scale: `at(point)` is the exponent of 10. `start`
 * and `end` are called before and after a drag.
 */
export function holdsPower(node, model, key, { surface, at, start, end, digits = 2, ...slider }) {
  const { min, max } = slider;
  const rounded = (power) => Number((10 ** clamp(power, min, max)).toPrecision(digits));
  const change = (power) => setAll(model, { [key]: rounded(power) });
  draggable(node, { surface, start, move: (point) => change(at(point)), end });
  return keySlider(node, { ...slider, get: () => Math.log10(model.get(key)), change });
}

/**
 * Make a part the handle of two controls, the first to the right and the second upward: dragging it on
 * `surface` sets the values `at(point)`. An arrow key moves it by `step`, and `others` has the moves of
 * other keys. Returns a function that sets both values, rounded to the steps of their sliders.
 */
export function holdsTwo(node, model, keys, spec, { surface, at, label, step, others }) {
  const fits = (value, { min, max, step }) => {
    const parts = Math.round(1 / step);
    return clamp(Math.round(parts * value) / parts, min, max);
  };
  const put = (values) =>
    setAll(model, Object.fromEntries(keys.map((key, i) => [key, fits(values[i], spec[key])])));
  const { min, max } = spec[keys[0]];
  set(node, sliderRole(label, min, max));
  draggable(node, { surface, move: (point) => put(at(point)) });
  arrowKeys(node, (by) => put(keys.map((key, i) => model.get(key) + by[i])), step, others);
  return put;
}

/** Set several values of a figure's state at once. */
export function setAll(model, state) {
  for (const [key, value] of Object.entries(state)) model.set(key, value);
  model.save_changes();
}
