import { button, control, controls, setAll, transport } from "../../lib/controls.js";
import { drawingOf, html, redraw, set, setSize, uniqueId } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { live } from "../../lib/linked.js";
import { roving } from "../../lib/roving.js";
import { format } from "../../lib/scales.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import { layout, picture, small } from "./drawing.js";
import { meta } from "./meta.js";
import { MOST, run, SHAPES, words } from "./math.js";

/** The controls that a pattern has, beside the step. */
const OWN = {
  "one-one": [],
  "one-many": ["n"],
  "many-one": ["review"],
  delayed: ["letters", "k"],
  aligned: ["code"],
};
const REVEAL = { pattern: "delayed", letters: "abbab", k: 4, t: 5 };
const ORDER = ["first", "second", "third", "fourth", "fifth", "sixth"];

export function render({ model, el }) {
  const { controls: spec } = meta;
  const drawing = drawingOf(null);
  const area = html("div", { class: "area" }, drawing);
  const tape = html("p", { class: "tape" });
  const readout = html("div", { class: "readout" });
  const facts = html("div", { class: "facts" });
  const status = live();
  let now, t;
  // The step that is shown: a text may have become shorter than the step that was chosen.
  const clock = { ...model, get: (key) => (key === "t" ? t : model.get(key)) };
  const look = () => {
    now = { ...run(settings(model, spec)), pattern: model.get("pattern") };
    t = Math.min(model.get("t"), now.T);
  };
  look();
  const write = (changes) => setAll(model, changes);

  const clocked = transport(clock, "t", {
    ...spec.t,
    limit: () => now.T,
    text: (value) => `step ${value} of ${now.T}`,
  });
  const own = ["n", "review", "letters", "k", "code"].map((key) => [
    key,
    control(model, key, spec[key]),
  ]);
  const shapes = pictures((image) => write({ image }));
  el.classList.add("fig-mappings");
  el.append(
    ways(model, spec.pattern),
    html("div", { class: "stage" }, html("div", {}, tape, area, facts), readout),
    controls(clocked, ...own.map(([, node]) => node), shapes),
    guess(meta.prediction, () => write(REVEAL)),
    status,
  );

  function update(size) {
    look();
    const { pattern } = now;
    for (const [key, node] of own) show(node, OWN[pattern].includes(key));
    show(shapes, pattern === "one-one");
    show(clocked, now.T > 1);
    clocked.update();
    tape.hidden = pattern !== "many-one";
    tape.replaceChildren(
      ...words(model.get("review")).flatMap((word, i) => [
        html("span", { class: i + 1 === t ? "now" : i + 1 < t ? "past" : "" }, word),
        " ",
      ]),
    );
    draw(drawing, now, t, size);
    readout.replaceChildren(...sentences(now, t, model));
    facts.replaceChildren(...sums(now, model));
    const { label } = spec.pattern.options.find(({ value }) => value === pattern);
    status.announce(readout.querySelector("p").textContent, `The pattern is ${label}.`);
  }
  holdCells(drawing, {
    turn: (id) => write(turned(model, id)),
    choose: (step) => write({ t: step }),
  });
  model.on("change:pattern", clocked.stop);
  return keepDrawn(model, area, update, { clocks: [clocked] });
}

/** Buttons that each set a picture. */
const pictures = (choose) =>
  html(
    "div",
    { class: "uf-control shapes", role: "group", "aria-label": "pictures" },
    Object.entries(SHAPES).map(([name, image]) => button(name, () => choose(image))),
    button("blank", () => choose("0".repeat(9))),
  );

/** Draw all anew, and give the focus back to what had it. */
function draw(drawing, now, t, size) {
  const at = layout(now, size);
  const held = document.activeElement?.closest?.("[data-node]");
  const again = drawing.contains(held) && held.dataset.node;
  setSize(drawing, at.width, at.height);
  set(drawing, { "aria-label": `${label(now.pattern)}, at step ${t} of ${now.T}` });
  redraw(drawing, picture(now, t, at));
  if (!again) return;
  const node = drawing.querySelector(`[data-node="${again}"]`);
  (node ?? drawing.querySelector("[data-node]"))?.focus({ preventScroll: true });
}

/** What a pixel or a letter becomes when it is turned into the other one. */
function turned(model, id) {
  const [key, other] =
    model.get("pattern") === "one-one"
      ? ["image", { 0: "1", 1: "0" }]
      : ["letters", { a: "b", b: "a" }];
  const list = [...model.get(key)];
  list[id - 1] = other[list[id - 1]];
  return { [key]: list.join("") };
}

/** Pixels and letters are turned by a click, space and Enter; a click on a step chooses it. */
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
  roving(drawing, () => {}); // the arrow keys go from one to the next
}

/** What is not shown cannot be reached either. */
function show(node, there) {
  node.hidden = !there;
  for (const part of [node, ...node.querySelectorAll("input, button, select")])
    if ("disabled" in part) part.disabled = !there;
}

const label = (pattern) =>
  meta.controls.pattern.options.find(({ value }) => value === pattern).label;

/** The five ways, each a small drawing with its name. */
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
function sentences(now, t, model) {
  const { steps, reads, pattern, writes, answers, units, right, T } = now;
  const { parts, h, says, wrong, o } = steps[t - 1];
  const word = reads[t - 1];
  const named =
    {
      "one-one": "a picture",
      "many-one": [bold("input", `“${words(model.get("review"))[t - 1] ?? ""}”`), ` (${word})`],
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
    html(
      "tr",
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
      ...[reading, word === null && says === null ? "" : " and ", speaking, which].flat(),
      ...(wrong ? [". The right output is ", bold("target", right[t - 1])] : []),
      ".",
    ),
    html(
      "table",
      {},
      html(
        "thead",
        {},
        html(
          "tr",
          {},
          ["unit", "input", "before", "bias", "sum", "is"].map((head) =>
            html("th", { scope: "col" }, head),
          ),
        ),
      ),
      html("tbody", {}, rows.reverse()),
    ),
    html(
      "p",
      { class: "scores" },
      writes[t - 1] ? "Score of each output, of which the highest wins: " : "",
      ...(writes[t - 1]
        ? answers.flatMap((answer, i) => [
            i ? " " : "",
            html(
              "span",
              { class: o[i] === best ? "best" : "" },
              html("span", { class: "chip" }, answer),
              `\u00a0${number(o[i])}`,
            ),
          ])
        : ["No answer is due."]),
    ),
  ];
}

const bulb = (value, pattern) =>
  pattern === "delayed"
    ? html("span", {}, value > 0 ? "● a" : value < 0 ? "○ b" : "·")
    : html("span", { title: value > 0 ? "on" : "off" }, value > 0 ? "●" : "○");

/** The number of early answers, and of states that the network must distinguish. */
function sums(now, model) {
  const { early, outputs } = now;
  const k = model.get("k");
  const [many, what] = {
    "one-one": ["no", "no state is passed on"],
    "one-many": [MOST.n + 1, `numbers left to write, 0 to ${MOST.n}`],
    "many-one": [7, "a sum, limited to −3 to 3"],
    delayed: [
      2 ** (k + 1),
      k ? `the last ${k + 1} letters: 2${"⁰¹²³⁴⁵⁶"[k + 1]}` : "the current letter",
    ],
    aligned: [4, "two units: 2²"],
  }[now.pattern];
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

const fact = (value, what, more) =>
  html(
    "div",
    { class: "fact" },
    html("b", {}, value),
    html("span", {}, what),
    html("small", {}, more),
  );
