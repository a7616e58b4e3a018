import { controls, controlsOf, transport } from "../../lib/controls.js";
import { html } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { linked, live } from "../../lib/linked.js";
import { roving } from "../../lib/roving.js";
import { keepDrawn } from "../../lib/stage.js";
import { drawing } from "./drawing.js";
import { meta } from "./meta.js";
import { compute, find, steps } from "./math.js";
import { explanation, plain, title, words } from "./panel.js";

const KEY =
  "Boxes marked ∇ show gradients. The area of a square is the size of an entry, and hollow means negative.";

export function render({ model, el }) {
  const net = html("div", { class: "net" });
  const panel = html("div", { class: "panel" });
  const status = live();
  const spec = meta.controls;

  // The transport counts steps, but the state names the step, so that it survives a change of loss.
  const list = () => steps(model.get("T"), model.get("loss"));
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
  el.classList.add("fig-bptt");
  el.append(
    html(
      "div",
      { class: "stage" },
      html("div", {}, net, html("p", { class: "key" }, KEY)),
      time,
      panel,
    ),
    controls(controlsOf(model, spec, "loss")),
    guess(meta.prediction, () => model.set("at", "dW1")),
    status,
  );
  const link = linked(el);

  function state() {
    const [T, loss] = ["T", "loss"].map((key) => model.get(key));
    const all = list();
    const k = find(all, model.get("at"));
    const at = (id) => all.findIndex((step) => step.id === id);
    const done = (id) => at(id) >= 0 && at(id) <= k;
    const backward = done("dL");
    return { ...compute(T, loss), T, step: all[k], done, backward };
  }

  const tabStop = () =>
    net.querySelector('[aria-pressed="true"]') ?? net.querySelector("[data-node]");
  function update(area) {
    const held = net.contains(document.activeElement);
    const now = state();
    net.replaceChildren(drawing(now, area));
    tabStop().setAttribute("tabindex", 0);
    panel.replaceChildren(...explanation(now));
    if (held) tabStop().focus({ preventScroll: true });
    link.refresh();
  }
  roving(net, (id) => model.set("at", id));
  status.announce(words(state()), opening(state(), list()));
  model.on("change:at", () => status.announce(words(state())));
  return keepDrawn(model, net, update, { clocks: [time] });
}

/** The network and the step. */
function opening({ T, step, mask }, list) {
  const scored = mask.every(Boolean) ? "every word" : "only the last word";
  const name = step.kind === "start" ? "" : `, “${plain(title(step))}”`;
  const k = find(list, step.id);
  return `A network is unfolded over ${T} words, and ${scored} has a loss. This is step ${k} of ${list.length - 1}${name}.`;
}
