// The cell as a block diagram with the numbers of one step. It is drawn 180 units wide and scaled to
// its column.
import { svg } from "../lib/dom.js";
import { rounded } from "../lib/scales.js";
import { rect } from "../lib/shapes.js";

const X = { c: 18.5, g: 49, sum: 74, s: 108, q: 140, h: 167 };
const LINE = 48;
const LOOP = 19;
const LOW = 78;
const FONT = 9.6;

export function diagram({ cell, step, t }) {
  const { f, g, c, s, q, h } = step;
  const path = (d, term, extra = "") =>
    svg("path", { class: `wire ${extra}`, d, "data-term": term });
  const tip = (x, y, way) =>
    svg("path", {
      class: "tip",
      d: `M${x} ${y}${{ right: "l-4 -2.6v5.2z", down: "l-2.6 -4h5.2z" }[way]}`,
    });
  const text = (x, y, words, attributes) =>
    svg("text", { x, y: y + 0.35 * FONT, "font-size": FONT, ...attributes }, words);
  const box = (name, x, y, words, value, rx = 2) => {
    const kind = name in step.set ? "held" : "";
    return svg(
      "g",
      { class: `box ${name} ${kind}`, "data-term": name },
      rect(x - 17.5, y - 7.5, 35, 15, { rx }),
      text(x, y, [words && svg("tspan", { "font-style": "italic" }, `${words} `), rounded(value)]),
    );
  };
  const node = (x, y, sign, term) =>
    svg(
      "g",
      { class: "node", "data-term": term },
      svg("circle", { cx: x, cy: y, r: 5.2 }),
      text(x, y, sign),
    );
  /** The wires of x and h^(t-1), which enter each sum. */
  const feed = (x, y, from) =>
    ["x", "hp"].map((term, i) => {
      const below = `M${x - 7 + 14 * i} ${y + 16}V${y + 8.5}`;
      const d = from === "below" ? below : `M${x - 27} ${y - 3 + 6 * i}h9`;
      return path(d, term, term);
    });
  return svg(
    "svg",
    {
      class: "uf-drawing diagram",
      viewBox: "0 4 186 92",
      role: "img",
      "aria-label":
        `The cell at step ${t}: input gate ${rounded(g)}, forget gate ${rounded(f)}, ` +
        `state ${rounded(s)}, output gate ${rounded(q)}, output ${rounded(h)}`,
    },
    // forward, from left to right
    path(`M${X.c + 16} ${LINE}H${X.sum - 6}`, "c"),
    path(`M${X.sum + 5} ${LINE}H${X.s - 18}`, "s"),
    path(`M${X.s + 16} ${LINE}H${X.h - 12}`, "s"),
    tip(X.sum - 5, LINE, "right"),
    tip(X.s - 17.5, LINE, "right"),
    // the loop: delay, forget gate, and back into the sum
    path(`M${X.s} ${LINE - 8}V${LOOP}H${X.sum}V${LINE - 6}`, "sp"),
    tip(X.sum, LINE - 5.2, "down"),
    rect(X.s - 4, 27, 8, 8, { class: "delay", "data-term": "sp" }),
    // gates
    path(`M${X.g + 16} ${LOOP}H${X.sum - 5}`, "f"),
    path(`M${X.g} ${LOW - 8}V${LINE + 5}`, "g"),
    path(`M${X.q} ${LOW - 8}V${LINE + 5}`, "q"),
    cell === "peepholes" && [
      path(`M85 ${LOOP}V${LOW}H${X.g + 18}M85 ${LOOP}V6H${X.g}V11`, "p", "peep"),
      path(`M${X.s} ${LINE + 8}V${LOW}H${X.q - 18}`, "p", "peep"),
    ],
    node(X.g, LINE, "×", "g"),
    node(X.sum, LINE, "+", "s"),
    node(X.sum, LOOP, "×", "f"),
    node(X.q, LINE, "×", "q"),
    feed(X.g, LOOP, "left"),
    feed(X.g, LOW, "below"),
    feed(X.q, LOW, "below"),
    feed(X.c, LINE, "below"),
    box("c", X.c, LINE, "", c, 7.5),
    box("g", X.g, LOW, "g", g, 7.5),
    box("f", X.g, LOOP, "f", f, 7.5),
    box("s", X.s, LINE, "s", s),
    box("q", X.q, LOW, "q", q, 7.5),
    box("h", X.h, LINE, "h", h),
    text(X.c, LINE - 13, "tanh", { class: "quiet" }),
    text(X.q - 9, LINE - 14, "tanh", { class: "quiet" }),
    ["x", "h"].map((name, i) =>
      text(X.c - 7 + 14 * i, LINE + 22, name, {
        class: name,
        "font-style": "italic",
        "data-term": ["x", "hp"][i],
      }),
    ),
  );
}
