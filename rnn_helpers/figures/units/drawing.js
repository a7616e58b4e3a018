// The letters of the text, the values of the chosen unit over time, the heat map of the units around it,
// and bars for how well each follows the feature.
import { signed } from "../lib/colours.js";
import { line, rule } from "../lib/chart.js";
import { drawingOf, set, setSize, svg, text } from "../lib/dom.js";
import { clamp } from "../lib/scales.js";
import { rect } from "../lib/shapes.js";
import { above, FEATURES, MEASURED, ranked, ROWS } from "./math.js";
import { isBlank, seen, spokenCell } from "./words.js";

/** Return the layout. `before` is the number of units that were above those shown, if any. */
export function layout({ steps, n, unit }, { width, em, room: limit }, before) {
  const slide = limit < Infinity;
  const font = slide ? 0.9 * em : Math.max(0.8 * em, 12.1);
  const [bar, gap] = [(width < 30 * em ? 2.6 : 4.4) * em, 0.5 * em];
  const bars = bar + 1.6 * em;
  const room = width - bars - gap;
  const cw = clamp(room / steps.length, Math.max(0.515 * em, 8.2), 1.3 * em);
  const letters = 1.5 * em;
  const strip = (slide ? 2 : 3) * em;
  const heat = letters + strip + 0.5 * em;
  const rows = Math.min(n, ROWS);
  const fits = Math.floor((4 * ((limit - 9.4) * em - heat)) / rows) / 4;
  const rh = slide ? fits : Math.round(1.2 * em);
  const bottom = heat + rows * rh;
  return {
    ...{ em, font, bar, bars, room, cw, letters, strip, rh, rows },
    first: above(unit, n, before),
    guesses: slide ? 3 : 6,
    wide: Math.max(steps.length * cw, 1),
    top: { strip: letters + 0.2 * em, heat },
    bottom,
    high: bottom + (slide ? 2 : 1.5 * em), // a slide has room beside the next words
  };
}

/** Make the drawing over the heat map. `draw` shows the text, and `point` marks a cell. */
export function overlay() {
  const ground = svg("g");
  const [column, row] = [svg("rect", { class: "cursor" }), svg("rect", { class: "cursor" })];
  const surface = svg("rect", { class: "surface" });
  const [ring, core] = [svg("rect", { class: "uf-ring" }), svg("rect", { class: "core" })];
  const cell = svg("g", { class: "cell" }, ring, core);
  const node = drawingOf("What is read, and the units", ground, column, row, surface, cell);
  return {
    node,
    cell,
    draw(now, at) {
      setSize(node, at.wide, at.high);
      ground.replaceChildren(...letters(now, at), ...courses(now, at));
      set(surface, { x: 0, y: 0, width: now.steps.length * at.cw, height: at.bottom });
    },
    point(now, { cw, rh, first, top, bottom }, { t, unit }) {
      const [x, y] = [(t - 1) * cw, top.heat + (unit - 1 - first) * rh];
      const [width, height] = [Math.max(24, cw), Math.max(24, rh)];
      set(column, { x, y: 0, width: cw, height: bottom });
      set(row, { x: 0, y, width: now.steps.length * cw, height: rh });
      set(ring, { x: x + (cw - width) / 2, y: y + (rh - height) / 2, width, height, rx: 4 });
      set(core, { x, y, width: cw, height: rh });
      set(cell, {
        "aria-valuenow": t,
        "aria-valuemax": now.steps.length,
        "aria-valuetext": spokenCell(now, { t, unit }),
      });
    },
  };
}

/** Draw the text, each letter on the color of the chosen unit's value. */
const letters = ({ steps, unit }, at) =>
  steps.map(({ token, units }, i) => {
    const value = units[unit - 1];
    const kind = `${Math.abs(value) > 0.55 ? "strong" : ""} ${isBlank(token) ? "blank" : ""}`;
    return svg(
      "g",
      {},
      rect(i * at.cw, 0, at.cw + 0.5, at.letters, { fill: signed(value) }),
      text(at, (i + 0.5) * at.cw, at.letters / 2, { class: kind }, seen(token)),
    );
  });

/** Draw the values of the chosen unit and of the feature over time. */
function courses({ steps, unit, net, features, follow }, { cw, top, strip }) {
  const y = (value) => top.strip + strip * (0.5 - 0.46 * value);
  const at = { left: 0, right: steps.length * cw, x: (i) => (i + 0.5) * cw, y };
  const feature = features[follow];
  const most = Math.max(...feature, 1);
  const blocks = feature.map((value, i) =>
    value ? `M${i * cw} ${y(-1)}h${cw}V${y((2 * value) / most - 1)}h${-cw}z` : "",
  );
  const course = steps.map(({ units }, i) => [i, units[unit - 1]]);
  return [
    svg("path", { class: "feature", d: blocks.join("") }),
    rule(at, 0),
    line(at, course, `course ${net}`),
  ];
}

/** Draw how well each visible unit follows the feature: a bar for this text, a line for unseen code. */
export function drawBars(side, { rs, n, unit, net, follow }, at) {
  const { em, rh, rows, first, top, bottom, high } = at;
  const x = (r) => (Math.abs(r) * at.bar).toFixed(1);
  const y = (i) => top.heat + (i - first) * rh;
  const bar = (i) => `M0 ${y(i) + 0.5}h${x(rs[i])}v${rh - 1}H0z`;
  const elsewhere = (i) => `M${x(MEASURED[net][follow][i])} ${y(i)}v${rh}`;
  const each = Array.from({ length: rows }, (_, i) => first + i);
  // The number of hidden units above or below. A click on it moves on by half a window.
  const sign = (mark, hidden, y, unit) => {
    const words = text(at, 0, y, { class: "start more" }, `${mark} ${hidden} more`);
    const box = { class: "target", "data-unit": clamp(unit, 1, n) };
    return hidden ? [rect(0, y - 0.75 * em, at.bars, 1.5 * em, box), words] : [];
  };
  const number = clamp(y(unit - 0.5), top.heat + 0.5 * em, bottom - 0.5 * em);
  setSize(side, at.bars, high);
  side.replaceChildren(
    text(at, 0, at.letters / 2, { class: "start" }, "|r|"),
    text(at, at.bar, top.heat - 0.7 * em, { class: "end tick" }, "1"),
    text(at, 0, top.heat - 0.7 * em, { class: "start tick" }, "0"),
    svg("path", { class: "bar", d: each.map(bar).join("") }),
    svg("path", { class: "bar chosen", d: bar(unit - 1) }),
    svg("path", { class: "elsewhere", d: each.map(elsewhere).join("") }),
    svg("path", { class: "zero", d: `M0.5 ${top.heat}V${bottom}` }),
    text(at, at.bar + 0.25 * em, number, { class: "start now" }, String(unit)),
    ...sign("▲", first, top.heat - 1.8 * em, first - rows / 2),
    ...sign("▼", n - first - rows, bottom + 0.8 * em, first + rows * 1.5),
  );
  set(side, {
    "aria-label": `How well each unit follows ${FEATURES[follow].says}; best is unit ${ranked(rs)[0] + 1}.`,
  });
}
