import { controls, transport } from "../lib/controls.js";
import { html, pointIn, redraw, set, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { arrowKeys, draggable, sliderRole } from "../lib/handles.js";
import { clamp, format } from "../lib/scales.js";
import { rect } from "../lib/shapes.js";
import { presets } from "../lib/stage.js";
import { argmax } from "../lib/vectors.js";
import { cleaned, readings, translate } from "./math.js";
import { meta } from "./meta.js";
import { arithmetic, seen, symbol } from "./panel.js";

const ROWS = 11;

export const render = figure("attention", meta, ({ model, spec, save, control }) => {
  const marks = svg("g");
  const over = svg("rect", { class: "over", visibility: "hidden" });
  const grip = svg("rect", { class: "grip" });
  const area = areaOf("Attention weights", marks, over, grip);
  const written = html("p", { class: "written" });
  const shown = { drawing: area.drawing, over, grip, now: null, at: null };
  const sums = arithmetic((places) =>
    redraw(
      marks,
      places.map(([k, t, many]) =>
        svg("rect", { class: "part", ...around(cellAt(k, t, shown.at, many)) }),
      ),
    ),
  );
  const time = transport(model, "t", {
    ...spec.t,
    limit: () => Math.max(1, shown.now?.steps.length ?? ROWS),
    interval: 600,
    text: (t) => `step ${t}`,
  });
  holdCell(shown, save, sums);
  return {
    parts: [
      stage(
        control("date"),
        presets(model, "Dates to try", EXAMPLES, ["t", "k"]),
        area,
        // The buttons stand above everything that grows and shrinks.
        controls(time, control("sharpness")),
        written,
        sums,
        sums.answer,
      ),
    ],
    reveal: { date: "3/4/05", sharpness: 1, t: ROWS },
    follow: [time],
    update(state, size) {
      const now = look(state);
      const at = scales(size, now);
      Object.assign(shown, { now, at });
      area.draw(size, at, picture(now, at));
      set(grip, {
        x: 0,
        y: 0,
        width: at.left + at.cell * Math.max(1, now.letters.length),
        height: at.top + at.row * ROWS,
        "aria-valuenow": now.t,
        "aria-valuetext": spoken(now),
      });
      redraw(written, result(now));
      set(over, { visibility: "hidden" });
      sums.show(now);
      return [`${spoken(now)} ${written.textContent}`, `The input is “${now.letters.join("")}”.`];
    },
  };
});

/** Make the drawing one handle with two directions, for the row and the column of a cell. */
function holdCell(shown, save, sums) {
  const { drawing, over, grip } = shown;
  const go = (k, t) =>
    save({
      k: clamp(k, 1, Math.max(1, shown.now.letters.length)),
      t: clamp(t, 1, Math.max(1, shown.now.steps.length)),
    });
  // An input character stands for its cell in the current row, and an output symbol for the largest
  // weight of its row.
  const cellOf = ({ x, y }) => {
    const { now, at } = shown;
    const t = y < at.top ? now.t : Math.floor((y - at.top) / at.row) + 1;
    const k = Math.floor((x - at.left) / at.cell) + 1;
    return [k < 1 && now.steps[t - 1] ? argmax(now.steps[t - 1].weights) + 1 : k, t];
  };
  const place = (point) => go(...cellOf(point));
  draggable(grip, { surface: drawing, start: place, move: place });
  set(grip, sliderRole("step and character", 1, ROWS));
  arrowKeys(grip, ([right, up]) => go(shown.now.k + right, shown.now.t - up));
  // A mouse that passes shows the numbers of the cell under it, and leaves the state as it is.
  const pass = (k, t) => {
    const { now, at } = shown;
    const there = k >= 1 && k <= now.letters.length && t >= 1 && t <= now.t;
    set(over, { visibility: there ? null : "hidden" });
    if (there) set(over, cellAt(k, t, at));
    sums.show(there ? { ...now, k, t, step: now.steps[t - 1] } : now);
  };
  grip.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse" && !event.buttons) pass(...cellOf(pointIn(drawing, event)));
  });
  grip.addEventListener("pointerleave", () => pass(0, 0));
}

const EXAMPLES = Object.fromEntries(
  ["April 3, 2005", "3 avr. 2005", "3. april 2005", "3/4/05", "23/4/05"].map((date) => [
    date,
    { date, t: ROWS },
  ]),
);

/** Run the network with attention, and at the end also the search for the most likely dates. */
function look({ date, t: asked, k, sharpness }) {
  const known = cleaned(date);
  const { steps, notes } = translate("attention", known, sharpness);
  const t = clamp(asked, 1, Math.max(1, steps.length));
  const over = steps.length > 0 && t === steps.length;
  return {
    ...{ steps, notes, t, sharpness, over },
    letters: [...known],
    k: clamp(k, 1, Math.max(1, known.length)),
    step: steps[t - 1],
    read: over ? readings("attention", known, sharpness) : [],
    fixed: over ? readings("fixed", known) : [],
  };
}

function scales({ width, em, room }, { letters }) {
  const slide = room < Infinity;
  const left = 2.4 * em;
  const cell = Math.min((width - left - 3 * em) / Math.max(1, letters.length), 2.4 * em);
  const row = (slide ? 0.93 : 1.5) * em;
  const font = Math.max((slide ? 0.92 : 0.8) * em, 12);
  const top = (slide ? 1.3 : 1.7) * em;
  return { em, font, left, cell, row, top, height: top + ROWS * row + 0.3 * em };
}

/** Return the box of a cell, or of `many` cells. Column 0 holds the output, and row 0 the input. */
const cellAt = (k, t, { left, cell, row, top, em }, many = 1) => ({
  x: k ? left + (k - 1) * cell : left - 1.6 * em,
  y: top + (t - 1) * row,
  width: k ? many * cell : 1.4 * em,
  height: row,
});

const around = ({ x, y, width, height }) => ({
  x: x - 2.5,
  y: y - 2.5,
  width: width + 5,
  height: height + 5,
  rx: 4,
});

function picture({ letters, steps, t, k, over }, at) {
  const { left, cell, row, top, em, font } = at;
  const x = (i) => left + i * cell;
  const middle = (r) => top + (r - 0.5) * row;
  const small = { ...at, font: Math.min(font, Math.max(12, 1.5 * cell)) };
  const wrote = (r, kind, word) =>
    text(at, left - 0.9 * em, middle(r), { class: `wrote ${kind}` }, word);
  return [
    letters.map((letter, i) => {
      const kind = i + 1 === k ? "read chosen" : "read";
      return text(small, x(i + 0.5), top - 0.8 * em, { class: kind }, seen(letter));
    }),
    steps.slice(0, t).map(({ weights, symbol: which, yhat }, i) => [
      wrote(i + 1, i + 1 === t ? "chosen" : "", symbol(which)),
      weights.map((weight, j) =>
        rect(x(j) + 0.5, top + i * row + 0.5, Math.max(1, cell - 1), row - 1, {
          class: "weight",
          rx: 2,
          "fill-opacity": (0.05 + 0.95 * weight).toFixed(3),
        }),
      ),
      text(
        at,
        x(weights.length) + 0.4 * em,
        middle(i + 1),
        { class: "sure" },
        format(yhat[which], 2),
      ),
    ]),
    steps.length > 0 && !over && wrote(t + 1, "next", "?"),
    letters.length > 0 && [
      rect(x(0), top + (t - 1) * row, cell * letters.length, row, { class: "line" }),
      rect(x(k - 1), top + (t - 1) * row, cell, row, { class: "spot" }),
    ],
  ];
}

// ---- the words

const many = (list) =>
  list
    .filter(([, p], i) => !i || p >= 0.02)
    .slice(0, 3)
    .map(([date, p], i) => [i ? " or " : "", html("b", {}, date), ` (${format(p, 2)})`]);

function result({ letters, steps, t, over, read, fixed }) {
  if (!letters.length) return ["Type a date."];
  if (!over) {
    const so = steps.slice(0, t).map(({ symbol: k }) => symbol(k));
    return ["So far, it has written ", html("b", {}, so.join("")), "…"];
  }
  return [
    html("span", {}, "With attention, it writes ", many(read), "."),
    " ",
    html("span", {}, "With one vector, it writes ", many(fixed), "."),
  ];
}

function spoken({ letters, step, t, k }) {
  if (!step) return "No date is typed yet.";
  const { symbol: which, yhat, weights } = step;
  return `Step ${t} writes ${symbol(which)} with probability ${format(yhat[which], 2)}; character ${k}, ${seen(letters[k - 1])}, has weight ${format(weights[k - 1], 2)}.`;
}
