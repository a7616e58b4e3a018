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
  const part = (tag, name) => svg(tag, { class: name });
  const axes = part("path", "axis");
  const circle = part("circle", "circle");
  const image = part("path", "image");
  const one = svg("text", { class: "quiet" }, "1");
  const arms = ROWS.map(() => part("path", "arm"));
  const descents = CONSTANT.flatMap((held) => ROWS.map(() => arrow(`down ${held}`)));
  const comes = arrow("comes");
  const leaves = arrow("leaves");
  const stem = part("path", "stem");
  const end = knob({ class: "end" });
  const rows = ROWS.map((keys, i) => row(keys, i));
  const node = drawingOf(
    null,
    axes,
    circle,
    image,
    one,
    arms,
    comes.node,
    leaves.node,
    stem,
    descents.map((each) => each.node),
    end,
    rows.map((each) => each.node),
  );
  let side, x, y, em, shown;
  let held = false; // the window stands still while a hand moves something in it

  /** Whoever takes hold of W or of the gradient makes a new start. */
  const fresh = (change) => {
    const now = rows.map((each) => each.value);
    const k = model.get("k");
    if (k > 0) {
      model.set("k", 0);
      ROWS.flat().forEach((key, i) => model.set(key, rounded(now.flat()[i])));
    }
    change();
  };
  const put = (keys, values) =>
    fresh(() => keys.forEach((key, j) => model.set(key, rounded(clamp(values[j], -LIMIT, LIMIT)))));

  function row(keys, i) {
    const mark = svg("rect", { class: "grip" });
    const ring = svg("circle", { class: "uf-ring" });
    const name = svg("text", { "text-anchor": "middle" }, i + 1);
    const label = `row ${i + 1} of W; arrow keys move it`;
    const role = sliderRole(label, -LIMIT, LIMIT);
    const node = svg("g", { ...role, class: "handle" }, ring, mark, name);
    const each = { node, mark, ring, name, value: [0, 0] };
    const move = (by) => {
      put(
        keys,
        each.value.map((value, j) => value + by[j]),
      );
      model.save_changes();
    };
    arrowKeys(node, move, 0.01, KEYS);
    return each;
  }
  const inside = (pixel) => clamp(pixel, 0.7 * em, side - 0.7 * em);
  rows.forEach((each, i) =>
    draggable(each.node, {
      surface: node,
      start: () => (held = true),
      move: (point) => put(ROWS[i], [x.invert(inside(point.x)), y.invert(inside(point.y))]),
      end() {
        held = false;
        model.save_changes();
        update(shown);
      },
    }),
  );

  const turn = (angle) => fresh(() => model.set("angle", ((Math.round(angle) % 360) + 360) % 360));
  const spoken = keySlider(end, {
    label: "direction of the gradient at the end",
    min: 0,
    max: 360,
    step: 1,
    get: () => model.get("angle"),
    change: (angle) => fresh(() => model.set("angle", angle)),
    text: (angle) => `${format(angle, 0)} degrees`,
  });
  draggable(end, {
    surface: node,
    move: (point) => turn((Math.atan2(y.invert(point.y), x.invert(point.x)) * 180) / Math.PI),
    end: () => model.save_changes(),
  });

  function resize(width, _, font) {
    [side, em] = [width, font];
    setSize(node, side, side);
    held = false;
    set(one, { "font-size": 0.9 * em });
    rows.forEach(({ mark, ring, name }) => {
      set(mark, { x: -0.55 * em, y: -0.55 * em, width: 1.1 * em, height: 1.1 * em, rx: 2 });
      set(ring, { r: Math.max(0.95 * em, 13) });
      set(name, { y: 0.31 * em, "font-size": 0.9 * em });
    });
  }

  function update(now) {
    const { W, units, ratios, slopes, t, on, angle } = now;
    shown = now;
    const most = Math.max(...W.flat().map(Math.abs));
    // Coarse, so that it seldom moves; paths may lead out of what a hand can reach.
    const reach = most < 1.2 ? 1.45 : Math.max(LIMIT, Math.ceil(most)) + 0.2;
    if (!held) {
      x = linear([-reach, reach], [0, side]);
      y = linear([-reach, reach], [side, 0]);
    }
    const at = ([p, q]) => point(x(p), y(q));
    const spot = ([p, q]) => [x(p), y(q)];
    const middle = spot([0, 0]);
    set(axes, { d: `M0 ${y(0)}H${side}M${x(0)} 0V${side}` });
    set(circle, { cx: x(0), cy: y(0), r: x(1) - x(0) });
    set(one, { x: x(0) + 0.25 * em, y: y(-1) - 0.3 * em });
    const [p, q] = slopes[t - 1];
    const made = ([c, s]) =>
      at([W[0][0] * p * c + W[1][0] * q * s, W[0][1] * p * c + W[1][1] * q * s]);
    set(image, { d: `M${CIRCLE.map(made).join("L")}Z` });

    const here = units[t];
    const next = here && units[t - 1]?.map((value) => ratios[t] * value);
    comes.update(here && [middle, spot(here)], em);
    leaves.update(next && size(next) > 0.02 && [middle, spot(next)], em);
    const last = start(angle).map((value) => OUT * value);
    set(stem, { d: `M${at([0, 0])}L${at(last)}` });
    place(end, ...spot(last));

    descents.forEach((each, n) => {
      const [gradient, i] = [on[CONSTANT[n >> 1]], n % 2];
      const length = size(gradient);
      const step = [2 * i, 2 * i + 1].map((j) => W[i][j % 2] - (SHOWN * gradient[j]) / length);
      const far = length && size([gradient[2 * i], gradient[2 * i + 1]]) / length > 0.02;
      each.update(far ? [spot(W[i]), spot(step)] : null, em);
      each.node.classList.toggle("chosen", CONSTANT[n >> 1] === now.constant);
    });
    rows.forEach((each, i) => {
      each.value = W[i];
      set(arms[i], { d: `M${at([0, 0])}L${at(W[i])}` });
      place(each.node, ...spot(W[i]));
      const spoken = W[i].map((value) => format(value)).join(", ");
      set(each.node, { "aria-valuenow": rounded(W[i][0]), "aria-valuetext": spoken });
    });
    set(node, {
      "aria-label": here
        ? `The plane of gradients. Step ${t} of ${STEPS} leaves ${format(ratios[t])} of the gradient.`
        : "The plane of gradients. The gradient is 0 before this step.",
    });
    spoken();
  }
  return { node, resize, update };
}

const rounded = (value) => Number(value.toFixed(2)) + 0;
