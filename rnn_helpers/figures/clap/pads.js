// The pads of a rhythm: one tab stop, and arrow keys between them.
import { html, set } from "../lib/dom.js";
import { isShortcut } from "../lib/handles.js";

const KEYS = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -8,
  ArrowDown: 8,
  Home: -Infinity,
  End: Infinity,
};

/** Pads for `n` steps; `turn(step)` is called for one that is pressed. `show(rhythm)` marks those that are on. */
export function pads(n, turn) {
  const each = Array.from({ length: n }, (_, step) =>
    html("button", {
      type: "button",
      class: "pad",
      tabindex: step ? -1 : 0,
      "aria-label": `step ${step + 1}`,
      onclick: () => {
        focusOn(step, false);
        turn(step);
      },
      onkeydown: (event) => {
        if (isShortcut(event) || !(event.key in KEYS)) {
          if (event.key === " ") event.stopPropagation();
          return;
        }
        event.preventDefault();
        event.stopPropagation();
        focusOn(Math.min(Math.max(step + KEYS[event.key], 0), n - 1));
      },
    }),
  );
  function focusOn(step, move = true) {
    each.forEach((pad, i) => set(pad, { tabindex: i === step ? 0 : -1 }));
    if (move) each[step].focus();
  }
  return {
    node: html("div", { class: "pads", role: "group", "aria-label": "rhythm" }, each),
    show: (rhythm) =>
      each.forEach((pad, t) => set(pad, { "aria-pressed": String(rhythm[t] === "x") })),
  };
}
