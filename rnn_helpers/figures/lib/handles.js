// Parts of a drawing that can be dragged, and moved in the same way with the keyboard.
import { pointIn, set, svg } from "./dom.js";
import { clamp } from "./scales.js";

/** A round handle: the visible knob, in a larger circle that can be dragged and shows the focus. */
export const knob = (attributes) =>
  svg(
    "g",
    attributes,
    svg("circle", { class: "uf-ring", r: "0.85em" }),
    svg("circle", { class: "uf-knob", r: "0.42em" }),
  );

/** Whether a finger's first move drags the handle, given its touch-action, rather than scrolling the page. */
const leads = (way, from, to) =>
  way === "none" ||
  (way === "pan-y" && Math.abs(to.clientX - from.clientX) > Math.abs(to.clientY - from.clientY));

/**
 * Let the reader drag `node`. `move(point, event)` receives the pointer in the coordinates of `surface`,
 * at most once per frame, from the press to the release; then `end()` is called.
 */
export function draggable(node, { surface, start, move, end }) {
  node.classList.add("uf-grab");
  // A finger that drags a handle must not scroll the page. In Chromium, touch-action alone doesn't
  // prevent it inside a drawing.
  let [down, led] = [null, null];
  node.addEventListener("touchstart", ({ touches: [finger] }) => ([down, led] = [finger, null]), {
    passive: true,
  });
  const stay = (event) => {
    led ??= leads(getComputedStyle(node).touchAction, down, event.touches[0]);
    if (led && event.cancelable) event.preventDefault();
  };
  node.addEventListener("touchmove", stay, { passive: false });
  node.addEventListener("pointerdown", (press) => {
    if (press.button || !press.isPrimary) return;
    press.preventDefault();
    node.setPointerCapture(press.pointerId);
    node.focus({ preventScroll: true });
    start?.(pointIn(surface, press), press);
    let pending = null;
    const flush = () => {
      if (pending) move(pointIn(surface, pending), pending);
      pending = null;
    };
    const onmove = (event) => {
      if (event.pointerId !== press.pointerId) return; // of another finger
      if (!pending) requestAnimationFrame(flush);
      pending = event;
    };
    const onend = ({ pointerId }) => {
      if (pointerId !== press.pointerId) return;
      flush();
      node.removeEventListener("pointermove", onmove);
      node.removeEventListener("lostpointercapture", onend);
      end?.();
    };
    node.addEventListener("pointermove", onmove);
    node.addEventListener("lostpointercapture", onend);
  });
}

/** Whether a key is a shortcut of the browser. For example, Alt and an arrow go back to the last page. */
export const isShortcut = (event) => event.ctrlKey || event.metaKey || event.altKey;

/** The attributes that make a part of a drawing a slider for the keyboard and for screen readers. */
export const sliderRole = (label, min, max) => ({
  role: "slider",
  tabindex: 0,
  "data-lm-suppress-shortcuts": "true",
  "aria-label": label,
  "aria-valuemin": min,
  "aria-valuemax": max,
});

const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * Let keys move a part of a drawing in two directions: `move([right, up])`. An arrow key moves it by
 * `step`, and `others` has the moves of other keys.
 */
export function arrowKeys(node, move, step = 1, others = {}) {
  node.addEventListener("keydown", (event) => {
    const by = others[event.key] ?? ARROWS[event.key]?.map((value) => step * value);
    if (!by || isShortcut(event)) return;
    event.preventDefault();
    event.stopPropagation();
    move(by);
  });
}

const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 5, PageDown: -5 };

/**
 * Make an element of a drawing a slider for the keyboard and for screen readers.
 * Arrows move by `step`, page keys by five steps, Home and End to the limits.
 * `get()` and `change(value)` read and write the value; call the returned `update()` after it
 * moved by other means. `text(value)` is the value's text for screen readers.
 */
export function keySlider(node, { label, min, max, step = 1, get, change, text = String }) {
  set(node, sliderRole(label, min, max));
  const update = () => set(node, { "aria-valuenow": get(), "aria-valuetext": text(get()) });
  node.addEventListener("keydown", (event) => {
    const value =
      event.key === "Home" ? min : event.key === "End" ? max : get() + STEPS[event.key] * step;
    if (Number.isNaN(value) || isShortcut(event)) return;
    event.preventDefault();
    event.stopPropagation();
    change(clamp(Number(value.toFixed(10)), min, max));
    update();
  });
  update();
  return update;
}
