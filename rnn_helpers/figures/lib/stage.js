// Functions for every view: they read the controls, offer examples, and redraw after changes.
import { button, setAll } from "./controls.js";
import { html, responsive, set } from "./dom.js";

/** The values of all controls, by their keys. */
export const settings = (model, spec) =>
  Object.fromEntries(Object.keys(spec).map((key) => [key, model.get(key)]));

/** The default values of all controls. */
export const defaults = (spec) =>
  Object.fromEntries(Object.entries(spec).map(([key, control]) => [key, control.default]));

/**
 * Buttons that each set one of the named `states`. A button is pressed while the model has the values of
 * its state, except for the keys in `free`.
 */
export function presets(model, label, states, free = [], className = "presets") {
  const buttons = Object.entries(states).map(([name, state]) => {
    const node = button(name, () => setAll(model, state));
    const keys = Object.keys(state).filter((key) => !free.includes(key));
    const follow = () =>
      set(node, { "aria-pressed": String(keys.every((key) => model.get(key) === state[key])) });
    model.on("change", follow);
    follow();
    return node;
  });
  return html("div", { class: className, role: "group", "aria-label": label }, buttons);
}

/** A closed box for parts that few readers need. */
export const fold = (summary, ...children) =>
  html("details", {}, html("summary", {}, summary), children);

/**
 * Call `draw(size)` when the model has changed, once for all values that were set at once, and when the
 * width of `node` has changed (see `responsive`). Returns a cleanup, which also stops the `clocks`.
 */
export function keepDrawn(model, node, draw, clocks = []) {
  let size = null;
  let due = false;
  model.on("change", () => {
    if (due || !size) return;
    due = true;
    queueMicrotask(() => {
      due = false;
      draw(size);
    });
  });
  const disconnect = responsive(node, (next) => {
    size = next;
    draw(size);
  });
  return () => {
    disconnect();
    for (const clock of clocks) clock.stop();
  };
}
