// How the automaton grows with the kinds of brackets, against a network of 30 units.
import { holds } from "../../lib/controls.js";
import { drawingOf, html, setSize, svg, text } from "../../lib/dom.js";
import { knob } from "../../lib/handles.js";
import { decade } from "../../lib/powers.js";
import { format, linear, log } from "../../lib/scales.js";
import { path, place, rect } from "../../lib/shapes.js";
import { growth, MEASURED, MOST } from "./math.js";

const KINDS = Array.from({ length: MOST }, (_, i) => i + 1);
const CURVES = Object.fromEntries(
  ["states", "probabilities", "weights"].map((name) => [name, KINDS.map((k) => growth(k)[name])]),
);

/** A whole number for people: in digits up to a million, else as a power of ten. */
export function many(n) {
  if (n < 1e6) return String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");
  const power = Math.floor(Math.log10(n));
  return [`${format(n / 10 ** power, 1)}\u00a0·\u00a010`, html("sup", {}, power)];
}
const spoken = (n) => (n < 1e6 ? String(n) : `${(n / 1e9).toPrecision(3)} billion`);

export function growthView(model, spec) {
  const plot = svg("g");
  const grip = knob();
  const drawing = drawingOf("States by kinds of brackets", plot, grip);
  const words = html("p", { class: "words" });
  const node = html("div", { class: "growth" }, drawing, words);
  let x;
  const follow = holds(grip, model, "k", spec, {
    surface: drawing,
    at: (point) => x.invert(point.x),
    text: (k) => `${k}: ${spoken(growth(k).states)} states`,
  });

  function update({ width, height, em, font }) {
    const k = model.get("k");
    const small = width < 15 * em;
    const [left, right, top, bottom] = [2.5 * em, width - 0.9 * em, 1.3 * em, height - 1.3 * em];
    x = linear([1, MOST], [left, right]);
    const y = log([10, 1e13], [bottom, top]);
    const line = (name) => {
      const points = CURVES[name].map((n, i) => [x(i + 1), y(n)]);
      return svg("path", { class: `line ${name}`, d: path(points) });
    };
    const [r, at] = [Math.min(0.26 * em, 0.4 * (x(2) - x(1))), { font }];
    const mark = ({ k, better }) => {
      const { probabilities, weights } = growth(k);
      const full = (name) => (better === name ? "full" : "");
      const [a, b] = [y(probabilities), y(weights)];
      return [
        rect(x(k) - r, a - r, 2 * r, 2 * r, { class: `mark ${full("automaton")}` }),
        svg("circle", { class: `mark ${full("network")}`, cx: x(k), cy: b, r: 1.15 * r }),
      ];
    };
    setSize(drawing, width, height);
    plot.replaceChildren(
      rect(left, top, right - left, bottom - top, { class: "frame" }),
      svg("path", { class: "cursor", d: `M${x(k)} ${top}V${bottom}` }),
      ...["states", "probabilities", "weights"].map(line),
      ...MEASURED.flatMap(mark),
      ...[2, 6, 10].map((power) =>
        text(at, left - 0.35 * em, y(10 ** power), { class: "tick end" }, decade(power, font)),
      ),
      ...(small ? [1, 10] : [1, 10, 20]).map((kinds) =>
        text(at, x(kinds), bottom + 0.7 * em, { class: "tick" }, String(kinds)),
      ),
      text(at, right + 0.8 * em, bottom + 0.7 * em, { class: "tick end" }, "30 kinds"),
      text(
        at,
        x(18),
        y(CURVES.probabilities[17]) - 0.75 * em,
        { class: "tick end" },
        "probabilities",
      ),
      text(at, x(19.3), y(CURVES.states[18]) + 0.85 * em, { class: "name start" }, "states"),
      text(
        at,
        right - 0.3 * em,
        y(CURVES.weights[29]) + 0.75 * em,
        { class: "tick end" },
        small ? "weights" : "network’s weights",
      ),
    );
    place(grip, x(k), y(growth(k).states));
    follow();
    words.replaceChildren(...readout(k));
  }
  return { node, update };
}

function readout(k) {
  const { states, probabilities, weights } = growth(k);
  const one = MEASURED.find((row) => row.k === k);
  const result = (name) => {
    const bits = [name === "automaton" ? "automaton " : "network ", format(one[name], 3)];
    return one.better === name ? html("b", {}, bits) : bits;
  };
  return [
    html("b", {}, k, k === 1 ? " kind" : " kinds"),
    ", four letters: ",
    html("b", { class: "states" }, many(states), " states"),
    ", ",
    many(probabilities),
    " probabilities; 30 units have ",
    many(weights),
    " weights. ",
    ...(one
      ? [
          "Bits a symbol above the least: ",
          result("automaton"),
          ", ",
          result("network"),
          one.better ? "." : ": level.",
        ]
      : ["Not measured."]),
    html("span", { class: "aside" }, " Full marks: fewer bits."),
  ].flat();
}
