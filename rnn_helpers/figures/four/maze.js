// The image that the reader edits, and the answer of a trained network.
import { setAll } from "../lib/controls.js";
import { html, redraw, set, svg } from "../lib/dom.js";
import { areaOf } from "../lib/figure.js";
import { arrowKeys, draggable, sliderRole } from "../lib/handles.js";
import { remembered } from "../lib/remembered.js";
import { clamp, percent } from "../lib/scales.js";
import { rect, swatch } from "../lib/shapes.js";
import { presets } from "../lib/stage.js";
import { believes, changed, FLOOR, joined, MARK, read, SIDE, written } from "./math.js";
import { meta } from "./meta.js";

const MAZES = {
  "a gap": { maze: meta.controls.maze.default },
  "a detour": { maze: "######..#....O..#.......#.#.....O.#..#....#..#....#..#....#.##.." },
  "three times as long": {
    maze: "O#######.......##########.......########.......#O#######........",
  },
};
const KINDS = ["wall", "floor", "mark"];

/** Return the `node` of this view, and functions that draw an image and return the status line. */
export function mazeOf(model) {
  const ring = svg("rect", { class: "at", visibility: "hidden" });
  const grip = rect(0, 0, 0, 0, { class: "grip uf-ring" });
  const area = areaOf("Image with two marked cells", ring, grip);
  const says = html("div", { class: "says" });
  let [maze, cell, here] = [null, 0, [3, 4]];
  const judged = remembered((text) => {
    const picture = read(text);
    return { picture, p: believes(picture), truth: joined(picture) };
  });
  const put = (row, column) => setAll(model, { maze: written(changed(maze, row, column)) });
  const go = (row, column) => {
    here = [clamp(row, 0, SIDE - 1), clamp(column, 0, SIDE - 1)];
    show();
  };
  let brush = null; // the kind that a drag paints: the opposite of the cell where it began
  const paint = ({ x, y }) => {
    go(Math.floor(y / cell), Math.floor(x / cell));
    const kind = maze[here[0]][here[1]];
    brush ??= 1 - kind;
    if (kind !== MARK && kind !== brush) put(...here);
  };
  const start = (point) => {
    brush = null;
    paint(point);
  };
  draggable(grip, { surface: area.drawing, start, move: paint });
  set(
    grip,
    sliderRole(
      "cell of the image: Enter or Space turns floor into wall, or wall into floor",
      1,
      SIDE,
    ),
  );
  arrowKeys(grip, ([right, up]) => go(here[0] - up, here[1] + right));
  grip.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    put(...here);
  });
  grip.addEventListener("focus", () => set(ring, { visibility: null }));
  grip.addEventListener("blur", () => set(ring, { visibility: "hidden" }));

  function show() {
    const [i, j] = here;
    set(ring, { x: j * cell, y: i * cell, width: cell, height: cell });
    const text = `row ${i + 1}, column ${j + 1}: ${KINDS[maze[i][j]]}. ${verdict(judged(model.get("maze")))}`;
    set(grip, { "aria-valuenow": j + 1, "aria-valuetext": text });
  }
  const draw = remembered((text, { width, em }) => {
    const found = judged(text);
    maze = found.picture;
    cell = Math.min((width - 2) / SIDE, 1.75 * em);
    const side = { width: SIDE * cell, height: SIDE * cell };
    const squares = maze.map((line, i) => line.map((kind, j) => square(kind, i, j, cell)));
    area.draw(side, side, squares);
    set(grip, side);
    redraw(says, words(found));
    show();
  });
  const node = html(
    "div",
    { class: "maze" },
    html("p", { class: "task" }, TASK),
    html("p", { class: "kinds", "aria-hidden": "true" }, legend()),
    html("div", { class: "bench" }, area, says),
    presets(model, "Images to try", MAZES),
  );
  const told = () => verdict(judged(model.get("maze")));
  return { node, draw, told };
}

const TASK =
  "A network with eight sweeps has been trained to predict whether a path over floor cells joins the two marks, with paths of 5 to 11 cells. Click a cell, or go there with the arrow keys and press Enter, to turn floor into wall, or wall into floor.";

const legend = () =>
  ["floor", "wall", "marked"].map((name) =>
    html(
      "span",
      {},
      swatch(
        18,
        18,
        rect(1, 1, 16, 16, { class: name === "wall" ? "wall" : "floor" }),
        name === "marked" && svg("circle", { class: "mark", cx: 9, cy: 9, r: 4.5 }),
      ),
      name,
    ),
  );

const square = (kind, i, j, cell) => [
  rect(j * cell, i * cell, cell - 1, cell - 1, { class: kind >= FLOOR ? "floor" : "wall" }),
  kind === MARK &&
    svg("circle", { class: "mark", cx: (j + 0.5) * cell, cy: (i + 0.5) * cell, r: 0.28 * cell }),
];

function words({ p, truth }) {
  if (Number.isNaN(p)) return [html("p", {}, "There are no marks.")];
  const right = truth === p > 0.5;
  const bar = svg(
    "svg",
    { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    rect(0, 0, 100, 8, { class: "trough" }),
    rect(0, 0, 100 * p, 8, { class: right ? "p" : "p wrong" }),
  );
  return [
    html("p", {}, html("b", {}, percent(p)), " probability that they are joined"),
    bar,
    html(
      "p",
      { class: "truth" },
      `The network is ${right ? "right" : "wrong"}: they ${truth ? "are" : "aren't"} joined.`,
    ),
  ];
}

function verdict({ p, truth }) {
  if (Number.isNaN(p)) return "There are no marks.";
  return `The marks ${truth ? "are" : "aren't"} joined. The network gives probability ${percent(p)} that they are joined.`;
}
