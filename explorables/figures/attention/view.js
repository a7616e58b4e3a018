import { control, controls, setAll, transport } from "../../lib/controls.js";
import { drawingOf, html, pointIn, redraw, set, setSize, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { arrowKeys, draggable, sliderRole } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { clamp, format } from "../../lib/scales.js";
import { rect } from "../../lib/shapes.js";
import { keepDrawn, presets, settings } from "../../lib/stage.js";
import { argmax, sum } from "../../lib/vectors.js";
import { cleaned, END, OUTPUT, readings, translate } from "./math.js";
import { meta } from "./meta.js";

const ROWS = 11;
const FEW = 4;
const plain = (value) => (Math.round(1000 * value) / 1000 || 0).toFixed(3).replace("-", "−");
const symbol = (k) => (k === END ? "end" : OUTPUT[k]);
const seen = (letter) => (letter === " " ? "␣" : letter);

export function render({ model, el }) {
  const { controls: spec } = meta;
  const plot = svg("g");
  const over = svg("rect", { class: "over", visibility: "hidden" });
  const grip = svg("rect", { class: "grip" });
  const drawing = drawingOf("Where it looks", plot, over, grip);
  const area = html("div", { class: "area" }, drawing);
  const written = html("p", { class: "written" });
  const sums = arithmetic();
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
    html("div", { class: "stage" }, control(model, "date", spec.date), area, written, sums.node),
    controls(time, control(model, "sharpness", spec.sharpness)),
    presets(model, "Dates to try", EXAMPLES, ["t", "k"]),
    guess(meta.prediction, () => setAll(model, { date: spec.date.default, sharpness: 1, t: ROWS })),
    status,
  );

  // Row and column under a finger: the drawing is one handle with two directions.
  const go = (k, t) =>
    setAll(model, {
      k: clamp(k, 1, Math.max(1, now.letters.length)),
      t: clamp(t, 1, Math.max(1, now.steps.length)),
    });
  // Over a letter that was read it is its place in this row; over one that was written, the place
  // where that row looks most.
  const cellOf = ({ x, y }) => {
    const t = y < at.top ? now.t : Math.floor((y - at.top) / at.row) + 1;
    const k = Math.floor((x - at.left) / at.cell) + 1;
    return [k < 1 && now.steps[t - 1] ? argmax(now.steps[t - 1].weights) + 1 : k, t];
  };
  const place = (point) => go(...cellOf(point));
  draggable(grip, { surface: drawing, start: place, move: place });
  set(grip, { ...sliderRole("step, and character", 1, ROWS) });
  arrowKeys(grip, ([right, up]) => go(now.k + right, now.t - up));
  // A mouse that passes shows the numbers of what is under it; the state is as it was.
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
    status.announce(`${spoken(now)} ${written.textContent}`);
  }
  return keepDrawn(model, area, update, { clocks: [time] });
}

const EXAMPLES = Object.fromEntries(
  ["3/4/05", "apr 3, 2005", "3 avr. 2005", "3. april 2005", "23/4/05"].map((date) => [
    date,
    { date, t: ROWS },
  ]),
);

/** What both networks make of the date, as far as it is asked for. */
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
  const row = (slide ? 1.4 : 1.5) * em;
  const font = Math.max((slide ? 0.92 : 0.8) * em, 12);
  const top = 1.7 * em;
  return { em, font, left, cell, row, top, height: top + ROWS * row + 0.3 * em };
}

const cellAt = (k, t, { left, cell, row, top }) => ({
  x: left + (k - 1) * cell,
  y: top + (t - 1) * row,
  width: cell,
  height: row,
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
    html("span", {}, "Looking back: ", ...many(read), "."),
    html("span", {}, "One vector for it all: ", ...many(fixed), "."),
  ];
}

/** Three lines of arithmetic for one weight; each of their results can be asked where it is from. */
function arithmetic() {
  const lines = ["Score ", "Softmax ", "Average "].map((name, i) => {
    const words = html("span");
    const number = html("button", { type: "button", class: "number", onclick: () => ask(i) });
    return { words, number, node: html("p", {}, html("b", {}, name), words, number) };
  });
  const answer = html("p", { class: "answer", role: "status" });
  const node = html("div", { class: "sums" }, lines, answer);
  let asked = -1;
  let last = null;
  const ask = (i) => {
    asked = asked === i ? -1 : i;
    show(last);
  };
  function show(now) {
    last = now;
    set(node, { hidden: !now.step });
    if (!now.step) return;
    const { letters, step, notes, k, t, sharpness } = now;
    const [score, weight] = [format(step.scores[k - 1], 2), format(step.weights[k - 1], 3)];
    const sharp = sharpness === 1 ? "" : `${format(sharpness, 1)} × `;
    const said = [
      [
        `of “${seen(letters[k - 1])}” for symbol ${t}: what was held there, times Q, times the state before: `,
        score,
      ],
      [`e to the ${sharp}${score}, over the sum of all ${letters.length}: weight `, weight],
      [
        `its first number, ${weight} × ${format(notes[k - 1][0], 2)}, goes into a sum over all characters: `,
        format(step.told[0], 2),
      ],
    ];
    lines.forEach(({ words, number }, i) => {
      [words.textContent, number.textContent] = said[i];
      set(number, { "aria-expanded": String(i === asked) });
    });
    answer.textContent = asked < 0 ? "" : ORIGINS[asked](now);
  }
  return { node, show };
}

/** Some numbers, each with its character: the chosen one, the largest few, and the others as one. */
function largest({ letters, k }, values) {
  const others = values.map((_, i) => i).filter((i) => i !== k - 1);
  others.sort((i, j) => Math.abs(values[j]) - Math.abs(values[i]));
  const shown = [k - 1, ...others.splice(0, FEW - 1)];
  const told = shown.map((i) => `${seen(letters[i])} ${plain(values[i])}`);
  const rest = sum(others.map((i) => values[i]));
  if (others.length) told.push(`the other ${others.length} together ${plain(rest)}`);
  return told.join(", ");
}

/** Where a score, a weight and the first number of the average come from. */
const ORIGINS = [
  ({ step, notes, k }) => {
    const products = notes[k - 1].map((value, i) => value * step.asked[i]);
    const large = products.toSorted((p, q) => Math.abs(q) - Math.abs(p)).slice(0, FEW);
    const others = step.scores[k - 1] - sum(large);
    return `A sum of ${products.length} products, one for each number that was held. The largest are ${large.map(plain).join(", ")}; the other ${products.length - FEW} together give ${plain(others)}.`;
  },
  (now) => {
    const { step, sharpness } = now;
    const top = Math.max(...step.scores);
    const powers = step.scores.map((score) => Math.exp(sharpness * (score - top)));
    return `To take the largest score off every score changes no weight. Then e to the score is ${largest(now, powers)}. Divided by their sum, ${plain(sum(powers))}, these are the weights, which add up to 1.`;
  },
  (now) => {
    const { step, notes } = now;
    const parts = notes.map((note, i) => step.weights[i] * note[0]);
    return `Weight times first number: ${largest(now, parts)}. They add up to ${plain(step.told[0])}. The other ${notes[0].length - 1} numbers of the average are made alike.`;
  },
];

function spoken({ letters, step, t, k }) {
  if (!step) return "No date.";
  const { symbol: which, yhat, weights } = step;
  return `Step ${t} writes ${symbol(which)}, probability ${format(yhat[which], 2)}; character ${k}, ${seen(letters[k - 1])}, has weight ${format(weights[k - 1], 2)}.`;
}
