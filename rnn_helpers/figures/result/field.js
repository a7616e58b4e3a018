// A field for a guess as a number, beside a marker for the same guess.
import { html } from "../lib/dom.js";
import { guessed, short, typed, untyped } from "./math.js";

/**
 * The field, its `unit` and the `words` of the guess. `take(value)` makes a guess, as typing does. Then and
 * at `refresh()`, the field shows the guess unless the reader types, and `follow(guess)` moves the marker.
 */
export function guessField({ key, label, point, part, guessing, follow }) {
  const unit = point.count ? `of ${point.count[1]}` : part.share ? "%" : "";
  const made = () => guessing.made.get(key);
  const words = () => (made() === undefined ? "no guess yet" : short(guessed(made(), point), part));
  const take = (value) => {
    guessing.take(key, value);
    refresh();
  };
  const field = html("input", {
    type: "number",
    step: "any",
    "aria-label": `${label}, ${unit}`,
    oninput: () => take(untyped(field.valueAsNumber, point, part)), // NaN if the field is empty
  });
  function refresh() {
    const guess = made();
    if (guess !== undefined && field !== document.activeElement)
      field.value = typed(guess, point, part);
    follow(guess);
  }
  return { field, unit, words, take, refresh };
}
