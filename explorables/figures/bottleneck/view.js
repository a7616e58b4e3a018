import { button, control, controls, setAll } from "../../lib/controls.js";
import { drawingOf, html, redraw, setSize, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { live } from "../../lib/linked.js";
import { path, rect } from "../../lib/shapes.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import { LEARNED, line, LONGEST, measured, SIZES, write } from "./math.js";
import { meta } from "./meta.js";

const PLACES = Array.from({ length: LONGEST }, (_, i) => i);
const END = 10;
const DASHES = { 8: null, 16: "6 3", 32: "2 3" };
const shown = (symbol) => (symbol === END ? "■" : String(symbol));

export function render({ model, el }) {
  const { controls: spec } = meta;
  const plot = svg("g");
  const drawing = drawingOf("Digits that were read, and what three networks write", plot);
  const area = html("div", { class: "area" }, drawing);
  const status = live();
  const another = button("another line", () =>
    setAll(model, { seed: (model.get("seed") % spec.seed.max) + 1 }),
  );
  el.classList.add("fig-bottleneck");
  el.append(
    html("div", { class: "stage" }, area),
    controls(control(model, "length", spec.length), another, control(model, "curves", spec.curves)),
    guess(meta.prediction, () => setAll(model, { length: LEARNED, curves: true })),
    status,
  );

  function update(size) {
    const state = settings(model, spec);
    const digits = line(state.seed).slice(0, state.length);
    const lanes = SIZES.map((n) => ({ n, ...write(n, digits) }));
    const now = { ...state, digits, backwards: [...digits].reverse(), lanes };
    const at = scales(size, now);
    setSize(drawing, size.width, at.height);
    redraw(
      plot,
      reading(now, at),
      lanes.map((lane, i) => writing(lane, i, now, at)),
    );
    if (state.curves) plot.append(...shares(now, at));
    status.announce(spoken(now));
  }
  return keepDrawn(model, area, update);
}

function scales({ width, em, room }, { curves }) {
  const slide = room < Infinity;
  const beside = curves && width > 40 * em;
  const wide = beside ? 0.62 * width : width;
  const font = Math.max(0.9 * em, 12);
  const x0 = 3.4 * em;
  const cell = Math.min((wide - x0) / LONGEST, 3 * em);
  const high = (slide ? 1.5 : 1.9) * em;
  const lane = high + (slide ? 2.4 : 2.9) * em;
  const first = 2.9 * em;
  const foot = first + SIZES.length * lane;
  const box = beside
    ? {
        left: wide + 3 * em,
        top: 1.4 * em,
        width: width - wide - 3.6 * em,
        height: foot - 4.4 * em,
      }
    : { left: 2.8 * em, top: foot + 1.4 * em, width: width - 3.6 * em, height: 9 * em };
  const height = curves && !beside ? box.top + box.height + 3 * em : foot;
  return { em, font, x0, cell, high, lane, first, box, height, x: (i) => x0 + (i + 0.5) * cell };
}

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
function writing({ n, context, symbols, p }, i, { backwards }, at) {
  const { em, x0, cell, high, lane, first } = at;
  const top = first + i * lane;
  const part = Math.min(0.55 * em, (cell * LONGEST) / 32);
  const right = symbols.filter((symbol, k) => symbol === backwards[k]).length;
  return svg(
    "g",
    { class: "lane" },
    text(at, 0, top + 0.35 * em, { class: "side" }, `C ${n}`),
    context.map((value, k) =>
      rect(x0 + k * part, top - 0.1 * em, part, 0.9 * em, {
        class: value < 0 ? "number below" : "number",
        "fill-opacity": Math.min(Math.abs(value), 1).toFixed(2),
      }),
    ),
    rect(x0, top - 0.1 * em, n * part, 0.9 * em, { class: "frame" }),
    text(at, 0, top + 1.1 * em + high / 2, { class: "side total" }, `${right}/${symbols.length}`),
    symbols.map((symbol, k) => {
      const [x, y] = [at.x(k), top + 1.1 * em];
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

/** Share of digits right over the length of a line, from what was counted. */
function shares({ length }, at) {
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
    text(at, box.left + box.width / 2, y(0) + 2.1 * em, { class: "tick" }, "digits in a line"),
    svg("path", {
      class: "here",
      d: path([
        [x(length), y(0)],
        [x(length), y(1)],
      ]),
    }),
    ...SIZES.flatMap((n) => [
      svg("path", {
        class: "curve",
        "stroke-dasharray": DASHES[n],
        d: path(PLACES.map((i) => [x(i + 1), y(measured(n)[i])])),
      }),
      text(at, x(LEARNED) + 0.3 * em, y(measured(n)[LEARNED - 1]) - 0.6 * em, { class: "name" }, n),
    ]),
  ];
}

function spoken({ digits, backwards, lanes }) {
  const said = lanes.map(({ n, symbols }) => {
    const right = symbols.filter((symbol, k) => symbol === backwards[k]).length;
    return `with ${n} numbers: ${symbols.map(shown).join(" ")}, ${right} of ${symbols.length} right`;
  });
  return `Read: ${digits.join(" ")}. ${said.join("; ")}.`;
}
