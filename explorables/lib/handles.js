// Things on the drawing that are moved by hand, each with the same move on the keyboard.
import { pointIn, set, svg } from "./dom.js";
import { clamp } from "./scales.js";

/** A round handle: what a hand takes hold of, which shows the focus too, and in it the knob one sees. */
export const knob = (attributes) =>
  svg(
    "g",
    attributes,
    svg("circle", { class: "uf-ring", r: "0.85em" }),
    svg("circle", { class: "uf-knob", r: "0.42em" }),
  );

/** Whether a finger's first move leads the handle, and not the page, by the handle's touch-action. */
const leads = (way, from, to) =>
  way === "none" ||
  (way === "pan-y" && Math.abs(to.clientX - from.clientX) > Math.abs(to.clientY - from.clientY));

/**
 * Let `node` be dragged. `move(point, event)` gets the pointer in the coordinates of `surface`,
 * at most once a frame, from the press to the release; `end()` follows.
 */
export function draggable(node, { surface, start, move, end }) {
  node.classList.add("uf-grab");
  // What a finger leads must not move the page: the style alone does not hold it in Chromium, within
  // a drawing.
  let [down, led] = [null, null];
  node.addEventListener("touchstart", ({ touches: [finger] }) => ([down, led] = [finger, null]), {
    passive: true,
  });
  const stay = (event) => {
    led ??= leads(getComputedStyle(node).touchAction, down, event.touches[0]);
    if (led) event.preventDefault();
  };
  node.addEventListener("touchmove", stay, { passive: false });
  node.addEventListener("pointerdown", (press) => {
    if (press.button) return;
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
      if (!pending) requestAnimationFrame(flush);
      pending = event;
    };
    const onend = () => {
      flush();
      node.removeEventListener("pointermove", onmove);
      node.removeEventListener("lostpointercapture", onend);
      end?.();
    };
    node.addEventListener("pointermove", onmove);
    node.addEventListener("lostpointercapture", onend);
  });
}

/** Whether a key is pressed for the browser: with Alt an arrow leads back to the page before. */
export const isShortcut = (event) => event.ctrlKey || event.metaKey || event.altKey;

/** What makes a part of a drawing a slider for the keyboard and for screen readers. */
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
 * Let keys move a part of a drawing in two directions: `move([right, up])`, an arrow by `step`,
 * other keys as `others` says.
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
 * moved by other means. `text(value)` is what a screen reader says.
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
