// The inputs for a guess, a function for each kind of question. `settings` are the figure's, with the
// `id` of the question; `take(guess)` receives a guess, `update({ guess, revealed })` shows it.
import { rows } from "../lib/asked.js";
import { html, responsive, setSize, svg } from "../lib/dom.js";
import { draggable, keySlider } from "../lib/handles.js";
import { clamp, linear, log } from "../lib/scales.js";
import { spell } from "./math.js";

function choice({ id, choices, answer }, take) {
  const part = rows(id, choices, "radio", take);
  return { ...part, update: ({ revealed }) => part.mark(revealed ? [answer] : null) };
}

function number({ id, min, max, unit }, take, reveal) {
  const value = () => (Number.isFinite(field.valueAsNumber) ? field.valueAsNumber : null);
  const field = html("input", {
    type: "number",
    step: "any",
    min,
    max,
    "aria-labelledby": id,
    oninput: () => take(value()),
    onkeydown: (event) => event.key === "Enter" && value() !== null && reveal(),
  });
  return {
    node: html(
      "div",
      { class: "uf-controls" },
      html("div", { class: "uf-control" }, field, html("span", {}, unit)),
    ),
    clear: () => (field.value = ""),
    focus: () => field.focus(),
    update: ({ revealed }) => (field.disabled = revealed),
  };
}

const STEPS = 100; // of the keyboard, along the line

function drag(settings, take) {
  const { question, unit, min, max } = settings;
  const share = (settings.log ? log : linear)([min, max], [0, STEPS]);
  const tidy = (value) => clamp(Number(value.toPrecision(3)), min, max);
  const start = tidy(share.invert(STEPS / 2));
  const handle = svg("g", { class: "handle" });
  const rest = svg("g", { "aria-hidden": "true" });
  const line = svg("svg", { class: "uf-drawing" }, rest, handle);
  const node = html("div", { class: "line" }, line);
  let size = null;
  let state = { guess: null, revealed: false };
  const moveTo = (place) => !state.revealed && take(tidy(share.invert(clamp(place, 0, STEPS))));
  const follow = keySlider(handle, {
    label: question,
    min: 0,
    max: STEPS,
    get: () => share(state.guess ?? start),
    change: moveTo,
    text: () => (state.guess === null ? "no guess yet" : spell(state.guess, unit)),
  });
  const across = () => linear([0, STEPS], [2 * size.em, size.width - 2 * size.em]);
  draggable(handle, { surface: line, move: ({ x }) => moveTo(across().invert(x)) });
  line.addEventListener("click", (event) => {
    if (!handle.contains(event.target)) moveTo(across().invert(event.offsetX));
  });
  const draw = () => {
    if (!size) return;
    const at = { ...size, share, across: across(), y: 2.6 * size.em, font: 0.9 * size.em };
    const here = at.across(share(state.guess ?? start));
    setSize(line, size.width, 5 * size.em);
    rest.replaceChildren(
      ...axis(at),
      ...(state.revealed ? answerMark(at, settings, state.guess === null ? null : here) : []),
    );
    handle.replaceChildren(
      ...knobAt(at, here, state.guess === null ? "drag me" : spell(state.guess, unit)),
    );
    follow();
  };
  const cleanup = responsive(node, (next) => {
    size = next;
    draw();
  });
  return {
    node,
    clear() {},
    focus: () => handle.focus(),
    update(next) {
      state = next;
      draw();
    },
    cleanup,
  };
}

/** The line with round numbers, as many as there is room for. */
function axis({ width, em, font, share, across, y }) {
  const ticks = share.ticks(Math.max(2, Math.floor(width / (7 * em))));
  const sparse = Math.ceil(ticks.length / (width / (4 * em)));
  const stroke = (x1, y1, x2, y2) => svg("line", { class: "axis", x1, y1, x2, y2 });
  return [
    stroke(across(0), y, across(STEPS), y),
    ...ticks
      .filter((_, i) => i % sparse === 0)
      .flatMap((value) => {
        const x = across(share(value));
        return [
          stroke(x, y - 0.3 * em, x, y + 0.3 * em),
          label(x, y + 1.5 * em, font, { class: "tick" }, spell(value)),
        ];
      }),
  ];
}

/** Where the answer is, and how far from the guess, if there is one. */
function answerMark({ em, font, share, across, y }, { answer, unit }, guess) {
  const x = across(share(answer));
  const [y1, y2] = [y - 0.9 * em, y + 0.9 * em];
  return [
    ...(guess === null ? [] : [svg("line", { class: "gap", x1: guess, x2: x, y1: y, y2: y })]),
    svg("line", { class: "answer", x1: x, x2: x, y1, y2 }),
    label(x, y + 2.1 * em, font, { class: "answer" }, `answer: ${spell(answer, unit)}`),
  ];
}

const knobAt = ({ width, em, y }, x, words) => [
  svg("circle", { class: "uf-ring", cx: x, cy: y, r: Math.max(14, 1.1 * em) }),
  svg("circle", { class: "knob", cx: x, cy: y, r: 0.6 * em }),
  label(clamp(x, 3 * em, width - 3 * em), y - 1.3 * em, em, {}, words),
];

const label = (x, y, font, attributes, words) =>
  svg("text", { x, y, "text-anchor": "middle", "font-size": font, ...attributes }, words);

export const INPUTS = { choice, number, drag };
