import { button, transport } from "../lib/controls.js";
import {
  drawingOf,
  headRow,
  html,
  italic,
  redraw,
  set,
  setSize,
  svg,
  tableRow,
  text,
} from "../lib/dom.js";
import { figure, stage } from "../lib/figure.js";
import { ALPHABET, PARAMS } from "../lib/knock.js";
import { equation, linked } from "../lib/linked.js";
import { roving } from "../lib/roving.js";
import { clamp, format, linear, rounded } from "../lib/scales.js";
import { path, rect } from "../lib/shapes.js";
import { argmax, sum } from "../lib/vectors.js";
import eq from "./equations.tex";
import { LONGEST, read, SQUASH, terms, wordsOf } from "./math.js";
import { meta } from "./meta.js";

const NUMBER = { a: "10.8", h: "10.9", o: "10.10", y: "10.11" };
const SIGMOID = { a: "5.5", h: "5.5", o: "5.8", y: "5.9" };
const NAME = { y: "ŷ", hPrev: "h" };
/** A symbol with its index, in HTML: a₂. */
const sign = (name, below) =>
  html(
    "span",
    { class: "sign" },
    html("i", {}, NAME[name] ?? name),
    below && html("sub", {}, below),
  );
const exact = (value) => rounded(value, 3);
/** A probability; a small one has more digits. */
const share = (p) => rounded(p, p < 0.01 ? 5 : 3);
/** Two digits for a box; a probability is never quite 0 or 1. */
const short = (name, value) => {
  if (name === "x") return String(value);
  if (name === "y" && value < 0.005) return "<0.01";
  if (name === "y" && value > 0.995) return ">0.99";
  return rounded(value);
};

/** A box's number for its name, which begins as the number in the box does. */
function named(name, value) {
  const [seen, whole] = [short(name, value), exact(value)];
  return whole.startsWith(seen) ? whole : `${seen}, exactly ${whole}`;
}
const indexOf = (name, j) => ("xoy".includes(name) ? ALPHABET[j] : j + 1);
/** The name of an entry of a matrix: W₂₁, or U₂ knock. */
const entry = (matrix, to, from) =>
  sign(matrix, /\D/.test(`${to}${from}`) ? `${to} ${from}` : `${to}${from}`);

export const render = figure("step", meta, ({ model, el, spec, save }) => {
  const plot = svg("g");
  const drawing = drawingOf(
    "The numbers of this step. Arrow keys select a number and show how it was computed.",
    plot,
  );
  const net = html("div", { class: "net" }, drawing);
  const [bill, work] = [html("div", { class: "bill" }), html("div", { class: "work" })];
  const said = () => wordsOf(model.get("text"));
  const time = transport(model, "t", { ...spec.t, limit: () => said().length + 1 });
  const write = (words) =>
    save({ text: words.join(" "), t: Math.max(words.length, 1), node: "L1" });
  const words = ALPHABET.slice(1).map((word) =>
    button(word, () => said().length < LONGEST && write([...said(), word])),
  );
  const back = button("delete", () => write(said().slice(0, -1)));
  const keys = html(
    "div",
    { class: "keys", role: "group", "aria-label": "words to add" },
    words,
    back,
  );
  roving(plot, (node) => save({ node }));
  // An entry of the old state leads to the step that computed it.
  plot.addEventListener("click", ({ target }) => {
    const past = target.closest("[data-past]")?.dataset.past;
    if (past) save({ t: model.get("t") - 1, node: past });
  });
  bill.addEventListener("click", ({ target }) => {
    const row = target.closest("[data-step]");
    if (row) save({ t: Number(row.dataset.step), node: "L1" });
  });
  return {
    parts: [stage(net, html("div", { class: "panel" }, bill, work)), [keys, time]],
    reveal: { text: "knock knock giraffe", squash: "tanh", t: 4, node: "L1" },
    follow: [time, linked(el)],
    watch: net,
    update(given, size) {
      const state = compute(given);
      const at = layout(size);
      setSize(drawing, at.width, at.height);
      redraw(plot, picture(state, at));
      redraw(bill, billOf(state));
      redraw(work, explanation(state));
      for (const key of words) set(key, { "aria-disabled": String(said().length >= LONGEST) });
      set(back, { "aria-disabled": String(!said().length) });
      return [spoken(state), opening(state)];
    },
  };
});

/** Everything that is shown for a setting. */
function compute({ text, squash, t: wanted, node }) {
  const steps = read(text, squash);
  const t = Math.min(wanted, steps.length);
  return {
    ...{ steps, squash, t, params: PARAMS[squash], now: steps[t - 1] },
    ...{ kind: node[0], i: Number(node.slice(1)) - 1 },
  };
}

// ---- the drawing: x and h^(t-1) below, then a, h, o, ŷ and L above, as in figure 10.3

function picture(state, at) {
  const { now, t, kind, squash } = state;
  const { em, font, right, divide, row, columns, stagger } = at;
  const [lines, weights] = connections(state, at);
  const symbol = (j, x, y, name) =>
    svg("text", { x, y, "font-size": font, class: `name ${name}` }, ALPHABET[j]);
  const { x, hPrev, a, h, o, yhat: y } = now;
  const values = { x, hPrev, a, h, o, y };
  const tip = `m${-0.4 * em} ${-0.3 * em}l${0.4 * em} ${0.3 * em}l${-0.4 * em} ${0.3 * em}`;
  // The frame around the new state, which is passed on as a whole.
  const [from, to] = [columns.h[0] - at.wide / 2 - 0.5 * em, columns.h[1] + at.wide / 2 + 0.5 * em];
  return [
    lines,
    rect(from, row.h - 1.1 * em, to - from, 2.2 * em, { class: "onward", rx: 1.1 * em }),
    svg("path", { class: "onward", d: `M${to} ${row.h}H${right}${tip}` }),
    weights,
    Object.keys(values).map((name) =>
      values[name].map((value, j) => box(name, j, value, state, at)),
    ),
    box("L", 0, now.loss, state, at),
    ALPHABET.map((_, j) => [
      symbol(j, columns.x[j], row.x + (j % 2 ? 1.85 + stagger : 1.85) * em, "x"),
      symbol(j, columns.y[j], row.y - 1.3 * em, now.target === j ? "y target" : "y"),
    ]),
    ["L", "y", "o", "h", "a", "x"].map((name) => label(right + 0.25 * em, row[name], name, t, at)),
    label(divide / 2, row.x + 1.75 * em, "hPrev", t - 1, at),
    text(
      at,
      columns.a[0] + 0.5 * em,
      (row.a + row.h) / 2 + 0.15 * em,
      { class: `squash ${kind === "h" ? "on" : ""}` },
      squash === "tanh" ? "tanh" : "σ",
    ),
  ];
}

/** Centers of the columns and rows of boxes. */
function layout({ width, em, room = Infinity }) {
  const narrow = width < 20 * em;
  const wide = (narrow ? 2.75 : 3.2) * em;
  const wideX = (narrow ? 1.7 : 2) * em;
  const stagger = narrow ? 1.1 : 0;
  const right = width - (narrow ? 1.75 : 2.5) * em;
  // Centers of n boxes between two margins.
  const spread = (n, box, from, to) =>
    Array.from({ length: n }, (_, j) => from + box / 2 + ((to - from - box) * j) / (n - 1));
  const four = spread(4, wide, narrow ? 0.7 * em : em, right - (narrow ? 0.7 : 1) * em);
  const two = [0.28, 0.72].map((share) => share * right);
  // The boxes of the old state are so far apart that the weights on their lines don't overlap.
  const divide = 2 * wide + (narrow ? 1.2 : 1.4) * em;
  const heights = { L: 1.1, y: 5, o: 7.5, h: 10.8, a: 13.7, x: 17.9, hPrev: 17.9 };
  // The controls take 3 em of a slide's room.
  const rise = clamp((room - 3) / 20.2, 0.75, 1) * em;
  return {
    ...{ width, height: 20.2 * rise + stagger * em, em, wide, right, divide, stagger },
    font: (narrow ? 0.8 : 0.92) * em,
    high: 1.7 * em,
    wideOf: (name) => (name === "x" ? wideX : wide),
    columns: {
      hPrev: spread(2, wide, 1, divide),
      x: spread(4, wideX, divide + (narrow ? 0.6 : 1.1) * em, right - 0.3 * em),
      ...{ a: two, h: two, o: four, y: four },
    },
    row: Object.fromEntries(Object.entries(heights).map(([name, y]) => [name, y * rise])),
  };
}

/** The lines between the boxes, and the weights on those that lead to the chosen number. */
function connections({ now, kind, i, params }, { em, font, high, columns, row }) {
  const [lines, weights] = [[], []];
  const connect = (from, j, to, k, term, value = 1, weight = null) => {
    const [x1, y1] = [columns[from][j], row[from] - high / 2];
    const [x2, y2] = [columns[to][k], row[to] + high / 2];
    const chosen = to === kind && k === i;
    const on = chosen && value !== 0;
    const carried = on ? weight * value : 0;
    // The width of a line shows the size of its term. It is dashed if the term is negative.
    const strength = on && weight === null ? 1.5 : Math.min(1 + 1.3 * Math.abs(carried), 6);
    lines.push(
      svg("line", {
        ...{ x1, y1, x2, y2 },
        class: `edge from-${from} ${on ? "on" : ""}`,
        "stroke-width": (strength * em) / 16,
        "stroke-dasharray": carried < 0 && `${0.4 * em} ${0.25 * em}`,
        "data-term": chosen && term,
      }),
    );
    if (!on || weight === null) return;
    const [x, y] = [x1 + 0.24 * (x2 - x1), y1 + 0.24 * (y2 - y1)];
    const attributes = { class: `weight from-${from}`, "data-term": term };
    weights.push(text({ font }, x, y, attributes, format(weight, 0)));
  };
  const above = columns.y[now.target];
  lines.push(
    svg("line", {
      ...{ x1: above, y1: row.y - high / 2, x2: above, y2: row.L + high / 2, "data-term": "y" },
      class: `edge from-y ${kind === "L" ? "on" : ""}`,
      "stroke-width": (1.5 * em) / 16,
    }),
  );
  params.U.forEach((row, k) => {
    row.forEach((weight, j) => connect("x", j, "a", k, "U", now.x[j], weight));
    params.W[k].forEach((weight, j) => connect("hPrev", j, "a", k, "W", now.hPrev[j], weight));
    connect("a", k, "h", k, "a");
  });
  params.V.forEach((row, k) => {
    row.forEach((weight, j) => connect("h", j, "o", k, "V", now.h[j], weight));
    ALPHABET.forEach((_, j) => {
      if (kind === "y" ? k === i : j === k) connect("o", j, "y", k, "o");
    });
  });
  return [lines, weights];
}

/** A number in its box. The computed numbers can be selected. */
function box(name, j, value, { now, t, kind, i }, { em, font, high, wideOf, columns, row }) {
  const column = name === "L" ? columns.y[now.target] : columns[name][j];
  const [x, y, wide] = [column, row[name], wideOf(name)];
  const chosen = name === kind && j === i;
  const best = name === "y" && j === argmax(now.yhat);
  const around = (wide, high, rx, attributes) =>
    rect(x - wide / 2, y - high / 2, wide, high, { rx: rx * em, ...attributes });
  const can = !["x", "hPrev"].includes(name) && {
    role: "button",
    tabindex: chosen ? 0 : -1,
    "data-node": name + (j + 1),
    "aria-pressed": String(chosen),
    "aria-label": `${name === "L" ? "loss" : `${NAME[name] ?? name} ${indexOf(name, j)}`} is ${named(name, value)}`,
  };
  return svg(
    "g",
    {
      class: `box ${name} ${chosen ? "chosen" : ""} ${best ? "best" : ""}`,
      "data-term": TERM[name],
      "data-past": name === "hPrev" && t > 1 && `h${j + 1}`,
      ...can,
    },
    around(wide, high, RADIUS[name]),
    name === "y" &&
      rect(x - wide / 2, y + high * (0.5 - value), wide, high * value, {
        class: "fill",
        rx: 0.2 * em,
      }),
    text({ font }, x, y, {}, short(name, value)),
    can && around(wide + 6, 2.1 * em, RADIUS[name] + 0.2, { class: "uf-ring" }),
  );
}

/** The name of a row of boxes, with its step. */
const label = (x, y, name, above, { em, font }) =>
  text(
    { font },
    x,
    y,
    { "font-size": 1.1 * font, class: `row ${name}`, "data-term": TERM[name] },
    italic(NAME[name] ?? name),
    svg("tspan", { dy: -0.4 * font, "font-size": 0.75 * em }, `(${above})`),
  );

const RADIUS = { x: 0.1, hPrev: 0.85, a: 0.85, h: 0.85, o: 0.3, y: 0.3, L: 0.3 };
const TERM = { x: "U", hPrev: "W", a: "a", h: "h", o: "o", y: "y", L: "L" };

// ---- the panel: the bill, the equation, the sum

/** The bill: a row for each step, printed up to the current one. */
function billOf({ steps, t }) {
  const shown = (k, value) => html("td", {}, k < t ? value : "");
  const rows = steps.map((now, k) =>
    tableRow(
      { "data-step": k + 1, class: k + 1 === t ? "now" : k < t ? "" : "later" },
      html("td", { class: "word input" }, ALPHABET[now.input]),
      html("td", { class: "word" }, ALPHABET[now.target]),
      shown(k, rounded(now.yhat[now.target], now.yhat[now.target] < 0.005 ? 4 : 2)),
      shown(k, rounded(now.loss)),
      shown(k, rounded(now.total)),
    ),
  );
  return html(
    "table",
    { class: "receipt" },
    html("caption", { class: "uf-hidden" }, "The bill of the sentence"),
    headRow("input", "target", "p", "−ln p", "total"),
    rows,
  );
}

function formula({ kind, squash }) {
  const number = squash === "tanh" ? `G ${NUMBER[kind]}` : `C ${SIGMOID[kind]}`;
  return html(
    "div",
    { class: "formula" },
    equation(eq[kind === "h" ? squash : kind]),
    html("span", { class: "number" }, `(${number})`),
  );
}

function explanation(now) {
  const { kind, i } = now;
  return [
    kind !== "L" && formula(now),
    { a: weighted, o: weighted, h: activation, y: shares, L: price }[kind](now, i),
    (kind === "a" || kind === "o") &&
      html(
        "p",
        { class: "key" },
        "A thicker line marks a larger term, and a dashed line a negative one.",
      ),
  ];
}

/** The table of a sum. A row with a `limit` has a bar, which is full at that number. */
const ledger = (caption, rows) =>
  html(
    "table",
    { class: "ledger" },
    html("caption", { class: "uf-hidden" }, caption),
    rows.map(({ term, name, work, result, shown = exact(result), total, quiet, limit }) =>
      tableRow(
        { class: `${total ? "total" : ""} ${quiet ? "quiet" : ""}`, "data-term": term },
        html("th", { scope: "row" }, name),
        work,
        shown,
        limit !== undefined &&
          html("td", { class: "bars", "aria-hidden": "true" }, limit ? bar(result, limit) : null),
      ),
    ),
  );

/** A bar from the middle, to the right for plus and to the left for minus. */
const bar = (value, limit) => {
  const share = Math.min(Math.abs(value) / limit, 1) * 50;
  return html("span", {
    class: "bar uf-fill",
    style: `left:${value < 0 ? 50 - share : 50}%;width:${share}%`,
  });
};

function weighted(now, i) {
  const { kind, squash, params } = now;
  const list = terms(params, now.now, kind, i);
  const used = list.filter(({ vector, value }) => vector !== "x" || value !== 0);
  const idle = list.length - used.length;
  const value = now.now[kind][i];
  const limit = Math.max(...[...used.map(({ product }) => product), value].map(Math.abs));
  const to = indexOf(kind, i);
  const rows = used.map(({ matrix, vector, j, weight, value, product }) => ({
    term: matrix,
    name: vector
      ? [entry(matrix, to, indexOf(vector, j)), sign(vector, String(indexOf(vector, j)))]
      : sign(matrix, String(to)),
    work: vector ? `${format(weight, 0)} × ${vector === "x" ? value : exact(value)}` : "",
    result: product,
  }));
  if (idle)
    rows.push({
      term: "U",
      quiet: true,
      name: ["other ", sign("x")],
      work: "weights × 0",
      result: 0,
    });
  rows.push({
    term: kind,
    total: true,
    name: sign(kind, String(to)),
    work: "the sum",
    result: value,
  });
  if (kind === "a")
    rows.push({
      term: "h",
      name: sign("h", String(to)),
      work: [`${squash}(`, exact(value), ")"],
      result: now.now.h[i],
      limit: 0,
    });
  return ledger(
    `How ${kind} ${to} is computed`,
    rows.map((row) => ({ limit, ...row })),
  );
}

/** The sum, the activation function and its value on the curve. */
function activation({ now, squash }, i) {
  const [a, h] = [now.a[i], now.h[i]];
  const f = SQUASH[squash];
  const [x, y] = [(z) => 70 + z * 12.5, (v) => 30 - v * 24];
  const curve = Array.from({ length: 89 }, (_, k) => -5.5 + k / 8).map((z) => [x(z), y(f(z))]);
  const at = clamp(a, -5.5, 5.5);
  return html(
    "div",
    {},
    ledger(`How h ${i + 1} is computed`, [
      { term: "a", name: sign("a", String(i + 1)), work: "the sum", result: a },
      {
        term: "h",
        total: true,
        name: sign("h", String(i + 1)),
        work: `${squash}(${exact(a)})`,
        result: h,
      },
    ]),
    svg(
      "svg",
      { viewBox: "0 0 140 60", class: "curve", "aria-hidden": "true" },
      svg("path", { class: "axis", d: `M0 ${y(0)}H140M${x(0)} 2V58` }),
      svg("path", {
        class: "limit",
        d: `M0 ${y(1)}H140${squash === "tanh" ? `M0 ${y(-1)}H140` : ""}`,
      }),
      svg("path", { class: "f", d: path(curve) }),
      svg("path", { class: "drop", d: `M${x(at)} ${y(0)}V${y(h)}H${x(0)}` }),
      svg("circle", { cx: x(at), cy: y(h), r: 3 }),
    ),
  );
}

function shares({ now }, i) {
  const powers = now.o.map(Math.exp);
  const whole = sum(powers);
  const rows = now.o.map((o, j) => ({
    term: "o",
    name: ["exp ", sign("o", ALPHABET[j])],
    work: `exp(${exact(o)})`,
    result: powers[j],
    limit: whole,
    quiet: j !== i,
  }));
  rows.push({
    total: true,
    term: "o",
    name: "sum",
    work: "of all four",
    result: whole,
    limit: whole,
  });
  rows.push({
    term: "y",
    name: sign("y", ALPHABET[i]),
    work: `${exact(powers[i])} / ${exact(whole)}`,
    shown: share(now.yhat[i]),
  });
  return ledger(`How ŷ ${ALPHABET[i]} is computed`, rows);
}

/** The target's probability, and its loss on the curve of −ln p. */
function price({ now }) {
  const p = now.yhat[now.target];
  const [x, y] = [linear([0, 1], [12, 136]), linear([0, 8], [54, 6])];
  const curve = Array.from({ length: 131 }, (_, k) => Math.exp(-8 + k / 16.2)).map((p) => [
    x(Math.min(p, 1)),
    y(-Math.log(Math.min(p, 1))),
  ]);
  return html(
    "div",
    {},
    ledger("How the loss is computed", [
      { term: "y", name: sign("p"), work: ["of ", ALPHABET[now.target]], shown: share(p) },
      {
        ...{ term: "L", total: true, name: ["−ln ", sign("p")] },
        work: `−ln ${share(p)}`,
        result: now.loss,
      },
    ]),
    svg(
      "svg",
      { viewBox: "0 0 140 66", class: "curve price", "aria-hidden": "true" },
      svg("path", { class: "axis", d: `M${x(0)} ${y(8)}V${y(0)}H${x(1)}` }),
      svg("path", { class: "f", d: path(curve) }),
      svg("path", { class: "drop", d: `M${x(p)} ${y(0)}V${y(now.loss)}H${x(0)}` }),
      svg("circle", { cx: x(p), cy: y(Math.min(now.loss, 8)), r: 3 }),
      [0, 1].map((p) => svg("text", { class: "tick", x: x(p), y: 64 }, p)),
      svg("text", { class: "tick", x: 74, y: 64 }, "p"),
      [0, 4, 8].map((loss) =>
        svg("text", { class: "tick left", x: x(0) - 3, y: y(loss) + 3 }, loss),
      ),
      svg("text", { class: "tick name", x: x(0) + 8, y: 12 }, "−ln p"),
    ),
  );
}

/** The step, its prediction and its loss. */
function opening({ t, now: { yhat, input, target, loss, total } }) {
  const best = argmax(yhat);
  return (
    `At step ${t}, the input is ${called(input)}. The most likely next symbol is ${called(best)}, with probability ${exact(yhat[best])}. ` +
    `The target is ${called(target)}, which costs ${exact(loss)}. The total is ${exact(total)}.`
  );
}

/** A symbol as it is read aloud. */
const called = (token) => (ALPHABET[token] === "." ? "the period" : ALPHABET[token]);

/** The selected number in words, for screen readers. */
function spoken({ kind, i, now, squash, params }) {
  if (kind === "L") return `The loss is ${exact(now.loss)}.`;
  const to = kind === "o" || kind === "y" ? called(i) : i + 1;
  if (kind === "h") return `h ${to} is ${squash} of ${exact(now.a[i])}, ${exact(now.h[i])}.`;
  if (kind === "y") return `The probability of ${to} is ${share(now.yhat[i])}.`;
  const parts = terms(params, now, kind, i).filter(({ product }) => product !== 0);
  const added = parts.length ? parts.map(({ product }) => exact(product)).join(" plus ") : "0";
  return `${kind} ${to} is ${added}, which is ${exact(now[kind][i])}.`;
}
