import { bar, rule, ticksY, title } from "../lib/chart.js";
import { holds } from "../lib/controls.js";
import { html, pointIn, redraw, set, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { knob } from "../lib/handles.js";
import { clamp, counted, format, linear } from "../lib/scales.js";
import { place, rect } from "../lib/shapes.js";
import { presets } from "../lib/stage.js";
import { encode, FLOORS, kept, left, LITTLE } from "./math.js";
import { meta } from "./meta.js";

const NAMES = ["bottom layer", "middle layer", "top layer"];
const HIGHEST = 1.3; // the largest share that a bar shows
const TEXTS = {
  "a sentence": { text: meta.controls.text.default, at: 5 },
  "a quotation": { text: 'a "quoted text" of three words', at: 4 },
  "one letter": { text: "aaaaaaaaaaaaaaaaaaaaaaaa", at: 4 },
};

export const render = figure("floors", meta, ({ model, spec, save }) => {
  const held = knob({ class: "letter" });
  const area = areaOf(
    "A text, and above it bars that show how much of one letter each layer keeps",
    held,
  );
  const facts = html("div", { class: "facts" });
  let [now, at] = [null, null];
  const column = ({ x }) => clamp(Math.floor((x - at.left) / at.cell) + 1, 1, now.letters.length);
  const follow = holds(held, model, "at", spec.at, {
    surface: area.drawing,
    at: column,
    text: (place) => now?.letters[place - 1] ?? String(place),
  });
  area.plot.addEventListener("click", (event) =>
    save({ at: column(pointIn(area.drawing, event)) }),
  );
  return {
    parts: [stage(area, facts), ["text"], [presets(model, "Texts", TEXTS, ["net"]), "net", "at"]],
    reveal: { net: "after" },
    follow: [follow],
    update(state, size) {
      now = look(state);
      at = scales(size, now);
      area.draw(size, at, picture(now, at));
      set(held, { visibility: now.letters.length ? null : "hidden" });
      place(held, at.x(now.at), at.base + 2.6 * at.em);
      redraw(
        facts,
        now.shares.map((shares, i) => fact(shares, i, now)),
      );
      return spoken(now);
    },
  };
});

/** Return everything that a setting's drawing and words need. */
function look({ net, text: typed, at }) {
  const letters = Array.from(typed);
  const chosen = clamp(at, 1, Math.max(letters.length, 1)) - 1;
  const shares = letters.length ? left(net, encode(typed), chosen) : [];
  return { net, letters, at: chosen, shares, kept: shares.map(kept) };
}

function scales({ width, em, room }, { letters }) {
  const slide = room < Infinity;
  const left = 2.4 * em;
  const n = Math.max(letters.length, 12);
  const cell = Math.min((width - left - 0.5 * em) / n, 1.7 * em);
  const row = (slide ? 4.2 : 5.6) * em;
  return {
    ...{ em, cell, left, row, base: FLOORS * row, height: FLOORS * row + 3.6 * em },
    ...{ right: left + cell * letters.length, font: Math.max(slide ? em : 0.85 * em, 12) },
    x: (place) => left + (place + 0.5) * cell,
    // Letters wider than their column would overlap.
    letter: Math.max(Math.min(em, cell / 0.62), 12),
  };
}

function picture(now, at) {
  const { letters, shares } = now;
  const { em, x, cell, base } = at;
  if (!letters.length) return text(at, at.left, base / 2, {}, "Type a few letters.");
  return [
    rect(x(now.at) - cell / 2, 0, cell, base + 1.9 * em, { class: "column" }),
    shares.map((row, floor) => layer(row, floor, now.at, at)),
    letters.map((letter, i) =>
      text(
        { ...at, font: at.letter },
        x(i),
        base + 1.1 * em,
        { class: i === now.at ? "glyph chosen" : "glyph" },
        letter === " " ? "·" : letter,
      ),
    ),
  ];
}

/** Draw one layer: its name, a line at a tenth, and a bar for the marked letter and each after it. */
function layer(shares, floor, chosen, { row, ...whole }) {
  const { em, cell, base } = whole;
  const bottom = base - floor * row;
  const top = bottom - row + 2 * em;
  const at = { ...whole, top, above: 0.9, y: linear([0, HIGHEST], [bottom, top]) };
  const wide = Math.max(cell - 2, 1);
  return [
    title(at, NAMES[floor]),
    [1, LITTLE].map((share) => [rule(at, share, "grid"), ticksY(at, [share], String, "tick")]),
    rule(at, 0, "ground"),
    shares.map((share, k) =>
      bar(at, chosen + k, Math.min(share, HIGHEST), wide, {
        class: share < LITTLE ? "bar faint" : "bar",
      }),
    ),
  ];
}

// ---- the words

function fact(shares, floor, now) {
  const n = now.kept[floor];
  const [number, what] =
    n === null
      ? [
          `more than ${counted(now.letters.length - now.at - 1, "letter")}`,
          "(the text ends before less than a tenth is left)",
        ]
      : [counted(n, "letter"), "until less than a tenth is left"];
  const next = shares[1] === undefined ? "" : `${format(shares[1], 2)} one letter later`;
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
  if (!read.length) return "There is no text yet.";
  const times = gone.map(
    (n, floor) =>
      `${n === null ? "to the end of the text" : `for ${counted(n, "letter")}`} in the ${NAMES[floor]}`,
  );
  return `${net === "before" ? "Before" : "After"} training, “${read[at]}” is kept ${times.join(", ")}.`;
}
