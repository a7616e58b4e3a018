import { transport } from "../lib/controls.js";
import { headRow, html, redraw, set, tableRow } from "../lib/dom.js";
import { figure } from "../lib/figure.js";
import { counted, format } from "../lib/scales.js";
import { spell } from "../lib/words.js";
import { meta } from "./meta.js";
import { run, TERMS, UNITS } from "./math.js";

const HEADS = { x: "mark", A: "old A", B: "old B", own: "bias" };
/** The meaning of the shaded symbols, for each task. */
const KEYS = {
  inside: "output inside: A is 1 and B is 0. ",
  seen: "output a mark so far: A is 1. B should be 1 only at each mark. ",
};
const number = (value) => format(value, Number.isInteger(value) ? 0 : 1);

export const render = figure("loop", meta, ({ model, el, spec, save, control }) => {
  const strip = html("div", { class: "strip" });
  const verdict = html("p", { class: "verdict", role: "status" });
  const table = sums(model, save);
  const length = () => [...model.get("text")].length;
  // The step shown: the text may have become shorter than the chosen step.
  const shown = () => Math.min(model.get("t"), length());
  const time = transport({ ...model, get: shown }, "t", {
    ...spec.t,
    interval: 450,
    limit: length,
    text: (value) => `${value} of ${length()}`,
  });
  const task = control("task");
  task.classList.add("task");
  strip.addEventListener("click", (event) => {
    const symbol = event.target.closest(".symbol");
    if (symbol) save({ t: [...strip.children].indexOf(symbol) });
  });
  return {
    parts: [strip, verdict, table, [time, "text", task]],
    watch: el,
    reveal: { text: spec.text.default, A_B: 0, t: 31 }, // t: after the last symbol
    follow: [time],
    update(state) {
      const steps = run(state);
      const t = shown();
      redraw(
        strip,
        names(),
        steps.map((step, i) => column(step, i + 1, t, state.task)),
      );
      const right = steps.slice(0, t).filter((step) => step.right).length;
      redraw(
        verdict,
        html("span", { class: "key" }, html("i", { class: "uf-fill" }), KEYS[state.task]),
        html("b", { class: right < t ? "wrong" : "right" }, `Right at ${right}`),
        ` of ${counted(t, "symbol")}.`,
      );
      table.update(steps[t - 1]);
      const [a, b] = steps[t - 1].h;
      return [
        `At symbol ${t}, A is ${a} and B is ${b}. The output is right at ${right} of ${counted(t, "symbol")}.`,
        `Two units read “${state.text}”.`,
      ];
    },
  };
});

const names = () =>
  html(
    "div",
    { class: "names" },
    html("span", {}, "reads"),
    UNITS.map((unit) => html("b", {}, unit)),
  );

/** Show a symbol and, once it has been read, both units below it. */
function column({ symbol, x, h, inside, right }, place, t, task) {
  const read = place <= t;
  const shaded = task === "seen" ? h[0] : inside;
  const names = [!read && "later", place === t && "now", read && shaded && "inside uf-fill"];
  return html(
    "div",
    { class: ["symbol", ...names.filter(Boolean)].join(" ") },
    html("span", { class: x ? "read quote" : "read" }, symbol === " " ? "\u00a0" : symbol),
    h.map((on) => html("span", { class: read && on ? "unit on uf-fill" : "unit" }, read ? on : "")),
    html("span", { class: "fault" }, read && !right ? "✗" : ""),
  );
}

/** Make the table of the eight numbers, the inputs that they multiply now, and the units' sums and values. */
function sums(model, save) {
  const note = html("p", { class: "uf-left-out", role: "status" });
  const tell = (words) => (note.textContent = words);
  const inputs = UNITS.map((unit) =>
    TERMS.map((term) => weight(model, save, `${unit}_${term}`, tell)),
  );
  const times = TERMS.map(() => html("td", {}));
  const found = UNITS.map(() => [html("td", { class: "sum" }), html("td", { class: "is" })]);
  const heads = [...TERMS.map((term) => HEADS[term]), "sum", "is"];
  const table = html(
    "table",
    {},
    html("thead", {}, headRow("", ...heads)),
    html(
      "tbody",
      {},
      tableRow({ class: "times" }, html("th", { scope: "row" }, "now"), ...times, "", ""),
      UNITS.map((unit, i) =>
        tableRow(
          {},
          html("th", { scope: "row" }, unit),
          ...inputs[i].map((input) => [html("span", { class: "sign" }, "×"), input]),
          ...found[i],
        ),
      ),
    ),
  );
  return {
    node: html("div", {}, table, note),
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

/** Make an input for one of the eight numbers. `tell` shows why a typed number isn't used. */
function weight(model, save, key, tell) {
  const { min, max, step, label, default: start } = meta.controls[key];
  const input = html("input", {
    type: "number",
    min,
    max,
    step,
    "aria-label": label,
    oninput: () => {
      const fits = input.checkValidity();
      tell(
        fits
          ? ""
          : `Only numbers from ${spell(min)} to ${max} in steps of ${step} fit here, so the number stays ${spell(model.get(key))}.`,
      );
      if (fits && input.value !== "") save({ [key]: Number(input.value) });
    },
    onchange: () => follow(),
  });
  const follow = () => {
    if (Number(input.value) !== model.get(key) || input.value === "") input.value = model.get(key);
    input.classList.toggle("moved", model.get(key) !== start);
  };
  model.on(`change:${key}`, follow);
  follow();
  return input;
}
