import { readable } from "../lib/typed.js";

/**
 * Return `value` as the control `spec` accepts it: within its range, one of its options, and never NaN.
 * For a text that may not be empty, return the `last` one if no character of the new one can be read.
 */
export function coerce(spec, value, last = spec?.default) {
  const { type, min, max, minLength } = spec ?? {};
  const text = String(value ?? "");
  if (type === "int" || type === "float") {
    const number = Number(text || NaN);
    if (Number.isNaN(number)) return spec.default;
    const inside = Math.min(Math.max(number, min), max);
    return type === "int" ? Math.round(inside) : inside;
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

/** A small anywidget model: `get`, `set`, `on`, `save_changes`, and `reset` to the start. */
export function createModel(specs, state) {
  const start = Object.fromEntries(Object.entries(specs).map(([key, spec]) => [key, spec.default]));
  const values = {};
  const events = new EventTarget();
  const dispatch = (type) => events.dispatchEvent(new Event(type));
  const model = {
    get: (key) => values[key],
    set(key, value) {
      const next = coerce(specs[key], value, values[key]);
      if (next === values[key]) return;
      values[key] = next;
      dispatch(`change:${key}`);
      dispatch("change");
    },
    on: (type, handler) => events.addEventListener(type, () => handler()),
    save_changes: () => dispatch("save"),
    reset() {
      dispatch("reset");
      Object.entries(start).forEach(([key, value]) => model.set(key, value));
    },
    /** The values that differ from the start, for the controls that an address may set. */
    changes: () =>
      Object.entries(values).filter(
        ([key, value]) => specs[key] && !specs[key].fixed && value !== start[key],
      ),
  };
  for (const [key, value] of Object.entries(state)) start[key] = coerce(specs[key], value);
  Object.assign(values, start);
  return model;
}
