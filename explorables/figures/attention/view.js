import { control, controls, setAll, transport } from "../../lib/controls.js";
import { drawingOf, html, pointIn, redraw, set, setSize, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { arrowKeys, draggable, sliderRole } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { clamp, format } from "../../lib/scales.js";
import { rect } from "../../lib/shapes.js";
import { keepDrawn, presets, settings } from "../../lib/stage.js";
import { argmax } from "../../lib/vectors.js";
import { cleaned, readings, translate } from "./math.js";
import { meta } from "./meta.js";
import { arithmetic, seen, symbol } from "./panel.js";

const ROWS = 11;

export function render({ model, el }) {
  const { controls: spec } = meta;
  const plot = svg("g");
  const marks = svg("g");
  const over = svg("rect", { class: "over", visibility: "hidden" });
  const grip = svg("rect", { class: "grip" });
  const drawing = drawingOf("Attention weights", plot, marks, over, grip);
  const area = html("div", { class: "area" }, drawing);
  const written = html("p", { class: "written" });
  const sums = arithmetic((places) =>
    redraw(
      marks,
      places.map(([k, t, many]) =>
        svg("rect", { class: "part", ...around(cellAt(k, t, at, many)) }),
      ),
    ),
  );
  const status = live();
  let now = null;
  let at = null;
  const time = transport(model, "t", {
    ...spec.t,
    limit: () => Math.max(1, now?.steps.length ?? ROWS),
    interval: 600,
    text: (t) => `step ${t}`,
  });
  el.classList.add("fig-attention");
  el.append(
    html(
      "div",
      { class: "stage" },
      control(model, "date", spec.date),
      presets(model, "Dates to try", EXAMPLES, ["t", "k"]),
      area,
      // the buttons stand above all that grows and shrinks
      controls(time, control(model, "sharpness", spec.sharpness)),
      written,
      sums.node,
      sums.answer,
    ),
    guess(meta.prediction, () => setAll(model, { date: "3/4/05", sharpness: 1, t: ROWS })),
    status,
  );

  // The drawing is one handle with two directions: the row and the column under a finger.
  const go = (k, t) =>
    setAll(model, {
      k: clamp(k, 1, Math.max(1, now.letters.length)),
      t: clamp(t, 1, Math.max(1, now.steps.length)),
    });
  // A letter of the input stands for its cell in this row, and a symbol of the output for the
  // largest weight of its row.
  const cellOf = ({ x, y }) => {
    const t = y < at.top ? now.t : Math.floor((y - at.top) / at.row) + 1;
    const k = Math.floor((x - at.left) / at.cell) + 1;
    return [k < 1 && now.steps[t - 1] ? argmax(now.steps[t - 1].weights) + 1 : k, t];
  };
  const place = (point) => go(...cellOf(point));
  draggable(grip, { surface: drawing, start: place, move: place });
  set(grip, { ...sliderRole("step and character", 1, ROWS) });
  arrowKeys(grip, ([right, up]) => go(now.k + right, now.t - up));
  // A passing mouse shows the numbers of the cell under it, and leaves the state as it is.
  const pass = (k, t) => {
    const there = k >= 1 && k <= now.letters.length && t >= 1 && t <= now.t;
    set(over, { visibility: there ? null : "hidden" });
    if (there) set(over, cellAt(k, t, at));
    sums.show(there ? { ...now, k, t, step: now.steps[t - 1] } : now);
  };
  grip.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse" && !event.buttons) pass(...cellOf(pointIn(drawing, event)));
  });
  grip.addEventListener("pointerleave", () => pass(0, 0));

  function update(size) {
    now = look(settings(model, spec));
    at = scales(size, now);
    setSize(drawing, size.width, at.height);
    redraw(plot, picture(now, at));
    set(grip, {
      x: 0,
      y: 0,
      width: at.left + at.cell * Math.max(1, now.letters.length),
      height: at.top + at.row * ROWS,
      "aria-valuenow": now.t,
      "aria-valuetext": spoken(now),
    });
    written.replaceChildren(...result(now));
    set(over, { visibility: "hidden" });
    sums.show(now);
    time.update();
    status.announce(
      `${spoken(now)} ${written.textContent}`,
      `The input is “${now.letters.join("")}”.`,
    );
  }
  return keepDrawn(model, area, update, { clocks: [time] });
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
    letters: [...known],
    steps,
    notes,
    t,
    k: clamp(k, 1, Math.max(1, known.length)),
    sharpness,
    over,
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

/** Return the box of a cell, or of `many`; the output is left of the first, the input above. */
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
  const small = { ...at, font: Math.min(font, Math.max(12, 1.5 * cell)) };
  return [
    letters.map((letter, i) =>
      text(
        small,
        x(i + 0.5),
        top - 0.8 * em,
        { class: i + 1 === k ? "read chosen" : "read" },
        seen(letter),
      ),
    ),
    steps.slice(0, t).map(({ weights, symbol: which, yhat }, r) => [
      text(
        at,
        left - 0.9 * em,
        top + (r + 0.5) * row,
        { class: r + 1 === t ? "wrote chosen" : "wrote" },
        symbol(which),
      ),
      weights.map((weight, i) =>
        rect(x(i) + 0.5, top + r * row + 0.5, Math.max(1, cell - 1), row - 1, {
          class: "weight",
          rx: 2,
          "fill-opacity": (0.05 + 0.95 * weight).toFixed(3),
        }),
      ),
      text(
        at,
        x(weights.length) + 0.4 * em,
        top + (r + 0.5) * row,
        { class: "sure" },
        format(yhat[which], 2),
      ),
    ]),
    steps.length > 0 &&
      !over &&
      text(at, left - 0.9 * em, top + (t + 0.5) * row, { class: "wrote next" }, "?"),
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
    .flatMap(([date, p], i) => [i ? ", " : "", html("b", {}, date), ` ${format(p, 2)}`]);

function result({ letters, steps, t, over, read, fixed }) {
  if (!letters.length) return ["Type a date."];
  if (!over) {
    const so = steps.slice(0, t).map(({ symbol: k }) => symbol(k));
    return ["So far: ", html("b", {}, so.join("")), "…"];
  }
  return [
    html("span", {}, "With attention: ", ...many(read), "."),
    html("span", {}, "With one vector: ", ...many(fixed), "."),
  ];
}

function spoken({ letters, step, t, k }) {
  if (!step) return "No date.";
  const { symbol: which, yhat, weights } = step;
  return `Step ${t} writes ${symbol(which)} with probability ${format(yhat[which], 2)}; character ${k}, ${seen(letters[k - 1])}, has weight ${format(weights[k - 1], 2)}.`;
}
