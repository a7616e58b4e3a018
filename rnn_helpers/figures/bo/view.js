import { holds, transport } from "../lib/controls.js";
import { html, pointIn, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { knob } from "../lib/handles.js";
import { argmax } from "../lib/vectors.js";
import { clamp, format } from "../lib/scales.js";
import { path, place, rect } from "../lib/shapes.js";
import { presets } from "../lib/stage.js";
import { bets, KINDS, possible, split, spoken, WORDS } from "./math.js";
import { meta } from "./meta.js";

const NAMES = { past: "forward", both: "bidirectional" };
const start = (text) => ({ text, heard: 2, at: 1 });
const SINGLE = { bottle: start("bottle"), boy: start("boy"), border: start("border") };
const TEXTS = {
  bottle: { text: "bottle", heard: 2, at: 1 },
  boy: { text: "boy", heard: 2, at: 1 },
  "three words": { text: "boyboostbold", heard: 4, at: 4 },
  "cut short": { text: "borderbo", heard: 8, at: 7 },
};

export const render = figure("bo", meta, ({ model, spec, save }) => {
  const all = model.get("view") === "all";
  const [ear, asked] = [knob({ class: "ear" }), knob({ class: "asked" })];
  const area = areaOf("A text and the probabilities of ten words", ear, all ? asked : []);
  const { drawing, plot } = area;
  const readout = html("p", { class: "readout" });
  let [now, at] = [null, null];
  const time = transport(model, "heard", {
    ...spec.heard,
    limit: () => now?.letters.length ?? spec.heard.default,
    text: (t) => `${Math.min(t, now?.letters.length ?? t)} of ${now?.letters.length ?? t}`,
  });
  const column = ({ x }) => clamp(Math.floor((x - at.left) / at.cell) + 1, 1, now.letters.length);
  const letter = (k) => now?.letters[k - 1] ?? String(k);
  const held = (node, key) =>
    holds(node, model, key, spec[key], { surface: drawing, at: column, text: letter });
  plot.addEventListener("click", (event) => {
    const point = pointIn(drawing, event);
    if (all && point.y < at.strip) save({ at: Math.min(column(point), now.heard) });
  });
  return {
    parts: [
      stage(area, readout),
      all ? ["text", time] : [presets(model, "Words", SINGLE, ["heard", "at"]), time],
      all && [presets(model, "Texts", TEXTS, ["best"]), "at", "best"],
    ],
    // The prediction is about the first letter of a single word.
    reveal: !all && { text: "bottle", heard: 6, at: 1 },
    follow: [held(ear, "heard"), all && held(asked, "at"), time].filter(Boolean),
    update(state, size) {
      now = { ...look(state, now), all };
      at = scales(size, now);
      area.draw(size, at, strip(now, at), table(now, at));
      place(ear, at.left + now.heard * at.cell, at.mark);
      place(asked, at.x(now.at), at.mark);
      redraw(readout, now.problem ?? told(now));
      return readout.textContent;
    },
  };
});

/** Return everything that the drawing and the words need. After a text with other words, the drawing stays. */
function look(state, before) {
  const said = spoken(state.text);
  const words = said && split(said);
  if (!words) {
    const why = `“${state.text}” isn't a sequence of these words: ${WORDS.join(", ")}.`;
    return { ...(before ?? look({ ...state, text: "bottle" })), problem: why };
  }
  const heard = clamp(state.heard, 1, said.length);
  const asked = clamp(state.at, 1, heard) - 1;
  const soFar = said.slice(0, heard);
  const of = (make) => Object.fromEntries(KINDS.map((kind) => [kind, make(kind)]));
  const found = of((kind) => bets(kind, soFar));
  const word = words.find(({ end }) => asked < end);
  const fitting = (t) => words.find(({ end }) => t < end).fit;
  return {
    ...{ letters: [...said], heard, at: asked, word, problem: null },
    found,
    best: state.best ? of((kind) => possible(soFar, kind === "both")[asked]) : null,
    right: of((kind) => found[kind].map((row, t) => fitting(t).includes(WORDS[argmax(row)]))),
  };
}

function scales({ width, em, room }, { letters, all }) {
  const slide = room < Infinity;
  const narrow = width < 26 * em;
  const left = !all ? 5.2 * em : narrow ? 0 : 7.4 * em;
  const columns = all && narrow ? letters.length : Math.max(letters.length, 8);
  const cell = Math.min((width - left - 0.8 * em) / columns, 2.2 * em);
  const row = (slide ? 1.02 : 1.75) * em;
  const [top, mark] = [1.1 * em, 2.9 * em];
  // In a narrow drawing, the names of the networks are above their dots.
  const lines =
    all && narrow
      ? { past: mark + 2.5 * em, both: mark + 4.7 * em }
      : { past: mark + 1.7 * em, both: mark + 3 * em };
  const strip = lines.both + 0.8 * em;
  const first = strip + 1.4 * em;
  return {
    ...{ em, left, cell, narrow, row, top, mark, lines, strip, first },
    font: Math.max(slide ? em : 0.9 * em, 12),
    small: { font: Math.max((slide ? 0.92 : 0.75) * em, 12) },
    x: (place) => left + (place + 0.5) * cell,
    bars: 5.2 * em,
    long: width - 8.4 * em,
    height: first + WORDS.length * row + 0.3 * em,
  };
}

/**
 * Draw the letters and how many have been read. Below them, draw the letters at which each network names
 * the right word, or the legend of the bars.
 */
function strip({ letters, heard, at: asked, right, all }, at) {
  const { em, cell, top, mark, lines, left } = at;
  const big = { font: Math.max(Math.min(1.25 * em, cell * 1.2), 12) };
  const glyph = (letter, i) => {
    const kind = i === asked ? "glyph chosen" : i < heard ? "glyph" : "glyph ahead";
    return text(big, at.x(i), top, { class: kind }, letter);
  };
  const dots = (kind) => [
    at.narrow
      ? text(at, 0, lines[kind] - 1.1 * em, { class: `legend ${kind}` }, NAMES[kind])
      : text(at, left - 0.5 * em, lines[kind], { class: `name ${kind}` }, NAMES[kind]),
    right[kind].map((yes, t) =>
      svg("circle", {
        ...{ cx: at.x(t), cy: lines[kind], r: Math.min(0.36 * em, 0.4 * cell) },
        class: `dot ${kind}${yes ? " right" : ""}`,
      }),
    ),
  ];
  const legend = (kind) => [
    rect(left, lines[kind] - 0.35 * em, 1.6 * em, 0.6 * em, { class: `bar ${kind}` }),
    text(at, left + 2 * em, lines[kind], { class: `legend ${kind}` }, `${NAMES[kind]} network`),
  ];
  const stroke = (name, ...ends) => svg("path", { class: name, d: path(ends) });
  const [here, end] = [left + heard * cell, left + letters.length * cell];
  return [
    rect(at.x(asked) - cell / 2, 0, cell, all ? at.strip : mark, { class: "column" }),
    all && rect(left, 0, letters.length * cell, at.strip, { class: "target" }),
    stroke("rule", [left, mark], [end, mark]),
    stroke("edge", [here, 0], [here, mark]),
    letters.map(glyph),
    KINDS.map(all ? dots : legend),
  ];
}

/** Draw the probability that each network gives to each word at the chosen letter. */
function table({ found, best, at: asked, word }, at) {
  const { em, row, first, bars, long, small } = at;
  const y = (k) => first + k * row;
  const high = 0.36 * row;
  const bar = (kind, k, i) => {
    const share = found[kind][asked][k];
    const top = y(k) + i * (high + 1) - high - 0.5;
    const [x, middle] = [bars + share * long + 0.3 * em, top + high / 2];
    return [
      rect(bars, top, Math.max(share * long, 1), high, { class: `bar ${kind}` }),
      best && rect(bars + best[kind][k] * long - 1, top - 1, 2, high + 2, { class: "best" }),
      share > 0.15 && text(small, x, middle, { class: `share ${kind}` }, format(share, 2)),
    ];
  };
  const tick = (share, words) =>
    text(at, bars + share * long, first - 1.02 * em, { class: "tick" }, words);
  const names = WORDS.map((name, k) => {
    const kind = word.fit.includes(name) && word.fit.length === 1 ? "word spoken" : "word";
    return [
      text(at, bars - 0.5 * em, y(k), { class: kind }, name),
      KINDS.map((kind, i) => bar(kind, k, i)),
    ];
  });
  return [tick(0, "0"), tick(0.5, "probability"), tick(1, "1"), names];
}

// ---- the words

function told({ letters, heard, at, found, word }) {
  const given = (kind) => {
    const row = found[kind][at];
    const k = word.fit.length === 1 ? WORDS.indexOf(word.fit[0]) : argmax(row);
    return [
      ...["the ", html("b", { class: kind }, `${NAMES[kind]} network`)],
      ` gives “${WORDS[k]}” probability ${format(row[k], 2)}`,
    ];
  };
  const where = `The networks have read ${heard} of ${letters.length} letters. For letter ${at + 1}, ${letters[at]}, `;
  return [where, ...given("past"), ", and ", ...given("both"), "."];
}
