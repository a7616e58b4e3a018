import { counted } from "../lib/scales.js";
import { signed } from "../lib/colours.js";
import { html, italic, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { draggable, keySlider, knob } from "../lib/handles.js";
import { path, place, rect } from "../lib/shapes.js";
import { line, LONGEST, SIZES, write } from "./math.js";
import { meta } from "./meta.js";

const END = 10;
const PLACES = Array.from({ length: LONGEST }, (_, i) => i);
const shown = (symbol) => (symbol === END ? "■" : String(symbol));

export const render = figure("bottleneck", meta, ({ model, spec, save, reseed }) => {
  const end = knob({ class: "end" });
  const area = areaOf("Digits through one vector", end);
  const readout = html("p", { class: "readout" });
  let at = null;
  const another = reseed("another line");
  // Dragging the end of C chooses the nearest size that there is.
  const choose = (i) => save({ size: String(SIZES[i]) });
  draggable(end, {
    surface: area.drawing,
    move: ({ x }) => choose(nearest((2 * (x - at.grip - at.middle)) / at.part)),
  });
  const held = keySlider(end, {
    label: spec.size.label,
    min: 0,
    max: SIZES.length - 1,
    get: () => SIZES.indexOf(Number(model.get("size"))),
    change: choose,
    text: (i) => `${SIZES[i]} numbers`,
  });
  return {
    parts: [stage(area, readout), ["length", another]],
    reveal: { length: LONGEST, size: spec.size.default },
    follow: [held],
    update({ length, size: chosen, seed }, measured) {
      const size = Number(chosen);
      const digits = line(seed).slice(0, length);
      const { context, symbols, p } = write(size, digits);
      const right = symbols.map((symbol, k) => symbol === digits.at(-1 - k));
      at = scales(measured, size);
      area.draw(
        measured,
        at,
        networks(at),
        read(digits, at),
        vector(context, at),
        written(symbols, p, right, at),
      );
      place(end, at.middle + at.narrow + at.grip, at.C.middle);
      const count = right.filter(Boolean).length;
      readout.textContent = `${size} numbers in C, ${count} of ${length} digits correct`;
      return (
        `The encoder reads ${digits.join(" ")}, and the decoder writes ${symbols.map(shown).join(" ") || "nothing"}. ` +
        `With ${size} numbers in C, ${count} of ${counted(length, "digit")} ${count === 1 ? "is" : "are"} correct.`
      );
    },
  };
});

/** Return the place of the size that is nearest to a number. */
function nearest(number) {
  const far = SIZES.map((size) => Math.abs(size - number));
  return far.indexOf(Math.min(...far));
}

/** The largest C is as wide as eight digits, so that a smaller one looks like the bottleneck it is. */
function scales({ width, em, room }, size) {
  const cell = Math.min((width - 3.2 * em) / LONGEST, 3.6 * em);
  const [middle, half] = [width / 2, (cell * LONGEST) / 2];
  const part = (2 * half) / SIZES.at(-1);
  const row = (top, tall) => ({ top, tall, middle: top + tall / 2, bottom: top + tall });
  const gap = (room < Infinity ? 2.6 : 3) * em;
  const reading = row(0.2 * em, 1.8 * em);
  const C = row(reading.bottom + gap, 1.4 * em);
  const writing = row(C.bottom + gap, 1.8 * em);
  return {
    ...{ em, font: em, cell, middle, half, part, reading, C, writing },
    narrow: (size * part) / 2,
    grip: 0.55 * em, // the handle stands beside the last cell
    height: writing.bottom + 0.2 * em,
    x: (i) => middle - half + (i + 0.5) * cell,
  };
}

/** Draw both networks as funnels, from the row of digits to C and from C to the other row. */
function networks(at) {
  const { middle, half, narrow, em, reading, C, writing } = at;
  const funnel = (y0, y1, words) => {
    const ends = [
      [middle - half, y0],
      [middle + half, y0],
      [middle + narrow, y1],
      [middle - narrow, y1],
    ];
    return [
      svg("path", { class: "network", d: `${path(ends)}Z` }),
      text({ font: 0.9 * em }, middle, 0.6 * y0 + 0.4 * y1, { class: "name" }, words),
    ];
  };
  const far = 0.35 * em;
  return [
    funnel(reading.bottom + far, C.top, "one network reads"),
    funnel(writing.top - far, C.bottom, "another writes"),
  ];
}

const read = (digits, at) =>
  PLACES.map((i) => [
    svg("circle", {
      class: i < digits.length ? "input" : "empty",
      cx: at.x(i),
      cy: at.reading.middle,
      r: Math.min(at.reading.tall, 0.9 * at.cell) / 2,
    }),
    text(at, at.x(i), at.reading.middle, {}, digits[i]),
  ]);

/** Draw the cells of C, and the places to which its end can still be drawn out. */
function vector(context, at) {
  const { em, middle, narrow, part, grip, C } = at;
  const left = middle - narrow;
  return [
    context.map((value, k) =>
      rect(left + k * part, C.top, part, C.tall, { class: "cell", style: `fill:${signed(value)}` }),
    ),
    text(at, left - 0.8 * em, C.middle, {}, italic("C")),
    SIZES.filter((size) => size > context.length).map((size) =>
      svg("circle", {
        class: "stop",
        cx: middle + (size * part) / 2 + grip,
        cy: C.middle,
        r: 0.16 * em,
      }),
    ),
  ];
}

const written = (symbols, p, right, at) =>
  PLACES.map((k) => {
    const { cell, writing } = at;
    const wide = 0.84 * cell;
    const left = at.x(k) - wide / 2;
    const box = (top, name) => rect(left, top, wide, writing.bottom - top, { class: name });
    if (k >= symbols.length) return box(writing.top, "empty");
    return svg(
      "g",
      { class: right[k] ? "digit" : "digit wrong" },
      box(writing.bottom - p[k][symbols[k]] * writing.tall, "bar"),
      box(writing.top, "output"),
      text(at, at.x(k), writing.middle, {}, shown(symbols[k])),
    );
  });
