// The circuit and its unfolded graph as SVG. Their rows have the same heights, so that a reader can
// find each node of one in the other.
import { svg } from "../lib/dom.js";
import { clamp, counted } from "../lib/scales.js";
import { rect } from "../lib/shapes.js";
import { isGiven, rows } from "./math.js";

const MEANING = {
  x: "input",
  h: "state",
  s: "state",
  a: "state",
  o: "output",
  yhat: "output",
  y: "target",
  L: "loss",
};

function meaning(circuit, name) {
  const stem = name.replace(/[_\d].*$/, "");
  if (stem in MEANING) return MEANING[stem];
  if (isGiven(circuit, name)) return "input";
  return circuit.edges.some(({ source }) => source === name) ? "state" : "output";
}

const GREEK = {
  alpha: "α",
  beta: "β",
  gamma: "γ",
  delta: "δ",
  epsilon: "ε",
  eta: "η",
  theta: "θ",
  lambda: "λ",
  mu: "μ",
  rho: "ρ",
  sigma: "σ",
  tau: "τ",
  phi: "φ",
};

/** Return a name as it is written: ŷ for yhat, h₁ for h1, θ for theta. */
export function symbol(name) {
  const [, stem, hat, digits] = /^([A-Za-z]+?)(hat)?_?(\d+)?$/.exec(name) ?? [null, name];
  const index = (digits ?? "").replace(/\d/g, (digit) =>
    String.fromCodePoint(0x2080 + Number(digit)),
  );
  return (GREEK[stem] ?? stem) + (hat ? "\u0302" : "") + index;
}

/** Return the lengths that both drawings share, in pixels. */
function measures(circuit, { em, width, room = Infinity }) {
  const place = rows(circuit);
  const all = Object.values(place);
  const highest = Math.max(...all.map(([, row]) => row));
  const ideal = highest > 5 ? 2.9 : width < 26 * em ? 3.1 : 3.7;
  // The controls, the facts, the edge's label and the words take 11 em of the room.
  const rise = clamp((room - 11) / Math.max(highest, 1), 2.3, ideal) * em;
  const r = Math.min(1.15 * em, 0.34 * rise);
  const spread = 1 + 2 * Math.max(...all.map(([i]) => i));
  const top = 2 * em + 1.2 * r;
  const y = (name) => top + (highest - place[name][1]) * rise;
  return { place, rise, r, spread, y, height: top + highest * rise + 1.3 * r };
}

/** Return the full width of a column of the unfolded graph, in ems. */
export const columnSize = (circuit) => {
  const { spread } = measures(circuit, { em: 1, width: Infinity });
  return 4.3 + 3 * (spread - 1);
};

/** Draw the circuit, with a black square for each step of delay. */
export function circuitView(circuit, size) {
  const { em } = size;
  const { place, rise, r, spread, y, height } = measures(circuit, size);
  const middle = (1.9 + 1.4 * spread) * em;
  const at = (name) => ({ x: middle + place[name][0] * 2.8 * em, y: y(name) });
  const edgeOf = middle + 1.4 * (spread - 1) * em;
  // Loops are innermost. Arrows that feed back from row to row lie outside them, one around another.
  const loops = {};
  let out = 2.9;
  const reaches = new Map();
  for (const edge of circuit.edges) {
    if (edge.delay === 0 || edge.source !== edge.target) continue;
    const rank = loops[edge.source] ?? 0;
    loops[edge.source] = rank + 1;
    reaches.set(edge, 2.9 + 1.5 * rank);
    out = Math.max(out, 5.2 + 1.5 * rank);
  }
  for (const edge of circuit.edges) {
    if (edge.delay === 0 || edge.source === edge.target) continue;
    reaches.set(edge, out);
    out += 2;
  }
  const arrows = circuit.edges.map((edge) => {
    const { source, target, parameter, delay } = edge;
    const [a, b] = [at(source), at(target)];
    let curve = within(a, b, r, rise, 0.9 * em);
    if (delay > 0) {
      const reach = edgeOf - Math.max(a.x, b.x) + reaches.get(edge) * em;
      curve = source === target ? loopCurve(a, r, reach) : sideCurve(a, b, r, reach);
    }
    const p = along(curve, 0.5);
    const shown = Math.min(delay, 3);
    const squares = Array.from({ length: shown }, (_, i) => {
      const y = p.y + (i - (shown - 1) / 2) * 0.85 * em;
      return rect(p.x - 0.34 * em, y - 0.34 * em, 0.68 * em, 0.68 * em, { class: "delay" });
    });
    const text =
      delay > 0 ? { x: p.x + 0.9 * em, y: p.y, start: -0.35 * em } : { x: p.x - 0.75 * em, y: p.y };
    const spoken = `${parameter}, from ${source} to ${target}${later(delay)}`;
    const times = delay > 3 ? `×${delay}` : "";
    const label = [parameter && symbol(parameter), times].filter(Boolean).join(" ");
    return arrow(curve, { em, parameter, label, text, squares, spoken: parameter && spoken });
  });
  const nodes = circuit.nodes.map((name) => node(at(name), name, circuit, { r, em }));
  const width = edgeOf + (2.2 + 0.75 * Math.max(2.9, ...reaches.values())) * em;
  return svg(
    "svg",
    {
      class: "uf-drawing",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "group",
      "aria-label": "The circuit. A black square is a delay of one step.",
    },
    arrows,
    nodes,
  );
}

const later = (delay) => (delay ? `, ${counted(delay, "step")} later` : "");

/**
 * Draw the unfolded graph, and return `{ height, parts }`. Its columns begin with step `first` and
 * fill the width up to `edge`. Columns after step `since` fade in. If there are `values`, in degrees,
 * the nodes show them instead of names.
 */
export function unfoldedView(circuit, graph, options) {
  const { em, width, room, T, first, edge, words, since, values } = options;
  const { place, rise, spread, y, height, r: most } = measures(circuit, { em, width, room });
  const pitch = edge / (T - first + 1);
  const apart = pitch / (0.5 + 0.5 * spread) / (spread > 1 ? 1.25 : 1);
  const r = clamp(0.36 * apart, 0.2 * em, most);
  const roomy = apart > 2.5 * em;
  const dated = roomy && most > 0.95 * em && !values;
  const column = (t) => (t - first + 0.5) * pitch;
  const at = ([name, t]) => ({ x: column(t) + place[name][0] * 0.8 * apart, y: y(name) });
  const fresh = (t) => since && t > since && "is-new";
  const least = Number.isFinite(room) ? 0.9 : 0.75; // of an em; a slide is read from a distance

  const arrows = graph.edges.map(({ source, target, parameter }) => {
    const [a, b] = [at(source), at(target)];
    const steps = target[1] - source[1];
    const level = a.y === b.y;
    const curve =
      steps === 0
        ? within(a, b, r, rise, 0.3 * pitch)
        : steps > 1 && level
          ? arched(a, b, r, 0.8 * rise)
          : straight(a, b, r);
    const p = along(curve, 0.5);
    // Where columns are too close for all letters, only the first one is written. A letter above a
    // level arrow has more room.
    const written = roomy && (steps === 0 || level || apart - 2 * r > 0.9 * em || target[1] === 1);
    let text = { x: p.x + 0.72 * em, y: p.y };
    if (steps > 0) text = { x: p.x + 0.55 * em * Math.sign(b.y - a.y), y: p.y - 0.35 * em };
    if (steps > 0 && level) text = { x: p.x, y: p.y - Math.max(0.72 * em, 0.95 * r) };
    return arrow(curve, {
      em,
      parameter,
      label: written && parameter && symbol(parameter),
      text,
      scale: r / (1.15 * em),
      className: fresh(target[1]),
    });
  });
  const nodes = graph.nodes.map(([name, t]) =>
    node(at([name, t]), name, circuit, {
      r,
      em,
      least,
      time: dated ? t : null,
      value: values?.[[name, t]],
      className: fresh(t),
      initial: t < 1 && "initial",
    }),
  );
  const slant = pitch < Math.max(2.3, 0.52 * Math.max(...words.map(({ length }) => length))) * em;
  return {
    height: height + (slant ? 2.6 : 1.2) * em,
    parts: [
      ...arrows,
      ...nodes,
      ...captions({
        ...{ em, width, T, first, edge, words, pitch, column, dated, least, slant, values },
        y: height + 0.55 * em,
      }),
    ],
  };
}

/**
 * Write each column's word below it, and the remaining words beyond the edge. If the nodes have no
 * room for the number of the step, it stands above.
 */
function captions(options) {
  const { em, width, T, first, edge, words, pitch, column, dated, least, slant, values, y } =
    options;
  const text = (attributes, string) =>
    svg("text", { class: "word", "text-anchor": "middle", ...attributes }, string);
  const parts = [];
  for (let t = 1; t <= T; t++) {
    const x = column(t);
    const slanted = {
      "text-anchor": "end",
      transform: `translate(${x + 0.3 * em} ${y}) rotate(-50)`,
      "font-size": Math.max(0.8, least) * em,
    };
    if (words[t - 1])
      parts.push(text(slant ? slanted : { x, y, "font-size": 0.9 * em }, words[t - 1]));
    // Neighboring numbers of two digits would touch.
    const parted = t < 10 || t % 2 === 0 || pitch > 1.3 * em;
    if (!dated && parted)
      parts.push(text({ x, y: 1.9 * em, "font-size": (pitch > 1.6 * em ? 0.9 : least) * em }, t));
  }
  if (!dated && first < 1)
    parts.push(
      text({ x: column(first), y: 1.9 * em, "font-size": 0.9 * em }, [
        svg("tspan", { "font-style": "italic" }, "t"),
        values && ` = ${first}`,
      ]),
    );
  const beyond = edge + 2 * em;
  const fits = Math.floor((width - beyond) / (0.5 * em));
  let rest = words.slice(T).join(" ");
  if (rest.length > fits) rest = `${rest.slice(0, Math.max(rest.lastIndexOf(" ", fits - 2), 0))} …`;
  if (rest.length > 3)
    parts.push(text({ x: beyond, y, "text-anchor": "start", "font-size": 0.9 * em }, rest));
  return parts;
}

function node({ x, y }, name, circuit, options) {
  const { r, em, time = null, least = 0.75, value, initial, className } = options;
  const shape = isGiven(circuit, name)
    ? rect(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r, { rx: 0.25 * r })
    : svg("circle", { cx: x, cy: y, r });
  const valued = Number.isFinite(value);
  const written = valued ? `${value}°` : symbol(name);
  const longest = written.length + (time === null ? 0 : 1.9);
  const label =
    r > 0.48 * em &&
    svg(
      "text",
      {
        x,
        y,
        dy: "0.3em",
        "text-anchor": "middle",
        "font-size": Math.max(Math.min(1.25 * r, 1.1 * em, (3.2 * r) / longest), least * em),
      },
      svg("tspan", { class: valued ? "value" : "name" }, written),
      time !== null &&
        svg("tspan", { class: "step", dy: "-0.45em", "font-size": 0.75 * em }, `(${time})`),
    );
  return svg(
    "g",
    {
      class: ["node", initial, className].filter(Boolean).join(" "),
      style: `--kind: var(--uf-${meaning(circuit, name)})`,
    },
    shape,
    label,
  );
}

function arrow(curve, { em, parameter, label, text, squares = [], scale = 1, spoken, className }) {
  const [p0, p1, p2, p3] = curve;
  const angle = Math.atan2(p3.y - p2.y, p3.x - p2.x);
  const length = (0.28 + 0.3 * scale) * em;
  const back = (turn) =>
    `${p3.x - length * Math.cos(angle + turn)} ${p3.y - length * Math.sin(angle + turn)}`;
  const shaft = `M${p0.x} ${p0.y}C${p1.x} ${p1.y} ${p2.x} ${p2.y} ${p3.x} ${p3.y}`;
  return svg(
    "g",
    {
      class: ["arrow", parameter && "weight", className].filter(Boolean).join(" "),
      "data-term": parameter,
      ...(spoken && { tabindex: 0, role: "img", "aria-label": spoken }),
    },
    parameter && svg("path", { class: "reach", d: shaft }),
    svg("path", { class: "shaft", d: shaft }),
    svg("path", { class: "head", d: `M${p3.x} ${p3.y}L${back(0.42)}L${back(-0.42)}Z` }),
    squares,
    spoken &&
      svg("circle", { class: "uf-ring", cx: text.x, cy: text.y, r: Math.max(0.85 * em, 13) }),
    label &&
      svg(
        "text",
        {
          class: "name",
          x: text.x + (text.start ?? 0),
          y: text.y,
          dy: "0.35em",
          "text-anchor": text.start ? "start" : "middle",
          "font-size": em,
        },
        label,
      ),
  );
}

// ---- cubic curves between the outlines of two nodes, as four points

const between = (a, b, s) => ({ x: a.x + s * (b.x - a.x), y: a.y + s * (b.y - a.y) });

function straight(a, b, r) {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const from = between(a, b, r / length);
  const to = between(a, b, 1 - (1.12 * r) / length);
  return [from, between(from, to, 1 / 3), between(from, to, 2 / 3), to];
}

/** Return an arrow within a step: straight between neighboring rows, else around the nodes between. */
function within(a, b, r, rise, reach) {
  const skipped = Math.round(Math.abs(a.y - b.y) / rise) - 1;
  if (skipped < 1) return straight(a, b, r);
  return sideCurve(a, b, r, (a.x > b.x ? 1 : -1) * reach * (1 + 0.5 * skipped));
}

/** Return a curve that goes out to one side and back: to the right if `reach` is positive, else to the left. */
function sideCurve(a, b, r, reach) {
  const rim = Math.sign(reach) * r;
  const out = (reach > 0 ? Math.max(a.x, b.x) : Math.min(a.x, b.x)) + rim + reach;
  return [
    { x: a.x + rim, y: a.y },
    { x: out, y: a.y },
    { x: out, y: b.y },
    { x: b.x + 1.1 * rim, y: b.y },
  ];
}

function loopCurve({ x, y }, r, reach) {
  const [dx, dy] = [0.8 * r, 0.62 * r];
  const out = x + r + reach;
  return [
    { x: x + dx, y: y - dy },
    { x: out, y: y - 2.1 * r },
    { x: out, y: y + 2.1 * r },
    { x: x + 1.06 * dx, y: y + 1.06 * dy },
  ];
}

function arched(a, b, r, height) {
  const lean = 0.25 * (b.x - a.x);
  const y = a.y - height;
  return [
    { x: a.x + 0.5 * r, y: a.y - 0.9 * r },
    { x: a.x + lean, y },
    { x: b.x - lean, y },
    { x: b.x - 0.5 * r, y: b.y - 0.95 * r },
  ];
}

function along([a, b, c, d], s) {
  const u = 1 - s;
  const mix = (k) => u ** 3 * a[k] + 3 * u * u * s * b[k] + 3 * u * s * s * c[k] + s ** 3 * d[k];
  return { x: mix("x"), y: mix("y") };
}
