import { control, controls, holds, setAll, transport } from "../../lib/controls.js";
import { drawingOf, html, pointIn, redraw, setSize, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { knob } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { argmax } from "../../lib/vectors.js";
import { clamp, format } from "../../lib/scales.js";
import { path, place, rect } from "../../lib/shapes.js";
import { keepDrawn, presets, settings } from "../../lib/stage.js";
import { bets, KINDS, possible, split, spoken, WORDS } from "./math.js";
import { meta } from "./meta.js";

const NAMES = { past: "hears the past", both: "hears both ways" };
const UTTERANCES = {
  bottle: { text: "bottle", heard: 2, at: 1 },
  boy: { text: "boy", heard: 2, at: 1 },
  "three words": { text: "boyboostbold", heard: 4, at: 4 },
  "cut short": { text: "borderbo", heard: 8, at: 7 },
};

export function render({ model, el }) {
  const { controls: spec } = meta;
  const [plot, ear, asked] = [svg("g"), knob({ class: "ear" }), knob({ class: "asked" })];
  const drawing = drawingOf("What is said, letter by letter, and what two networks make of it");
  drawing.append(plot, ear, asked);
  const area = html("div", { class: "area" }, drawing);
  const readout = html("p", { class: "readout" });
  const status = live();
  let [now, at] = [null, null];
  const time = transport(model, "heard", {
    ...spec.heard,
    limit: () => now?.letters.length ?? spec.heard.default,
    interval: 900,
    text: (t) => `${Math.min(t, now?.letters.length ?? t)} of ${now?.letters.length ?? t}`,
  });
  el.classList.add("fig-bo");
  el.append(
    html("div", { class: "stage" }, area, readout),
    controls(control(model, "text", spec.text), time),
    controls(
      presets(model, "Utterances", UTTERANCES, ["best"]),
      control(model, "at", spec.at),
      control(model, "best", spec.best),
    ),
    guess(meta.prediction, () => setAll(model, { text: "bottle", heard: 6, at: 1 })),
    status,
  );
  const column = ({ x }) => clamp(Math.floor((x - at.left) / at.cell) + 1, 1, now.letters.length);
  const letter = (k) => now?.letters[k - 1] ?? String(k);
  const follow = [
    holds(ear, model, "heard", spec.heard, { surface: drawing, at: column, text: letter }),
    holds(asked, model, "at", spec.at, { surface: drawing, at: column, text: letter }),
  ];
  plot.addEventListener("click", (event) => {
    const point = pointIn(drawing, event);
    if (point.y < at.strip) setAll(model, { at: Math.min(column(point), now.heard) });
  });
  return keepDrawn(model, area, (size) => {
    now = look(settings(model, spec), now);
    at = scales(size, now);
    setSize(drawing, size.width, at.height);
    redraw(plot, strip(now, at), table(now, at));
    place(ear, at.left + now.heard * at.cell, at.mark);
    place(asked, at.x(now.at), at.mark);
    for (const refresh of follow) refresh();
    time.update();
    readout.replaceChildren(...(now.problem ? [now.problem] : told(now)));
    status.announce(readout.textContent);
  });
}

/** All that is drawn and said; what is no run of words leaves what was there before. */
function look(state, before) {
  const said = spoken(state.text);
  const words = said && split(said);
  if (!words) {
    const why = `“${state.text}” is no run of words. They are ${WORDS.join(", ")}.`;
    return { ...(before ?? look({ ...state, text: "bottle" })), problem: why };
  }
  const heard = clamp(state.heard, 1, said.length);
  const asked = clamp(state.at, 1, heard) - 1;
  const so_far = said.slice(0, heard);
  const of = (make) => Object.fromEntries(KINDS.map((kind) => [kind, make(kind)]));
  const found = of((kind) => bets(kind, so_far));
  const word = words.find(({ end }) => asked < end);
  const fitting = (t) => words.find(({ end }) => t < end).fit;
  return {
    ...{ letters: [...said], heard, at: asked, word, problem: null },
    found,
    best: state.best ? of((kind) => possible(so_far, kind === "both")[asked]) : null,
    right: of((kind) => found[kind].map((row, t) => fitting(t).includes(WORDS[argmax(row)]))),
  };
}

function scales({ width, em, room }, { letters }) {
  const slide = room < Infinity;
  const left = 7.4 * em;
  const cell = Math.min((width - left - 0.8 * em) / Math.max(letters.length, 8), 2.2 * em);
  const narrow = width < 26 * em;
  const row = (slide ? 1.02 : 1.75) * em;
  const indent = narrow ? 0 : left;
  const [top, mark] = [1.1 * em, 2.9 * em];
  const lines = { past: mark + 1.7 * em, both: mark + 3 * em };
  const strip = lines.both + 0.8 * em;
  const first = strip + 1.4 * em;
  return {
    ...{
      em,
      left: indent,
      cell: narrow ? Math.min((width - 0.8 * em) / letters.length, 2.2 * em) : cell,
    },
    ...{ width, narrow, row, top, mark, lines, strip, first },
    font: Math.max(slide ? em : 0.9 * em, 12),
    x(place) {
      return this.left + (place + 0.5) * this.cell;
    },
    bars: 5.2 * em,
    long: width - 5.2 * em - 3.2 * em,
    height: first + WORDS.length * row + 0.3 * em,
  };
}

/** The letters, how far they have been spoken, and of which of them each network names the word. */
function strip({ letters, heard, at: asked, right }, at) {
  const { em, cell, top, mark, lines, left } = at;
  const glyph = (letter, i) => {
    const kind = i === asked ? "glyph chosen" : i < heard ? "glyph" : "glyph ahead";
    return text(
      { font: Math.max(Math.min(1.25 * em, cell * 1.2), 12) },
      at.x(i),
      top,
      { class: kind },
      letter,
    );
  };
  const dots = (kind) => [
    !at.narrow && text(at, left - 0.5 * em, lines[kind], { class: `name ${kind}` }, NAMES[kind]),
    right[kind].map((yes, t) =>
      svg("circle", {
        ...{ cx: at.x(t), cy: lines[kind], r: Math.min(0.36 * em, 0.4 * cell) },
        class: `dot ${kind}${yes ? " right" : ""}`,
      }),
    ),
  ];
  const end = left + heard * cell;
  return [
    rect(at.x(asked) - cell / 2, 0, cell, at.strip, { class: "column" }),
    rect(left, 0, letters.length * cell, at.strip, { class: "target" }),
    svg("path", {
      class: "rule",
      d: path([
        [left, mark],
        [left + letters.length * cell, mark],
      ]),
    }),
    svg("path", {
      class: "edge",
      d: path([
        [end, 0],
        [end, mark],
      ]),
    }),
    letters.map(glyph),
    KINDS.map(dots),
  ];
}

/** For each word what either network gives to it, at the letter that is asked of. */
function table({ found, best, at: asked, word }, at) {
  const { em, row, first, bars, long } = at;
  const y = (k) => first + k * row;
  const high = 0.36 * row;
  const bar = (kind, k, i) => {
    const share = found[kind][asked][k];
    const top = y(k) + i * (high + 1) - high - 0.5;
    return [
      rect(bars, top, Math.max(share * long, 1), high, { class: `bar ${kind}` }),
      best && rect(bars + best[kind][k] * long - 1, top - 1, 2, high + 2, { class: "best" }),
      share >= 0.995 || (share > 0.15 && share < 0.995)
        ? text(
            { font: Math.max(0.75 * em, 12) },
            bars + share * long + 0.3 * em,
            top + high / 2,
            { class: `share ${kind}` },
            format(share, 2),
          )
        : null,
    ];
  };
  return WORDS.map((name, k) => [
    text(
      at,
      bars - 0.5 * em,
      y(k),
      { class: word.fit.includes(name) && word.fit.length === 1 ? "word spoken" : "word" },
      name,
    ),
    KINDS.map((kind, i) => bar(kind, k, i)),
  ]);
}

// ---- the words

function told({ letters, heard, at, found, word }) {
  const given = (kind) => {
    const row = found[kind][at];
    const k = word.fit.length === 1 ? WORDS.indexOf(word.fit[0]) : argmax(row);
    return [
      html("b", { class: kind }, `who ${NAMES[kind]}`),
      ` gives ${format(row[k], 2)} to “${WORDS[k]}”`,
    ];
  };
  const where = `Letter ${at + 1}, ${letters[at]}, with ${heard} of ${letters.length} spoken: `;
  return [where, ...given("past"), ", ", ...given("both"), "."];
}
