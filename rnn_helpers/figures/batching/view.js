import { button, controls, setAll } from "../lib/controls.js";
import { html, redraw, set } from "../lib/dom.js";
import { figure, stage } from "../lib/figure.js";
import { draggable, keySlider } from "../lib/handles.js";
import { said } from "../lib/linked.js";
import { remembered } from "../lib/remembered.js";
import { roving } from "../lib/roving.js";
import { clamp, percent } from "../lib/scales.js";
import { layout, rowLayout, rowsDrawing } from "./drawing.js";
import { meta } from "./meta.js";
import {
  arrange,
  compute,
  cutsOf,
  lengths,
  MANY,
  moved,
  read,
  recut,
  room,
  written,
} from "./math.js";
import { ACTIONS, arrangementWords, sentenceRows, sentenceTitle } from "./words.js";

/** Pixels that a pointer must move before a sentence follows it. A shorter move is a click. */
const STILL = 6;

export const render = figure("batching", meta, ({ model, spec, save, control }) => {
  const drawing = rowsDrawing();
  const words = html("div", { class: "readout" });
  const table = sentenceTable();
  const orders = orderButtons(model, spec.seed);
  // Another size replaces the cuts that were made by hand.
  const size = control("size");
  for (const type of ["input", "change"]) size.addEventListener(type, () => save({ own: "" }));
  // The rows are too thin for a finger, so a slider chooses any of them, too.
  const sentence = control("sentence", { label: "sentence" });
  sentence.classList.add("which");
  let now;
  let at;
  const fit = remembered((size) => {
    at = layout(size);
    drawing.resize(at);
    table.forget();
  });
  return {
    parts: [
      stage(html("div", { class: "area" }, drawing), words),
      table,
      html(
        "div",
        { class: "bars" },
        controls(orders.node),
        controls(size, sentence, control("mask")),
      ),
    ],
    reveal: { order: "random", size: 32, seed: spec.seed.default, own: "" },
    follow: [hands(model, drawing, () => ({ now, at }))],
    update(state, size) {
      fit(size);
      now = arrangement(state);
      at.rows = rowLayout(now, at);
      drawing.draw(now, at);
      orders.update(now);
      redraw(words, arrangementWords(now));
      table.update(now);
      return said(words);
    },
  };
});

/** The minibatches, and the place of the chosen sentence in them. */
function arrangement(state) {
  const groups = arrange(state);
  const places = groups.flat();
  const sentence = state.sentence - 1;
  const group = groups.findIndex((list) => list.includes(sentence));
  const computed = compute(groups);
  const batch = computed.batches[group];
  return {
    ...{ ...state, ...computed, groups, places, group, batch },
    hand: read(state.own),
    chosen: places.indexOf(sentence),
    missing: batch.T - lengths[sentence],
  };
}

/** A button for each order. A second press on a random one draws another order. */
function orderButtons(model, { min, max }) {
  const buttons = Object.entries(ACTIONS).map(([order, [name]]) =>
    button(name, () => {
      const again = order === model.get("order") && !read(model.get("own"));
      const seed = again ? (model.get("seed") % max) + min : model.get("seed");
      setAll(model, { order, seed, own: "" });
    }),
  );
  return {
    node: html(
      "div",
      { class: "uf-control orders", role: "group", "aria-label": "order" },
      buttons,
    ),
    update({ hand, order }) {
      buttons.forEach((node, i) => {
        node.ariaPressed = String(!hand && Object.keys(ACTIONS)[i] === order);
      });
    },
  };
}

/** The chosen sentence, step by step. It is drawn again only if it changes or after `forget`. */
function sentenceTable() {
  const title = html("p", {});
  const table = html("table");
  const scroller = html(
    "div",
    { class: "uf-scroll", role: "region", "aria-label": "the chosen sentence, step by step" },
    table,
  );
  let shown;
  return {
    node: html("div", { class: "sentence" }, title, scroller),
    forget: () => (shown = null),
    update(now) {
      const { sentence, missing, mask, steps } = now;
      redraw(title, sentenceTitle(now));
      const key = [sentence, missing, mask, mask || steps].join();
      if (key === shown) return;
      shown = key;
      redraw(table, sentenceRows(now));
      set(scroller, { tabindex: table.scrollWidth > scroller.clientWidth ? 0 : null });
    },
  };
}

/**
 * Let the pointer and the keys move the chosen sentence and the cuts, and choose a sentence.
 * `current()` gives the arrangement and its layout. Return a function that updates the handles.
 */
function hands(model, { node: surface, handle, cuts }, current) {
  const place = () => current().now.places.indexOf(model.get("sentence") - 1);
  const arrangeAs = (groups) => model.set("own", written(groups));
  let from;
  const grasp = ({ y }) => (from = { y, groups: current().now.groups, moving: false });
  const pull = (move) => (point) => {
    from.moving ||= Math.abs(point.y - from.y) > STILL;
    if (from.moving) move(point);
  };
  const release = () => {
    surface.classList.remove("moving");
    model.save_changes();
  };
  const keys = (node, spec) => {
    set(node, { "aria-orientation": "vertical" });
    return keySlider(node, {
      min: 1,
      step: -1,
      ...spec,
      get: () => (current().now && spec.get()) ?? 1,
      change(to) {
        spec.change(to);
        model.save_changes();
      },
      text(row) {
        const { now } = current();
        return `${spec.text} ${row}${now ? `, ${percent(now.padding)} padding` : ""}`;
      },
    });
  };

  draggable(handle, {
    surface,
    start(point) {
      surface.classList.add("moving");
      grasp(point);
      from.place = place();
    },
    move: pull(({ y }) => arrangeAs(moved(from.groups, from.place, current().at.rows.row(y)))),
    end: release,
  });
  const rowKeys = keys(handle, {
    label: "the chosen sentence’s place",
    max: MANY,
    get: () => place() + 1,
    change: (to) => arrangeAs(moved(current().now.groups, place(), to - 1)),
    text: "row",
  });
  const cutKeys = cuts.map((node, k) => {
    const put = (groups, to) => arrangeAs(recut(groups, k, clamp(to, ...room(groups, k))));
    draggable(node, {
      surface,
      start: grasp,
      move: pull(({ y }) => put(from.groups, current().at.rows.between(y))),
      end: release,
    });
    return keys(node, {
      label: `cut after minibatch ${k + 1}`,
      max: MANY - 1,
      get: () => cutsOf(current().now.groups)[k],
      change: (to) => put(current().now.groups, to),
      text: "after row",
    });
  });
  roving(surface, (id) => setAll(model, { sentence: Number(id) }));
  // A mouse can drag any row at once. A finger may only be scrolling, so it must choose a row first.
  surface.addEventListener("pointerdown", (press) => {
    const row = press.target.closest(".strip");
    if (!row || press.pointerType !== "mouse" || press.button) return;
    setAll(model, { sentence: Number(row.dataset.node) });
    handle.dispatchEvent(new PointerEvent("pointerdown", press));
    press.preventDefault();
  });
  return () => {
    rowKeys();
    cuts.forEach((cut, k) => cut.tabIndex === 0 && cutKeys[k]());
  };
}
