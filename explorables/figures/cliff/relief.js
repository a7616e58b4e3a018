// The loss as a relief that turns, drawn on a canvas from its far end to the near one.
import { sigmoid } from "../../lib/vectors.js";
import { B, loss, W } from "./math.js";

/** Cells of the relief along w, and along b on each side of the wall. */
const [ALONG, ACROSS] = [44, 22];
/** Width of the relief in that of the canvas, its height for a loss of 1 in its widths, its tilt to the reader. */
const [SIZE, HIGH, TILT] = [0.69, 1.2, 0.5];

/** The bias at which the start of the network is a fixed point: there the wall stands. */
const wall = (w) => 0.5 - w * sigmoid(0.5);

/** Points `[w, b, loss]` all over the plane: denser towards the wall, and never on it. */
export const grid = (T) =>
  Array.from({ length: ALONG + 1 }, (_, i) => {
    const w = W[0] + ((W[1] - W[0]) * i) / ALONG;
    return Array.from({ length: 2 * ACROSS + 1 }, (_, j) => {
      const near = 1 - (Math.abs(j - ACROSS) / ACROSS) ** 2.2;
      const b = j === ACROSS ? wall(w) : (1 - near) * B[j < ACROSS ? 0 : 1] + near * wall(w);
      return [w, b, loss(w, b, T)];
    });
  });

/**
 * Draw the relief over the points of `grid`, coloured by `shade(loss)`, with the descents `ways` on
 * it and a mark on each at update k. `inks` are colours by their names.
 */
export function drawRelief(canvas, grid, { T, side, turn, ways, k }, { inks, shade }) {
  const scale = globalThis.devicePixelRatio || 1;
  Object.assign(canvas, { width: side * scale, height: side * scale });
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  context.lineJoin = "round";
  const project = projection(side, turn);
  const stand = (w, b, E) => project(w, b, E + 0.006);
  const over = [...ways].reverse(); // the first is drawn over the second, where both are one
  const items = [...faces(grid, project, shade), ...over.flatMap((way) => pieces(way, T, stand))];
  items.sort((one, other) => other.deep - one.deep);
  for (const item of items) drawItem(context, item, inks);
  context.setLineDash([]);
  for (const { way, last, look, here } of over)
    if (here && k <= last)
      dot(context, stand(way.w[k], way.b[k], way.E[k]), inks[look.colour], inks, look.square);
  const { w, b, E } = ways[0].way;
  if (k > 0) dot(context, stand(w[0], b[0], E[0]), inks.accent, inks);
  drawNames(context, project, side, inks);
}

/** Where a point of the relief lies on the canvas, and how deep in the picture. */
function projection(side, turn) {
  const [cos, sin] = [Math.cos, Math.sin].map((f) => f((turn * Math.PI) / 180));
  return (w, b, E) => {
    const [x, y] = [(w - W[0]) / (W[1] - W[0]) - 0.5, (b - B[0]) / (B[1] - B[0]) - 0.5];
    const deep = x * sin + y * cos;
    return [
      side * (0.5 + SIZE * (x * cos - y * sin)),
      side * (0.68 - SIZE * (deep * TILT + HIGH * E)),
      deep,
    ];
  };
}

/** The faces between the points of the grid. */
function faces(grid, project, shade) {
  const found = [];
  for (let i = 0; i < ALONG; i++)
    for (let j = 0; j < 2 * ACROSS; j++) {
      const corners = [grid[i][j], grid[i + 1][j], grid[i + 1][j + 1], grid[i][j + 1]];
      found.push(face(corners, project, shade));
    }
  return found;
}

function face(corners, project, shade) {
  const points = corners.map((corner) => project(...corner));
  const [x, y, deep] = [0, 1, 2].map((axis) =>
    points.reduce((sum, point) => sum + point[axis] / 4, 0),
  );
  // A little larger than they are, so that no seam shows.
  points.forEach((point) => {
    const far = Math.hypot(point[0] - x, point[1] - y) || 1;
    point[0] += (0.6 * (point[0] - x)) / far;
    point[1] += (0.6 * (point[1] - y)) / far;
  });
  const E = corners.reduce((sum, corner) => sum + corner[2] / 4, 0);
  const rise = (corners[3][2] - corners[0][2]) / (corners[3][1] - corners[0][1] || 1);
  const dark = Math.max(-0.3, Math.min(0, 0.35 * Math.max(-2, rise)));
  const colour = shade(E).map((c) => Math.round(c * (1 + dark)));
  return { deep, points, colour: `rgb(${colour})` };
}

/** The steps of a descent, a little before the faces they lie on; the last leads to the edge. */
function pieces({ way, last, look, edge }, T, stand) {
  const line = way.w.slice(0, last + 1).map((w, n) => stand(w, way.b[n], way.E[n]));
  if (edge) line.push(stand(edge.w, edge.b, loss(edge.w, edge.b, T)));
  return line.slice(1).map((point, i) => ({
    deep: Math.min(line[i][2], point[2]) - 0.012,
    points: [line[i], point],
    look,
    head: edge && i === last,
  }));
}

function drawItem(context, { points, colour, look, head }, inks) {
  context.beginPath();
  points.forEach(([x, y]) => context.lineTo(x, y));
  if (colour) {
    context.fillStyle = colour;
    context.fill();
    return;
  }
  Object.assign(context, { strokeStyle: inks[look.colour], lineWidth: look.wide });
  context.setLineDash(look.dash);
  context.stroke();
  if (head) drawHead(context, points, inks[look.colour]);
}

/** The head of an arrow. */
function drawHead(context, [[x0, y0], [x, y]], colour) {
  const angle = Math.atan2(y - y0, x - x0);
  context.beginPath();
  context.moveTo(x, y);
  [2.75, -2.75].forEach((side) =>
    context.lineTo(x + 15 * Math.cos(angle + side), y + 15 * Math.sin(angle + side)),
  );
  context.fillStyle = colour;
  context.fill();
}

function dot(context, [x, y], colour, { paper }, square) {
  context.beginPath();
  if (square) context.rect(x - 4.5, y - 4.5, 9, 9);
  else context.arc(x, y, 5.5, 0, 7);
  Object.assign(context, { fillStyle: colour, strokeStyle: paper, lineWidth: 1.5 });
  context.fill();
  context.stroke();
}

/** The axes' names. */
function drawNames(context, project, side, { ink }) {
  const font = `italic ${Math.max(14, 0.04 * side)}px serif`;
  Object.assign(context, { font, textAlign: "center", fillStyle: ink });
  const name = (letter, w, b) => context.fillText(letter, ...project(w, b, 0).slice(0, 2));
  name("b", W[1] + 0.06 * (W[1] - W[0]), (B[0] + B[1]) / 2 + 0.5);
  name("w", (W[0] + W[1]) / 2, B[1] + 0.09 * (B[1] - B[0]));
}
