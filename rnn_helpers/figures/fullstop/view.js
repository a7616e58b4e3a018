import { html, pointIn, redraw, svg, text, tableRow } from "../lib/dom.js";
import { ramp } from "../lib/colours.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { said } from "../lib/linked.js";
import { clamp, rounded } from "../lib/scales.js";
import { rect, swatch } from "../lib/shapes.js";
import { gates, habits, kindOf, shut, UNITS } from "./math.js";
import { meta } from "./meta.js";

const LEVELS = 10; // shades from an open to a closed gate

export const render = figure("fullstop", meta, ({ save }) => {
  const area = areaOf("The forget gates of all cells at each character");
  const readout = html("div", { class: "readout" });
  let at;
  area.drawing.addEventListener("click", (event) => {
    const { x, y } = pointIn(area.drawing, event);
    const line = clamp(Math.floor(y / at.high), 0, at.lines - 1);
    const t = line * at.across + Math.ceil((x - at.left) / at.wide);
    if (x > at.left) save({ t: clamp(t, 1, at.n) });
  });
  return {
    parts: [stage(area, readout), ["stage", "t"], ["text"]],
    reveal: { stage: "3000" },
    update(state, size) {
      const steps = gates(state.stage, state.text);
      const now = { ...state, steps, t: Math.min(state.t, steps.length) };
      at = layout(now, size);
      area.draw(size, at, picture(now, at));
      redraw(readout, words(now));
      return said(readout.firstChild);
    },
  };
});

// ---- the drawing

/** The text is broken into lines, of which each has its bars and its rows of gates. */
function layout({ steps }, { width, em, room }) {
  const n = steps.length;
  const slide = room < Infinity;
  const left = 2.4 * em;
  const most = Math.max(1, Math.floor((width - left) / ((slide ? 0.65 : 0.78) * em)));
  const lines = Math.ceil(n / most);
  const across = Math.ceil(n / lines);
  const row = 0.42 * em;
  const [bars, letters] = [3.5 * em, 1.5 * em];
  const high = bars + letters + UNITS * row + 1.1 * em;
  const count = Math.max(6, ...steps.map(shut));
  return {
    ...{ n, em, left, lines, across, row, bars, letters, high, count },
    font: 0.85 * em,
    wide: Math.min((width - left) / across, 1.3 * em),
    height: lines * high - 0.5 * em,
  };
}

const picture = (now, at) =>
  Array.from({ length: at.lines }, (_, line) => {
    const first = line * at.across;
    const steps = now.steps.slice(first, first + at.across);
    return svg(
      "g",
      { transform: `translate(0 ${(line * at.high).toFixed(1)})` },
      chosen(now.t - 1 - first, steps.length, at),
      counts(steps, at),
      [...now.text].slice(first, first + at.across).map((character, i) => letter(character, i, at)),
      map(steps, at),
      names(line, at),
    );
  });

const chosen = (i, n, { left, wide, high, em }) =>
  i >= 0 &&
  i < n &&
  rect(left + i * wide, 1.2 * em, wide, high - 1.9 * em, { class: "band", rx: 0.15 * em });

/** A bar for each character: how many gates are below one half. */
function counts(steps, { left, wide, bars, count, em }) {
  const unit = (bars - 1.5 * em) / count;
  const bar = (f, i) => {
    const height = unit * shut(f);
    const x = left + (i + 0.15) * wide;
    return height
      ? `M${x.toFixed(1)} ${bars.toFixed(1)}v${(-height).toFixed(1)}h${(0.7 * wide).toFixed(1)}v${height.toFixed(1)}z`
      : "";
  };
  return [
    svg("path", {
      class: "base",
      d: `M${left} ${bars.toFixed(1)}h${(steps.length * wide).toFixed(1)}`,
    }),
    svg("path", { class: "count", d: steps.map(bar).join("") }),
  ];
}

/** A character; a space is drawn as a small tray. */
function letter(character, i, at) {
  const { left, wide, bars, letters, em } = at;
  const [x, y] = [left + (i + 0.5) * wide, bars + 0.5 * letters];
  if (character !== " ") return text(at, x, y, { class: "letter" }, character);
  const half = 0.22 * em;
  return svg("path", {
    class: "space",
    d: `M${(x - half).toFixed(1)} ${(y + 0.1 * em).toFixed(1)}v${(0.25 * em).toFixed(1)}h${(2 * half).toFixed(1)}v${(-0.25 * em).toFixed(1)}`,
  });
}

/** The gates, a path for each shade. Neighbors of the same shade share a box. */
function map(steps, { left, wide, row, bars, letters }) {
  const top = bars + letters;
  const paths = Array.from({ length: LEVELS + 1 }, () => "");
  for (let i = 0; i < UNITS; i++) {
    for (let from = 0, k = 0; k < steps.length; from = k) {
      const level = levelOf(steps[k][i]);
      while (k < steps.length && levelOf(steps[k][i]) === level) k++;
      paths[level] +=
        `M${(left + from * wide).toFixed(1)} ${(top + i * row).toFixed(1)}h${((k - from) * wide).toFixed(1)}v${row.toFixed(1)}h${((from - k) * wide).toFixed(1)}z`;
    }
  }
  return [
    paths.map(
      (d, level) => d && svg("path", { d, style: `fill:${ramp("amount", level / LEVELS)}` }),
    ),
    rect(left, top, steps.length * wide, UNITS * row, { class: "frame" }),
  ];
}

const levelOf = (gate) => Math.round(LEVELS * (1 - gate));

function names(line, at) {
  const { left, em, bars, letters, row } = at;
  const middle = (i) => bars + letters + (i - 0.5) * row;
  const beside = (y, ...words) => text(at, left - 0.5 * em, y, { class: "tick" }, ...words);
  return [
    [1, UNITS].map((i) => beside(middle(i), String(i))),
    line === 0 && beside(middle((UNITS + 1) / 2), "cell"),
    beside(bars, "0"),
    beside(1.5 * em, String(at.count)),
    line === 0 && text(at, left, 0.6 * em, { class: "title" }, "forget gates below 0.5"),
  ];
}

// ---- the words

const bold = (...words) => html("b", {}, ...words);
const called = (character) =>
  kindOf(character) === "letter" ? `“${character}”` : kindOf(character);

function words({ text: typed, steps, t, stage: updates }) {
  const character = typed[t - 1];
  const f = steps[t - 1];
  const n = shut(f);
  const mean = f.reduce((sum, gate) => sum + gate, 0) / UNITS;
  const times = Number(updates).toLocaleString("en-US");
  return [
    html(
      "p",
      {},
      Number(updates) ? `After ${times} updates, ` : "Before training, ",
      bold(n || "none"),
      ` of the ${UNITS} forget gates ${n === 1 ? "is" : "are"} below 0.5 at character ${t}, `,
      bold(called(character)),
      `. Their mean is ${rounded(mean)}.`,
    ),
    html(
      "table",
      {},
      html("caption", {}, "gates below 0.5, on average in this text"),
      tableRow(
        {},
        ...habits(typed, steps).map(([kind]) =>
          html("th", { scope: "col" }, kind === "letter" ? "letters" : `${kind}s`),
        ),
      ),
      tableRow({}, ...habits(typed, steps).map(([, mean]) => rounded(mean, 1))),
    ),
    html(
      "p",
      { class: "key" },
      "gate: 1, open ",
      swatch(
        60,
        10,
        Array.from({ length: 6 }, (_, i) =>
          rect(10 * i, 0, 10, 10, { style: `fill:${ramp("amount", i / 5)}` }),
        ),
      ),
      " 0, closed",
    ),
  ];
}
