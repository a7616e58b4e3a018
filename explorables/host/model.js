import { readable } from "../../rnn_helpers/figures/lib/typed.js";

/**
 * Return `value` as the control `spec` accepts it: within its range, one of its options, and never NaN.
 * For a text that may not be empty, return the `last` one if no character of the new one can be read.
 */
export function coerce(spec, value, last = spec?.default) {
  const { type, min, max, step, minLength } = spec ?? {};
  const text = String(value ?? "");
  if (type === "int" || type === "float") {
    const number = Math.min(Math.max(Number(text || NaN), min), max);
    if (Number.isNaN(number)) return spec.default;
    if (type === "int") return Math.round(number);
    // An address may have more digits than a figure has room for.
    return step && value === text ? Number(number.toPrecision(5)) : number;
  }
  if (type === "bool") return text === "true";
  if (type === "text") {
    const read = readable(spec, text);
    return read.length < minLength ? last : read;
  }
  if (type !== "choice") return value;
  // An option may be a number while the address holds text.
  const options = spec.options.map((option) => option?.value ?? option);
  return options.find((option) => String(option) === text) ?? spec.default;
}

/** A small anywidget model: `get`, `set`, `on`, `save_changes`, `accept`, and `reset` to the start. */
export function createModel(specs, state) {
  const start = {};
  for (const key in { ...specs, ...state })
    start[key] = coerce(specs[key], state[key] ?? specs[key].default);
  const values = { ...start };
  const events = new EventTarget();
  const dispatch = (type) => events.dispatchEvent(new Event(type));
  const isOpen = (key) => Object.hasOwn(specs, key) && !specs[key].fixed;
  const model = {
    get: (key) => values[key],
    set(key, value) {
      const next = coerce(specs[key], value, values[key]);
      if (next === values[key]) return;
      values[key] = next;
      dispatch(`change:${key}`);
      dispatch("change");
    },
    /** Set a control from a text, unless readers may not set it. */
    accept: (key, text) => isOpen(key) && model.set(key, text),
    on: (type, handler) => events.addEventListener(type, () => handler()),
    save_changes() {}, // nothing is sent to a kernel
    reset() {
      dispatch("reset");
      for (const key in start) model.set(key, start[key]);
    },
    /** The values that differ from the start, for the controls that an address may set. */
    changes: () =>
      Object.entries(values).filter(([key, value]) => isOpen(key) && value !== start[key]),
  };
  return model;
}
