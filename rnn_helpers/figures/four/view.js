import { html, set, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { arrowKeys, draggable, sliderRole } from "../lib/handles.js";
import { clamp, counted } from "../lib/scales.js";
import { rect } from "../lib/shapes.js";
import { count, heard, inARow, since, SIZE, stages } from "./math.js";
import { mazeOf } from "./maze.js";
import { meta } from "./meta.js";

const KINDS = ["stack", "sweeps"];
const TITLES = { stack: "3 × 3 convolutions", sweeps: "sweeps" };
const NAMES = { stack: "layer", sweeps: "sweep" };
const number = { stack: ({ layers }) => layers, sweeps: ({ sweeps }) => sweeps };
const ARROWS = { down: "↓", up: "↑", right: "→", left: "←" };

export const render = figure("four", meta, (given) =>
  given.model.get("view") === "maze" ? mazeView(given) : reachView(given),
);

function mazeView({ model }) {
  const maze = mazeOf(model);
  return {
    parts: [maze],
    update(state, size) {
      maze.draw(state.maze, size);
      return maze.told();
    },
  };
}

function reachView({ save }) {
  const grips = KINDS.map((kind) => rect(0, 0, 0, 0, { class: "grip uf-ring", "data-kind": kind }));
  const area = areaOf("The pixels that the chosen pixel depends on", grips);
  const facts = html("div", { class: "facts", "aria-hidden": "true" });
  let [now, at] = [null, null];
  const go = (row, column) => save({ row: clamp(row, 1, SIZE), column: clamp(column, 1, SIZE) });
  grips.forEach((grip, i) => {
    const place = ({ x, y }) =>
      go(Math.floor((y - at.top) / at.cell) + 1, Math.floor((x - at.left[i]) / at.cell) + 1);
    draggable(grip, { surface: area.drawing, start: place, move: place });
    set(grip, sliderRole(`pixel, ${TITLES[KINDS[i]]}`, 1, SIZE));
    arrowKeys(grip, ([right, up]) => go(now.row - up, now.column + right), 1, {
      Home: [-SIZE, 0],
      End: [SIZE, 0],
      PageUp: [0, SIZE],
      PageDown: [0, -SIZE],
    });
  });
  return {
    parts: [stage(area, facts), ["layers", "sweeps"]],
    reveal: { layers: SIZE - 1, sweeps: 8, row: SIZE, column: 1 },
    update(state, size) {
      now = state;
      at = scales(size);
      const told = KINDS.map((kind) => spoken(now, kind));
      area.draw(
        size,
        at,
        KINDS.map((kind, i) => picture(kind, at.left[i], now, at)),
      );
      grips.forEach((grip, i) => {
        set(grip, { x: at.left[i], y: at.top, width: SIZE * at.cell, height: SIZE * at.cell });
        set(grip, { "aria-valuenow": now.column, "aria-valuetext": told[i] });
      });
      facts.replaceChildren(...KINDS.map((kind) => fact(kind, now)));
      return told.join(" ");
    },
  };
}

function scales({ width, em, room }) {
  const slide = room < Infinity;
  const font = Math.max(slide ? em : 0.9 * em, 12);
  const gap = Math.min(2 * em, 0.06 * width);
  const most = (slide ? 1 : 1.75) * em;
  const cell = Math.min((width - gap - 6) / (2 * SIZE), most);
  const left = (width - gap - 2 * SIZE * cell) / 2;
  const top = 2 * font;
  return {
    ...{ em, font, cell, top, height: top + SIZE * cell + 4 },
    left: [left, left + SIZE * cell + gap],
  };
}

function picture(kind, left, now, at) {
  const { row, column } = now;
  const first = since(kind, number[kind](now), row - 1, column - 1);
  const { cell, top } = at;
  const side = cell - Math.max(1, 0.06 * cell);
  const corner = (i, j) => [left + j * cell, top + i * cell];
  // On a phone, the first title is wider than its square.
  const middle = Math.max(left + (SIZE * cell) / 2, 0.31 * at.font * TITLES[kind].length);
  return svg(
    "g",
    { class: kind },
    text(at, middle, 0.7 * at.font, { class: "title" }, TITLES[kind]),
    first.map((line, i) =>
      line.map((k, j) => [
        rect(...corner(i, j), side, side, { class: "cell" }),
        k > 0 && rect(...corner(i, j), side, side, { class: "heard", "fill-opacity": shade(k) }),
      ]),
    ),
    rect(...corner(row - 1, column - 1), side, side, { class: "pixel" }),
  );
}

/** The opacity of a pixel that layer k is the first to reach. */
const shade = (k) => (0.15 + 0.85 * 0.82 ** (k - 1)).toFixed(2);

const hears = (kind, now) => count(heard(kind, number[kind](now), now.row - 1, now.column - 1));

function fact(kind, now) {
  const n = number[kind](now);
  const ways = stages(n)
    .map((stage) => stage.map((way) => ARROWS[way]).join(""))
    .join(" ");
  return html(
    "p",
    { class: "fact" },
    html("b", {}, hears(kind, now)),
    ` of ${SIZE * SIZE} pixels`,
    html(
      "small",
      {},
      `${counted(n, NAMES[kind])}${kind === "stack" ? "" : ` ${ways}`}; ${counted(inARow(kind, n), "step")} in a row`,
    ),
  );
}

function spoken(now, kind) {
  const n = number[kind](now);
  return `After ${counted(n, NAMES[kind])}${kind === "stack" ? " of convolutions" : ""}, the pixel in row ${now.row} and column ${now.column} depends on ${hears(kind, now)} of ${SIZE * SIZE} pixels. This takes ${counted(inARow(kind, n), "step")} in a row.`;
}
