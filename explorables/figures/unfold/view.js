import { control, controls } from "../../lib/controls.js";
import { html, responsive, set, setSize, svg } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { draggable, keySlider } from "../../lib/handles.js";
import { linked, live } from "../../lib/linked.js";
import { rect } from "../../lib/shapes.js";
import { circuitView, columnSize, symbol, unfoldedView } from "./drawing.js";
import { meta } from "./meta.js";
import { breadth, copies, FIGURES, parameters, unfold } from "./math.js";

export function render({ model, el }) {
  el.classList.add("fig-unfold");
  const { T: steps, pattern } = meta.controls;
  const own = model.get("circuit");
  const words = model.get("words").split(/\s+/).filter(Boolean);
  const circuit = () => own ?? FIGURES[model.get("pattern")];

  const loop = html("div", { class: "loop" });
  const copied = svg("g", { role: "img" });
  // a finger loses its hold of what is taken out of the drawing: this part stays
  const held = rect(0, 0, 0, 0, { fill: "transparent" });
  const edgeLine = svg("g");
  const handle = svg("g", { class: "edge-handle" }, edgeLine, held);
  const unfolded = svg("svg", { class: "uf-drawing" }, copied, handle);
  const area = html("div", { class: "unfolded" }, unfolded);
  const facts = html("div", { class: "counts" });
  const hint = html("p", { class: "hint" });
  const status = live();
  const length = control(model, "T", steps, { text: (T) => `${T} ${T === 1 ? "step" : "steps"}` });
  const arrow = html("div", { class: "arrow", "aria-hidden": "true" }, html("span", {}, "unfold"));
  el.append(
    own ? controls(length) : controls(control(model, "pattern", pattern), length),
    html("div", { class: "scene" }, loop, arrow, area),
    html("div", { class: "facts" }, facts, hint),
    own ? "" : guess(meta.prediction, () => model.set("T", 8)),
    status,
  );

  let size = null;
  let drawn = 0;
  const link = linked(el, (term) => {
    if (term === null) return;
    const n = copies(unfold(circuit(), model.get("T")), term).length;
    status.announce(`${term} is used ${n} times, and it is one parameter.`);
  });
  const edgeOf = (T) => plan(circuit(), T, size).edge + size.em;
  const follow = holdEdge(model, handle, unfolded, edgeOf);

  function drawCircuit() {
    loop.replaceChildren(circuitView(circuit(), size));
    const option = pattern.options.find(({ value }) => value === model.get("pattern"));
    hint.textContent = own ? "" : option.hint;
  }

  function draw() {
    const T = model.get("T");
    const planned = plan(circuit(), T, size);
    const { graph, edge } = planned;
    const { em } = size;
    const view = { ...size, ...planned, T, words, since: drawn };
    const { height, parts } = unfoldedView(circuit(), graph, view);
    drawn = T;
    setSize(unfolded, size.width, height);
    set(copied, { "aria-label": description(graph, T) });
    status.announce(
      `${description(graph, T)} ${own ? "" : `In this circuit, ${hint.textContent}.`}`,
    );
    copied.replaceChildren(...parts);
    const x = edge + em;
    set(held, { x: x - 0.75 * em, width: 1.5 * em, height });
    edgeLine.replaceChildren(...edgeParts({ x, height, em, T }));
    facts.replaceChildren(...counts(graph));
    follow();
    link.refresh();
  }

  model.on("change:T", () => size && draw());
  model.on("change:pattern", () => {
    drawn = 0;
    if (!size) return;
    drawCircuit();
    draw();
  });
  return responsive(area, (next) => {
    size = next;
    drawCircuit();
    draw();
  });
}

/** What the drawing of T steps needs: the columns of the initial nodes come before the first. */
function plan(circuit, T, { width, em }) {
  const graph = unfold(circuit, T);
  const first = Math.min(1, ...graph.initial.map(([, t]) => t));
  const most = meta.controls.T.max - first + 1;
  const room = { width: width - 3.2 * em, ideal: columnSize(circuit) * em, most };
  return { graph, first, edge: breadth(T - first + 1, room) };
}

/** The edge of the drawing is a handle for T, which would put it at `edgeOf(T)`. */
function holdEdge(model, handle, surface, edgeOf) {
  const { min, max } = meta.controls.T;
  draggable(handle, {
    surface,
    move({ x }) {
      const away = (T) => Math.abs(edgeOf(T) - x);
      const all = Array.from({ length: max }, (_, i) => i + 1);
      const best = all.reduce((best, T) => (away(T) < away(best) ? T : best));
      model.set("T", best);
    },
    end: () => model.save_changes(),
  });
  return keySlider(handle, {
    label: "right edge: the number of steps",
    min,
    max,
    get: () => model.get("T"),
    change: (T) => model.set("T", T),
    text: (T) => `${T} steps`,
  });
}

function description(graph, T) {
  const times = (n) => `${n} ${n === 1 ? "time" : "times"}`;
  const uses = parameters(graph).map((name) => `${name} ${times(copies(graph, name).length)}`);
  const steps = T === 1 ? "one step" : `${T} steps`;
  return `The circuit is unfolded over ${steps}. The graph has ${graph.nodes.length} nodes and uses ${uses.join(", ").replace(/, ([^,]*)$/, " and $1")}.`;
}

/** Nodes, which are more with each step, and parameters, which are not. */
function counts(graph) {
  const names = parameters(graph);
  const chip = (name) =>
    html(
      "span",
      { class: "chip", "data-term": name },
      html("i", {}, symbol(name)),
      ` ×${copies(graph, name).length}`,
    );
  return [
    fact(graph.nodes.length, "nodes in the graph", "grows with T"),
    fact(names.length, names.length === 1 ? "parameter" : "parameters", names.map(chip)),
  ];
}

const fact = (number, what, more) =>
  html(
    "div",
    { class: "fact" },
    html("b", {}, number),
    html("span", {}, what),
    html("small", {}, more),
  );

/** The line where the sentence ends, with its grip. */
function edgeParts({ x, height, em, T }) {
  const middle = height / 2;
  const w = 0.55 * em;
  return [
    svg("line", { x1: x, x2: x, y1: 1.5 * em, y2: height - 0.2 * em }),
    svg(
      "text",
      { x, y: em, "text-anchor": "middle", "font-size": em },
      svg("tspan", { "font-style": "italic" }, "T"),
      ` = ${T}`,
    ),
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
