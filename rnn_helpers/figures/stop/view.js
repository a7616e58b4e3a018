import { bar, rule, ticksX } from "../lib/chart.js";
import { button, controls, transport } from "../lib/controls.js";
import { html, redraw, set, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { paper } from "../lib/paper.js";
import { roving } from "../lib/roving.js";
import { format, linear } from "../lib/scales.js";
import { path, rect } from "../lib/shapes.js";
import { over, sum, upTo } from "../lib/vectors.js";
import {
  counted,
  DING,
  END,
  latest,
  lengthProbabilities,
  lengths,
  SYMBOLS,
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

const NAMES = Object.fromEntries(
  meta.controls.way.options.map(({ value, label }) => [value, label]),
);
const KINDS = ["silence", "pop", "ding"];
const LAST = 13; // the last position in a row, which also counts longer recordings
const FEW = 5; // recordings on the shelf

export const render = figure("stop", meta, ({ model, spec, save, reseed, control, again }) => {
  const five = model.get("view") === "five";
  const area = areaOf(five ? "Five networks that write" : "A network and its latest recordings");
  const readout = html("p", { class: "readout" });
  const ways = () => (five ? WAYS : [model.get("way")]);
  const limit = () => stepsOf(model.get("seed"), model.get("n"), ways());
  const text = (t) => `step ${Math.min(t, limit())}`;
  const time = transport(model, "t", { ...spec.t, limit, interval: 600, text });
  const end = (seed, n) => ({ seed, n, t: stepsOf(seed, n, ways()) });
  const print = paper(again);
  const toEnd = (n) => save(end(model.get("seed"), n));
  const more = button("one more", () => {
    const n = model.get("n");
    toEnd(model.get("t") < limit() ? n : Math.min(n + 1, MANY));
  });
  const all = button("make 1,000", () => toEnd(MANY));
  if (five) roving(area.drawing, (way) => save({ way }));
  area.drawing.addEventListener("click", ({ target }) => {
    if (target.closest(".next")) save({ t: Math.min(model.get("t") + 1, limit()) });
  });
  return {
    parts: [
      stage(area, legend(five), readout),
      [time, more, all],
      five &&
        html("div", { class: "number" }, controls(control("n"), reseed("other random numbers"))),
    ],
    // The prediction is about a single network.
    reveal: !five && (() => save({ way: "length", ...end(spec.seed.default, MANY) })),
    follow: [time, print],
    update(state, size) {
      const first = five && state.n === spec.n.default && state.t === spec.t.default;
      const now = read(
        print.on() && first ? { ...state, ...end(state.seed, MANY) } : state,
        ways(),
      );
      const at = five ? scales(size, now.nets.length) : shelved(size);
      if (five) {
        const cards = now.nets.map((net, i) => card(net, now, boxed(at, at.cards[i])));
        area.draw(size, at, cards, panel(now, boxed(at, at.panel)));
      } else area.draw(size, at, shelf(now, at), tally(now, at));
      redraw(readout, five ? choice(now) : word(now));
      set(more, { "aria-disabled": String(now.n === MANY && now.over) });
      return `${readout.textContent}${shares(now)}`;
    },
  };
});

/** Compute the lengths of all recordings of each network, and its latest ones. */
function read({ way, n, seed, t: asked }, ways) {
  const last = stepsOf(seed, n, ways);
  const t = Math.min(asked, last);
  const nets = ways.map((each) => {
    const count = counted(lengths(each, seed, n, t), LAST);
    return { way: each, ...write(each, dice(seed, n), t), count, begun: sum(count.all) };
  });
  const chosen = nets.find((net) => net.way === way);
  return { n, t, nets, chosen, over: t === last, few: latest(way, seed, n, t, FEW) };
}

// ---- one network: a shelf with its latest recordings, and how many of all end with their ding

function shelved({ width, em, room }) {
  const slide = room < Infinity;
  const cell = Math.min(width / (LAST + 1.6), 2.6 * em);
  const chip = Math.min(0.92 * cell, (slide ? 1.6 : 2) * em);
  const high = chip + (slide ? 0.3 : 0.5) * em;
  const top = 1.9 * em;
  const bar = { top: top + FEW * high + 1.7 * em, high: 0.9 * em };
  return {
    ...{ em, cell, chip, high, top, bar, width },
    font: Math.max((slide ? 0.9 : 0.85) * em, 12),
    x: (t) => (t ? t + 1.1 : 0.6) * cell,
    height: bar.top + bar.high + 0.3 * em,
  };
}

function shelf({ n, chosen, few }, at) {
  const { x, em, top, high } = at;
  const drawn = chosen.tau !== null;
  return [
    drawn && text(at, 0, 0.7 * em, { class: "start name input" }, "drawn length"),
    few.map((each, i) =>
      svg(
        "g",
        { class: i === few.length - 1 ? "recording now" : "recording" },
        symbols(each, { ...at, top: top + i * high }),
        each.over && verdict(each, { ...at, y: top + i * high + at.chip / 2 }),
      ),
    ),
    n > FEW &&
      text(at, x(LAST) + 0.5 * at.cell, 0.7 * em, { class: "end tick" }, `the last ${FEW}`),
  ];
}

/** The drawn length of a recording, its symbols so far, and its end. */
function symbols({ tau, y, over }, { x, top, cell, chip, em }) {
  const box = (place, kind, symbol) => [
    rect(x(place) - chip / 2, top, chip, chip, { class: kind, rx: 3 }),
    text({ font: Math.min(0.95 * em, 0.62 * chip) }, x(place), top + chip / 2, {}, symbol),
  ];
  const shown = y.slice(0, LAST - 1);
  return [
    tau !== null && box(0, "tau", tau),
    shown.map((k, i) => svg("g", { class: `symbol ${KINDS[k]}` }, box(i + 1, "chip", SYMBOLS[k]))),
    y.length >= LAST && text({ font: em }, x(LAST), top + chip / 2, { class: "tick" }, "…"),
    over
      ? ending(x(Math.min(y.length, LAST - 1)) + cell / 2, top, chip, proper(y))
      : y.length < LAST - 1 && svg("g", { class: "next" }, box(y.length + 1, "slot", "?")),
  ];
}

/** How a recording ended, in a word or two to the right of it. */
function verdict({ y }, at) {
  if (y.length > LONGEST) return null;
  const early = at.cell < 1.9 * at.em ? "too early" : "ding too early";
  const words = proper(y) ? "ding!" : y.includes(DING) ? early : "no ding";
  const attributes = { class: `start verdict ${proper(y) ? "fine" : "wrong"}` };
  return text(at, at.x(y.length) + 0.75 * at.cell, at.y, attributes, words);
}

/** The shares of all finished recordings that end with their ding, and that don't. */
function tally({ chosen: { count, begun } }, { bar, width, em, font, x, cell }) {
  if (!begun) return null;
  const [left, right] = [0, x(LAST) + cell / 2];
  const fine = (count.proper / begun) * (right - left);
  const area = [left + fine, bar.top, right - left - fine, bar.high];
  return [
    text(
      { font },
      left,
      bar.top - 0.75 * em,
      { class: "start share" },
      of(count.proper, begun),
      width > 20 * em ? " end with their only ding" : " end with their ding",
    ),
    fine > 0 && rect(left, bar.top, fine, bar.high, { class: "fine" }),
    count.proper < begun && rect(...area, { class: "wrong" }),
    count.proper < begun && svg("path", { class: "stripes", d: stripes(...area) }),
  ];
}

// ---- five networks: a card for each, and the probabilities of the chosen one

function scales({ width, em, room }, cards) {
  const slide = room < Infinity;
  const columns = slide || width >= 40 * em ? 3 : width < 30 * em ? 1 : 2;
  const gap = 1.4 * em;
  const wide = (width - (columns - 1) * gap) / columns;
  const cell = wide / (LAST + 1);
  const font = slide ? 0.9 * em : Math.max(0.8 * em, 12);
  const bars = (slide ? 1.8 : columns > 1 ? 3.2 : 2.2) * em;
  // Where a name and its number don't fit into one line, the number is in a second one.
  const tight = wide < 20 * font;
  const [title, tick] = [(slide ? 1.4 : 1.6) * em + (tight ? font : 0), 1.1 * em];
  const chip = Math.min(cell, 1.5 * em) + 0.2 * em;
  const high = title + bars + tick + chip + (slide ? 1.2 : 1.9) * em;
  const spot = (i) => ({ left: (i % columns) * (wide + gap), y0: Math.floor(i / columns) * high });
  // The probabilities come third, but in one column first: at the end they would be out of sight.
  const third = columns === 1 ? 0 : 2;
  const spots = upTo(cards).map((i) => spot(i <= third ? i - 1 : i));
  return {
    ...{ em, font, cell, wide, tight, title, bars, tick, chip, cards: spots },
    panel: spot(third),
    height: Math.ceil((cards + 1) / columns) * high - 0.4 * em,
  };
}

/** The chart of a card: `x(t)` is the middle of the place for step t, or for length t. */
function boxed(at, { left, y0 }) {
  const top = y0 + at.title;
  const x = (t) => left + (Math.min(t, LAST) + 0.5) * at.cell;
  return { ...at, left, right: left + at.wide, y0, top, bottom: top + at.bars, x };
}

function card(net, now, at) {
  const { left, right, y0, bottom, em, font, wide, tight, title, bars, tick, chip } = at;
  const { way, count, begun } = net;
  const chosen = way === now.chosen.way;
  const button = {
    role: "button",
    tabindex: chosen ? 0 : -1,
    "aria-pressed": String(chosen),
    "aria-label": spoken(net),
  };
  // The chart isn't part of the button, whose name would have to contain the numbers on its axes.
  return svg(
    "g",
    { class: chosen ? "card chosen" : "card" },
    svg(
      "g",
      { "data-node": way, ...button },
      rect(left, y0, wide, title + bars + tick + chip + 1.1 * em, { class: "uf-ring", rx: 5 }),
      text(at, left, y0 + 0.7 * em, { class: "name" }, NAMES[way]),
      " ",
      text(
        at,
        tight ? left : right,
        y0 + 0.7 * em + (tight ? 1.1 * font : 0),
        { class: tight ? "start share" : "end share" },
        begun ? of(count.proper, begun) : "",
      ),
    ),
    svg(
      "g",
      { class: "chart" },
      histogram(net, now, at),
      ticksX({ ...at, below: 0.55 }, [1, SHORTEST, LONGEST]),
      text(at, right, bottom + 0.55 * em, { class: "end tick" }, `${LAST}+`),
      tape(net, now, at, bottom + tick),
    ),
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

/** The symbols of the latest recording, the input that gives its length at each step, and its end. */
function tape({ way, tau, y, drawn, over }, { t }, at, top) {
  const { x, left, em, cell, chip } = at;
  const side = chip - 0.2 * em;
  const box = (i, kind, letter) => [
    rect(x(i) - side / 2, top, side, side, { class: kind, rx: 3 }),
    text(at, x(i), top + side / 2, { class: "letter" }, letter),
  ];
  const length = { total: () => tau, left: (i) => tau - i }[way];
  const ended = over || t >= drawn.length + 1;
  const shown = y.slice(0, LAST - 1);
  return [
    tau !== null && box(0, "tau", tau),
    shown.map((letter, i) => [
      svg("g", { class: `symbol ${KINDS[letter]}` }, box(i + 1, "chip", SYMBOLS[letter])),
      length && text(at, x(i + 1), top + side + 0.55 * em, { class: "input" }, length(i + 1)),
    ]),
    y.length >= LAST && text(at, x(LAST), top + side / 2, { class: "letter" }, "…"),
    over
      ? ending(x(Math.min(y.length, LAST - 1)) + cell / 2 + 1, top, side, proper(y))
      : !ended &&
        y.length < LAST - 1 &&
        svg("g", { class: "next" }, box(y.length + 1, "slot", "?")),
    tau !== null &&
      !length &&
      text(at, left + 0.1 * em, top + side + 0.55 * em, { class: "name input" }, "not an input"),
  ];
}

/** The end of a recording: a straight line if it is proper, or else a jagged one. */
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
    text(at, left, y0 + 0.7 * em, { class: "name" }, `predictions (${NAMES[way]})`),
    tau !== null && column(at, 0, lengthProbabilities(way), tau - 1, (k) => ["tau", k + 1]),
    yhat.slice(0, LAST).map((p, i) => column(at, i + 1, p, drawn[i], part)),
    rule(at, 0, "floor"),
    tau !== null && ticksX(at, [0], () => "τ"),
    ticksX(at, [1, SHORTEST, LONGEST]),
  ];
}

const part = (k) => (k === END ? ["over", ""] : [KINDS[k], SYMBOLS[k]]);

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

const legend = (five) =>
  html(
    "p",
    { class: "legend" },
    (five
      ? [
          ["right", "lengths in training"],
          ["fine", "ends with its ding"],
          ["wrong", "doesn't"],
          ["over", "the end"],
        ]
      : [
          ["silence", "0, silence"],
          ["pop", "1, a pop"],
          ["ding", "!, the ding"],
        ]
    ).map(([kind, words]) => html("span", {}, html("i", { class: `uf-fill ${kind}` }), words)),
  );

const of = (some, all) => `${some.toLocaleString("en")} of ${all.toLocaleString("en")}`;

/** How many recordings are proper, once there are some. */
function shares({ nets }) {
  const ended = nets.filter(({ begun }) => begun);
  if (!ended.length) return "";
  const all = ended.map(({ way, count, begun }) => `${of(count.proper, begun)} (${NAMES[way]})`);
  return nets.length > 1
    ? ` These recordings end with their ding: ${all.join("; ")}.`
    : ` So far, ${of(ended[0].count.proper, ended[0].begun)} end with their ding.`;
}

const spelled = (y) => [...y].map((i) => SYMBOLS[i]).join(" ");

const spoken = ({ way, tau, y, over, count, begun }) =>
  `${NAMES[way]}: ${of(count.proper, begun)} recordings end with their ding. The latest: ${tau === null ? "" : `length ${tau}, `}${spelled(y) || "nothing yet"}${over ? `, ${proper(y) ? "with its ding" : "not with its ding"}` : ""}`;

const symbol = (k) => (k === END ? "the end" : SYMBOLS[k]);

/** A sentence on how a recording has ended, if it has. */
function close({ y, over }) {
  if (!over) return "";
  if (proper(y)) return " It ends with its ding.";
  return y.includes(DING) ? " The ding comes too early." : " It ends without its ding.";
}

/** The latest recording of a single network. */
function word({ n, nets: [net] }) {
  const { way, tau, y, over } = net;
  const name = way === meta.controls.way.default ? "" : `, ${NAMES[way]}`;
  return [
    html("b", {}, `Recording ${n.toLocaleString("en")}${name}: `),
    tau === null ? "" : `its length was drawn first, ${tau}. `,
    y.length ? `${over ? "It is" : "So far, it is"} ${spelled(y)}.` : "It is about to begin.",
    close(net),
  ];
}

/** The latest recording of the selected network, and the probabilities of its last symbol. */
function choice({ n, chosen }) {
  const { way, tau, yhat, drawn } = chosen;
  const head = html("b", {}, `Recording ${n.toLocaleString("en")}, ${NAMES[way]}: `);
  const first = tau === null ? "" : `its length was drawn first, ${tau}`;
  if (!yhat.length) return [head, `${first || "it is about to begin"}.`];
  const odds = yhat
    .at(-1)
    .map((p, k) => (p < 0.005 ? null : `${symbol(k)} ${format(p, 2)}`))
    .filter(Boolean);
  return [
    head,
    first && `${first}; `,
    `at step ${drawn.length} the probabilities were ${odds.join(", ")}; ${symbol(drawn.at(-1))} was drawn.`,
    close(chosen),
  ];
}
