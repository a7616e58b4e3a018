// What every view does: read the controls, offer examples, draw again when something has changed.
import { button, setAll } from "./controls.js";
import { html, responsive, set } from "./dom.js";

/** The values of all controls, by their keys. */
export const settings = (model, spec) =>
  Object.fromEntries(Object.keys(spec).map((key) => [key, model.get(key)]));

/** The same before anything was moved. */
export const defaults = (spec) =>
  Object.fromEntries(Object.entries(spec).map(([key, control]) => [key, control.default]));

/**
 * Buttons that each set a state, by their names. One is pressed while the model has its values, but
 * for those of the keys `free`.
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

/** What few readers need: controls to set by number. */
export const fold = (summary, ...children) =>
  html("details", {}, html("summary", {}, summary), children);

/**
 * Keep a figure drawn: `draw(size)` when the model has changed, once for all values that were set
 * together, and when the width of `node` has (see `responsive`). Returns a cleanup, which stops the
 * `clocks` too.
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
