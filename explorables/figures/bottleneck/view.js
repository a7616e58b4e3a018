import { signed } from "../../lib/colours.js";
import { button, control, controls, setAll } from "../../lib/controls.js";
import { drawingOf, html, redraw, set, setSize, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { draggable, keySlider, knob } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { path, rect } from "../../lib/shapes.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import { COUNTED, LEARNED, line, LONGEST, measured, SIZES, write } from "./math.js";
import { meta } from "./meta.js";

const PLACES = Array.from({ length: LONGEST }, (_, i) => i);
const END = 10;
const DASHES = { 8: null, 16: "6 3", 32: "2 3", 64: "1 4" };
const ALL = [...SIZES, ...COUNTED];
// Where each curve is named: at which share, and how far beside it, where no other curve passes.
const NAMED = { 8: [0.6, -0.4], 16: [0.8, -0.15], 32: [0.8, -0.15], 64: [0.8, 0.3] };
const shown = (symbol) => (symbol === END ? "■" : String(symbol));

export function render({ model, el }) {
  const { controls: spec } = meta;
  const plot = svg("g");
  const end = knob({ class: "end" });
  const drawing = drawingOf("Digits that were read, and what is written of them", plot);
  const area = html("div", { class: "area" }, drawing);
  const status = live();
  let at = null;
  const another = button("another line", () =>
    setAll(model, { seed: (model.get("seed") % spec.seed.max) + 1 }),
  );
  el.classList.add("fig-bottleneck");
  el.append(
    html("div", { class: "stage" }, area),
    controls(
      control(model, "length", spec.length),
      control(model, "size", spec.size),
      another,
      control(model, "curves", spec.curves),
    ),
    guess(meta.prediction, () => setAll(model, { length: LEARNED, size: "three", curves: true })),
    status,
  );

  // The end of C is taken by hand: it goes to the nearest size there is.
  const choose = (i) => setAll(model, { size: String(ALL[i]) });
  draggable(end, { surface: drawing, move: ({ x }) => choose(nearest((x - at.x0) / at.part)) });
  const follow = keySlider(end, {
    label: "numbers in C",
    min: 0,
    max: ALL.length - 1,
    get: () => Math.max(0, ALL.indexOf(Number(model.get("size")))),
    change: choose,
    text: (i) => `${ALL[i]} numbers`,
  });

  function update(size) {
    const state = settings(model, spec);
    const digits = line(state.seed).slice(0, state.length);
    const one = state.size !== "three";
    const sizes = one ? [Number(state.size)] : SIZES;
    const lanes = sizes.map((n) => ({ n, ...(SIZES.includes(n) && write(n, digits)) }));
    const curves = state.curves ? ALL : sizes.filter((n) => COUNTED.includes(n));
    const now = { ...state, one, digits, backwards: [...digits].reverse(), lanes, curves };
    at = scales(size, now);
    setSize(drawing, size.width, at.height);
    redraw(
      plot,
      reading(now, at),
      one && track(now, at),
      lanes.map((lane, i) => writing(lane, i, now, at)),
      curves.length > 0 && shares(now, at),
    );
    set(end, {
      transform: `translate(${at.x0 + sizes[0] * at.part} ${at.first + 0.35 * at.em})`,
    });
    if (!one) end.remove();
    else if (!end.isConnected) drawing.append(end);
    follow();
    status.announce(spoken(now));
  }
  return keepDrawn(model, area, update);
}

/** The place among all sizes of the one that is nearest to a number. */
function nearest(number) {
  const far = ALL.map((n) => Math.abs(n - number));
  return far.indexOf(Math.min(...far));
}

function scales({ width, em, room }, { one, lanes, curves }) {
  const slide = room < Infinity;
  const drawn = curves.length > 0;
  const beside = drawn && width > 40 * em;
  const wide = beside ? 0.62 * width : width;
  const font = Math.max(0.9 * em, 12);
  const x0 = 3.4 * em;
  const cell = Math.min((wide - x0) / LONGEST, 3 * em);
  const high = (slide ? 1.5 : 1.9) * em;
  const drop = (one ? 2.7 : 1.1) * em;
  const lane = high + drop + (slide ? 1.3 : 1.8) * em;
  // alone, C has room for the largest
  const part = Math.min(0.55 * em, (wide - x0 - em) / (one ? ALL.at(-1) : SIZES.at(-1)));
  const first = (one ? 3.3 : 2.9) * em;
  const foot = Math.max(first + lanes.length * lane, beside ? 13 * em : 0);
  const box = beside
    ? {
        left: wide + 3 * em,
        top: 1.4 * em,
        width: width - wide - 3.6 * em,
        height: foot - 4.4 * em,
      }
    : { left: 2.8 * em, top: foot + 1.4 * em, width: width - 3.6 * em, height: 9 * em };
  const height = drawn && !beside ? box.top + box.height + 3 * em : foot;
  const x = (i) => x0 + (i + 0.5) * cell;
  return { em, font, x0, cell, high, drop, lane, part, first, box, height, x };
}

/** How far C may be drawn out. */
const track = (_, at) => {
  const { em, x0, part, first } = at;
  return [
    svg("path", {
      class: "grid",
      d: path([
        [x0, first + 0.35 * em],
        [x0 + ALL.at(-1) * part, first + 0.35 * em],
      ]),
    }),
    ALL.map((n) => text(at, x0 + n * part, first + 1.7 * em, { class: "tick" }, n)),
  ];
};

const reading = ({ digits }, at) => [
  text(at, 0, 0.9 * at.em, { class: "side" }, "read"),
  digits.map((digit, i) => [
    svg("circle", {
      class: "heard",
      cx: at.x(i),
      cy: 0.9 * at.em,
      r: Math.min(0.8 * at.em, at.cell / 2 - 1),
    }),
    text(at, at.x(i), 0.9 * at.em, {}, digit),
  ]),
];

/** C, and what was written of it. */
function writing({ n, context, symbols, p }, i, { backwards, length }, at) {
  const { em, x0, cell, high, drop, lane, part, first } = at;
  const top = first + i * lane;
  const c = [
    text(at, 0, top + 0.35 * em, { class: "side" }, `C ${n}`),
    rect(x0, top - 0.1 * em, n * part, 0.9 * em, { class: "frame" }),
  ];
  if (!context) {
    const share = Math.round(100 * measured(n)[length - 1]);
    const said = ["It does not run here. Counted:", `${share} in 100 digits right, of ${length}.`];
    return [
      c,
      said.map((words, k) =>
        text(at, 0, top + drop + (0.5 + 1.4 * k) * em, { class: "side" }, words),
      ),
    ];
  }
  const right = symbols.filter((symbol, k) => symbol === backwards[k]).length;
  return svg(
    "g",
    { class: "lane" },
    context.map((value, k) =>
      rect(x0 + k * part, top - 0.1 * em, part, 0.9 * em, {
        style: `fill:${signed(value)}`,
      }),
    ),
    c,
    text(at, 0, top + drop + high / 2, { class: "side total" }, `${right}/${symbols.length}`),
    symbols.map((symbol, k) => {
      const [x, y] = [at.x(k), top + drop];
      const w = 0.84 * cell;
      const tall = p[k][symbol] * high;
      return svg(
        "g",
        { class: symbol === backwards[k] ? "digit" : "digit wrong" },
        rect(x - w / 2, y, w, high, { class: "trough" }),
        rect(x - w / 2, y + high - tall, w, tall, { class: "bar" }),
        text(at, x, y + high / 2, {}, shown(symbol)),
      );
    }),
  );
}

/** Find the length, between two whole ones, at which a network's share of right digits falls to `level`. */
function fallsTo(level, shares) {
  const after = shares.findIndex((share) => share < level);
  const [above, below] = [shares[after - 1], shares[after]];
  return after + (above - level) / (above - below);
}

/** Share of digits right over the length of a line, from what was counted. */
function shares({ length, curves, size }, at) {
  const { em, box } = at;
  const x = (n) => box.left + ((n - 1) / (LONGEST - 1)) * box.width;
  const y = (share) => box.top + (1 - share) * box.height;
  return [
    rect(box.left, box.top, x(LEARNED) - box.left, box.height, { class: "learned" }),
    ...[0, 0.5, 1].flatMap((share) => [
      svg("path", {
        class: "grid",
        d: path([
          [box.left, y(share)],
          [box.left + box.width, y(share)],
        ]),
      }),
      text(at, box.left - 0.4 * em, y(share), { class: "tick left" }, share),
    ]),
    ...[1, 4, 8, 12].map((n) => text(at, x(n), y(0) + 0.9 * em, { class: "tick" }, n)),
    text(
      at,
      box.left + box.width / 2,
      y(0) + 2.1 * em,
      { class: "tick" },
      "digits in a line (64 is stored)",
    ),
    svg("path", {
      class: "here",
      d: path([
        [x(length), y(0)],
        [x(length), y(1)],
      ]),
    }),
    ...curves.flatMap((n) => {
      const [share, beside] = NAMED[n];
      return [
        svg("path", {
          class: size === String(n) ? "curve chosen" : "curve",
          "stroke-dasharray": DASHES[n],
          d: path(PLACES.map((i) => [x(i + 1), y(measured(n)[i])])),
        }),
        text(
          at,
          x(fallsTo(share, measured(n))) + beside * em,
          y(share),
          { class: beside < 0 ? "name left" : "name" },
          n,
        ),
      ];
    }),
  ];
}

function spoken({ digits, backwards, lanes, length }) {
  const said = lanes.map(({ n, symbols }) => {
    if (!symbols)
      return `with ${n} numbers, counted: ${Math.round(100 * measured(n)[length - 1])} in 100 digits right`;
    const right = symbols.filter((symbol, k) => symbol === backwards[k]).length;
    return `with ${n} numbers: ${symbols.map(shown).join(" ")}, ${right} of ${symbols.length} right`;
  });
  return `Read: ${digits.join(" ")}. ${said.join("; ")}.`;
}
