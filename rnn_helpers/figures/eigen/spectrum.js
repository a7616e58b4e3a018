// The complex plane with the unit circle and two eigenvalues that the reader can drag.
import { setAll } from "../lib/controls.js";
import { drawingOf, italic, redraw, set, setSize, svg, text } from "../lib/dom.js";
import { arrowKeys, draggable, sliderRole } from "../lib/handles.js";
import { clamp, format, linear } from "../lib/scales.js";
import { dots, place } from "../lib/shapes.js";
import { power, STEPS } from "./math.js";

const LIMIT = 1.2;
/** Keys for larger moves. The arrow keys move an eigenvalue by 0.01. */
const KEYS = { PageUp: [0.1, 0], PageDown: [-0.1, 0], Home: [-9, 0], End: [9, 0] };
/** An eigenvalue this close to the real axis snaps to it. */
const SNAP = 0.05;
export const TERMS = ["one", "two"];
const MIDDLE = { "text-anchor": "middle" };
const round = (value) => Number(value.toFixed(2)) + 0;
const within = (value) => clamp(value, -LIMIT, LIMIT);

/** Write an eigenvalue, such as 0.94 + 0.27 i. */
export const complex = ([re, im], digits = 2) =>
  format(re, digits) + (im ? ` ${im < 0 ? "−" : "+"} ${format(Math.abs(im), digits)} i` : "");

export function spectrum(model) {
  const plot = svg("g");
  const handles = TERMS.map((term, i) => handle(i, term));
  const node = drawingOf("The eigenvalues in the complex plane", plot, handles);
  let x, y;
  const other = (i) => (i ? "re" : "re2");

  /** Move eigenvalue i to (re, im). If it isn't real, the other one becomes its conjugate. */
  function put(i, re, im, old) {
    const [a, b] = [round(within(re)), round(within(im))];
    if (b !== 0) return setAll(model, { im: i ? -b : b, re: a });
    // A pair meets on the axis. If it left the axis during this drag, the other eigenvalue returns
    // to its old place.
    const paired = model.get("im") !== 0;
    const stay = old ?? (paired ? a : model.get(other(i)));
    setAll(model, { im: 0, [other(i)]: stay, [other(1 - i)]: a });
  }

  handles.forEach(({ node: grip }, i) => {
    let old;
    draggable(grip, {
      surface: node,
      start: () => (old = model.get("im") === 0 ? model.get(other(i)) : undefined),
      move(point) {
        const im = y.invert(point.y);
        put(i, x.invert(point.x), Math.abs(im) < SNAP ? 0 : im, old);
      },
    });
    const move = ([right, up]) => {
      const im = model.get("im");
      const re = model.get(im === 0 ? other(1 - i) : "re");
      put(i, re + right, (i ? -im : im) + up);
    };
    arrowKeys(grip, move, 0.01, KEYS);
  });

  function update(now, [side], em) {
    const reach = LIMIT + 0.12;
    x = linear([-reach, reach], [0, side]);
    y = linear([-reach, reach], [side, 0]);
    const { eigenvalues, paired } = now;
    setSize(node, side, side);
    redraw(plot, plane({ em, font: 0.9 * em, side, x, y }), powers(now, { em, x, y }));
    const close = Math.abs(x(eigenvalues[0][0]) - x(eigenvalues[1][0])) < 1.7 * em;
    eigenvalues.forEach((lambda, i) =>
      handles[i].update({ lambda, paired, at: [x(lambda[0]), y(lambda[1])], close, em }),
    );
  }
  return { node, update };
}

function plane(at) {
  const { em, side, x, y } = at;
  const word = (px, py, words, more) => text(at, px, py, { class: "quiet", ...more }, words);
  return [
    svg("circle", { class: "unit", cx: x(0), cy: y(0), r: x(1) - x(0) }),
    svg("path", { class: "axis", d: `M0 ${y(0)}H${side}M${x(0)} 0V${side}` }),
    word(x(1) + 0.25 * em, y(0) + 0.685 * em, "1"),
    word(x(-1) - 0.25 * em, y(0) + 0.685 * em, "−1", { "text-anchor": "end" }),
    word(x(-0.43), y(-0.5) - 0.315 * em, "shrinks", MIDDLE),
    word(x(0.8), y(-1.12) - 0.315 * em, "grows", MIDDLE),
    word(x(0) + 0.3 * em, y(1) - 0.615 * em, "i", { "font-style": "italic" }),
  ];
}

/** The powers of the first eigenvalue as a trail, and both eigenvalues' powers at the current step. */
function powers({ eigenvalues, t }, { em, x, y }) {
  const inside = (z) => z.every((value) => Math.abs(value) <= LIMIT);
  const spot = ([re, im]) => [x(re), y(im)];
  const trail = Array.from({ length: STEPS + 1 }, (_, s) => power(eigenvalues[0], s));
  return [
    svg("path", {
      class: "trail",
      d: dots(trail.filter(inside).map(spot)),
      "stroke-width": 0.2 * em,
    }),
    eigenvalues.map((lambda, i) => {
      const z = power(lambda, t);
      const [cx, cy] = spot(z);
      const look = { class: "power", "data-term": TERMS[i], r: 0.25 * em };
      return inside(z) && svg("circle", { ...look, cx, cy });
    }),
  ];
}

/** The handle of an eigenvalue: a disk for λ₁, a diamond for λ₂. */
function handle(i, term) {
  const mark = i ? svg("path", { class: "grip" }) : svg("circle", { class: "grip" });
  const ring = svg("circle", { class: "uf-ring" });
  const name = svg("text", MIDDLE, italic("λ"), "₁₂"[i]);
  const label = `eigenvalue ${i + 1}, moved by arrow keys`;
  const look = { class: "handle", "data-term": term };
  const node = svg("g", { ...look, ...sliderRole(label, -LIMIT, LIMIT) }, ring, mark, name);
  return {
    node,
    update({ lambda, paired, at, close, em }) {
      const r = 0.5 * em;
      set(mark, i ? { d: `M0 ${-1.2 * r}L${1.2 * r} 0L0 ${1.2 * r}L${-1.2 * r} 0Z` } : { r });
      set(ring, { r: Math.max(0.85 * em, 13) });
      // Put the names of two close real eigenvalues on different sides of the axis, and those of a
      // pair away from the axis.
      const above = paired ? lambda[1] > 0 : !(close && i);
      set(name, { "font-size": em, y: (above ? -0.8 : 1.45) * em });
      place(node, ...at);
      set(node, {
        "aria-valuenow": lambda[0],
        "aria-valuetext": complex(lambda) + (paired ? ", one of a conjugate pair" : ""),
      });
    },
  };
}
