import { button, setAll, transport } from "../lib/controls.js";
import { headRow, html, redraw, set, tableRow, uniqueId } from "../lib/dom.js";
import { areaOf, fact, figure, stage } from "../lib/figure.js";
import { roving } from "../lib/roving.js";
import { format } from "../lib/scales.js";
import { layout, picture, small } from "./drawing.js";
import { meta } from "./meta.js";
import { MOST, run, SHAPES, words } from "./math.js";

/** The controls of each pattern, in addition to the step. */
const OWN = {
  "one-one": [],
  "one-many": ["n"],
  "many-one": ["review"],
  delayed: ["letters", "k"],
  aligned: ["code"],
};
const ORDER = ["first", "second", "third", "fourth", "fifth", "sixth"];

export const render = figure("mappings", meta, ({ model, spec, save, control }) => {
  const area = areaOf(null);
  const tape = html("p", { class: "tape" });
  const readout = html("div", { class: "readout" });
  const facts = html("div", { class: "facts" });
  let now;
  // A text may have become shorter than the step that was chosen.
  const there = (key) => (key === "t" ? Math.min(model.get("t"), limit()) : model.get(key));
  const limit = () => now?.T ?? spec.t.max;
  const time = transport({ ...model, get: there }, "t", { ...spec.t, limit });
  const own = Object.values(OWN).flatMap((keys) => keys.map((key) => [key, control(key)]));
  const shapes = pictures((image) => save({ image }));
  holdCells(area.drawing, {
    turn: (id) => save(turned(model, id)),
    choose: (t) => save({ t }),
  });
  model.on("change:pattern", time.stop);
  return {
    parts: [
      ways(model, spec.pattern),
      stage(html("div", {}, tape, area, facts), readout),
      [time, ...own.map(([, node]) => node), shapes],
    ],
    reveal: { pattern: "delayed", letters: "abbab", k: 4, t: 5 },
    follow: [time],
    update(state, size) {
      const { pattern, review } = state;
      now = { ...state, ...run(state) };
      now.t = Math.min(state.t, now.T);
      for (const [key, node] of own) show(node, OWN[pattern].includes(key));
      show(shapes, pattern === "one-one");
      show(time, now.T > 1);
      tape.hidden = pattern !== "many-one";
      redraw(
        tape,
        words(review).map((word, i) => {
          const when = i + 1 === now.t ? "now" : i + 1 < now.t ? "past" : "";
          return [html("span", { class: when }, word), " "];
        }),
      );
      const at = layout(now, size);
      const { label } = spec.pattern.options.find(({ value }) => value === pattern);
      area.draw(size, at, picture(now, at));
      set(area.drawing, { "aria-label": `${label}, at step ${now.t} of ${now.T}` });
      redraw(readout, sentences(now));
      redraw(facts, sums(now));
      return [readout.querySelector("p").textContent, `The pattern is ${label}.`];
    },
  };
});

/** Buttons that each set a picture. */
const pictures = (choose) =>
  html(
    "div",
    { class: "uf-control shapes", role: "group", "aria-label": "pictures" },
    Object.entries(SHAPES).map(([name, image]) => button(name, () => choose(image))),
    button("blank", () => choose("0".repeat(9))),
  );

/** Return what changes when pixel or letter `id` becomes the other one. */
function turned(model, id) {
  const [key, other] =
    model.get("pattern") === "one-one"
      ? ["image", { 0: "1", 1: "0" }]
      : ["letters", { a: "b", b: "a" }];
  const list = [...model.get(key)];
  list[id - 1] = other[list[id - 1]];
  return { [key]: list.join("") };
}

/** Let a click, Space or Enter change a pixel or a letter, and a click on a step select it. */
function holdCells(drawing, { turn, choose }) {
  drawing.addEventListener("keydown", (event) => {
    const node = event.target.closest("[data-node]");
    if (!node || (event.key !== " " && event.key !== "Enter")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    turn(Number(node.dataset.node));
  });
  drawing.addEventListener("click", (event) => {
    const node = event.target.closest("[data-node]");
    const step = event.target.closest("[data-step]");
    if (node) turn(Number(node.dataset.node));
    else if (step) choose(Number(step.dataset.step));
    event.stopImmediatePropagation();
  });
  roving(drawing, () => {}); // only for the arrow keys
}

/** Show or hide a control; a hidden one can't be reached by keys either. */
function show(node, there) {
  node.hidden = !there;
  for (const part of [node, ...node.querySelectorAll("input, button, select")])
    if ("disabled" in part) part.disabled = !there;
}

/** Radio buttons for the five patterns, each a small drawing with its name. */
function ways(model, { options }) {
  const name = uniqueId("pattern");
  const inputs = options.map(({ value }) =>
    html("input", { type: "radio", name, onchange: () => setAll(model, { pattern: value }) }),
  );
  const follow = () =>
    inputs.forEach((input, i) => (input.checked = options[i].value === model.get("pattern")));
  model.on("change:pattern", follow);
  follow();
  return html(
    "fieldset",
    { class: "ways" },
    html("legend", { class: "uf-hidden" }, meta.controls.pattern.label),
    options.map(({ value, label }, i) =>
      html(
        "label",
        {},
        inputs[i],
        html(
          "span",
          { class: "way" },
          small(value),
          html(
            "span",
            {},
            label.split(/(?<=,)/).map((part) => html("span", {}, part)),
          ),
        ),
      ),
    ),
  );
}

const number = (value) => format(value, Number.isInteger(value) ? 0 : 1);
const bold = (kind, ...words) => html("b", { class: kind }, ...words);

/** What happens at the step, and the sum behind each unit. */
function sentences({ steps, reads, pattern, review, writes, answers, units, right, T, t }) {
  const { parts, h, says, wrong, o } = steps[t - 1];
  const word = reads[t - 1];
  const named =
    {
      "one-one": "a picture",
      "many-one": [bold("input", `“${words(review)[t - 1] ?? ""}”`), ` (${word})`],
    }[pattern] ?? bold("input", word);
  const reading = [T > 1 ? "it" : "It", " reads ", word === null ? "nothing" : named];
  const speaking =
    says === null
      ? writes.slice(0, t).some(Boolean)
        ? "outputs nothing"
        : "outputs nothing yet"
      : ["outputs ", bold(wrong ? "loss" : "output", says)];
  const which =
    pattern === "delayed" && says !== null
      ? `, the ${ORDER[t - 1 - (T - reads.filter(Boolean).length)]} letter`
      : "";
  const rows = units.map((name, i) =>
    tableRow(
      {},
      html("th", { scope: "row" }, name),
      ...[parts[i].input, parts[i].before, parts[i].bias].map((value, j) =>
        html("td", { class: ["input", "state", "own"][j] }, number(value)),
      ),
      html("td", { class: "sum" }, number(parts[i].sum)),
      html("td", { class: "bulb" }, bulb(h[i], pattern)),
    ),
  );
  const best = Math.max(...o);
  return [
    html(
      "p",
      {},
      bold("", T > 1 ? `Step ${t}: ` : ""),
      [reading, word === null && says === null ? "" : " and ", speaking, which],
      wrong && [". The right output is ", bold("target", right[t - 1])],
      ".",
    ),
    html(
      "table",
      {},
      html("thead", {}, headRow("unit", "input", "before", "bias", "sum", "is")),
      html("tbody", {}, rows.reverse()),
    ),
    html(
      "p",
      { class: "scores" },
      writes[t - 1]
        ? [
            "Score of each output, of which the highest wins: ",
            answers.map((answer, i) => [
              i > 0 && " ",
              html(
                "span",
                { class: o[i] === best ? "best" : "" },
                html("span", { class: "chip" }, answer),
                `\u00a0${number(o[i])}`,
              ),
            ]),
          ]
        : "No answer is due.",
    ),
  ];
}

const bulb = (value, pattern) =>
  pattern === "delayed"
    ? html("span", {}, value > 0 ? "● a" : value < 0 ? "○ b" : "·")
    : html("span", { title: value > 0 ? "on" : "off" }, value > 0 ? "●" : "○");

/** The number of early answers, and of states that the network must distinguish. */
function sums({ pattern, k, early, outputs }) {
  const [many, what] = {
    "one-one": ["no", "no state is passed on"],
    "one-many": [MOST.n + 1, `numbers left to write, 0 to ${MOST.n}`],
    "many-one": [7, "a sum, limited to −3 to 3"],
    delayed: [
      2 ** (k + 1),
      k ? `the last ${k + 1} letters: 2${"⁰¹²³⁴⁵⁶"[k + 1]}` : "the current letter",
    ],
    aligned: [4, "two units: 2²"],
  }[pattern];
  return [
    fact(
      `${early} of ${outputs}`,
      [
        html("i", { class: "early uf-fill" }),
        outputs === 1 ? "output comes early" : "outputs come early",
      ],
      "before the last input is read",
    ),
    fact(many, "states needed", what),
  ];
}
