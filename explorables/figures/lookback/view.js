import { signed } from "../../lib/colours.js";
import { controls, controlsOf, holds, setAll } from "../../lib/controls.js";
import { drawingOf, html, italic, setSize, svg, text, redraw } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { knob } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { clamp, format, linear } from "../../lib/scales.js";
import { path, place, point, rect } from "../../lib/shapes.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import { SHOWN, through, UNITS, W } from "./math.js";
import { meta } from "./meta.js";

const ALL = Array.from({ length: UNITS }, (_, i) => i);

export function render({ model, el }) {
  const { controls: spec } = meta;
  const plot = svg("g");
  const [delay, door] = [knob({ class: "delay" }), knob({ class: "door" })];
  const drawing = drawingOf("Units, outputs, and what comes round", plot, delay, door);
  const area = html("div", { class: "area" }, drawing);
  const readout = html("div", { class: "readout" });
  const status = live();
  el.classList.add("fig-lookback");
  el.append(
    area,
    readout,
    controls(controlsOf(model, spec, "k", "width", "others")),
    guess(meta.prediction, () => setAll(model, { k: 3, width: UNITS, others: "random" })),
    status,
  );

  let at;
  let now;
  const hands = [
    { node: delay, key: "k", at: ({ y }) => at.level.invert(y) },
    { node: door, key: "width", at: ({ y }) => at.level.invert(y) + 0.5 },
  ];
  const same = { surface: drawing, text: () => (now ? spoken(now) : "") };
  const follow = hands.map(({ node, key, ...hold }) =>
    holds(node, model, key, spec[key], { ...hold, ...same }),
  );
  function update(size) {
    const state = settings(model, spec);
    now = { ...state, ...through(state) };
    at = scales(size);
    setSize(drawing, size.width, at.height);
    redraw(plot, picture(now, at));
    place(delay, at.bar.x0 - 0.2 * at.em, at.level(now.k));
    place(door, at.out, at.level(now.width - 0.5));
    readout.replaceChildren(...words(now));
    for (const refresh of follow) refresh();
    status.announce(spoken(now));
  }
  return keepDrawn(model, area, update);
}

// ---- the drawing: units with what they hold, the door, the loop's matrix, what is said

function scales({ width, em, room }) {
  const slide = room < Infinity;
  const narrow = !slide && width < 34 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const row = (slide ? 1.1 : 1.55) * em;
  const title = 1.9 * em;
  const high = UNITS * row;
  const left = (narrow ? 3.6 : 4.4) * em;
  const fan = narrow ? width : Math.max(0.6 * width, width - 16 * em);
  const span = fan - left - 1.4 * em;
  const bar = { x0: left, x1: left + 0.38 * span };
  const top = title;
  const right = fan + (slide ? 3.2 : 2.4) * em;
  const cell = slide ? 0.7 * em : Math.min((width - fan - 3 * em) / UNITS, row);
  const loop = narrow
    ? { x: (width - UNITS * row * 0.8) / 2, y: top + high + 3.4 * em + title, cell: 0.8 * row }
    : { x: right, y: top, cell };
  // what is said stands under everything, on a slide under the matrix alone
  const foot = narrow || slide ? loop.y + UNITS * loop.cell + 0.3 * em : top + high + 1.9 * em;
  const low = (slide ? 3 : 5.2) * em;
  const said = {
    x0: slide ? right : left,
    x1: width - 0.6 * em,
    y0: foot + title,
    y1: foot + title + low,
  };
  return {
    em,
    font,
    narrow,
    slide,
    bar,
    row,
    top,
    high,
    fan,
    loop,
    said,
    units: left + 0.52 * span,
    out: left + 0.9 * span,
    height: Math.max(said.y1 + 0.6 * em, slide ? top + high + 2.2 * em : 0),
    level: linear([0, UNITS - 1], [top + row / 2, top + high - row / 2]),
    share: linear([0, 1], [bar.x0, bar.x1]),
  };
}

function picture(now, at) {
  const { k, width, V, memory } = now;
  const { em, font, bar, row, top, high, level, units, out, share } = at;
  const r = 0.34 * row;
  const largest = Math.max(...V.flat().map(Math.abs));
  const bottom = top + high + 0.9 * em;
  const title = (x, ...says) => text(at, x, top - 1.1 * em, { class: "title" }, ...says);
  const input = (j) => [
    italic("x"),
    svg(
      "tspan",
      { dy: -0.35 * font, "font-size": Math.max(0.85 * font, 0.76 * at.em) },
      j ? `(t−${j})` : "(t)",
    ),
  ];
  return [
    rect(0, level(k) - row / 2 + 1, bar.x1 + 0.3 * em, row - 2, { class: "held", rx: 0.3 * em }),
    title(bar.x0, "readable"),
    ALL.map((j) => [
      text(at, bar.x0 - 1 * em, level(j), { class: "end input" }, ...input(j)),
      rect(bar.x0, level(j) - 0.32 * row, bar.x1 - bar.x0, 0.64 * row, { class: "trough" }),
      rect(bar.x0, level(j) - 0.32 * row, share(memory[j]) - bar.x0, 0.64 * row, {
        class: j === k ? "share chosen" : "share",
      }),
    ]),
    title(units - 1.6 * em, "units"),
    // what each output hears, and the way back around the bottom
    V.map((weights, m) =>
      weights.map(
        (weight, i) =>
          weight !== 0 &&
          svg("path", {
            class: m ? "weight free" : "weight",
            d: `M${point(units + r, level(i))}L${point(out - r, level(m))}`,
            "stroke-opacity": (0.08 + 0.92 * Math.abs(weight / largest) ** 1.5).toFixed(2),
          }),
      ),
    ),
    svg("path", {
      class: "round",
      d: `M${point(out + r + 0.1 * em, (level(0) + level(width - 1)) / 2)}H${out + 1.2 * em}V${bottom}H${units - 1.1 * em}V${(level(0) + level(UNITS - 1)) / 2}H${units - r - 0.25 * em}`,
    }),
    svg("path", {
      class: "tip",
      d: `M${point(units - r - 0.1 * em, (level(0) + level(UNITS - 1)) / 2)}l${point(-0.55 * em, -0.3 * em)}v${0.6 * em}z`,
    }),
    text(at, (units + out) / 2, bottom + 0.8 * em, { class: "round-name" }, "one step later"),
    ALL.map((i) => svg("circle", { class: "unit", cx: units, cy: level(i), r })),
    title(out - 1.6 * em, "outputs"),
    ALL.map((m) =>
      m < width
        ? svg("circle", { class: m ? "output free" : "output", cx: out, cy: level(m), r })
        : svg("path", {
            class: "shut",
            d: `M${point(out, level(m) - 0.5 * row)}V${(level(m) + 0.5 * row).toFixed(1)}`,
          }),
    ),
    matrix(now, at),
    spokenLine(now, at),
  ];
}

/** What the loop amounts to, R V, with the places outlined where the network with connected units has its ones. */
function matrix({ loop }, at) {
  const { x, y, cell } = at.loop;
  const { em } = at;
  return [
    text(
      at,
      x,
      y - 1.1 * em,
      { class: "title" },
      at.narrow ? "the way round, from unit to unit" : "the way round",
    ),
    loop.map((row, i) =>
      row.map((value, j) =>
        rect(x + j * cell, y + i * cell, cell - 1, cell - 1, {
          class: "cell",
          style: `fill:${signed(value)}`,
        }),
      ),
    ),
    W.map((row, i) =>
      row.map(
        (one, j) =>
          one > 0 && rect(x + j * cell, y + i * cell, cell - 1, cell - 1, { class: "wanted" }),
      ),
    ),
  ];
}

function spokenLine({ says, asked, k }, at) {
  const { em } = at;
  const { x0, x1, y0, y1 } = at.said;
  const x = linear([0, SHOWN - 1], [x0, x1]);
  const y = linear([-1.25, 1.25], [y1, y0]);
  const line = (values) =>
    path([...values.slice(0, SHOWN)].map((value, t) => [x(t), y(clamp(value, -1.25, 1.25))]));
  return [
    rect(x0, y0, x1 - x0, y1 - y0, { class: "frame" }),
    svg("path", { class: "zero", d: `M${x0} ${y(0)}H${x1}` }),
    svg("path", { class: "asked", d: line(asked) }),
    svg("path", { class: "says", d: line(says) }),
    [-1, 0, 1].map((value) =>
      text(at, x0 - 0.4 * em, y(value), { class: "end tick" }, format(value, 0)),
    ),
    svg(
      "text",
      { class: "title", x: at.narrow ? 0 : x0, y: y0 - 0.7 * em, "font-size": at.font },
      svg(
        "tspan",
        { class: "target" },
        `input ${k === 0 ? "of now" : k === 1 ? "of a step ago" : `${k} steps ago`}`,
      ),
      at.slide || at.narrow ? ", " : ", and what the ",
      svg("tspan", { class: "output" }, at.slide || at.narrow ? "output" : "first output"),
      !at.slide && !at.narrow && " says",
    ),
  ];
}

// ---- the words

function words({ said, memory, apart, width }) {
  const all = memory.reduce((p, q) => p + q);
  return [
    html(
      "p",
      {},
      "The first output ",
      said > 0.995 ? "says it" : said < 0.005 ? "says nothing of it" : "says some of it",
      ", squared correlation ",
      html("b", { class: "output" }, format(said)),
      `. Readable in all: `,
      html("b", { class: "input" }, format(all, 1)),
      ` inputs, the present one and at most ${width} that came through ${width === 1 ? "one output" : `${width} outputs`}.`,
    ),
    html(
      "p",
      {},
      apart < 1e-9
        ? html("b", {}, "The states are those of connected units")
        : "The states differ from those of connected units",
      apart < 1e-9 ? ": no number differs by more than " : ", by up to ",
      apart < 1e-9 ? power(apart) : format(apart),
      ".",
    ),
  ];
}

const power = (value) =>
  value === 0
    ? "0"
    : html(
        "span",
        {},
        "10",
        html("sup", {}, String(Math.ceil(Math.log10(value))).replace("-", "−")),
      );

const spoken = ({ k, width, said, memory, apart }) =>
  `With delay ${k} and ${width} of ${UNITS} outputs, the first says the input with squared correlation ${format(said)}; ` +
  `${format(
    memory.reduce((p, q) => p + q),
    1,
  )} inputs can be read${apart < 1e-9 ? "; states as with connected units" : ""}.`;
