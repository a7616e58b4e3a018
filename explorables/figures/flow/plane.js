// The plane of gradients: the rows of W and the gradient at the end in the reader's hand, what the
// step at the cursor makes of a gradient, and where the steps down Omega lead.
import { CIRCLE, start } from "../../lib/planar.js";
import { drawingOf, set, setSize, svg } from "../../lib/dom.js";
import { arrowKeys, draggable, keySlider, knob, sliderRole } from "../../lib/handles.js";
import { clamp, format, linear } from "../../lib/scales.js";
import { arrow, place, point } from "../../lib/shapes.js";
import { size } from "../../lib/vectors.js";
import { CONSTANT, STEPS } from "./math.js";

const LIMIT = 2;
/** The arrows of a gradient are drawn so long, all four entries together: directions are compared. */
const SHOWN = 0.9;
/** A direction has no length: its handle stands where no row of length 1 covers it. */
const OUT = 1.25;
const ROWS = [
  ["w11", "w12"],
  ["w21", "w22"],
];
/** Keys beside the arrows, which move a row by 0.01. */
const KEYS = {
  PageUp: [0, 0.1],
  PageDown: [0, -0.1],
  Home: [-0.1, 0],
  End: [0.1, 0],
};

export function plane(model) {
  const it = parts();
  const { node, rows, end } = it;
  const figure = { ...it, model, side: 0, em: 0, x: null, y: null, now: null, held: false };
  const draw = () => update(figure.now);
  rows.forEach((row, i) => holdRow(figure, row, ROWS[i], draw));
  const follow = holdEnd(figure, end);

  function resize(width, _, em) {
    Object.assign(figure, { side: width, em, held: false });
    setSize(node, width, width);
    set(it.one, { "font-size": 0.9 * em });
    for (const { mark, ring, name } of rows) {
      set(mark, { x: -0.55 * em, y: -0.55 * em, width: 1.1 * em, height: 1.1 * em, rx: 2 });
      set(ring, { r: Math.max(0.95 * em, 13) });
      set(name, { y: 0.31 * em, "font-size": 0.9 * em });
    }
  }

  function update(now) {
    figure.now = now;
    if (!figure.held) Object.assign(figure, windowOf(now.W, figure.side));
    const { x, y, em } = figure;
    const view = { em, at: ([p, q]) => point(x(p), y(q)), spot: ([p, q]) => [x(p), y(q)] };
    drawGround(figure, now, view);
    drawGradient(figure, now, view);
    drawDescents(figure, now, view);
    drawRows(figure, now, view);
    set(node, { "aria-label": description(now) });
    follow();
  }
  return { node, resize, update };
}

/** What the drawing consists of, from the lowest to the uppermost. */
function parts() {
  const part = (tag, name) => svg(tag, { class: name });
  const it = {
    axes: part("path", "axis"),
    circle: part("circle", "circle"),
    image: part("path", "image"),
    one: svg("text", { class: "quiet" }, "1"),
    arms: ROWS.map(() => part("path", "arm")),
    comes: arrow("comes"),
    leaves: arrow("leaves"),
    stem: part("path", "stem"),
    descents: CONSTANT.flatMap((held) => ROWS.map(() => arrow(`down ${held}`))),
    end: knob({ class: "end" }),
    rows: ROWS.map((_, i) => rowHandle(i)),
  };
  return { ...it, node: drawingOf(null, Object.values(it)) };
}

function rowHandle(i) {
  const mark = svg("rect", { class: "grip" });
  const ring = svg("circle", { class: "uf-ring" });
  const name = svg("text", { "text-anchor": "middle" }, i + 1);
  const role = sliderRole(`row ${i + 1} of W; arrow keys move it`, -LIMIT, LIMIT);
  return { node: svg("g", { ...role, class: "handle" }, ring, mark, name), mark, ring, name };
}

// ---- hands

/** Whoever takes hold of W or of the gradient makes a new start. */
function fresh({ model, now }, change) {
  if (model.get("k") > 0) {
    model.set("k", 0);
    ROWS.flat().forEach((key, i) => model.set(key, rounded(now.W.flat()[i])));
  }
  change();
}

function holdRow(figure, { node }, keys, draw) {
  const { model } = figure;
  const put = (values) =>
    fresh(figure, () =>
      keys.forEach((key, j) => model.set(key, rounded(clamp(values[j], -LIMIT, LIMIT)))),
    );
  const inside = (pixel) => clamp(pixel, 0.7 * figure.em, figure.side - 0.7 * figure.em);
  const move = (by) => {
    put(figure.now.W[ROWS.indexOf(keys)].map((value, j) => value + by[j]));
    model.save_changes();
  };
  arrowKeys(node, move, 0.01, KEYS);
  draggable(node, {
    surface: figure.node,
    start: () => (figure.held = true), // the window stands still while a hand moves something in it
    move: ({ x, y }) => put([figure.x.invert(inside(x)), figure.y.invert(inside(y))]),
    end() {
      figure.held = false;
      model.save_changes();
      draw();
    },
  });
}

/** The gradient at the end; returns what follows a direction that was set elsewhere. */
function holdEnd(figure, end) {
  const { model } = figure;
  const turn = (angle) => fresh(figure, () => model.set("angle", angle));
  const degrees = ({ x, y }) =>
    Math.round((Math.atan2(figure.y.invert(y), figure.x.invert(x)) * 180) / Math.PI);
  draggable(end, {
    surface: figure.node,
    move: (point) => turn(((degrees(point) % 360) + 360) % 360),
    end: () => model.save_changes(),
  });
  return keySlider(end, {
    label: "direction of the gradient at the end",
    min: 0,
    max: 360,
    step: 1,
    get: () => model.get("angle"),
    change: turn,
    text: (angle) => `${format(angle, 0)} degrees`,
  });
}

// ---- what is drawn

/** Coarse, so that it seldom moves; paths may lead out of what a hand can reach. */
function windowOf(W, side) {
  const most = Math.max(...W.flat().map(Math.abs));
  const reach = most < 1.2 ? 1.45 : Math.max(LIMIT, Math.ceil(most)) + 0.2;
  return { x: linear([-reach, reach], [0, side]), y: linear([-reach, reach], [side, 0]) };
}

/** Axes, all gradients of length 1, and what the step at the cursor makes of them. */
function drawGround({ axes, circle, one, image, x, y, side }, { W, slopes, t }, { em, at }) {
  set(axes, { d: `M0 ${y(0)}H${side}M${x(0)} 0V${side}` });
  set(circle, { cx: x(0), cy: y(0), r: x(1) - x(0) });
  set(one, { x: x(0) + 0.25 * em, y: y(-1) - 0.3 * em });
  const [p, q] = slopes[t - 1];
  const made = ([c, s]) =>
    at([W[0][0] * p * c + W[1][0] * q * s, W[0][1] * p * c + W[1][1] * q * s]);
  set(image, { d: `M${CIRCLE.map(made).join("L")}Z` });
}

/** The gradient that comes to the step at the cursor and the one that leaves it, and that at the end. */
function drawGradient({ comes, leaves, stem, end }, now, { em, at, spot }) {
  const { units, ratios, t, angle } = now;
  const middle = spot([0, 0]);
  const here = units[t];
  const next = here && units[t - 1]?.map((value) => ratios[t] * value);
  comes.update(here && [middle, spot(here)], em);
  leaves.update(next && size(next) > 0.02 && [middle, spot(next)], em);
  const last = start(angle).map((value) => OUT * value);
  set(stem, { d: `M${at([0, 0])}L${at(last)}` });
  place(end, ...spot(last));
}

/** Where the steps down Omega lead each row. */
function drawDescents({ descents }, { W, on, constant }, { em, spot }) {
  descents.forEach((each, n) => {
    const [held, i] = [CONSTANT[n >> 1], n % 2];
    const gradient = on[held];
    const length = size(gradient);
    const step = [2 * i, 2 * i + 1].map((j) => W[i][j % 2] - (SHOWN * gradient[j]) / length);
    const far = length && size([gradient[2 * i], gradient[2 * i + 1]]) / length > 0.02;
    each.update(far ? [spot(W[i]), spot(step)] : null, em);
    each.node.classList.toggle("chosen", held === constant);
  });
}

function drawRows({ rows, arms }, { W }, { at, spot }) {
  rows.forEach(({ node }, i) => {
    set(arms[i], { d: `M${at([0, 0])}L${at(W[i])}` });
    place(node, ...spot(W[i]));
    const spoken = W[i].map((value) => format(value)).join(", ");
    set(node, { "aria-valuenow": rounded(W[i][0]), "aria-valuetext": spoken });
  });
}

const description = ({ units, ratios, t }) =>
  units[t]
    ? `The plane of gradients. Step ${t} of ${STEPS} leaves ${format(ratios[t])} of the gradient.`
    : "The plane of gradients. The gradient is 0 before this step.";

const rounded = (value) => Number(value.toFixed(2)) + 0;
