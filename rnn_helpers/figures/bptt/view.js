import { controls, transport } from "../lib/controls.js";
import { html, redraw } from "../lib/dom.js";
import { figure, stage } from "../lib/figure.js";
import { linked } from "../lib/linked.js";
import { roving } from "../lib/roving.js";
import { drawing } from "./drawing.js";
import { meta } from "./meta.js";
import { compute, find, steps } from "./math.js";
import { explanation, plain, title, words } from "./panel.js";

export const render = figure("bptt", meta, ({ model, el, save, control }) => {
  const net = html("div", { class: "net" });
  const panel = html("div", { class: "panel" });
  const list = () => steps(model.get("T"), model.get("loss"));
  // The transport counts steps, but the state names the step, so that it survives a change of loss.
  const timeline = {
    get: () => find(list(), model.get("at")),
    set: (_, index) => model.set("at", list()[index].id),
    on: (type, handler) => model.on(type === "reset" ? type : "change", handler),
    save_changes: () => model.save_changes(),
  };
  const time = transport(timeline, "at", {
    min: 0,
    limit: () => list().length - 1,
    label: "steps of the calculation",
    interval: 1500,
    text: (index) => `${index} of ${list().length - 1}: ${plain(title(list()[index]))}`,
  });
  roving(net, (id) => save({ at: id }));
  return {
    parts: [stage(net, controls(time, control("T"), control("loss")), panel)],
    // The prediction is about three words.
    reveal: model.get("T") === 3 && { T: 3, loss: "last", at: "dW1" },
    follow: [time, linked(el)],
    watch: net,
    update({ T, loss, at }, size) {
      const now = told(T, loss, at);
      redraw(net, drawing(now, size));
      const chosen = net.querySelector('[aria-pressed="true"]');
      (chosen ?? net.querySelector("[data-node]")).setAttribute("tabindex", 0);
      redraw(panel, explanation(now));
      return [words(now), opening(now)];
    },
  };
});

/** Return the drawing's data and the words for step `at`. */
function told(T, loss, at) {
  const list = steps(T, loss);
  const k = find(list, at);
  const done = (id) => list.slice(0, k + 1).some((step) => step.id === id);
  const every = loss === "every";
  return { ...compute(T, loss), T, every, k, last: list.length - 1, step: list[k], done };
}

/** Describe the network and the step. */
function opening({ T, step, every, k, last }) {
  const scored = every ? "every word" : "only the last word";
  const name = step.kind === "start" ? "" : `, “${plain(title(step))}”`;
  return `A network is unfolded over ${T} words, and ${scored} has a loss. This is step ${k} of ${last}${name}.`;
}
