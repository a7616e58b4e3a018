import { button, control, controls, setAll, transport } from "../../lib/controls.js";
import { drawingOf, html, redraw, set, setSize, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { live } from "../../lib/linked.js";
import { roving } from "../../lib/roving.js";
import { format } from "../../lib/scales.js";
import { path, rect } from "../../lib/shapes.js";
import { keepDrawn, settings } from "../../lib/stage.js";
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
const LAST = 13; // the place where whatever is as long or longer stands

export function render({ model, el }) {
  const { controls: spec } = meta;
  const plot = svg("g");
  const drawing = drawingOf("Five networks that write", plot);
  const area = html("div", { class: "area" }, drawing);
  const readout = html("p", { class: "readout" });
  const status = live();
  const steps = () => stepsOf(model.get("seed"), model.get("n"));
  const toEnd = (n) => setAll(model, { n, t: stepsOf(model.get("seed"), n) });
  const time = transport(model, "t", {
    ...spec.t,
    limit: steps,
    interval: 600,
    text: (t) => `step ${Math.min(t, steps())}`,
  });
  const more = button("one sequence more", () =>
    toEnd(model.get("t") < steps() ? model.get("n") : Math.min(model.get("n") + 1, MANY)),
  );
  const all = button("a thousand", () => toEnd(MANY));
  const another = button("other dice", () =>
    setAll(model, { seed: (model.get("seed") + 1) % (spec.seed.max + 1) }),
  );
  el.classList.add("fig-stop");
  el.append(
    html("div", { class: "stage" }, area, legend(), readout),
    controls(time, more, all),
    html("div", { class: "number" }, controls(control(model, "n", spec.n), another)),
    guess(meta.prediction, () => {
      setAll(model, { way: "length", seed: spec.seed.default });
      toEnd(MANY);
    }),
    status,
  );

  roving(drawing, (way) => setAll(model, { way }));
  drawing.addEventListener("click", ({ target }) => {
    if (target.closest(".next")) setAll(model, { t: Math.min(model.get("t") + 1, steps()) });
  });
  function update(size) {
    const now = read(settings(model, spec));
    const at = scales(size);
    setSize(drawing, size.width, at.height);
    const held = plot.contains(document.activeElement) && document.activeElement.dataset.node;
    redraw(
      plot,
      now.nets.map((net, i) => card(net, now, { ...at, ...at.cards[i] })),
      panel(now, { ...at, ...at.panel }),
    );
    if (held) plot.querySelector(`[data-node="${held}"]`).focus({ preventScroll: true });
    readout.replaceChildren(...sentence(now));
    set(more, { "aria-disabled": String(now.n === MANY && now.over) });
    time.update();
    status.announce(`${readout.textContent} ${shares(now)}`);
  }
  return keepDrawn(model, area, update, { clocks: [time] });
}

/** What each network has written: all its lengths, and the sequence of now. */
function read({ way, n, seed, t: asked }) {
  const t = Math.min(asked, stepsOf(seed, n));
  const nets = WAYS.map((each) => ({
    way: each,
    ...write(each, dice(seed, n), t),
    count: counted(lengths(each, seed, n, t), LAST),
  }));
  const begun = nets.map(({ count }) => count.all.reduce((p, q) => p + q));
  return {
    n,
    t,
    nets: nets.map((net, i) => ({ ...net, begun: begun[i] })),
    chosen: nets.find((net) => net.way === way),
    over: t === stepsOf(seed, n),
  };
}

// ---- the drawing: a card for each network, and one for the probabilities of the one that is chosen

function scales({ width, em, room }) {
  const slide = room < Infinity;
  const columns = slide || width >= 40 * em ? 3 : width < 30 * em ? 1 : 2;
  const gap = 1.4 * em;
  const wide = (width - (columns - 1) * gap) / columns;
  const cell = wide / (LAST + 1);
  const font = slide ? 0.9 * em : Math.max(0.8 * em, 12);
  const bars = (slide ? 2.2 : columns > 1 ? 3.2 : 2.2) * em;
  const [title, tick, chip] = [
    (slide ? 1.4 : 1.6) * em,
    1.1 * em,
    Math.min(cell, 1.5 * em) + 0.2 * em,
  ];
  const high = title + bars + tick + chip + (slide ? 1.2 : 1.9) * em;
  const spot = (i) => ({ x0: (i % columns) * (wide + gap), y0: Math.floor(i / columns) * high });
  // In one column these come first: there they would be out of sight at the end.
  const places = WAYS.map((_, i) => spot(columns === 1 ? i + 1 : i < 2 ? i : i + 1));
  return {
    em,
    font,
    cell,
    wide,
    title,
    bars,
    tick,
    chip,
    cards: places,
    panel: spot(columns === 1 ? 0 : 2),
    height: Math.ceil(6 / columns) * high - 0.4 * em,
  };
}

/** The middle of a place in a card: that of step t, or of the length t. */
const middle = ({ x0, cell }, t) => x0 + (Math.min(t, LAST) + 0.5) * cell;

function card(net, now, at) {
  const { x0, y0, em, wide, title, bars, tick, chip } = at;
  const { way, count, begun } = net;
  const chosen = net.way === now.chosen.way;
  const floor = y0 + title + bars;
  const share = begun ? `${count.proper} of ${begun}` : "";
  return svg(
    "g",
    {
      class: chosen ? "card chosen" : "card",
      "data-node": way,
      role: "button",
      tabindex: chosen ? 0 : -1,
      "data-lm-suppress-shortcuts": "true",
      "aria-pressed": String(chosen),
      "aria-label": spoken(net),
    },
    rect(x0, y0, wide, title + bars + tick + chip + 1.1 * em, { class: "uf-ring", rx: 5 }),
    text(at, x0, y0 + 0.7 * em, { class: "name" }, NAMES[way]),
    text(at, x0 + wide, y0 + 0.7 * em, { class: "end share" }, share),
    histogram(net, now, at, floor),
    [1, SHORTEST, LONGEST].map((length) =>
      text(at, middle(at, length), floor + 0.55 * em, { class: "tick" }, length),
    ),
    text(at, x0 + wide, floor + 0.55 * em, { class: "end tick" }, `${LAST}+`),
    tape(net, now, at, floor + tick),
  );
}

function histogram({ count, begun }, now, at, floor) {
  const { x0, wide, cell, bars } = at;
  const tallest = Math.max(
    0.17,
    ...now.nets.flatMap((net) => net.count.all.map((c) => c / (net.begun || 1))),
  );
  const high = (number) => (bars * number) / (begun || 1) / tallest;
  const right = bars / (LONGEST - SHORTEST + 1) / tallest;
  return [
    count.all.map((number, length) => {
      if (!number) return null;
      const x = x0 + length * cell + 0.14 * cell;
      const [all, fine] = [high(number), high(count.right[length])];
      return [
        fine > 0 && rect(x, floor - fine, 0.72 * cell, fine, { class: "fine" }),
        all > fine && rect(x, floor - all, 0.72 * cell, all - fine, { class: "wrong" }),
        all > fine &&
          svg("path", { class: "stripes", d: stripes(x, floor - all, 0.72 * cell, all - fine) }),
      ];
    }),
    svg("path", {
      class: "right",
      d: `M${x0 + SHORTEST * cell} ${floor - right}H${x0 + (LONGEST + 1) * cell}`,
    }),
    svg("path", { class: "floor", d: `M${x0 + cell} ${floor}H${x0 + wide}` }),
  ];
}

/** Lines across a bar, so that it is known by more than its colour. */
function stripes(x, y, wide, high) {
  const lines = [];
  for (let at = 3; at < high; at += 4)
    lines.push([
      [x, y + at],
      [x + wide, y + at],
    ]);
  return lines.map(path).join("");
}

/** The letters of the sequence of now, what each step is told, and how it ends. */
function tape({ way, tau, y, drawn, over }, { t }, at, top) {
  const { x0, em, cell, chip, font } = at;
  const side = chip - 0.2 * em;
  const box = (i, kind, letter) => [
    rect(middle(at, i) - side / 2, top, side, side, { class: kind, rx: 3 }),
    text(at, middle(at, i), top + side / 2, { class: "letter" }, letter),
  ];
  const hears = { total: () => tau, left: (i) => tau - i }[way];
  const ended = over || t >= drawn.length + 1;
  const shown = y.slice(0, LAST - 1);
  return [
    tau !== null && box(0, "tau", tau),
    shown.map((letter, i) => [
      box(i + 1, "chip", LETTERS[letter]),
      hears &&
        text(at, middle(at, i + 1), top + side + 0.55 * em, { class: "hears" }, hears(i + 1)),
    ]),
    y.length >= LAST &&
      text({ ...at, font }, middle(at, LAST), top + side / 2, { class: "letter" }, "…"),
    over
      ? ending(middle(at, Math.min(y.length, LAST - 1)) + cell / 2 + 1, top, side, proper(y))
      : !ended &&
        y.length < LAST - 1 &&
        svg("g", { class: "next" }, box(y.length + 1, "slot", "?")),
    tau !== null &&
      !hears &&
      text(at, x0 + 0.1 * em, top + side + 0.55 * em, { class: "name hears" }, "told nothing"),
  ];
}

/** A straight line where a sequence ends as it should, a jagged one where it does not. */
const ending = (x, top, side, fine) =>
  svg("path", {
    class: fine ? "ending fine" : "ending wrong",
    d: fine
      ? `M${x} ${top - 2}V${top + side + 2}`
      : path([0, 1, 2, 3, 4].map((i) => [x + (i % 2 ? 2 : -2), top - 2 + (i * (side + 4)) / 4])),
  });

function panel({ chosen }, at) {
  const { x0, y0, em, wide, cell, title, bars, tick, chip } = at;
  const { tau, yhat, drawn } = chosen;
  const [top, floor] = [y0 + title, y0 + title + bars + tick + chip];
  const column = (i, p, which, words) => {
    let below = 0;
    return p.map((share, k) => {
      const high = share * (floor - top);
      below += high;
      if (high < 0.3) return null;
      const y = floor - below;
      const kind = words ? `part ${k === END ? "over" : LETTERS[k]}` : "part tau";
      const label = words ? (k === END ? "" : LETTERS[k]) : k + 1;
      return [
        rect(x0 + (i + 0.06) * cell, y, 0.88 * cell, high, {
          class: `${kind}${k === which ? " drawn" : ""}`,
        }),
        high > at.font &&
          text(
            at,
            middle(at, i),
            y + high / 2,
            { class: `letter${k === END ? " on" : ""}` },
            label,
          ),
      ];
    });
  };
  return [
    text(at, x0, y0 + 0.7 * em, { class: "name" }, `next: ${NAMES[chosen.way]}`),
    tau !== null && column(0, lengthProbabilities(chosen.way), tau - 1, false),
    yhat.slice(0, LAST).map((p, i) => column(i + 1, p, drawn[i], true)),
    svg("path", { class: "floor", d: `M${x0} ${floor}H${x0 + wide}` }),
    tau !== null && text(at, middle(at, 0), floor + 0.6 * em, { class: "tick" }, "τ"),
    [1, SHORTEST, LONGEST].map((t) =>
      text(at, middle(at, t), floor + 0.6 * em, { class: "tick" }, t),
    ),
  ];
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

const shares = ({ nets }) =>
  `Ends as it should: ${nets.map(({ way, count, begun }) => `${NAMES[way]} ${count.proper} of ${begun}`).join("; ")}.`;

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
