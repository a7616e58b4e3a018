import { readable } from "../lib/typed.js";

/**
 * Return `value` as the control `spec` accepts it: within its range, one of its options, and never NaN.
 * For a text that may not be empty, return the `last` one if no character of the new one can be read.
 */
export function coerce(spec, value, last = spec?.default) {
  if (!spec) return value;
  if (spec.type === "int" || spec.type === "float") {
    const number = value === "" || value === null ? NaN : Number(value);
    if (Number.isNaN(number)) return spec.default;
    const inside = Math.min(Math.max(number, spec.min), spec.max);
    return spec.type === "int" ? Math.round(inside) : inside;
  }
  if (spec.type === "bool") return value === true || value === "true";
  if (spec.type === "text") {
    const read = readable(spec, value);
    return read.length < (spec.minLength ?? 0) ? last : read;
  }
  if (spec.type !== "choice") return value;
  // An option may be a number while the address holds text.
  const options = spec.options.map((option) => option?.value ?? option);
  return options.find((option) => String(option) === String(value)) ?? spec.default;
}

/** A small anywidget model: `get`, `set`, `on`, `save_changes`, and `reset` to the start. */
export function createModel(specs, state) {
  const defaults = Object.entries(specs).map(([key, spec]) => [key, spec.default]);
  const start = Object.fromEntries(defaults);
  const values = {};
  const events = new EventTarget();
  const model = {
    get: (key) => values[key],
    set(key, value) {
      const next = coerce(specs[key], value, values[key]);
      if (Object.is(next, values[key])) return;
      values[key] = next;
      events.dispatchEvent(new Event(`change:${key}`));
      events.dispatchEvent(new Event("change"));
    },
    on: (type, handler) => events.addEventListener(type, () => handler()),
    save_changes: () => events.dispatchEvent(new Event("save")),
    reset() {
      events.dispatchEvent(new Event("reset"));
      Object.entries(start).forEach(([key, value]) => model.set(key, value));
    },
    /** The values that differ from the start, for the controls that an address may set. */
    changes: () =>
      Object.entries(values).filter(
        ([key, value]) => specs[key] && !specs[key].fixed && !Object.is(value, start[key]),
      ),
  };
  for (const [key, value] of Object.entries(state)) start[key] = coerce(specs[key], value);
  Object.assign(values, start);
  return model;
}
