import { button, transport } from "../lib/controls.js";
import { append, html, redraw, set, setSize, svg, text } from "../lib/dom.js";
import { figure, stage } from "../lib/figure.js";
import { guess } from "../lib/guess.js";
import { counted, format } from "../lib/scales.js";
import { settings } from "../lib/stage.js";
import { lost } from "../lib/typed.js";
import { drawn } from "./drawing.js";
import { meta } from "./meta.js";
import { ALPHABET, compute, END, entropy, FACTORS, LONGEST, normalised } from "./math.js";

const BRACKETS = { round: "( )", square: "[ ]" };
/** A state's name without its q. */
const bare = (name) => name.replace(/^q_/, "");
/** What an automaton remembers in a state. */
const within = (name, at) => {
  if (name in BRACKETS) return `${at ? "inside" : "outside"} ${BRACKETS[name]}`;
  return at ? `${bare(FACTORS.bigram.states[at])} came last` : "at the start";
};

const picture = () => svg("svg", { class: "uf-drawing", role: "img" });

export const render = figure("automaton", meta, ({ model, spec, save, control }) => {
  const now = () => compute(settings(model, spec));
  const factors = Object.keys(FACTORS).map((name) => {
    const [drawing, says] = [picture(), html("span", { class: "says" })];
    const node = html("div", { class: `factor ${name}` }, control(name), drawing, says);
    return { name, drawing, says, node };
  });
  const whole = picture();
  const counts = html("p", { class: "counts" });
  const tape = html("div", { class: "tape" });
  const rows = ALPHABET.map((symbol) => row(symbol, () => write(symbol)));
  const here = html("p", { class: "words" });
  const asking = guess(meta.prediction, () => save({ bigram: true, round: true, square: true }));
  const length = () => now().symbols.length;
  const time = transport(model, "t", {
    ...spec.t,
    limit: length,
    text: (t) => `${Math.min(t, length())} of ${length()} read`,
  });
  const board = stage(
    html("div", { class: "factors" }, factors),
    html("div", { class: "whole" }, whole),
    counts,
    nextSymbols(rows, here),
  );
  const note = html("p", { class: "note", role: "status" });

  const may = (symbol, known, next) =>
    next[ALPHABET.indexOf(symbol)] > 0 && (symbol === END || known < LONGEST);
  /** Write a symbol after those that could be read, in place of what came after them. */
  function write(symbol) {
    const { symbols, known, next } = now();
    if (!may(symbol, known, next)) return;
    save({ text: [...symbols.slice(0, known), symbol].join(""), t: known + 1 });
  }

  return {
    parts: [
      html("div", { class: "measure" }),
      tape,
      board,
      ["text", time, "weights"],
      note,
      asking,
    ],
    follow: [time],
    update(given, size) {
      const { weights, bigram } = given;
      const state = { ...given, ...compute(given) };
      const alone = !weights && !bigram; // without probabilities, the bigrams determine nothing
      const at = layout(size, weights, alone);
      asking.hidden = !weights;
      board.style.setProperty("--columns", at.columns);
      board.dataset.wide = at.wide;
      board.classList.toggle("unweighted", !weights);
      board.classList.toggle("alone", alone);
      for (const one of factors) factor(one, state, at);
      product(whole, state, at);
      redraw(counts, sizes(state));
      redraw(tape, cells(state));
      rows.forEach((one, s) =>
        one.update(state.next[s], may(ALPHABET[s], state.known, state.next), weights),
      );
      redraw(here, readout(state));
      note.textContent = lost(state, "The symbols are a, b and brackets", LONGEST);
      return `${sentences(state)} ${here.textContent}`;
    },
  };
});

/** The symbols that may come next, and what is known of them. */
const nextSymbols = (rows, here) =>
  html(
    "div",
    { class: "next" },
    html("p", { class: "title" }, "next symbol", html("span", { class: "aside" }, ": click one")),
    rows,
    here,
  );

// ---- where everything goes, in ems

function layout({ width, em, room }, weights, alone) {
  const wide = width / em;
  const slide = room < Infinity;
  const font = (wide < 26 ? 0.76 : slide ? 0.9 : 0.8) * em;
  if (wide < 38 && !slide) {
    const half = wide >= 28; // room for the probabilities beside the states
    const inner = Math.min(half ? wide - 12.2 : wide, 19);
    return {
      ...{ em, font, wide: half ? "half" : "no" },
      columns: half ? "minmax(0,1fr) 11em" : "minmax(0,1fr)",
      factor: [(wide - 1.2) / (alone ? 2 : 3), 6.2, 2.9],
      whole: [inner, inner - 1],
    };
  }
  const high = slide ? room - 5.6 : 17; // of the intersection
  const [left, right] = [slide ? 6.6 : 8, weights ? 12.5 : 8];
  const middle = wide - left - right - 2.4;
  return {
    ...{ em, font, wide: slide ? "slide" : "yes" },
    columns: `${left}em minmax(0,1fr) ${right}em`,
    factor: [left, slide ? 5.6 : 6.2, slide ? 2.6 : 2.9],
    whole: [middle, Math.min(high, middle)],
  };
}

// ---- the three automata

/** Eighths of a turn from the top: opening brackets on the right, closing ones across from them. */
const TURNS = { "<s>": 0, a: 1, b: 7, "(": 2, ")": 6, "[": 3, "]": 5, [END]: 4 };
const RING = (radius, [cx, cy]) =>
  FACTORS.bigram.states.map((name) => {
    const angle = -Math.PI / 2 + (TURNS[bare(name)] * Math.PI) / 4;
    const loop = [Math.cos(angle), Math.sin(angle)];
    return { place: [cx + radius * loop[0], cy + radius * loop[1]], loop, label: bare(name) };
  });

function factor({ name, drawing, says, node }, state, { em, font, factor: [width, tall, low] }) {
  const visited = state.factors[name];
  const refused = visited.length <= state.t;
  const at = visited.at(-1);
  const ring = name === "bigram";
  const height = ring ? tall : low;
  const places = ring
    ? RING(Math.min(width, tall) / 2 - 0.75, [width / 2, tall / 2])
    : [0.27, 0.73].map((share, q) => ({
        place: [width * share, height / 2],
        loop: [q ? 1 : -1, 0],
        label: `q${q}`,
      }));
  const bracket = (symbol, y) =>
    text({ font }, (width * em) / 2, (height / 2 + y) * em, { class: "symbols" }, symbol);
  setSize(drawing, width * em, height * em);
  redraw(
    drawing,
    drawn(normalised(FACTORS[name]), places, {
      ...{ em, font, at, refused, before: visited.at(-2), weights: state.weights },
      radius: ring ? 0.62 : 0.72,
      bend: ring ? 0.12 : 0.25,
    }),
    !ring && BRACKETS[name].split(" ").map((symbol, i) => bracket(symbol, i ? 1.05 : -1.05)),
  );
  node.classList.toggle("off", !state[name]);
  const word = refused && !ring ? "refused" : within(name, at);
  says.textContent = word;
  set(drawing, { "aria-label": `${meta.controls[name].label}: ${word}` });
}

// ---- the intersection: a copy of the bigrams for each set of open brackets

function product(drawing, state, { em, font, whole: [width, most] }) {
  const { machine, chosen, at, visited, refused, weights } = state;
  const has = (name) => chosen.includes(name);
  const [columns, rows] = [has("round") ? 2 : 1, has("square") ? 2 : 1];
  const [left, top] = [has("square") ? 1.5 : 0, has("round") ? 1.5 : 0];
  const w = (width - left) / columns;
  const side = Math.min(w, (most - top) / rows, 0.6 * most);
  const height = top + rows * side;
  const middle = left + (width - left - columns * side) / 2;
  const centre = (column, row) => [middle + (column + 0.5) * side, top + (row + 0.5) * side];
  const radius = has("bigram") ? Math.min(0.74, 0.11 * side) : 1.3;
  const ring = side / 2 - radius - 0.4;
  const cell = (name) => {
    const parts = name.split(" ");
    const of = (factor) => parts[chosen.indexOf(factor)];
    return {
      column: Number(of("round") === "q1"),
      row: Number(of("square") === "q1"),
      symbol: of("bigram"),
    };
  };
  const places = machine.states.map((name) => {
    const { column, row, symbol } = cell(name);
    const here = centre(column, row);
    if (symbol) return RING(ring, here)[FACTORS.bigram.states.indexOf(symbol)];
    const loop = [0, rows > 1 ? 2 * row - 1 : columns > 1 ? 1 : -1];
    return { place: here, loop, label: name };
  });
  const centres = Array.from({ length: columns * rows }, (_, i) =>
    centre(i % columns, Math.floor(i / columns)),
  );
  const taken = ({ place: [x, y] }) =>
    places.some(({ place }) => Math.hypot(place[0] - x, place[1] - y) < 0.1);
  const missing = has("bigram")
    ? centres.flatMap((here) => RING(ring, here)).filter((one) => !taken(one))
    : [];
  const head = (words, x, y, turn = "") =>
    text(
      { font },
      0,
      0,
      { class: "head", transform: `translate(${x * em} ${y * em})${turn}` },
      words,
    );
  const each = (factor, many, put) =>
    has(factor) &&
    Array.from({ length: many }, (_, i) =>
      put(`${i ? "inside" : "outside"} ${BRACKETS[factor]}`, i),
    );
  const dot = (name, [x, y], r) =>
    svg("circle", { class: name, cx: x * em, cy: y * em, r: r * em });
  setSize(drawing, width * em, height * em);
  set(drawing, {
    "aria-label": `The intersection, ${machine.states.length} states, in state ${machine.states[at]}`,
  });
  redraw(
    drawing,
    centres.map((place) => dot("set", place, side / 2 - 0.1)),
    each("round", columns, (words, i) => head(words, centre(i, 0)[0], 0.7)),
    each("square", rows, (words, i) => head(words, middle - 0.75, centre(0, i)[1], " rotate(-90)")),
    missing.map(({ place }) => dot("missing", place, 0.14)),
    drawn(machine, places, {
      ...{ em, font, radius, at, weights },
      before: visited.at(-2),
      refused: refused !== null,
      words: !has("bigram"),
      bend: has("bigram") ? 0.1 : 0.2,
    }),
  );
}

function sizes({ machine, pairs, transitions, rate, chosen, weights }) {
  const n = machine.states.length;
  return [
    html("b", { class: "states" }, counted(n, "state")),
    chosen.length > 1 && n < pairs
      ? [` of ${pairs}`, html("span", { class: "aside" }, " (dots: never reached)"), "; "]
      : "; ",
    `${transitions} transitions${weights ? `; ${format(rate)} bits per symbol` : ""}`,
  ];
}

// ---- the string and what comes next

function cells({ symbols, t, known, refused }) {
  const name = (i) =>
    i >= t ? "" : i < known ? "read" : i === known && refused ? "refused" : "lost";
  return [
    html("span", { class: "start" }, "<s>"),
    symbols.map((symbol, i) =>
      html("span", { class: `${name(i)} ${i === t - 1 ? "now" : ""}` }, symbol),
    ),
  ];
}

function row(symbol, onclick) {
  const bar = html("i", { class: "bar uf-fill" });
  const number = html("span", { class: "number" });
  const node = button("", onclick);
  node.classList.add("next-symbol");
  const words = html("span", { class: "uf-hidden" });
  const bars = html("span", { class: "bars uf-fill" }, bar);
  append(node, html("b", {}, symbol), " ", words, bars, " ", number);
  return {
    node,
    update(p, can, weights) {
      bar.style.width = `${(100 * p).toFixed(1)}%`;
      number.textContent = p > 0 ? format(p) : "0";
      words.textContent = weights ? "with probability" : `${p > 0 ? "may" : "can't"} come next`;
      set(node, { "aria-disabled": String(!can) });
    },
  };
}

function readout({ next, refused, symbols, known, weights }) {
  if (refused) {
    const why =
      refused === END
        ? "a bracket is open"
        : "([".includes(refused)
          ? "one is already open, and the automaton knows only one depth"
          : "nothing is open";
    return [
      html("b", { class: "refused" }, refused),
      " can't come next",
      html("span", { class: "aside" }, `: ${why}`),
      ".",
    ];
  }
  if (symbols[known - 1] === END) return ["The sentence has ended."];
  return weights ? [`${format(entropy(next))} bits are left to guess.`] : [];
}

/** The states in words, for screen readers. They read the note anyway, because it is a status. */
function sentences({ machine, chosen, symbols, known, factors }) {
  if (!chosen.length) return "No automaton is chosen.";
  const labels = chosen.map((name) => meta.controls[name].label).join(" and ");
  const what =
    chosen.length > 1 ? `The intersection of the automata ${labels}` : `The automaton ${labels}`;
  const read = known ? `After “${symbols.slice(0, known).join("")}”` : "At the start";
  const states = chosen.map((name) => within(name, factors[name][known]));
  return `${what} has ${machine.states.length} states. ${read}, its state is: ${states.join(", ")}.`;
}
