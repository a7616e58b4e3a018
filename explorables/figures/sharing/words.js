import { html } from "../../lib/dom.js";
import { keySlider } from "../../lib/handles.js";
import { isYear } from "./math.js";

/**
 * The sentence as a row of words: dragged, or moved by the arrow keys. `move(from, to, rest)` moves
 * one and gives its place, `drop()` follows a drag. The row stays while its words are made anew.
 */
export function wordRow(move, drop) {
  const node = html("div", {
    class: "words",
    role: "group",
    "aria-label": "the sentence; every word can be moved",
  });
  const chips = () => [...node.children];
  let held = null; // the place of the word under the hand
  node.addEventListener("pointerdown", (event) => {
    const chip = event.target.closest(".word");
    if (!chip || event.button) return;
    event.preventDefault();
    held = chips().indexOf(chip);
    chip.focus({ preventScroll: true });
    node.setPointerCapture(event.pointerId);
  });
  node.addEventListener("pointermove", (event) => {
    if (held === null) return;
    const from = held;
    held = nearest(chips(), event);
    move(from, held, false);
  });
  node.addEventListener("lostpointercapture", () => {
    held = null;
    drop();
  });

  function chip({ words, tokens }, i) {
    const year = isYear(tokens[i]);
    const chip = html(
      "span",
      { class: `word ${year ? "year" : ""} ${i === held ? "held" : ""}` },
      html("span", { class: "text" }, words[i]),
      html("small", { "aria-hidden": "true" }, i + 1),
    );
    keySlider(chip, {
      label: words[i],
      min: 1,
      max: words.length,
      get: () => i + 1,
      change: (place) => {
        const to = move(i, place - 1);
        chips()[to].focus();
      },
      text: (place) => `place ${place} of ${words.length}`,
    });
    return chip;
  }
  function update(now) {
    const focused = held ?? chips().indexOf(document.activeElement);
    node.replaceChildren(...now.words.map((_, i) => chip(now, i)));
    if (focused >= 0)
      chips()[Math.min(focused, now.words.length - 1)]?.focus({ preventScroll: true });
  }
  return { node, update };
}

/** The place of the word nearest to a pointer, first of all in height. */
function nearest(chips, { clientX, clientY }) {
  const far = chips.map((chip) => {
    const { left, right, top, bottom } = chip.getBoundingClientRect();
    return (
      4 * Math.max(top - clientY, clientY - bottom, 0) + Math.abs((left + right) / 2 - clientX)
    );
  });
  return far.indexOf(Math.min(...far));
}
