// Which cells of a picture what is known at one cell depends on. No DOM here.
import CONSTANTS from "../../../rnn_helpers/explore/figures/four.json";
import STORED from "../../../rnn_helpers/explore/trained/four.json";
import { states } from "../../lib/gru.js";
import { add, oneHot, sigmoid, sum, times, transpose } from "../../lib/vectors.js";
import { unpacked } from "../../lib/weights.js";

export const { SIZE, MOST } = CONSTANTS;
const PLACES = Array.from({ length: SIZE }, (_, i) => i);
const key = (row, column) => row * SIZE + column;

/** What a cell hears by one layer of 3 by 3 cells. */
const around = (cell) => {
  const [row, column] = [Math.floor(cell / SIZE), cell % SIZE];
  return PLACES.filter((i) => Math.abs(i - row) < 2).flatMap((i) =>
    PLACES.filter((j) => Math.abs(j - column) < 2).map((j) => key(i, j)),
  );
};

/** What a cell hears by a sweep: all that the sweep has passed. */
const SWEEPS = {
  down: (row, column) => PLACES.filter((i) => i <= row).map((i) => key(i, column)),
  up: (row, column) => PLACES.filter((i) => i >= row).map((i) => key(i, column)),
  right: (row, column) => PLACES.filter((j) => j <= column).map((j) => key(row, j)),
  left: (row, column) => PLACES.filter((j) => j >= column).map((j) => key(row, j)),
};
export const WAYS = Object.keys(SWEEPS);
const swept = (ways) => (cell) =>
  ways.flatMap((way) => SWEEPS[way](Math.floor(cell / SIZE), cell % SIZE));

/** Sweeps that read the same, and can run at the same time: four, and four more on what they say. */
export const stages = (n) =>
  Array.from({ length: Math.ceil(n / 4) }, (_, k) => WAYS.slice(0, Math.min(4, n - 4 * k)));

/** Layers that stand on each other, the lowest first: each says what a cell asks of the one below. */
const layers = (kind, n) => (kind === "stack" ? Array(n).fill(around) : stages(n).map(swept));

/** Cells (by row, then column) that the cell hears through so many convolutions, or sweeps. */
export function heard(kind, n, row, column) {
  let cells = new Set([key(row, column)]);
  for (const asks of layers(kind, n).reverse()) cells = new Set([...cells].flatMap(asks));
  return PLACES.map((i) => PLACES.map((j) => cells.has(key(i, j))));
}

export const count = (cells) => cells.flat().filter(Boolean).length;

/** Steps that have to be made one after the other. */
export const inARow = (kind, n) => (kind === "stack" ? n : SIZE * stages(n).length);

/** For each cell the first number of layers by which it is heard, up to n; 0 if it is not. */
export function since(kind, n, row, column) {
  const found = PLACES.map(() => PLACES.map(() => 0));
  for (let k = n; k > 0; k--) {
    const cells = heard(kind, k, row, column);
    for (const i of PLACES) for (const j of PLACES) if (cells[i][j]) found[i][j] = k;
  }
  return found;
}

// ---- a network that has learned to follow paths, in a picture of its own size

export const SIDE = CONSTANTS.SIDE;
export const [WALL, FLOOR, MARK] = [0, 1, 2];
const NET = unpacked(STORED.networks.sweeps);

/** Kinds of cells, by row, from a text of `.` for a wall, `#` for floor and `O` for a mark. */
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

/** The maze with a cell changed from wall to floor, or back; a mark stays. */
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

/** Two sweeps along each line, there and back, side by side. */
const both = ([ahead, back], lines) =>
  lines.map((line) => {
    const there = states(ahead, line);
    const again = states(back, line.toReversed()).toReversed();
    return there.map((h, i) => [...h, ...again[i]]);
  });

/** What the last sweeps say at every cell. */
export function says(maze) {
  let h = maze.map((line) => line.map((kind) => oneHot(kind, 3)));
  UNITS_OF.forEach((units, k) => {
    h = k % 2 ? both(units, h) : transpose(both(units, transpose(h)));
  });
  return h;
}

/** Probability, by the network, that the marks are joined; not a number where there is no mark. */
export function believes(maze) {
  const h = says(maze);
  const marked = h.flatMap((line, i) => line.filter((_, j) => maze[i][j] === MARK));
  const outputs = marked.map((each) => add(NET.c, times(NET.V, each)));
  const [no, yes] = [0, 1].map((k) => sum(outputs.map((o) => o[k])) / marked.length);
  return sigmoid(yes - no);
}

/** Whether a way over floor leads from the first mark to all others, and there are two at least. */
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
