import { control, controls, holds, setAll } from "../../lib/controls.js";
import { drawingOf, html, pointIn, redraw, set, setSize, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { knob } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { clamp, format } from "../../lib/scales.js";
import { path, place, rect } from "../../lib/shapes.js";
import { keepDrawn, presets, settings } from "../../lib/stage.js";
import { encode, FLOORS, kept, left, LITTLE } from "./math.js";
import { meta } from "./meta.js";

const NAMES = ["first floor", "second floor", "third floor"];
const HIGHEST = 1.3; // of a bar: a state can be as far away as no two places of a text are
const TEXTS = {
  "a sentence": { text: meta.controls.text.default, at: 5 },
  "a quotation": { text: 'a "quoted text" of three words', at: 4 },
  "one letter": { text: "aaaaaaaaaaaaaaaaaaaaaaaa", at: 4 },
};

export function render({ model, el }) {
  const { controls: spec } = meta;
  const [plot, held] = [svg("g"), knob({ class: "letter" })];
  const drawing = drawingOf("A text, and above it what each floor keeps of one letter");
  drawing.append(plot, held);
  const area = html("div", { class: "area" }, drawing);
  const facts = html("div", { class: "facts" });
  const status = live();
  let [now, at] = [null, null];
  el.classList.add("fig-floors");
  el.append(
    html("div", { class: "stage" }, area, facts),
    controls(control(model, "text", spec.text)),
    controls(
      presets(model, "Texts", TEXTS, ["net"]),
      control(model, "net", spec.net),
      control(model, "at", spec.at),
    ),
    guess(meta.prediction, () => setAll(model, { net: "after" })),
    status,
  );
  const column = ({ x }) => clamp(Math.floor((x - at.left) / at.cell) + 1, 1, now.letters.length);
  const follow = holds(held, model, "at", spec.at, {
    surface: drawing,
    at: column,
    text: (place) => now?.letters[place - 1] ?? String(place),
  });
  plot.addEventListener("click", (event) => setAll(model, { at: column(pointIn(drawing, event)) }));
  return keepDrawn(model, area, (size) => {
    now = look(settings(model, spec));
    at = scales(size, now);
    setSize(drawing, size.width, at.height);
    redraw(plot, picture(now, at));
    set(held, { visibility: now.letters.length ? null : "hidden" });
    place(held, at.x(now.at), at.base + 2.6 * at.em);
    follow();
    facts.replaceChildren(...now.shares.map((shares, i) => fact(shares, i, now)));
    status.announce(spoken(now));
  });
}

/** All that is drawn and said of a setting. */
function look({ net, text: typed, at }) {
  const letters = Array.from(typed);
  const chosen = clamp(at, 1, Math.max(letters.length, 1)) - 1;
  const shares = letters.length ? left(net, encode(typed), chosen) : [];
  return { net, letters, at: chosen, shares, kept: shares.map(kept) };
}

function scales({ width, em, room }, { letters }) {
  const slide = room < Infinity;
  const indent = 2.4 * em;
  const n = Math.max(letters.length, 12);
  const cell = Math.min((width - indent - 0.5 * em) / n, 1.7 * em);
  const row = (slide ? 4.2 : 5.6) * em;
  return {
    ...{ em, cell, left: indent, width, font: Math.max(slide ? em : 0.85 * em, 12) },
    ...{ x: (place) => indent + (place + 0.5) * cell, row, tall: row - 2 * em },
    // Letters wider than their column would run into each other.
    letter: Math.max(Math.min(em, cell / 0.62), 12),
    ...{ base: FLOORS * row, height: FLOORS * row + 3.6 * em },
  };
}

function picture(now, at) {
  const { letters, shares } = now;
  const { em, x, cell, base } = at;
  if (!letters.length) return [text(at, at.left, base / 2, {}, "Type a few letters.")];
  const all = shares.map((row, floor) => storey(row, floor, now, at));
  const line = letters.map((letter, i) => {
    const known = letter === " " ? "·" : letter;
    const kind = i === now.at ? "glyph chosen" : "glyph";
    return text({ ...at, font: at.letter }, x(i), base + 1.1 * em, { class: kind }, known);
  });
  const mark = rect(x(now.at) - cell / 2, 0, cell, base + 1.9 * em, { class: "column" });
  return [mark, all, line];
}

/** One floor: its name, a line at a tenth, and a bar for the marked letter and each after it. */
function storey(row, floor, { at: chosen, letters }, at) {
  const { em, x, cell, tall, left: start } = at;
  const foot = at.base - floor * at.row;
  const y = (share) => foot - (clamp(share, 0, HIGHEST) / HIGHEST) * tall;
  const end = start + cell * letters.length;
  const rule = (share, kind) =>
    svg("path", {
      class: kind,
      d: path([
        [start, y(share)],
        [end, y(share)],
      ]),
    });
  const bar = (share, k) => {
    const kind = share < LITTLE ? "bar faint" : "bar";
    const wide = Math.max(cell - 2, 1);
    return rect(x(chosen + k) - wide / 2, y(share), wide, foot - y(share), { class: kind });
  };
  return [
    text(at, start, foot - tall - 0.9 * em, { class: "title" }, NAMES[floor]),
    [1, LITTLE].map((share) => [
      rule(share, "grid"),
      text(at, start - 0.4 * em, y(share), { class: "tick" }, share),
    ]),
    rule(0, "ground"),
    row.map(bar),
  ];
}

// ---- the words

const letters = (n) => (n === 1 ? "letter" : "letters");

function fact(shares, floor, now) {
  const n = now.kept[floor];
  const [number, what] =
    n === null
      ? [
          `${now.letters.length - now.at - 1} or more`,
          "letters later: the text ends before it is gone",
        ]
      : [String(n), `${letters(n)} later nine tenths are gone`];
  const next = shares[1] === undefined ? "" : `${format(shares[1], 2)} of it after one letter`;
  return html(
    "p",
    { class: "fact" },
    html("small", {}, NAMES[floor]),
    html("b", {}, number),
    ` ${what}`,
    html("small", {}, next),
  );
}

function spoken({ letters: read, at, kept: gone, net }) {
  if (!read.length) return "There is nothing to read.";
  const told = gone.map(
    (n, floor) =>
      `${NAMES[floor]}: ${n === null ? "to the end of the text" : `${n} ${letters(n)}`}`,
  );
  return `${net === "before" ? "Before" : "After"} training, “${read[at]}” is kept so long: ${told.join(", ")}.`;
}
