// The loss as a relief that turns, drawn on a canvas from its far end to the near one.
import { sigmoid } from "../lib/vectors.js";
import { B, loss, W } from "./math.js";

/** Cells of the relief along w, and along b on each side of the wall. */
const [ALONG, ACROSS] = [48, 24];
/** Width of the relief and height of a loss of 1, in widths of the canvas; how far it is tilted. */
const [SIZE, HIGH, TILT] = [0.69, 0.83, 0.46];
/** Height of the canvas, and where the middle of the ground is, in widths of the canvas. */
export const SHAPE = 0.9;
const MIDDLE = 0.66;
/** The largest rise of the loss within one face: a taller one is cut into strips. */
const RISE = 0.02;
/** Direction of the light: along w, along b, and up. */
const LIGHT = [0.35, -0.3, 0.88];

/** The bias at which the network's first state is a fixed point: the wall is there. */
const wall = (w) => 0.5 - w * sigmoid(0.5);

/** Points `[w, b, loss]` all over the plane. They are denser near the wall, and none is on it. */
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
 * Draw the relief over the points of `grid`, colored by `shade(loss)`, with a descent `way` up to
 * update k. If it has left the picture, an arrow leads to the point `edge`.
 */
export function drawRelief(canvas, grid, { T, side, turn, way, look, k, edge }, { inks, shade }) {
  const scale = globalThis.devicePixelRatio || 1;
  Object.assign(canvas, { width: side * scale, height: SHAPE * side * scale });
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  context.lineJoin = "round";
  const project = projection(side, turn);
  const stand = (w, b, E) => project(w, b, E + 0.006);
  const points = way.w.slice(0, k + 1).map((w, n) => stand(w, way.b[n], way.E[n]));
  if (edge) points.splice(-1, 1, stand(edge.w, edge.b, loss(edge.w, edge.b, T)));
  const steps = points.slice(1).map((point, i) => ({
    deep: Math.min(points[i][2], point[2]) - 0.012,
    points: [points[i], point],
    head: edge && i === k - 1,
  }));
  const items = [...faces(grid, project, shade), ...steps];
  items.sort((one, other) => other.deep - one.deep);
  for (const item of items) drawItem(context, item, inks[look.colour], inks.paper);
  if (k > 0) dot(context, points[0], 5, inks.accent, inks.paper);
  if (!edge) dot(context, points[k], 7, inks[look.colour], inks.paper);
}

/** The place of a point of the relief on the canvas, and its depth in the picture. */
export function projection(side, turn) {
  const [cos, sin] = [Math.cos, Math.sin].map((f) => f((turn * Math.PI) / 180));
  return (w, b, E) => {
    const [x, y] = [(w - W[0]) / (W[1] - W[0]) - 0.5, (b - B[0]) / (B[1] - B[0]) - 0.5];
    const deep = x * sin + y * cos;
    return [
      side * (0.5 + SIZE * (x * cos - y * sin)),
      side * (MIDDLE - SIZE * deep * TILT - HIGH * E),
      deep,
    ];
  };
}

/** The faces between the points of the grid. */
function faces(grid, project, shade) {
  const found = [];
  for (let i = 0; i < ALONG; i++)
    for (let j = 0; j < 2 * ACROSS; j++) {
      const [near, far] = [0, 1].map((step) => [grid[i][j + step], grid[i + 1][j + step]]);
      const light = lit([...near, ...far]);
      const rise = Math.max(...[0, 1].map((side) => Math.abs(far[side][2] - near[side][2])));
      const strips = Math.ceil(rise / RISE) || 1;
      const between = (share) =>
        near.map((point, side) => point.map((at, axis) => at + share * (far[side][axis] - at)));
      for (let n = 0; n < strips; n++)
        found.push(face([n / strips, (n + 1) / strips].map(between), light, project, shade));
    }
  return found;
}

/** How bright a face is, from 0.78 to about 1, by the angle at which the light meets it. */
function lit([a, b, c]) {
  const slope = (one, other, axis, [low, high]) =>
    ((HIGH / SIZE) * (high - low) * (other[2] - one[2])) / (other[axis] - one[axis]);
  const normal = [-slope(a, b, 0, W), -slope(a, c, 1, B), 1];
  const cosine = normal.reduce((sum, n, i) => sum + n * LIGHT[i], 0) / Math.hypot(...normal);
  return 0.78 + 0.24 * Math.max(0, cosine);
}

function face([near, far], light, project, shade) {
  const corners = [near[0], near[1], far[1], far[0]];
  const E = corners.reduce((sum, corner) => sum + corner[2] / 4, 0);
  const points = corners.map((corner) => project(...corner));
  const deep = points.reduce((sum, point) => sum + point[2] / 4, 0);
  return {
    deep,
    points,
    colour: `rgb(${shade(E).map((c) => Math.round(Math.min(255, c * light)))})`,
  };
}

function drawItem(context, { points, colour, head }, ink, paper) {
  context.beginPath();
  points.forEach(([x, y]) => context.lineTo(x, y));
  if (colour) {
    // The line closes the seam between two faces.
    Object.assign(context, { fillStyle: colour, strokeStyle: colour, lineWidth: 1 });
    context.closePath();
    context.fill();
    context.stroke();
    return;
  }
  for (const [width, style] of [
    [4.5, paper],
    [2.2, ink],
  ]) {
    Object.assign(context, { strokeStyle: style, lineWidth: width, lineCap: "round" });
    context.globalAlpha = style === paper ? 0.6 : 1;
    context.stroke();
  }
  context.globalAlpha = 1;
  if (head) drawHead(context, points, ink);
  else dot(context, points[1], 2.4, ink);
}

/** The head of an arrow. */
function drawHead(context, [[x0, y0], [x, y]], colour) {
  const angle = Math.atan2(y - y0, x - x0);
  context.beginPath();
  context.moveTo(x, y);
  [2.75, -2.75].forEach((side) =>
    context.lineTo(x + 17 * Math.cos(angle + side), y + 17 * Math.sin(angle + side)),
  );
  context.fillStyle = colour;
  context.fill();
}

function dot(context, [x, y], radius, colour, edge) {
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  Object.assign(context, { fillStyle: colour, strokeStyle: edge ?? colour, lineWidth: 1.8 });
  context.fill();
  if (edge) context.stroke();
}
