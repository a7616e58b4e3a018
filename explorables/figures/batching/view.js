import { button, control, controls, setAll } from "../../lib/controls.js";
import { html, set } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { draggable, keySlider } from "../../lib/handles.js";
import { live, said } from "../../lib/linked.js";
import { roving } from "../../lib/roving.js";
import { clamp } from "../../lib/scales.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import { layout, percent, rowLayout, rowsDrawing } from "./drawing.js";
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

/** Pixels that a hand must move before a sentence follows: a click chooses it. */
const STILL = 6;

export function render({ model, el }) {
  const { controls: spec } = meta;
  const write = (state) => setAll(model, state);
  const drawing = rowsDrawing();
  const area = html("div", { class: "area" }, drawing.node);
  const words = html("div", { class: "readout" });
  const table = sentenceTable();
  const status = live();
  const orders = orderButtons(model, spec.seed);
  // Who asks for another size is done with what was cut by hand.
  const size = control(model, "size", spec.size);
  for (const type of ["input", "change"]) size.addEventListener(type, () => write({ own: "" }));
  // The rows are thin for a finger: a slider chooses any of them, too.
  const sentence = control(model, "sentence", { ...spec.sentence, label: "sentence" });
  sentence.classList.add("which");
  el.classList.add("fig-batching");
  el.append(
    html("div", { class: "stage" }, area, words),
    table.node,
    html(
      "div",
      { class: "bars" },
      controls(orders.node),
      controls(size, sentence, control(model, "mask", spec.mask)),
    ),
    guess(meta.prediction, () =>
      write({ order: "random", size: 32, seed: spec.seed.default, own: "" }),
    ),
    status,
  );

  let now;
  let at;
  const follow = hands(model, drawing, () => ({ now, at }));

  function resize(next) {
    at = layout(next);
    drawing.resize(at);
    table.forget();
  }

  function update() {
    now = arrangement(settings(model, spec));
    at.rows = rowLayout(now, at);
    drawing.draw(now, at);
    follow();
    orders.update(now);
    words.replaceChildren(...arrangementWords(now));
    table.update(now);
    status.announce(said(words));
  }

  return keepDrawn(model, area, update, { resize });
}

/** The minibatches, and the place of the chosen sentence in them. */
function arrangement(state) {
  const groups = arrange(state);
  const places = groups.flat();
  const sentence = state.sentence - 1;
  const group = groups.findIndex((list) => list.includes(sentence));
  const computed = compute(groups);
  const batch = computed.batches[group];
  return {
    ...state,
    ...computed,
    groups,
    places,
    hand: read(state.own),
    chosen: places.indexOf(sentence),
    group,
    batch,
    missing: batch.T - lengths[sentence],
  };
}

/** A button for each order; random ones are drawn anew each time. */
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

/** The chosen sentence, step by step; drawn when it shows something else, or `forget` was called. */
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
      title.replaceChildren(...sentenceTitle(now));
      const key = [sentence, missing, mask, mask || steps].join();
      if (key === shown) return;
      shown = key;
      table.replaceChildren(...sentenceRows(now));
      set(scroller, { tabindex: table.scrollWidth > scroller.clientWidth ? 0 : null });
    },
  };
}

/**
 * Let hands and keys put the chosen sentence and the cuts to other places, and choose a sentence.
 * `current()` is what is shown, and where. Returns what tells the handles of a new arrangement.
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
  // A mouse takes any row and goes; a finger that only scrolls must first choose one.
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
