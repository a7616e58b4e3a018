// The cells of a picture that can affect the state at one cell. This module doesn't use the DOM.
import CONSTANTS from "./constants.json";
import STORED from "./trained.json";
import { states } from "../lib/gru.js";
import { add, oneHot, sigmoid, sum, times, transpose } from "../lib/vectors.js";
import { unpacked } from "../lib/weights.js";

export const { SIZE, MOST } = CONSTANTS;
const PLACES = Array.from({ length: SIZE }, (_, i) => i);
const key = (row, column) => row * SIZE + column;

/** The inputs of a cell in one layer of 3 by 3 convolutions. */
const around = (cell) => {
  const [row, column] = [Math.floor(cell / SIZE), cell % SIZE];
  return PLACES.filter((i) => Math.abs(i - row) < 2).flatMap((i) =>
    PLACES.filter((j) => Math.abs(j - column) < 2).map((j) => key(i, j)),
  );
};

/** The inputs of a cell in one sweep: all cells that the sweep has passed. */
const SWEEPS = {
  down: (row, column) => PLACES.filter((i) => i <= row).map((i) => key(i, column)),
  up: (row, column) => PLACES.filter((i) => i >= row).map((i) => key(i, column)),
  right: (row, column) => PLACES.filter((j) => j <= column).map((j) => key(row, j)),
  left: (row, column) => PLACES.filter((j) => j >= column).map((j) => key(row, j)),
};
const WAYS = Object.keys(SWEEPS);
const swept = (ways) => (cell) =>
  ways.flatMap((way) => SWEEPS[way](Math.floor(cell / SIZE), cell % SIZE));

/** Return the sweeps in groups of four. Those in a group have the same input, so they can run at the same time. */
export const stages = (n) =>
  Array.from({ length: Math.ceil(n / 4) }, (_, k) => WAYS.slice(0, Math.min(4, n - 4 * k)));

/** Return the layers, the lowest first. Each is a function from a cell to its inputs in the layer below. */
const layers = (kind, n) => (kind === "stack" ? Array(n).fill(around) : stages(n).map(swept));

/** Return, by row and column, whether each cell reaches one cell through n convolutions or sweeps. */
export function heard(kind, n, row, column) {
  let cells = new Set([key(row, column)]);
  for (const asks of layers(kind, n).reverse()) cells = new Set([...cells].flatMap(asks));
  return PLACES.map((i) => PLACES.map((j) => cells.has(key(i, j))));
}

export const count = (cells) => cells.flat().filter(Boolean).length;

/** Return the number of steps that have to follow one another. */
export const inARow = (kind, n) => (kind === "stack" ? n : SIZE * stages(n).length);

/** Return, for each cell, the smallest number of layers that it takes to reach the one cell; 0 if that is more than n. */
export function since(kind, n, row, column) {
  const found = PLACES.map(() => PLACES.map(() => 0));
  for (let k = n; k > 0; k--) {
    const cells = heard(kind, k, row, column);
    for (const i of PLACES) for (const j of PLACES) if (cells[i][j]) found[i][j] = k;
  }
  return found;
}

// ---- the network that has learned to follow paths, in a picture of another size

export const SIDE = CONSTANTS.SIDE;
export const [WALL, FLOOR, MARK] = [0, 1, 2];
const NET = unpacked(STORED.networks.sweeps);

/** Return the kinds of the cells, by row, from a text with `.` for a wall, `#` for floor and `O` for a mark. */
export const read = (text) =>
  Array.from({ length: SIDE }, (_, i) =>
    Array.from({ length: SIDE }, (_, j) =>
      Math.max(WALL, ".#O".indexOf(text[i * SIDE + j] ?? ".")),
    ),
  );
export const written = (maze) =>
  maze
    .flat()
    .map((kind) => ".#O"[kind])
    .join("");

/** Return the maze with one cell changed from wall to floor or back. A mark stays a mark. */
export const changed = (maze, row, column) =>
  maze.map((line, i) =>
    line.map((kind, j) => (i === row && j === column && kind !== MARK ? 1 - kind : kind)),
  );

const partsOf = (name) =>
  Object.fromEntries(
    ["U", "W", "b"].flatMap((letter) =>
      ["", "u", "r"].map((gate) => [letter + gate, NET[`${name}.${letter}${gate}`]]),
    ),
  );
const UNITS_OF = [0, 1, 2, 3].map((k) => [0, 1].map((back) => partsOf(`sweeps.${k}.${back}`)));

/** Return the states of two sweeps along each line, forward and backward, side by side. */
const both = ([ahead, back], lines) =>
  lines.map((line) => {
    const there = states(ahead, line);
    const again = states(back, line.toReversed()).toReversed();
    return there.map((h, i) => [...h, ...again[i]]);
  });

/** Return the states of the last sweeps at every cell. */
export function says(maze) {
  let h = maze.map((line) => line.map((kind) => oneHot(kind, 3)));
  UNITS_OF.forEach((units, k) => {
    h = k % 2 ? both(units, h) : transpose(both(units, transpose(h)));
  });
  return h;
}

/** Return the network's probability that the marks are joined; NaN if there is no mark. */
export function believes(maze) {
  const h = says(maze);
  const marked = h.flatMap((line, i) => line.filter((_, j) => maze[i][j] === MARK));
  const outputs = marked.map((each) => add(NET.c, times(NET.V, each)));
  const [no, yes] = [0, 1].map((k) => sum(outputs.map((o) => o[k])) / marked.length);
  return sigmoid(yes - no);
}

/** Return whether there are at least two marks and a path over floor from the first to each other one. */
export function joined(maze) {
  const marks = maze.flatMap((line, i) =>
    line.flatMap((kind, j) => (kind === MARK ? [[i, j]] : [])),
  );
  if (marks.length < 2) return false;
  const found = new Set([marks[0].join()]);
  const queue = [marks[0]];
  for (const [i, j] of queue) {
    for (const [a, b] of [
      [i + 1, j],
      [i - 1, j],
      [i, j + 1],
      [i, j - 1],
    ]) {
      if (!maze[a]?.[b] || found.has(`${a},${b}`)) continue;
      found.add(`${a},${b}`);
      queue.push([a, b]);
    }
  }
  return marks.every((mark) => found.has(mark.join()));
}
