import { bar, rule, ticksX } from "../../lib/chart.js";
import { button, controls, transport } from "../../lib/controls.js";
import { html, redraw, set, svg, text } from "../../lib/dom.js";
import { areaOf, figure, stage } from "../../lib/figure.js";
import { roving } from "../../lib/roving.js";
import { format, linear } from "../../lib/scales.js";
import { path, rect } from "../../lib/shapes.js";
import { over, sum } from "../../lib/vectors.js";
import {
  counted,
  END,
  lengthProbabilities,
  lengths,
  LETTERS,
  LONGEST,
  MANY,
  proper,
  SHORTEST,
  stepsOf,
  WAYS,
  write,
  dice,
} from "./math.js";
import { meta } from "./meta.js";

const NAMES = {
  symbol: "an end symbol",
  coin: "a coin at each step",
  length: "length, told nothing",
  total: "length, told τ",
  left: "length, told τ − t",
};
/** The names above the cards, where a number stands beside them. */
const SHORT = Object.fromEntries(
  meta.controls.way.options.map(({ value, label }) => [value, label]),
);
const LAST = 13; // the last place of a row, which also counts longer sequences

export const render = figure("stop", meta, ({ model, spec, save, reseed, control }) => {
  const area = areaOf("Five networks that write");
  const readout = html("p", { class: "readout" });
  const limit = () => stepsOf(model.get("seed"), model.get("n"));
  const text = (t) => `step ${Math.min(t, limit())}`;
  const time = transport(model, "t", { ...spec.t, limit, interval: 600, text });
  const end = (seed, n) => ({ seed, n, t: stepsOf(seed, n) });
  const toEnd = (n) => save(end(model.get("seed"), n));
  const more = button("one sequence more", () => {
    const n = model.get("n");
    toEnd(model.get("t") < limit() ? n : Math.min(n + 1, MANY));
  });
  const all = button("a thousand", () => toEnd(MANY));
  const another = reseed("other dice");
  roving(area.drawing, (way) => save({ way }));
  area.drawing.addEventListener("click", ({ target }) => {
    if (target.closest(".next")) save({ t: Math.min(model.get("t") + 1, limit()) });
  });
  return {
    parts: [
      stage(area, legend(), readout),
      [time, more, all],
      html("div", { class: "number" }, controls(control("n"), another)),
    ],
    reveal: () => save({ way: "length", ...end(spec.seed.default, MANY) }),
    follow: [time],
    update(state, size) {
      const now = read(state);
      const at = scales(size);
      const cards = now.nets.map((net, i) => card(net, now, boxed(at, at.cards[i])));
      area.draw(size, at, cards, panel(now, boxed(at, at.panel)));
      redraw(readout, sentence(now));
      set(more, { "aria-disabled": String(now.n === MANY && now.over) });
      return `${readout.textContent} ${shares(now)}`;
    },
  };
});

/** Compute the lengths of all sequences that each network has written, and its last sequence. */
function read({ way, n, seed, t: asked }) {
  const t = Math.min(asked, stepsOf(seed, n));
  const nets = WAYS.map((each) => {
    const count = counted(lengths(each, seed, n, t), LAST);
    return { way: each, ...write(each, dice(seed, n), t), count, begun: sum(count.all) };
  });
  const chosen = nets.find((net) => net.way === way);
  return { n, t, nets, chosen, over: t === stepsOf(seed, n) };
}

// ---- the drawing: a card for each network, and one with the probabilities of the chosen network

function scales({ width, em, room }) {
  const slide = room < Infinity;
  const columns = slide || width >= 40 * em ? 3 : width < 30 * em ? 1 : 2;
  const gap = 1.4 * em;
  const wide = (width - (columns - 1) * gap) / columns;
  const cell = wide / (LAST + 1);
  const font = slide ? 0.9 * em : Math.max(0.8 * em, 12);
  const bars = (slide ? 2.2 : columns > 1 ? 3.2 : 2.2) * em;
  const [title, tick] = [(slide ? 1.4 : 1.6) * em, 1.1 * em];
  const chip = Math.min(cell, 1.5 * em) + 0.2 * em;
  const high = title + bars + tick + chip + (slide ? 1.2 : 1.9) * em;
  const spot = (i) => ({ left: (i % columns) * (wide + gap), y0: Math.floor(i / columns) * high });
  // The probabilities come third, but in one column first: at the end they would be out of sight.
  const third = columns === 1 ? 0 : 2;
  return {
    ...{ em, font, cell, wide, title, bars, tick, chip },
    cards: WAYS.map((_, i) => spot(i < third ? i : i + 1)),
    panel: spot(third),
    height: Math.ceil(6 / columns) * high - 0.4 * em,
  };
}

/** The chart of a card: `x(t)` is the middle of the place for step t, or for length t. */
function boxed(at, { left, y0 }) {
  const top = y0 + at.title;
  const x = (t) => left + (Math.min(t, LAST) + 0.5) * at.cell;
  return { ...at, left, right: left + at.wide, y0, top, bottom: top + at.bars, x };
}

function card(net, now, at) {
  const { left, right, y0, bottom, em, wide, title, bars, tick, chip } = at;
  const { way, count, begun } = net;
  const chosen = way === now.chosen.way;
  const share = begun ? `${count.proper} of ${begun}` : "";
  return svg(
    "g",
    {
      class: chosen ? "card chosen" : "card",
      "data-node": way,
      role: "button",
      tabindex: chosen ? 0 : -1,
      "aria-pressed": String(chosen),
      "aria-label": spoken(net),
    },
    rect(left, y0, wide, title + bars + tick + chip + 1.1 * em, { class: "uf-ring", rx: 5 }),
    text(at, left, y0 + 0.7 * em, { class: "name" }, SHORT[way]),
    text(at, right, y0 + 0.7 * em, { class: "end share" }, share),
    histogram(net, now, at),
    ticksX({ ...at, below: 0.55 }, [1, SHORTEST, LONGEST]),
    text(at, right, bottom + 0.55 * em, { class: "end tick" }, `${LAST}+`),
    tape(net, now, at, bottom + tick),
  );
}

/** The share of each length, on a scale that all cards have in common. */
function histogram({ count, begun }, now, box) {
  const shares = now.nets.flatMap((net) => over(net.count.all, net.begun || 1));
  const { left, top, bottom, cell, x } = box;
  const at = { ...box, y: linear([0, Math.max(0.17, ...shares)], [bottom, top]) };
  const wide = 0.72 * cell;
  const learned = { left: left + SHORTEST * cell, right: left + (LONGEST + 1) * cell };
  return [
    count.all.map((number, length) => {
      if (!number) return null;
      const fine = count.right[length] / begun;
      const [y0, y1] = [at.y(fine), at.y(number / begun)];
      const area = [x(length) - wide / 2, y1, wide, y0 - y1];
      return [
        fine > 0 && bar(at, length, fine, wide, { class: "fine" }),
        y0 > y1 && rect(...area, { class: "wrong" }),
        y0 > y1 && svg("path", { class: "stripes", d: stripes(...area) }),
      ];
    }),
    rule({ ...at, ...learned }, 1 / (LONGEST - SHORTEST + 1), "right"),
    rule({ ...at, left: left + cell }, 0, "floor"),
  ];
}

/** Stripes that mark a bar for readers who can't see its color. */
function stripes(x, y, wide, high) {
  const lines = [];
  for (let at = 3; at < high; at += 4)
    lines.push([
      [x, y + at],
      [x + wide, y + at],
    ]);
  return lines.map(path).join("");
}

/** The letters of the last sequence, the information on its length at each step, and its end. */
function tape({ way, tau, y, drawn, over }, { t }, at, top) {
  const { x, em, cell, chip } = at;
  const side = chip - 0.2 * em;
  const box = (i, kind, letter) => [
    rect(x(i) - side / 2, top, side, side, { class: kind, rx: 3 }),
    text(at, x(i), top + side / 2, { class: "letter" }, letter),
  ];
  const hears = { total: () => tau, left: (i) => tau - i }[way];
  const ended = over || t >= drawn.length + 1;
  const shown = y.slice(0, LAST - 1);
  return [
    tau !== null && box(0, "tau", tau),
    shown.map((letter, i) => [
      box(i + 1, "chip", LETTERS[letter]),
      hears && text(at, x(i + 1), top + side + 0.55 * em, { class: "hears" }, hears(i + 1)),
    ]),
    y.length >= LAST && text(at, x(LAST), top + side / 2, { class: "letter" }, "…"),
    over
      ? ending(x(Math.min(y.length, LAST - 1)) + cell / 2 + 1, top, side, proper(y))
      : !ended &&
        y.length < LAST - 1 &&
        svg("g", { class: "next" }, box(y.length + 1, "slot", "?")),
  ];
}

/** The end of a sequence: a straight line if it is proper, or else a jagged one. */
const ending = (x, top, side, fine) =>
  svg("path", {
    class: fine ? "ending fine" : "ending wrong",
    d: fine
      ? `M${x} ${top - 2}V${top + side + 2}`
      : path([0, 1, 2, 3, 4].map((i) => [x + (i % 2 ? 2 : -2), top - 2 + (i * (side + 4)) / 4])),
  });

/** The probabilities of each step of the chosen network. */
function panel({ chosen }, box) {
  const { tau, yhat, drawn, way } = chosen;
  const { left, top, y0, em } = box;
  const bottom = box.bottom + box.tick + box.chip;
  const at = { ...box, bottom, below: 0.6, y: linear([0, 1], [bottom, top]) };
  return [
    text(at, left, y0 + 0.7 * em, { class: "name" }, `next: ${NAMES[way]}`),
    tau !== null && column(at, 0, lengthProbabilities(way), tau - 1, (k) => ["tau", k + 1]),
    yhat.slice(0, LAST).map((p, i) => column(at, i + 1, p, drawn[i], part)),
    rule(at, 0, "floor"),
    tau !== null && ticksX(at, [0], () => "τ"),
    ticksX(at, [1, SHORTEST, LONGEST]),
  ];
}

const part = (k) => (k === END ? ["over", ""] : [LETTERS[k], LETTERS[k]]);

/** A column of stacked probabilities; `look(k)` gives the class and the label of the k-th. */
function column(at, place, p, drawn, look) {
  const { x, y, cell, font } = at;
  let below = 0;
  return p.map((share, k) => {
    const foot = y(below);
    below += share;
    const high = foot - y(below);
    if (high < 0.3) return null;
    const [kind, label] = look(k);
    const name = `part ${kind}${k === drawn ? " drawn" : ""}`;
    return [
      rect(x(place) - 0.44 * cell, y(below), 0.88 * cell, high, { class: name }),
      label && high > font && text(at, x(place), foot - high / 2, { class: "letter" }, label),
    ];
  });
}

// ---- the words

const legend = () =>
  html(
    "p",
    { class: "legend" },
    [
      ["right", "lengths that they learned from"],
      ["fine", "ends with its z"],
      ["wrong", "does not"],
      ["over", "the end"],
    ].map(([kind, words]) => html("span", {}, html("i", { class: `uf-fill ${kind}` }), words)),
  );

const shares = ({ nets }) => {
  const ended = nets.filter(({ begun }) => begun);
  if (!ended.length) return "No sequence has ended yet.";
  const all = ended.map(({ way, count, begun }) => `${count.proper} of ${begun} (${NAMES[way]})`);
  return `These sequences end as they should: ${all.join("; ")}.`;
};

const spoken = ({ way, tau, y, over, count, begun }) =>
  `${NAMES[way]}: ${tau === null ? "" : `length ${tau}, `}${[...y].map((i) => LETTERS[i]).join(" ") || "nothing yet"}${over ? `, over, ${proper(y) ? "as it should" : "not as it should"}` : ""}. ${count.proper} of ${begun} end as they should`;

const symbol = (k) => (k === END ? "the end" : LETTERS[k]);

function sentence({ n, chosen: { way, tau, yhat, drawn, y, over } }) {
  const head = html("b", {}, `Sequence ${n}, ${NAMES[way]}: `);
  const first = tau === null ? "" : `its length was drawn first, ${tau}`;
  if (!yhat.length) return [head, `${first || "nothing is written yet"}.`];
  const odds = yhat
    .at(-1)
    .map((p, k) => (p < 0.005 ? null : `${symbol(k)} ${format(p, 2)}`))
    .filter(Boolean);
  const close = !over
    ? ""
    : proper(y)
      ? " It is over, with its z."
      : y.includes(2)
        ? " It is over, and has written a z too early."
        : " It is over, without its z.";
  return [
    head,
    first && `${first}; `,
    `at step ${drawn.length} the probabilities were ${odds.join(", ")}; ${symbol(drawn.at(-1))} was drawn.`,
    close,
  ];
}
