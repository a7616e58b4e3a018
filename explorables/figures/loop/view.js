import { control, controls, setAll, transport } from "../../lib/controls.js";
import { html, set } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { live } from "../../lib/linked.js";
import { format } from "../../lib/scales.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import { meta } from "./meta.js";
import { run, TERMS, UNITS } from "./math.js";

const { controls: spec } = meta;
const HEADS = { x: "mark", A: "old A", B: "old B", own: "bias" };
/** The meaning of the shaded symbols, for each task. */
const KEYS = {
  inside: "output inside: A is 1 and B is 0. ",
  seen: "output a mark so far: A is 1. B should be 1 only at each mark. ",
};
/** The change that the prediction describes, after the last symbol. */
const REVEAL = { text: spec.text.default, A_B: 0, t: 31 };
const number = (value) => format(value, Number.isInteger(value) ? 0 : 1);

export function render({ model, el }) {
  const strip = html("div", { class: "strip" });
  const verdict = html("p", { class: "verdict", role: "status" });
  const table = sums(model);
  const status = live();
  let steps, t;
  const look = () => {
    steps = run(settings(model, spec));
    t = Math.min(model.get("t"), steps.length);
  };
  look();
  // The step shown: the text may have become shorter than the chosen step.
  const clock = { ...model, get: (key) => (key === "t" ? t : model.get(key)) };
  const time = transport(clock, "t", {
    ...spec.t,
    interval: 450,
    limit: () => steps.length,
    text: (value) => `${value} of ${steps.length}`,
  });
  const task = control(model, "task", spec.task);
  task.classList.add("task");
  el.classList.add("fig-loop");
  el.append(
    strip,
    verdict,
    table.node,
    controls(time, control(model, "text", spec.text), task),
    guess(meta.prediction, () => setAll(model, REVEAL)),
    status,
  );
  strip.addEventListener("click", (event) => {
    const symbol = event.target.closest(".symbol");
    if (symbol) setAll(model, { t: [...strip.children].indexOf(symbol) });
  });

  function update() {
    look();
    strip.replaceChildren(
      names(),
      ...steps.map((step, i) => column(step, i + 1, t, model.get("task"))),
    );
    const right = steps.slice(0, t).filter((step) => step.right).length;
    verdict.replaceChildren(
      html("span", { class: "key" }, html("i", { class: "uf-fill" }), KEYS[model.get("task")]),
      html("b", { class: right < t ? "wrong" : "right" }, `Right at ${right}`),
      ` of ${t} symbols.`,
    );
    table.update(steps[t - 1]);
    time.update();
    const [a, b] = steps[t - 1].h;
    status.announce(
      `Symbol ${t}: A is ${a}, B is ${b}. Right at ${right} of ${t} symbols.`,
      `Two units read “${model.get("text")}”.`,
    );
  }
  return keepDrawn(model, el, update, { clocks: [time] });
}

const names = () =>
  html("div", { class: "names" }, html("span", {}, "reads"), ...UNITS.map((u) => html("b", {}, u)));

/** A symbol and, once it has been read, both units under it. */
function column({ symbol, x, h, inside, right }, place, t, task) {
  const read = place <= t;
  const shaded = task === "seen" ? h[0] : inside;
  const name = [
    "symbol",
    read || "later",
    place === t && "now",
    read && shaded && "inside uf-fill",
  ];
  return html(
    "div",
    { class: name.filter((word) => word && word !== true).join(" ") },
    html("span", { class: x ? "read quote" : "read" }, symbol === " " ? "\u00a0" : symbol),
    h.map((on) => html("span", { class: read && on ? "unit on uf-fill" : "unit" }, read ? on : "")),
    html("span", { class: "fault" }, read && !right ? "✗" : ""),
  );
}

/** The eight numbers, the inputs that they multiply now, and the sums and values of the units. */
function sums(model) {
  const inputs = UNITS.map((unit) => TERMS.map((term) => weight(model, `${unit}_${term}`)));
  const times = TERMS.map(() => html("td", {}));
  const found = UNITS.map(() => [html("td", { class: "sum" }), html("td", { class: "is" })]);
  const heads = [...TERMS.map((term) => HEADS[term]), "sum", "is"];
  const node = html(
    "table",
    {},
    html(
      "thead",
      {},
      html(
        "tr",
        {},
        html("td"),
        heads.map((head) => html("th", { scope: "col" }, head)),
      ),
    ),
    html(
      "tbody",
      {},
      html(
        "tr",
        { class: "times" },
        html("th", { scope: "row" }, "now"),
        times,
        html("td"),
        html("td"),
      ),
      UNITS.map((unit, i) =>
        html(
          "tr",
          {},
          html("th", { scope: "row" }, unit),
          inputs[i].map((input) => html("td", {}, html("span", { class: "sign" }, "×"), input)),
          found[i],
        ),
      ),
    ),
  );
  return {
    node,
    update({ terms, sums, h }) {
      times.forEach((cell, j) => {
        cell.textContent = terms[j];
        set(cell, { class: terms[j] ? "counts" : "" });
      });
      found.forEach(([sum, is], i) => {
        sum.textContent = `= ${number(sums[i])}`;
        is.replaceChildren(html("span", { class: h[i] ? "unit on uf-fill" : "unit" }, h[i]));
      });
    },
  };
}

/** An input for one of the eight numbers. */
function weight(model, key) {
  const { min, max, step, label } = spec[key];
  const input = html("input", {
    type: "number",
    min,
    max,
    step,
    "aria-label": label,
    oninput: () => {
      if (input.value !== "" && input.checkValidity())
        setAll(model, { [key]: Number(input.value) });
    },
    onblur: () => follow(),
  });
  const follow = () => {
    if (Number(input.value) !== model.get(key) || input.value === "") input.value = model.get(key);
    input.classList.toggle("moved", model.get(key) !== spec[key].default);
  };
  model.on(`change:${key}`, follow);
  follow();
  return input;
}
