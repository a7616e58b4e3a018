// The words of a sentence in a row, with a year that can be dragged along them.
import { html, redraw, set } from "./dom.js";
import { keySlider } from "./handles.js";
import { clamp } from "./scales.js";
import { upTo } from "./vectors.js";

/** The sentence, one column for each word. The year is dragged along it, or moved by the arrow keys. */
export function wordRow(model, save, longest) {
  const chip = html("span", { class: "word year" });
  const others = html("div", { class: "others" });
  const numbers = html("div", { class: "numbers", "aria-hidden": "true" });
  const line = html("div", { class: "words" }, others, chip);
  const change = (place) => save({ place: clamp(place, 1, model.get("words")) });
  const go = ({ clientX }) => {
    const { left, width } = line.getBoundingClientRect();
    change(1 + Math.floor(((clientX - left) / width) * model.get("words")));
  };
  set(line, {
    onpointerdown: (event) => {
      if (event.button) return;
      event.preventDefault();
      line.setPointerCapture(event.pointerId);
      chip.focus({ preventScroll: true });
      go(event);
    },
    onpointermove: (event) => line.hasPointerCapture(event.pointerId) && go(event),
  });
  return {
    node: html("div", { class: "sentence" }, line, numbers),
    refresh: keySlider(chip, {
      label: "the year",
      min: 1,
      max: longest,
      get: () => model.get("place"),
      change,
      text: (place) => `${chip.textContent} at position ${place} of ${model.get("words")}`,
    }),
    /** Show the words; `mark(i)` is the class of the word at a position, or nothing. */
    update({ place, words }, mark = () => "") {
      set(chip, { "aria-valuemax": words.length, class: `word year ${mark(place)}`.trim() });
      chip.textContent = words[place - 1];
      chip.style.gridColumn = place;
      const column = (i) => ({ class: `word ${mark(i)}`.trim(), style: `grid-column:${i}` });
      redraw(
        others,
        words.map((word, i) => html("span", column(i + 1), i + 1 === place ? "" : word)),
      );
      redraw(
        numbers,
        upTo(words.length).map((i) => html("span", {}, i)),
      );
    },
  };
}
