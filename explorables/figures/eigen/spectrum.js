// The complex plane with the unit circle and two eigenvalues that the reader can drag.
import { drawingOf, set, setSize, svg } from "../../lib/dom.js";
import { arrowKeys, draggable, sliderRole } from "../../lib/handles.js";
import { clamp, format, linear } from "../../lib/scales.js";
import { point } from "../../lib/shapes.js";
import { power, STEPS } from "./math.js";

const LIMIT = 1.2;
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
  const ground = svg("g");
  const trail = svg("path", { class: "trail" });
  const now = TERMS.map((term) => svg("circle", { class: "power", "data-term": term }));
  const handles = TERMS.map((term, i) => handle(i, term));
  const node = drawingOf("The eigenvalues in the complex plane", ground, trail, now, handles);
  let x, y;

  /** Move eigenvalue i to (re, im). If it isn't real, the other one becomes its conjugate. */
  function put(i, re, im, other) {
    const [a, b] = [round(within(re)), round(within(im))];
    const paired = model.get("im") !== 0;
    if (b !== 0) {
      model.set("im", i ? -b : b);
      model.set("re", a);
    } else {
      // A pair meets on the axis. If it left the axis during this drag, the other eigenvalue returns
      // to its old place.
      const stay = other ?? (paired ? a : model.get(i ? "re" : "re2"));
      model.set("im", 0);
      model.set(i ? "re" : "re2", stay);
      model.set(i ? "re2" : "re", a);
    }
  }
  const get = (i) => {
    const im = model.get("im");
    return im === 0 ? [model.get(i ? "re2" : "re"), 0] : [model.get("re"), i ? -im : im];
  };

  handles.forEach(({ node: grip }, i) => {
    let other;
    draggable(grip, {
      surface: node,
      start: () => (other = model.get("im") === 0 ? model.get(i ? "re" : "re2") : undefined),
      move(point) {
        const im = y.invert(point.y);
        put(i, x.invert(point.x), Math.abs(im) < SNAP ? 0 : im, other);
      },
      end: () => model.save_changes(),
    });
    const move = (by) => {
      const [re, im] = get(i);
      put(i, re + by[0], im + by[1]);
      model.save_changes();
    };
    arrowKeys(grip, move, 0.01, KEYS);
  });

  function resize(side, _, em) {
    const reach = LIMIT + 0.12;
    x = linear([-reach, reach], [0, side]);
    y = linear([-reach, reach], [side, 0]);
    setSize(node, side, side);
    const one = x(1) - x(0);
    const word = (px, py, text, more) =>
      svg("text", { x: px, y: py, "font-size": 0.9 * em, class: "quiet", ...more }, text);
    ground.replaceChildren(
      svg("circle", { class: "unit", cx: x(0), cy: y(0), r: one }),
      svg("path", { class: "axis", d: `M0 ${y(0)}H${side}M${x(0)} 0V${side}` }),
      word(x(1) + 0.25 * em, y(0) + em, "1"),
      word(x(-1) - 0.25 * em, y(0) + em, "−1", { "text-anchor": "end" }),
      word(x(-0.43), y(-0.5), "shrinks", MIDDLE),
      word(x(0.8), y(-1.12), "grows", MIDDLE),
      word(x(0) + 0.3 * em, y(1) - 0.3 * em, "i", { "font-style": "italic" }),
    );
    now.forEach((dot) => set(dot, { r: 0.25 * em }));
    handles.forEach((one) => one.resize(em));
  }

  function update({ eigenvalues, paired, t }, em) {
    const inside = ([re, im]) => Math.abs(re) <= LIMIT && Math.abs(im) <= LIMIT;
    const place = ([re, im]) => `M${point(x(re), y(im))}h0`;
    const dots = Array.from({ length: STEPS + 1 }, (_, s) => power(eigenvalues[0], s));
    set(trail, { d: dots.filter(inside).map(place).join(""), "stroke-width": 0.2 * em });
    const close = Math.abs(x(eigenvalues[0][0]) - x(eigenvalues[1][0])) < 1.7 * em;
    eigenvalues.forEach((lambda, i) => {
      const z = power(lambda, t);
      set(
        now[i],
        inside(z) ? { cx: x(z[0]), cy: y(z[1]), visibility: null } : { visibility: "hidden" },
      );
      handles[i].update({ lambda, paired, at: [x(lambda[0]), y(lambda[1])], close, em });
    });
  }
  return { node, resize, update };
}

/** Keys for larger moves. The arrow keys move an eigenvalue by 0.01. */
const KEYS = {
  PageUp: [0.1, 0],
  PageDown: [-0.1, 0],
  Home: [-9, 0],
  End: [9, 0],
};

/** The handle of an eigenvalue: a disk for λ₁, a diamond for λ₂. */
function handle(i, term) {
  const mark = i ? svg("path", { class: "grip" }) : svg("circle", { class: "grip" });
  const ring = svg("circle", { class: "uf-ring" });
  const letter = svg("tspan", { "font-style": "italic" }, "λ");
  const name = svg("text", MIDDLE, letter, "₁₂"[i]);
  const node = svg("g", {
    class: "handle",
    "data-term": term,
    ...sliderRole(`eigenvalue ${i + 1}; arrow keys move it in the complex plane`, -LIMIT, LIMIT),
  });
  node.append(ring, mark, name);
  return {
    node,
    resize(em) {
      const r = 0.5 * em;
      set(mark, i ? { d: `M0 ${-1.2 * r}L${1.2 * r} 0L0 ${1.2 * r}L${-1.2 * r} 0Z` } : { r });
      set(ring, { r: Math.max(0.85 * em, 13) });
      set(name, { "font-size": em });
    },
    update({ lambda, paired, at, close, em }) {
      set(node, {
        transform: `translate(${at[0].toFixed(2)} ${at[1].toFixed(2)})`,
        "aria-valuenow": lambda[0],
        "aria-valuetext": complex(lambda) + (paired ? ", one of a conjugate pair" : ""),
      });
      // Put the names of two close real eigenvalues on different sides of the axis, and those of a
      // pair away from the axis.
      const above = paired ? lambda[1] > 0 : !(close && i);
      set(name, { y: (above ? -0.8 : 1.45) * em });
    },
  };
}
