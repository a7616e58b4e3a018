import { counted } from "../lib/scales.js";
import { signed } from "../lib/colours.js";
import { html, italic, redraw, set, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { draggable, keySlider, knob } from "../lib/handles.js";
import { roving } from "../lib/roving.js";
import { path, place, rect } from "../lib/shapes.js";
import { line, LONGEST, LOOKS, SIZES, write } from "./math.js";
import { meta } from "./meta.js";

const END = 10;
const shown = (symbol) => (symbol === END ? "■" : String(symbol));

export const render = figure("bottleneck", meta, ({ model, spec, save, control, reseed }) => {
  const end = knob({ class: "end" });
  const digitsOut = svg("g");
  const area = areaOf("Digits through one vector", digitsOut, end);
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
  const sizes = control("size");
  roving(digitsOut, (k) => save({ t: Number(k) }));
  return {
    parts: [stage(area, readout), ["length", another], [sizes, "attention"]],
    reveal: { length: LONGEST, size: spec.size.default, attention: false },
    follow: [held],
    update({ length, size: chosen, seed, attention, t: asked }, measured) {
      const size = attention ? Math.min(Number(chosen), LOOKS.at(-1)) : Number(chosen);
      // There is no pair with attention of the largest size.
      if (String(size) !== chosen) save({ size: String(size) });
      sizes.querySelector("legend").textContent = attention
        ? "numbers in each state"
        : spec.size.label;
      sizes.querySelectorAll("input").forEach((input, i) => {
        input.disabled = attention && !LOOKS.includes(SIZES[i]);
      });
      const digits = line(seed).slice(0, length);
      const { notes, symbols, p, weights } = write(size, digits, attention);
      const right = symbols.map((symbol, k) => symbol === digits.at(-1 - k));
      const t = Math.min(asked, length);
      at = scales(measured, size, Math.max(length, LONGEST));
      area.draw(
        measured,
        at,
        attention ? [] : networks(at),
        read(digits, at),
        attention ? looks(notes, weights[t - 1], t, at) : vector(notes.at(-1), at),
      );
      redraw(digitsOut, written(symbols, p, right, attention && t, at));
      place(end, at.middle + at.narrow + at.grip, at.C.middle);
      set(end, { visibility: attention ? "hidden" : null, tabindex: attention ? -1 : 0 });
      const count = right.filter(Boolean).length;
      const beyond = length > LONGEST ? ", in a longer line than any in training" : "";
      const stores = attention
        ? `${counted(length, "state")}, each of ${size} numbers`
        : `${size} numbers in C`;
      redraw(
        readout,
        html("span", {}, `${stores}; ${count} of ${length} digits correct${beyond}`),
        html(
          "span",
          {},
          attention
            ? `The lines show where it looks for digit ${t}. Such pairs have only ${LOOKS.join(" or ")} numbers.`
            : `Drag the end of C to change its size${size < SIZES.at(-1) ? "; the dots mark larger ones" : ""}.`,
        ),
      );
      return (
        `The encoder reads ${digits.join(" ")}, and the decoder writes ${symbols.map(shown).join(" ") || "nothing"}. ` +
        `With ${size} numbers in ${attention ? "each state and a look back" : "C"}, ${count} of ${counted(length, "digit")} ${count === 1 ? "is" : "are"} correct.` +
        (attention ? ` ${told(weights[t - 1], digits, t, symbols)}` : "")
      );
    },
  };
});

/** Say where the decoder looks at a step. */
function told(weights, digits, t, symbols) {
  const most = weights.indexOf(Math.max(...weights));
  return `To write digit ${t}, ${shown(symbols[t - 1])}, the largest weight is ${weights[most].toFixed(2)}, on the state after digit ${most + 1}, ${digits[most]}.`;
}

/** Return the place of the size that is nearest to a number. */
function nearest(number) {
  const far = SIZES.map((size) => Math.abs(size - number));
  return far.indexOf(Math.min(...far));
}

/** The largest C is as wide as eight digits, so that a smaller one looks like the bottleneck it is. */
function scales({ width, em, room }, size, places) {
  const cell = Math.min((width - 3.2 * em) / places, 3.6 * em);
  const most = Math.min((width - 3.2 * em) / LONGEST, 3.6 * em);
  const [middle, half] = [width / 2, (cell * places) / 2];
  const part = (most * LONGEST) / SIZES.at(-1);
  const row = (top, tall) => ({ top, tall, middle: top + tall / 2, bottom: top + tall });
  const gap = (room < Infinity ? 2.6 : 3) * em;
  const reading = row(0.2 * em, 1.8 * em);
  const C = row(reading.bottom + gap, 1.4 * em);
  const writing = row(C.bottom + gap, 1.8 * em);
  return {
    ...{ em, font: em, cell, middle, half, part, places, reading, C, writing },
    notes: row(reading.bottom + 0.7 * em, 1.7 * em),
    narrow: (size * part) / 2,
    grip: 0.55 * em, // the handle stands beside the last cell
    height: writing.bottom + 0.5 * em,
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
  Array.from({ length: at.places }, (_, i) => [
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

/** Draw the state after each digit as a block of cells, and lines as wide as the weights of a step. */
function looks(states, weights, t, at) {
  const { em, cell, notes, writing } = at;
  const columns = 4;
  const wide = Math.min(0.84 * cell, 2 * em);
  const rows = states[0].length / columns;
  return [
    weights.map((weight, i) =>
      weight < 0.01
        ? null
        : svg("path", {
            class: "look",
            d: path([
              [at.x(i), notes.bottom],
              [at.x(t - 1), writing.top],
            ]),
            "stroke-width": (weight * 0.5 * em).toFixed(2),
          }),
    ),
    states.map((state, i) =>
      state.map((value, k) =>
        rect(
          at.x(i) - wide / 2 + ((k % columns) * wide) / columns,
          notes.top + (Math.floor(k / columns) * notes.tall) / rows,
          wide / columns,
          notes.tall / rows,
          { class: "cell", style: `fill:${signed(value)}` },
        ),
      ),
    ),
  ];
}

/** Draw the written digits. With attention, one of them is chosen. */
const written = (symbols, p, right, chosen, at) =>
  Array.from({ length: at.places }, (_, k) => {
    const { cell, em, writing } = at;
    const wide = 0.84 * cell;
    const left = at.x(k) - wide / 2;
    const box = (top, name) => rect(left, top, wide, writing.bottom - top, { class: name });
    if (k >= symbols.length) return box(writing.top, "empty");
    const button = chosen && {
      "data-node": String(k + 1),
      tabindex: k + 1 === chosen ? 0 : -1,
      role: "button",
      "aria-pressed": String(k + 1 === chosen),
      "aria-label": `written digit ${k + 1}, ${shown(symbols[k])}`,
    };
    const name = `digit${right[k] ? "" : " wrong"}${k + 1 === chosen ? " chosen" : ""}`;
    return svg(
      "g",
      { class: name, ...button },
      button &&
        rect(left - 0.1 * em, writing.top - 0.3 * em, wide + 0.2 * em, writing.tall + 0.6 * em, {
          class: "uf-ring",
        }),
      box(writing.bottom - p[k][symbols[k]] * writing.tall, "bar"),
      box(writing.top, "output"),
      text(at, at.x(k), writing.middle, {}, shown(symbols[k])),
    );
  });
