import { holds } from "../lib/controls.js";
import { drawingOf, html, italic, redraw, set, setSize, svg } from "../lib/dom.js";
import { fact, figure } from "../lib/figure.js";
import { linked } from "../lib/linked.js";
import { remembered } from "../lib/remembered.js";
import { counted } from "../lib/scales.js";
import { rect } from "../lib/shapes.js";
import { upTo } from "../lib/vectors.js";
import { circuitView, columnSize, symbol, unfoldedView } from "./drawing.js";
import { meta } from "./meta.js";
import {
  breadth,
  copies,
  FIGURES,
  parameters,
  ROOMS,
  TEA,
  temperatures,
  unfold,
  WEIGHTS,
} from "./math.js";

export const render = figure("unfold", meta, ({ model, el, spec, control, again }) => {
  const tea = model.get("view") === "tea";
  const own = tea ? TEA : model.get("circuit");
  const words = tea ? ROOMS.map(([name]) => name) : model.get("words").split(/\s+/).filter(Boolean);
  const circuitOf = (pattern) => own ?? FIGURES[pattern];

  const loop = html("div", { class: "loop" });
  const copied = svg("g", { role: "img" });
  // A finger loses its hold on a part that is drawn again, so this part stays.
  const held = rect(0, 0, 0, 0, { fill: "transparent" });
  const edgeLine = svg("g");
  const handle = svg("g", { class: "edge-handle" }, edgeLine, held);
  const unfolded = drawingOf("The unfolded graph", copied, handle);
  const area = html("div", { class: "unfolded" }, unfolded);
  const facts = html("div", { class: "counts" });
  const hint = html("p", { class: "hint" });
  const arrow = html("div", { class: "arrow", "aria-hidden": "true" }, html("span", {}, "unfold"));

  let now = null;
  let told = ""; // the last change: of the graph, or of the parameter that is pointed at
  const link = linked(el, (term) => {
    if (term === null) return;
    told = `${term} is used ${counted(copies(now.graph, term).length, "time")}, and it is stored once.`;
    again();
  });
  const away = (T, x) => Math.abs(plan(now.circuit, T, now.size).x - x);
  const edge = holds(handle, model, "T", spec.T, {
    surface: unfolded,
    at: ({ x }) => upTo(spec.T.max).reduce((p, q) => (away(q, x) < away(p, x) ? q : p)),
    label: "right edge: the number of steps",
    text: (T) => counted(T, "step"),
  });

  const drawLoop = remembered((pattern, size) => {
    redraw(loop, circuitView(circuitOf(pattern), size));
    hint.textContent = own ? "" : spec.pattern.options.find(({ value }) => value === pattern).hint;
  });
  const draw = remembered((T, pattern, size) => {
    const since = now?.pattern === pattern ? now.T : 0;
    const circuit = circuitOf(pattern);
    const planned = plan(circuit, T, size);
    const { graph, x } = planned;
    now = { T, pattern, size, circuit, graph };
    const { height, parts } = unfoldedView(circuit, graph, {
      ...size,
      ...planned,
      T,
      words,
      since,
      values: tea && temperatures(graph),
    });
    setSize(unfolded, size.width, height);
    const more = tea
      ? degrees(temperatures(graph), T)
      : own
        ? ""
        : `In this circuit, ${hint.textContent}.`;
    told = `${description(graph, T)} ${more}`;
    set(copied, { "aria-label": description(graph, T) });
    redraw(copied, parts);
    set(held, { x: x - 0.75 * size.em, width: 1.5 * size.em, height });
    redraw(edgeLine, edgeParts({ x, height, em: size.em, T }));
    redraw(facts, counts(graph, T, tea));
  });

  const length = control("T", { text: (T) => counted(T, "step") });
  return {
    parts: [
      [!own && "pattern", length],
      html("div", { class: "scene" }, loop, arrow, area),
      html("div", { class: "facts" }, facts, hint),
    ],
    watch: area,
    // A figure that starts with another pattern follows one that has already asked.
    reveal: !tea && model.get("pattern") === spec.pattern.default && { T: 8 },
    follow: [edge, link],
    update({ T, pattern }, size) {
      drawLoop(pattern, size);
      draw(T, pattern, size);
      return told;
    },
  };
});

/** Lay out T steps. The columns of the initial nodes come before the first; `x` is the place of the handle. */
function plan(circuit, T, { width, em }) {
  const graph = unfold(circuit, T);
  const first = Math.min(1, ...graph.initial.map(([, t]) => t));
  const most = meta.controls.T.max - first + 1;
  const room = { width: width - 3.2 * em, ideal: columnSize(circuit) * em, most };
  const edge = breadth(T - first + 1, room);
  return { graph, first, edge, x: edge + em };
}

function description(graph, T) {
  const uses = parameters(graph).map(
    (name) => `${name} ${counted(copies(graph, name).length, "time")}`,
  );
  return `The circuit is unfolded over ${counted(T, "step")}. The graph has ${graph.nodes.length} nodes and uses ${uses.join(", ").replace(/, ([^,]*)$/, " and $1")}.`;
}

const degrees = (value, T) => {
  const states = upTo(T).map((t) => value[["h", t]]);
  return `The tea cools from ${value[["h", 0]]} to ${states.join(", ").replace(/, ([^,]*)$/, " and $1")} degrees.`;
};

const noun = (names, tea) =>
  tea
    ? "weights"
    : names.join() === "f"
      ? "function"
      : names.length === 1
        ? "weight matrix"
        : "weight matrices";

/** Count the nodes, which increase with each step, and the weights, which don't. */
function counts(graph, T, tea) {
  const names = parameters(graph);
  const uses = (name) => counted(copies(graph, name).length, "time");
  const before = `${graph.initial.length} before step 1`;
  const chip = (name) =>
    html(
      "span",
      { class: "chip", "data-term": name },
      html("i", {}, symbol(name)),
      tea ? ` = ${WEIGHTS[name]}, used ${uses(name)}` : ` ×${copies(graph, name).length}`,
    );
  return [
    fact(
      graph.nodes.length,
      "nodes in the graph",
      tea ? `the start, ${T} states, ${T} rooms` : before,
    ),
    fact(names.length, noun(names, tea), names.map(chip)),
  ];
}

/** Draw the line where the sentence ends, with its grip. */
function edgeParts({ x, height, em, T }) {
  const middle = height / 2;
  const w = 0.55 * em;
  return [
    svg("line", { x1: x, x2: x, y1: 1.5 * em, y2: height - 0.2 * em }),
    svg("text", { x, y: em, "text-anchor": "middle", "font-size": em }, italic("T"), ` = ${T}`),
    rect(x - w, middle - 1.3 * em, 2 * w, 2.6 * em, { class: "grip", rx: w }),
    svg("path", {
      class: "ticks",
      d: [-1, 1]
        .map(
          (side) =>
            `M${x + side * 0.2 * em} ${middle - 0.3 * em}l${side * 0.22 * em} ${0.3 * em}l${-side * 0.22 * em} ${0.3 * em}`,
        )
        .join(""),
    }),
  ];
}
