// The loss as a landscape on a canvas: from above, or as a relief that turns. Its colour is that of
// the loss against ALWAYS, by the palette's ramp from less (blue) to more (red).
import { onTheme } from "../../lib/colours.js";
import { sigmoid } from "../../lib/vectors.js";
import { ALWAYS, B, field, loss, W } from "./math.js";

/** Powers of ten below and above ALWAYS at which the ramp ends. */
const [LESS, MORE] = [3.4, 1.5];
/** Shades of the table of colours. */
const SHADES = 255;
/** Cells of the relief along w, and along b on each side of the wall. */
const [ALONG, ACROSS] = [44, 22];
/** Width of the relief in that of the canvas, its height for a loss of 1 in its widths, its tilt to the reader. */
const [SIZE, HIGH, TILT] = [0.69, 1.2, 0.5];
/** Milliseconds of work between two looks at what the reader does. */
const SLICE = 6;

/** Where a loss lies on the ramp, 0 to 1. */
export const place = (E) => {
  const power = Math.log10(Math.max(E, 1e-12) / ALWAYS);
  return Math.min(Math.max(0.5 + power / (2 * (power < 0 ? LESS : MORE)), 0), 1);
};

/** The bias at which the start of the network is a fixed point: there the wall stands. */
const wall = (w) => 0.5 - w * sigmoid(0.5);

export function landscape(canvas, el) {
  let colours = null; // of the theme
  let nodes = null; // of the relief, for T
  let shown = null;
  let timer;
  const ink = (name) => getComputedStyle(el).getPropertyValue(`--uf-${name}`).trim();
  const rgb = (hex) => hex.match(/[\da-f]{2}/gi).map((two) => parseInt(two, 16));
  function table() {
    const stops = Array.from({ length: 7 }, (_, i) => rgb(ink(`signed-${i}`)));
    return Array.from({ length: SHADES + 1 }, (_, i) => {
      const at = (6 * i) / SHADES;
      const low = Math.min(Math.floor(at), 5);
      return stops[low].map((c, j) => c + (at - low) * (stops[low + 1][j] - c));
    });
  }

  /** From above, with light from above left and lines where the loss passes a power of ten. */
  function map(E, n) {
    Object.assign(canvas, { width: n, height: n });
    const picture = new ImageData(n, n);
    const light = 14 / n;
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++) {
        const at = j * n + i;
        const [left, above] = [i ? E[at - 1] : E[at], j ? E[at - n] : E[at]];
        const slope = Math.sqrt(E[at]) - Math.sqrt(left) + Math.sqrt(above) - Math.sqrt(E[at]);
        const shade = Math.max(-0.42, Math.min(0.25, (slope * n * light) / 14));
        const band = (value) => Math.floor(2 * Math.log10(value) + 1e-9);
        const line =
          n > 100 && (band(E[at]) !== band(left) || band(E[at]) !== band(above)) ? 0.9 : 1;
        colours[Math.round(SHADES * place(E[at]))].forEach((c, k) => {
          picture.data[4 * at + k] = line * (c + (shade < 0 ? c : 255 - c) * shade);
        });
        picture.data[4 * at + 3] = 255;
      }
    }
    canvas.getContext("2d").putImageData(picture, 0, 0);
  }

  /** A coarse map at once, a fine one as soon as there is time. */
  function above({ T, side }) {
    const all = (n) => {
      const job = field(T, n);
      let next;
      do next = job.next();
      while (!next.done);
      return next.value;
    };
    map(all(40), 40);
    const n = Math.round(Math.min(side * (globalThis.devicePixelRatio || 1), 520));
    const job = field(T, n);
    const work = () => {
      const until = performance.now() + SLICE;
      let next;
      do next = job.next();
      while (!next.done && performance.now() < until);
      if (next.done) map(next.value, n);
      else timer = setTimeout(work);
    };
    timer = setTimeout(work, 150);
  }

  function relief({ T, side, turn, ways, k }) {
    const scale = globalThis.devicePixelRatio || 1;
    Object.assign(canvas, { width: side * scale, height: side * scale });
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    context.lineJoin = "round";
    const [cos, sin] = [Math.cos, Math.sin].map((f) => f((turn * Math.PI) / 180));
    const project = (w, b, E) => {
      const [x, y] = [(w - W[0]) / (W[1] - W[0]) - 0.5, (b - B[0]) / (B[1] - B[0]) - 0.5];
      const deep = x * sin + y * cos;
      return [
        side * (0.5 + SIZE * (x * cos - y * sin)),
        side * (0.68 - SIZE * (deep * TILT + HIGH * E)),
        deep,
      ];
    };
    const inks = Object.fromEntries(
      ["gradient", "parameter", "accent", "paper"].map((name) => [name, ink(name)]),
    );
    nodes ??= Array.from({ length: ALONG + 1 }, (_, i) => {
      const w = W[0] + ((W[1] - W[0]) * i) / ALONG;
      return Array.from({ length: 2 * ACROSS + 1 }, (_, j) => {
        // Denser towards the wall, and never on it.
        const near = 1 - (Math.abs(j - ACROSS) / ACROSS) ** 2.2;
        const b = j === ACROSS ? wall(w) : (1 - near) * B[j < ACROSS ? 0 : 1] + near * wall(w);
        return [w, b, loss(w, b, T)];
      });
    });
    const items = [];
    for (let i = 0; i < ALONG; i++) {
      for (let j = 0; j < 2 * ACROSS; j++) {
        const corners = [nodes[i][j], nodes[i + 1][j], nodes[i + 1][j + 1], nodes[i][j + 1]];
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
        const shade = Math.max(-0.3, Math.min(0, 0.35 * Math.max(-2, rise)));
        const colour = colours[Math.round(SHADES * place(E))].map((c) => c * (1 + shade));
        items.push({ deep, points, colour: `rgb(${colour.map(Math.round)})` });
      }
    }
    const stand = (w, b, E) => project(w, b, E + 0.006);
    const over = [...ways].reverse(); // the first is drawn over the second, where both are one
    over.forEach(({ way, last, look, edge }) => {
      const line = way.w.slice(0, last + 1).map((w, n) => stand(w, way.b[n], way.E[n]));
      if (edge) line.push(stand(edge.w, edge.b, loss(edge.w, edge.b, T)));
      for (let i = 1; i < line.length; i++) {
        const points = [line[i - 1], line[i]];
        items.push({
          deep: Math.min(points[0][2], points[1][2]) - 0.012,
          points,
          look,
          head: edge && i > last,
        });
      }
    });
    items.sort((one, other) => other.deep - one.deep);
    for (const { points, colour, look, head } of items) {
      context.beginPath();
      points.forEach(([x, y]) => context.lineTo(x, y));
      if (colour) {
        context.fillStyle = colour;
        context.fill();
        continue;
      }
      Object.assign(context, { strokeStyle: inks[look.colour], lineWidth: look.wide });
      context.setLineDash(look.dash);
      context.stroke();
      if (head) arrow(...points, look);
    }
    context.setLineDash([]);
    const dot = ([x, y], colour, square) => {
      context.beginPath();
      if (square) context.rect(x - 4.5, y - 4.5, 9, 9);
      else context.arc(x, y, 5.5, 0, 7);
      Object.assign(context, { fillStyle: inks[colour], strokeStyle: inks.paper, lineWidth: 1.5 });
      context.fill();
      context.stroke();
    };
    over.forEach(
      ({ way, last, look, here }) =>
        here && k <= last && dot(stand(way.w[k], way.b[k], way.E[k]), look.colour, look.square),
    );
    const { w, b, E } = ways[0].way;
    if (k > 0) dot(stand(w[0], b[0], E[0]), "accent");
    Object.assign(context, {
      font: `italic ${Math.max(14, 0.04 * side)}px serif`,
      textAlign: "center",
      fillStyle: ink("ink"),
    });
    context.fillText(
      "b",
      ...project(W[1] + 0.06 * (W[1] - W[0]), (B[0] + B[1]) / 2 + 0.5, 0).slice(0, 2),
    );
    context.fillText(
      "w",
      ...project((W[0] + W[1]) / 2, B[1] + 0.09 * (B[1] - B[0]), 0).slice(0, 2),
    );
    function arrow([x0, y0], [x, y], { colour }) {
      const angle = Math.atan2(y - y0, x - x0);
      context.beginPath();
      context.moveTo(x, y);
      [2.75, -2.75].forEach((side) =>
        context.lineTo(x + 15 * Math.cos(angle + side), y + 15 * Math.sin(angle + side)),
      );
      context.fillStyle = inks[colour];
      context.fill();
    }
  }

  /** A veil over the starts that are thrown out, so far as they are known. */
  function veil({ veil, out, n }) {
    Object.assign(veil, { width: n, height: n });
    const picture = new ImageData(n, n);
    const colour = rgb(ink("gradient"));
    out.forEach((bad, at) => bad && picture.data.set([...colour, 150], 4 * at));
    veil.getContext("2d").putImageData(picture, 0, 0);
  }

  function paint(what) {
    clearTimeout(timer);
    colours ??= table();
    (what.relief ? relief : above)(what);
  }
  /** Draws what `what` says, if that is not what stands there. */
  function draw(what) {
    const same =
      shown && !what.relief && ["T", "side", "relief"].every((key) => shown[key] === what[key]);
    if (shown?.T !== what.T) nodes = null;
    shown = what;
    if (!same) paint(what);
  }
  const unwatch = onTheme(() => {
    colours = null;
    if (shown) paint(shown);
  });
  return {
    draw,
    veil,
    stop() {
      clearTimeout(timer);
      unwatch();
    },
  };
}
