import { bar, rule, ticksY } from "../lib/chart.js";
import { transport } from "../lib/controls.js";
import { html, redraw, set, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { linked } from "../lib/linked.js";
import { counted, format, linear } from "../lib/scales.js";
import { place, point, rect } from "../lib/shapes.js";
import { presets } from "../lib/stage.js";
import { switches } from "../lib/switches.js";
import { fill, guess as likelier, LENGTH, ORDER } from "./math.js";
import { meta } from "./meta.js";

const ALL = Array.from({ length: LENGTH }, (_, t) => t);
const covered = (...bits) => bits.reduce((sum, bit) => sum | (1 << (bit - 1)), 0);
const PRESETS = {
  "4 to 7": { hidden: covered(4, 5, 6, 7) },
  "one bit": { hidden: covered(7) },
  "every other": { hidden: covered(2, 4, 6, 8, 10) },
  "the last four": { hidden: covered(8, 9, 10, 11) },
};
const LANES = {
  forward: "left to right",
  exact: "every way weighed",
  sampled: "Gibbs sampling",
};
const HOW = {
  forward: ": uses earlier bits",
  exact: ": uses all known bits",
  sampled: ": one gap at a time",
};
const CROSS = "M-1.2-1.2L1.2 1.2M-1.2 1.2L1.2-1.2";

export const render = figure("missing", meta, ({ model, el, spec, save, reseed }) => {
  const bits = ALL.map((t) => cell(t, () => save({ hidden: model.get("hidden") ^ (1 << t) })));
  const row = svg("g", { role: "group", "aria-label": "bits" }, bits);
  const area = areaOf("A line of bits, and three ways to fill its gaps", row);
  const readout = html("p", { class: "readout" });
  const time = transport(model, "at", { ...spec.at, interval: 120, text: String });
  let now;
  let lit = null;
  const light = linked(el, (term) => {
    lit = term === null ? null : Number(term);
    if (now) redraw(readout, words(now, lit));
    bits.forEach((node, t) => node.classList.toggle("before", isBefore(t, lit)));
  });
  return {
    parts: [
      stage(area, readout),
      [presets(model, "covered bits", PRESETS), reseed("another line")],
      [time, reseed("other random numbers", {}, "coins")],
      ["weigh", "truth"],
    ],
    reveal: {
      ...PRESETS["4 to 7"],
      ...{ seed: 6, coins: 1, at: 240, weigh: true, truth: true },
    },
    follow: [time, light],
    update(state, size) {
      now = { ...state, ...fill(state) };
      const at = scales(size);
      const lanes = Object.keys(LANES).map((name) => lane(name, now, at));
      area.draw(size, at, numbers(at), lanes);
      bits.forEach((node, t) => write(node, t, now, at));
      redraw(readout, words(now, lit));
      return spoken(now);
    },
  };
});

/** Whether the bit at `of` depends on bit t. */
const isBefore = (t, of) => of !== null && of >= ORDER && t < of && t >= of - ORDER;

// ---- the drawing: a column for each bit

function scales({ width, em, room }) {
  const slide = room < Infinity;
  const narrow = !slide && width < 38 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const x0 = (narrow ? 0 : 1.4) * em;
  const wide = (width - x0) / LENGTH;
  const cell = Math.max((slide ? 1.9 : 2.4) * em, 24);
  const title = (narrow ? 2.9 : 2.1) * em;
  const high = (slide ? 2.2 : 3) * em;
  const first = 1.3 * em + cell + 0.5 * em;
  const each = title + high + 1.3 * em;
  const x = (t) => x0 + (t + 0.5) * wide;
  const lanes = Object.keys(LANES).map((name, i) => {
    const words = first + i * each;
    const [top, bottom] = [words + title, words + title + high];
    const box = { left: x0, right: x(LENGTH - 0.5), top, bottom };
    return [name, { ...box, em, font, words, x, y: linear([0, 1], [bottom, top]) }];
  });
  return {
    ...{ em, font, narrow, slide, wide, cell, high, x, lanes: Object.fromEntries(lanes) },
    height: first + 3 * each,
  };
}

/** A bit to cover and uncover. */
function cell(t, turn) {
  const node = svg(
    "g",
    { class: "bit", "data-term": t },
    svg("rect", { class: "target-area uf-ring" }),
    svg("rect", { class: "box" }),
    svg("path", { class: "ink" }),
    svg("text", { class: "value" }),
  );
  switches(node, `bit ${t + 1}, covered`, turn);
  return node;
}

function write(node, t, { y, places, truth }, { em, wide, cell, x: middle }) {
  const [area, box, ink, value] = node.children;
  const gone = places.includes(t);
  const [x, top] = [middle(t), 1.3 * em];
  const half = Math.min(0.46 * wide, 1.1 * em);
  set(area, { x: x - wide / 2, y: top, width: wide, height: cell, rx: 0.3 * em });
  set(box, { x: x - half, y: top + 2, width: 2 * half, height: cell - 4, rx: 0.25 * em });
  set(ink, {
    d: blot(x, top + cell / 2, half, 0.42 * cell, t),
    visibility: gone ? null : "hidden",
  });
  set(value, { x, y: top + cell / 2 + 0.36 * em, "font-size": 1.05 * em });
  value.textContent = gone ? (truth ? y[t] : "?") : y[t];
  node.classList.toggle("gone", gone);
  node.classList.toggle("shown", gone && truth);
  const seen = gone && !truth ? "" : ` ${y[t]},`;
  set(node, { "aria-checked": String(gone), "aria-label": `bit ${t + 1},${seen} covered` });
}

/** A blot of ink: a closed curve through points near an ellipse. Each bit has a different one. */
function blot(x, y, a, b, t) {
  const n = 9;
  const at = (i) => {
    const angle = (2 * Math.PI * i) / n;
    const far = 1 + 0.16 * Math.sin(7.3 * (i % n) + 2.1 * t);
    return [x + a * far * Math.cos(angle), y + b * far * Math.sin(angle)];
  };
  const mid = (i) => at(i).map((value, axis) => (value + at(i + 1)[axis]) / 2);
  const curves = Array.from(
    { length: n },
    (_, i) => `Q${point(...at(i + 1))} ${point(...mid(i + 1))}`,
  );
  return `M${point(...mid(0))}${curves.join("")}Z`;
}

const numbers = (at) =>
  ALL.map((t) =>
    text(at, at.x(t), 0.6 * at.em, { class: t < ORDER ? "tick coin" : "tick" }, t + 1),
  );

function lane(name, now, { wide, high, lanes, narrow, slide }) {
  const { places, y, truth } = now;
  const at = lanes[name];
  const { em, x, top, bottom, right, words } = at;
  const { ones } = now[name];
  const waits = idle(name, now);
  const judged = now.weigh && name !== "exact";
  return svg(
    "g",
    { class: `lane ${name}` },
    text(
      at,
      0,
      words + 0.9 * em,
      { class: "title" },
      svg("tspan", { class: "name" }, LANES[name]),
      !slide && HOW[name],
    ),
    text(
      at,
      narrow ? 0 : right,
      words + (narrow ? 2.2 : 0.9) * em,
      { class: narrow ? "count start" : "count" },
      result(name, now),
    ),
    rule(at, 0, "edge"),
    rule(at, 0.5, "even"),
    !narrow && ticksY(at, [0, 1]),
    places.map((t, i) => {
      const bit = likelier(ones[i]);
      const wrong = truth && !waits && bit !== y[t];
      const [left, width] = [x(t) - 0.42 * wide, 0.84 * wide];
      return svg(
        "g",
        { "data-term": t },
        rect(left, top, width, high, { class: "trough" }),
        !waits && bar(at, t, ones[i], 0.6 * wide, { class: "bar" }),
        judged && rule({ ...at, left, right: left + width }, now.exact.ones[i], "judge"),
        text(
          at,
          wrong ? x(t) - 0.35 * em : x(t),
          bottom + 0.75 * em,
          { class: wrong ? "guess wrong" : "guess" },
          waits ? "?" : bit,
        ),
        wrong &&
          place(
            svg("path", { class: "cross", d: CROSS }),
            x(t) + 0.45 * em,
            bottom + 0.8 * em,
            0.2 * em,
          ),
      );
    }),
  );
}

/** Whether a way to fill the gaps has not been used yet. */
const idle = (name, { weigh, at }) => (name === "exact" ? !weigh : name === "sampled" && at === 0);

// ---- the words

/** How many passes of a network a way takes, and how many gaps it fills correctly. */
function result(name, now) {
  const { places, truth } = now;
  const { passes, right } = now[name];
  if (!places.length || idle(name, now))
    return name === "exact" && places.length ? counted(2 ** places.length, "way") : "";
  const says = [`${passes} ${passes === 1 ? "pass" : "passes"}`];
  if (truth) says.push(`${right} of ${places.length} right`);
  return says.join(", ");
}

function words(now, lit) {
  const { y, places, noise, truth } = now;
  if (lit !== null) {
    const name = html("b", {}, `Bit ${lit + 1}`);
    if (lit < ORDER) return [name, " is a coin toss. The bits after it depend on it."];
    const before = y.slice(lit - ORDER, lit);
    const known = places.filter((t) => isBefore(t, lit)).length;
    const range = `bits ${lit - ORDER + 1} to ${lit}`;
    if (known && !truth)
      return [
        name,
        ` is probably the parity of ${range}. ${known} of these four ${known > 1 ? "are" : "is"} covered.`,
      ];
    const ones = before.reduce((p, q) => p + q);
    return [
      name,
      ` is probably the parity of ${range}. They contain ${counted(ones, "one")}, an ${ones % 2 ? "odd" : "even"} number, so a `,
      html("b", {}, String(ones % 2)),
      ` follows with probability ${format(1 - noise)}.`,
    ];
  }
  if (!places.length) return ["Nothing is covered. Click a bit."];
  return [
    html("b", {}, `${counted(places.length, "bit")} covered: `),
    "2",
    html("sup", {}, String(places.length)),
    ` = ${2 ** places.length} ways to fill ${places.length > 1 ? "them" : "it"}.`,
    html(
      "span",
      { class: "more" },
      " A bar is the probability of a one",
      now.at ? `, for Gibbs sampling the share of ones among ${now.at} draws.` : ".",
      now.weigh && " The lines across the bars mark the exact probabilities.",
    ),
  ];
}

function spoken(now) {
  const { places } = now;
  if (!places.length) return "Nothing is covered.";
  const ways = Object.keys(LANES)
    .filter((name) => !idle(name, now))
    .map(
      (name) =>
        `${now[name].ones.map((p) => format(p)).join(", ")} (${LANES[name]}, ${result(name, now)})`,
    );
  const [bits, odds] =
    places.length > 1 ? ["Bits", "probabilities of a one are"] : ["Bit", "probability of a one is"];
  const which = places.map((t) => t + 1).join(", ");
  return `${bits} ${which} ${places.length > 1 ? "are" : "is"} covered. The ${odds} ${ways.join("; ")}.`;
}
