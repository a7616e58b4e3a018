import { control, controls, setAll, transport } from "../../lib/controls.js";
import { html, set, setSize, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { live } from "../../lib/linked.js";
import { format } from "../../lib/scales.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import { drawn } from "./drawing.js";
import { meta } from "./meta.js";
import { ALPHABET, compute, END, entropy, FACTORS, LONGEST, normalised } from "./math.js";

const BRACKETS = { round: "( )", square: "[ ]" };
/** A state's name without its q. */
const bare = (name) => name.replace(/^q_/, "");
/** What one of the automata remembers in a state. */
const within = (name, at) => {
  if (name in BRACKETS) return `${at ? "inside" : "outside"} ${BRACKETS[name]}`;
  return at ? `${bare(FACTORS.bigram.states[at])} came last` : "at the start";
};

export function render({ model, el }) {
  const { controls: spec } = meta;
  const now = () => compute(settings(model, spec));
  const factors = Object.keys(FACTORS).map((name) => factorCard(model, name));
  const whole = svg("svg", { class: "uf-drawing", role: "img" });
  const counts = html("p", { class: "counts" });
  const tape = html("div", { class: "tape" });
  const rows = ALPHABET.map((symbol) => row(symbol, () => write(symbol)));
  const here = html("p", { class: "words" });
  const asking = guess(meta.prediction, () =>
    setAll(model, { bigram: true, round: true, square: true }),
  );
  const time = transport(model, "t", {
    ...spec.t,
    limit: () => now().symbols.length,
    text: (t) => `${Math.min(t, now().symbols.length)} of ${now().symbols.length} read`,
  });
  const status = live();
  const stage = html(
    "div",
    { class: "stage" },
    html("div", { class: "factors" }, factors),
    html("div", { class: "whole" }, whole),
    counts,
    nextSymbols(rows, here),
  );
  const note = html("p", { class: "note", role: "status" });
  el.classList.add("fig-automaton");
  el.append(
    html("div", { class: "measure" }),
    tape,
    stage,
    controls(control(model, "text", spec.text), time, control(model, "weights", spec.weights)),
    note,
    asking,
    status,
  );

  const may = (symbol, known, next) =>
    next[ALPHABET.indexOf(symbol)] > 0 && (symbol === END || known < LONGEST);
  /** A symbol after those that could be read; what came after them goes. */
  function write(symbol) {
    const { symbols, known, next } = now();
    if (!may(symbol, known, next)) return;
    setAll(model, { text: [...symbols.slice(0, known), symbol].join(""), t: known + 1 });
  }

  function update(size) {
    const weights = model.get("weights");
    const alone = !weights && !model.get("bigram"); // what keeps no probabilities needs no bigrams
    const at = layout(size, weights, alone);
    asking.hidden = !weights;
    const state = now();
    stage.style.setProperty("--columns", at.columns);
    stage.dataset.wide = String(at.wide);
    stage.classList.toggle("unweighted", !weights);
    stage.classList.toggle("alone", alone);
    for (const one of factors) factor(one, state, at, model.get(one.name));
    product(whole, state, at);
    counts.replaceChildren(...counted(state, weights));
    tape.replaceChildren(...cells(state));
    rows.forEach((one, s) =>
      one.update(state.next[s], may(ALPHABET[s], state.known, state.next), weights),
    );
    here.replaceChildren(...readout(state, weights));
    note.textContent = complaint(state);
    time.update();
    status.announce(`${sentences(state)} ${here.textContent}`);
  }
  return keepDrawn(model, el.firstChild, update, { clocks: [time] });
}

/** One of the automata that are multiplied, with its box. */
function factorCard(model, name) {
  const drawing = svg("svg", { class: "uf-drawing", role: "img" });
  const says = html("span", { class: "says" });
  const box = control(model, name, meta.controls[name]);
  return {
    name,
    drawing,
    says,
    node: html("div", { class: `factor ${name}` }, box, drawing, says),
  };
}

/** The symbols that may come next, and in what state the whole is. */
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
  const font = (wide < 26 ? 0.76 : Number.isFinite(room) ? 0.9 : 0.8) * em;
  const slide = Number.isFinite(room);
  if (wide < 38 && !slide) {
    const half = wide >= 28; // room for the probabilities beside the states
    const inner = Math.min(half ? wide - 12.2 : wide, 19);
    return {
      em,
      font,
      weights,
      wide: half ? "half" : "no",
      columns: half ? "minmax(0,1fr) 11em" : "minmax(0,1fr)",
      factor: [(wide - 1.2) / (alone ? 2 : 3), 6.2, 2.9],
      whole: [inner, inner - 1],
    };
  }
  const high = slide ? room - 5.6 : 17; // of the intersection
  const [left, right] = [slide ? 6.6 : 8, weights ? 12.5 : 8];
  const middle = wide - left - right - 2.4;
  return {
    em,
    font,
    weights,
    wide: slide ? "slide" : "yes",
    columns: `${left}em minmax(0,1fr) ${right}em`,
    factor: [left, slide ? 5.6 : 6.2, slide ? 2.6 : 2.9],
    whole: [middle, Math.min(high, middle)],
  };
}

// ---- the three automata

/** Eighths of a turn from the top: what opens on the right, and what closes it across from it. */
const TURNS = { "<s>": 0, a: 1, b: 7, "(": 2, ")": 6, "[": 3, "]": 5, [END]: 4 };
const RING = (radius, [cx, cy]) =>
  FACTORS.bigram.states.map((name) => {
    const angle = -Math.PI / 2 + (TURNS[bare(name)] * Math.PI) / 4;
    const loop = [Math.cos(angle), Math.sin(angle)];
    return { place: [cx + radius * loop[0], cy + radius * loop[1]], loop, label: bare(name) };
  });

function factor(
  { name, drawing, says, node },
  state,
  { em, font, weights, factor: [width, tall, low] },
  on,
) {
  const machine = normalised(FACTORS[name]);
  const visited = state.factors[name];
  const refused = visited.length <= state.t;
  const at = visited.at(-1);
  const height = name === "bigram" ? tall : low;
  const radius = name === "bigram" ? 0.62 : 0.72;
  const places =
    name === "bigram"
      ? RING(Math.min(width, tall) / 2 - 0.75, [width / 2, tall / 2])
      : [0.27, 0.73].map((share, q) => ({
          place: [width * share, height / 2],
          loop: [q ? 1 : -1, 0],
          label: `q${q}`,
        }));
  setSize(drawing, width * em, height * em);
  drawing.replaceChildren(
    ...drawn(machine, places, {
      em,
      font,
      radius,
      at,
      before: visited.at(-2),
      refused,
      weights,
      bend: name === "bigram" ? 0.12 : 0.25,
    }),
    ...(name === "bigram"
      ? []
      : [...BRACKETS[name].replace(" ", "")].map((symbol, i) =>
          text(
            { font },
            (width * em) / 2,
            (height / 2 + (i ? 1.05 : -1.05)) * em,
            { class: "symbols" },
            symbol,
          ),
        )),
  );
  node.classList.toggle("off", !on);
  const word = refused && name !== "bigram" ? "refused" : within(name, at);
  says.textContent = word;
  set(drawing, { "aria-label": `${meta.controls[name].label}: ${word}` });
}

// ---- the intersection: a copy of the bigrams for each set of open brackets

function product(drawing, state, { em, font, weights, whole: [width, most] }) {
  const { machine, chosen, at, visited, refused } = state;
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
  const missing = has("bigram")
    ? Array.from({ length: columns * rows }, (_, i) =>
        RING(ring, centre(i % columns, Math.floor(i / columns))),
      )
        .flat()
        .filter(
          ({ place: [x, y] }) =>
            !places.some(({ place }) => Math.hypot(place[0] - x, place[1] - y) < 0.1),
        )
    : [];
  const head = (words, x, y, turn) =>
    text(
      { font },
      0,
      0,
      { class: "head", transform: `translate(${x * em} ${y * em})${turn ? " rotate(-90)" : ""}` },
      words,
    );
  const each = (factor, many, put) =>
    has(factor) &&
    Array.from({ length: many }, (_, i) =>
      put(`${i ? "inside" : "outside"} ${BRACKETS[factor]}`, i),
    );
  set(drawing, {
    viewBox: `0 0 ${width * em} ${height * em}`,
    width: width * em,
    height: height * em,
    "aria-label": `The intersection, ${machine.states.length} states, in state ${machine.states[at]}`,
  });
  drawing.replaceChildren(
    ...Array.from({ length: columns * rows }, (_, i) => {
      const [x, y] = centre(i % columns, Math.floor(i / columns));
      return svg("circle", { class: "set", cx: x * em, cy: y * em, r: (side / 2 - 0.1) * em });
    }),
    ...(each("round", columns, (words, i) => head(words, centre(i, 0)[0], 0.7)) || []),
    ...(each("square", rows, (words, i) => head(words, middle - 0.75, centre(0, i)[1], true)) ||
      []),
    ...missing.map(({ place: [x, y] }) =>
      svg("circle", { class: "missing", cx: x * em, cy: y * em, r: 0.14 * em }),
    ),
    ...drawn(machine, places, {
      em,
      font,
      radius,
      at,
      before: visited.at(-2) ?? null,
      refused: refused !== null,
      weights,
      words: !has("bigram"),
      bend: has("bigram") ? 0.1 : 0.2,
    }),
  );
}

function counted({ machine, pairs, transitions, rate, chosen }, weights) {
  const n = machine.states.length;
  return [
    html("b", { class: "states" }, `${n} ${n === 1 ? "state" : "states"}`),
    chosen.length > 1 && n < pairs
      ? [` of ${pairs}`, html("span", { class: "aside" }, " (dots: never reached)"), "; "]
      : "; ",
    `${transitions} transitions${weights ? `; ${format(rate)} bits per symbol` : ""}`,
  ].flat();
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
  ].flat();
}

function row(symbol, onclick) {
  const bar = html("i", { class: "bar uf-fill" });
  const number = html("span", { class: "number" });
  const node = html(
    "button",
    { type: "button", class: "uf-button next-symbol", onclick },
    html("b", {}, symbol),
    html("span", { class: "bars uf-fill" }, bar),
    number,
  );
  return {
    node,
    update(p, can, weights) {
      bar.style.width = `${(100 * p).toFixed(1)}%`;
      number.textContent = p > 0 ? format(p) : "0";
      set(node, {
        "aria-disabled": String(!can),
        "aria-label": weights
          ? `${symbol} with probability ${p > 0 ? format(p) : 0}`
          : `${symbol} ${p > 0 ? "may" : "can't"} come next`,
      });
    },
  };
}

function readout({ next, refused, symbols, known }, weights) {
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

/** The states in words, for screen readers, which read the note by themselves. */
function sentences({ machine, chosen, symbols, known, factors }) {
  if (!chosen.length) return "No automaton is chosen.";
  const labels = chosen.map((name) => meta.controls[name].label).join(" and ");
  const what =
    chosen.length > 1 ? `The intersection of the automata ${labels}` : `The automaton ${labels}`;
  const read = known ? `After “${symbols.slice(0, known).join("")}”` : "At the start";
  const states = chosen.map((name) => within(name, factors[name][known]));
  return `${what} has ${machine.states.length} states. ${read}, its state is: ${states.join(", ")}.`;
}

const complaint = ({ strange, cut }) =>
  (strange.length
    ? `The symbols are a, b and brackets; left out: ${strange.map((c) => `“${c}”`).join(" ")}. `
    : "") + (cut ? `Only the first ${LONGEST} symbols are read.` : "");
