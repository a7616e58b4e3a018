// The frame of a figure: its parts from top to bottom, and when it is drawn.
import { button, control, controls, setAll } from "./controls.js";
import { append, drawingOf, html, redraw, setSize, svg } from "./dom.js";
import { guess } from "./guess.js";
import { live } from "./linked.js";
import { keepDrawn, settings } from "./stage.js";

const isFunction = (one) => typeof one === "function";

/**
 * Return the `render` of the figure `name`. `view({ model, el, spec, save, control, reseed, again })`
 * runs once; `spec` is `meta.controls`, `save(state)` sets values, `control(key, options)` makes a
 * control, `reseed(words, state)` makes a button that goes to the next seed and sets a state, and
 * `again()` redraws the figure after a computation that took longer. `view` returns
 *
 * - `parts`: the contents of the figure, from top to bottom. A key becomes its control, and a list of keys
 *   and nodes a row of controls; anything else is a node, an object with a `node`, or false.
 * - `reveal`: the state that shows the answer to the prediction, or a function that sets it.
 * - `update(state, size)`: draws everything. It is called once for all values that were set at once,
 *   and when the width changes. It returns the text of the status line, or a list of the text and its
 *   opening (see `live`).
 * - `follow`: functions, or things with `update` or `refresh`, to call after each `update`. Those
 *   with `stop` are stopped when the figure is removed.
 * - `watch`: the node whose width is measured; by default the first `.area`, or else the first part.
 *
 * `update` must not read the layout: `size` was measured before anything was written. It is the same
 * object until the width changes.
 */
export const figure =
  (name, meta, view) =>
  ({ model, el }) => {
    const spec = meta.controls;
    const save = (state) => setAll(model, state);
    const own = (key, options) => control(model, key, spec[key], options);
    const reseed = (words, also, key = "seed") =>
      button(words, () => {
        const { min, max } = spec[key];
        save({ [key]: model.get(key) < max ? model.get(key) + 1 : min, ...also });
      });
    const made = (part) =>
      typeof part === "string" ? own(part) : Array.isArray(part) ? controls(part.map(made)) : part;
    let last = null; // size
    const again = () => last && draw(last);
    const shown = view({ model, el, spec, save, control: own, reseed, again });
    const { parts, reveal, update, follow = [], watch } = shown;
    const status = live();
    el.classList.add(`fig-${name}`);
    append(
      el,
      parts.map(made),
      reveal && guess(meta.prediction, isFunction(reveal) ? reveal : () => save(reveal)),
      status,
    );
    function draw(size) {
      last = size;
      const focused = document.activeElement;
      const words = update(settings(model, spec), size);
      // The focused node may have been replaced.
      const lost = focused?.isConnected === false && focused.dataset.node;
      if (lost) el.querySelector(`[data-node="${lost}"]`)?.focus({ preventScroll: true });
      for (const one of follow) (isFunction(one) ? one : (one.update ?? one.refresh))?.();
      if (words) status.announce(...[words].flat());
    }
    return keepDrawn(
      model,
      watch ?? el.querySelector(".area") ?? el.firstElementChild,
      draw,
      follow.filter((one) => one.stop),
    );
  };

/** The drawing, and the parts beside or below it. */
export const stage = (...children) => html("div", { class: "stage" }, children);

/** A number, the name of what it counts, and a remark in small type. */
export const fact = (number, what, more, name = "") =>
  html("div", { class: `fact ${name}` }, [
    html("b", {}, number),
    " ",
    html("span", {}, what),
    html("small", {}, more),
  ]);

/**
 * A drawing that fills the available width, and its name for screen readers. `draw(size, { height },
 * picture)` sets its height in pixels and replaces the picture. `parts` are drawn on top of the picture
 * and aren't replaced, so that they can be dragged and keep the focus.
 */
export function areaOf(label, ...parts) {
  const plot = svg("g");
  const drawing = drawingOf(label, plot, parts);
  return {
    ...{ node: html("div", { class: "area" }, drawing), drawing, plot },
    draw({ width }, { height }, ...picture) {
      setSize(drawing, width, height);
      redraw(plot, picture);
    },
  };
}
