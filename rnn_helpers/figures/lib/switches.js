import { set } from "./dom.js";
import { isShortcut } from "./handles.js";

/** Make a part of a drawing a switch: a click or a key calls `turn()`. */
export function switches(node, label, turn) {
  set(node, {
    role: "switch",
    tabindex: 0,
    "data-lm-suppress-shortcuts": "true",
    "aria-label": label,
    onclick: turn,
  });
  node.addEventListener("keydown", (event) => {
    if (isShortcut(event) || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    event.stopPropagation();
    turn();
  });
}
