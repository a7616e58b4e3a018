import { button, control, controls, setAll, transport } from "../../lib/controls.js";
import { drawingOf, html, redraw, set, setSize, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { linked, live } from "../../lib/linked.js";
import { format } from "../../lib/scales.js";
import { place, point, rect } from "../../lib/shapes.js";
import { keepDrawn, presets, settings } from "../../lib/stage.js";
import { switches } from "../../lib/switches.js";
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
const LANES = { forward: "forward", exact: "exact", sampled: "Gibbs sampling" };
const HOW = {
  forward: ": each from what stands before",
  exact: ": every way weighed",
  sampled: ": one gap at a time",
};
const CROSS = "M-1.2-1.2L1.2 1.2M-1.2 1.2L1.2-1.2";

export function render({ model, el }) {
  const { controls: spec } = meta;
  const save = (state) => setAll(model, state);
  const plot = svg("g");
  const bits = ALL.map((t) => cell(t, () => save({ hidden: model.get("hidden") ^ (1 << t) })));
  const line = svg("g", { role: "group", "aria-label": "bits" }, bits);
  const drawing = drawingOf("A line of bits, and what three readers put into its gaps", plot, line);
  const area = html("div", { class: "area" }, drawing);
  const readout = html("p", { class: "readout" });
  const status = live();
  const time = transport(model, "at", { ...spec.at, interval: 120, text: String });
  const next = (key) => () => save({ [key]: (model.get(key) + 1) % (spec[key].max + 1) });
  el.classList.add("fig-missing");
  el.append(
    html("div", { class: "stage" }, area, readout),
    controls(presets(model, "covered bits", PRESETS), button("another line", next("seed"))),
    controls(time, button("other coins", next("coins"))),
    controls(
      control(model, "weigh", spec.weigh),
      control(model, "truth", spec.truth),
      control(model, "noise", spec.noise),
    ),
    guess(meta.prediction, () =>
      save({
        ...PRESETS["4 to 7"],
        noise: 0.1,
        seed: 6,
        coins: 1,
        at: 246,
        weigh: true,
        truth: true,
      }),
    ),
    status,
  );
  let now;
  let lit = null;
  const light = linked(el, (term) => {
    lit = term === null ? null : Number(term);
    if (now) readout.replaceChildren(...words(now, lit));
    for (const node of bits)
      node.classList.toggle("before", isBefore(Number(node.dataset.term), lit));
  });

  function update(size) {
    const state = settings(model, spec);
    now = { ...state, ...fill(state) };
    const at = scales(size);
    setSize(drawing, size.width, at.height);
    redraw(plot, ground(at), ...Object.keys(LANES).map((name) => lane(name, now, at)));
    bits.forEach((node, t) => write(node, t, now, at));
    readout.replaceChildren(...words(now, lit));
    light.refresh();
    status.announce(spoken(now));
  }
  return keepDrawn(model, area, update, { clocks: [time] });
}

/** Whether bit t is one of those that the one at `of` depends on. */
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
  const lanes = Object.fromEntries(
    Object.keys(LANES).map((name, i) => [
      name,
      { top: first + i * each + title, title: first + i * each },
    ]),
  );
  return {
    ...{ em, font, narrow, slide, wide, x0, cell, high, lanes },
    height: first + 3 * each,
    middle: (t) => x0 + (t + 0.5) * wide,
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
  switches(node, `bit ${t + 1} covered`, turn);
  return node;
}

function write(node, t, { y, places, truth }, { em, wide, cell, middle }) {
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
  set(node, { "aria-checked": String(gone), "aria-description": gone ? null : `a ${y[t]}` });
}

/** Spilt ink: a closed curve through points that waver around an ellipse, each blot its own. */
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

function ground(at) {
  const { em, middle } = at;
  return ALL.map((t) =>
    text(at, middle(t), 0.6 * em, { class: t < ORDER ? "tick coin" : "tick" }, t + 1),
  );
}

function lane(name, now, at) {
  const { places, y, truth } = now;
  const { em, wide, high, middle, x0, lanes, narrow, slide } = at;
  const { top, title } = lanes[name];
  const { ones } = now[name];
  const waits = idle(name, now);
  const bottom = top + high;
  const level = (p) => bottom - p * high;
  const half = 0.3 * wide;
  return svg(
    "g",
    { class: `lane ${name}` },
    text(
      at,
      0,
      title + 0.9 * em,
      { class: "title" },
      svg("tspan", { class: "name" }, LANES[name]),
      !slide && HOW[name],
    ),
    text(
      at,
      narrow ? 0 : middle(LENGTH - 1) + wide / 2,
      title + (narrow ? 2.2 : 0.9) * em,
      { class: narrow ? "count start" : "count" },
      counted(name, now),
    ),
    svg("path", { class: "edge", d: `M${x0} ${bottom}H${middle(LENGTH - 1) + wide / 2}` }),
    svg("path", { class: "even", d: `M${x0} ${level(0.5)}H${middle(LENGTH - 1) + wide / 2}` }),
    !narrow && [0, 1].map((p) => text(at, x0 - 0.4 * em, level(p), { class: "tick end" }, p)),
    places.map((t, i) => {
      const x = middle(t);
      const bit = likelier(ones[i]);
      const wrong = truth && !waits && bit !== y[t];
      return svg(
        "g",
        { "data-term": t },
        rect(x - 0.42 * wide, top, 0.84 * wide, high, { class: "trough" }),
        !waits && rect(x - half, level(ones[i]), 2 * half, ones[i] * high, { class: "bar" }),
        now.weigh &&
          name !== "exact" &&
          svg("path", {
            class: "judge",
            d: `M${point(x - 0.42 * wide, level(now.exact.ones[i]))}h${0.84 * wide}`,
          }),
        text(
          at,
          wrong ? x - 0.35 * em : x,
          bottom + 0.75 * em,
          { class: wrong ? "guess wrong" : "guess" },
          waits ? "?" : bit,
        ),
        wrong &&
          place(
            svg("path", { class: "cross", d: CROSS }),
            x + 0.45 * em,
            bottom + 0.8 * em,
            0.2 * em,
          ),
      );
    }),
  );
}

/** Whether a reader has not begun. */
const idle = (name, { weigh, at }) => (name === "exact" ? !weigh : name === "sampled" && at === 0);

// ---- the words

/** What a reader has paid, and how far it has come. */
function counted(name, now) {
  const { places, weigh, truth } = now;
  const { weighed, off, right } = now[name];
  if (!places.length || idle(name, now))
    return name === "exact" && places.length ? `${2 ** places.length} ways` : "";
  const says = [`${weighed} evaluations`];
  if (weigh && name !== "exact") says.push(`off by ${format(off)}`);
  if (truth) says.push(`${right} of ${places.length} right`);
  return says.join(", ");
}

function words(now, lit) {
  const { y, places, noise, truth } = now;
  if (lit !== null) {
    const name = html("b", {}, `Bit ${lit + 1}`);
    if (lit < ORDER) return [name, " was thrown by a coin. The bits after it depend on it."];
    const before = y.slice(lit - ORDER, lit);
    const known = places.filter((t) => isBefore(t, lit)).length;
    const range = `bits ${lit - ORDER + 1} to ${lit}`;
    if (known && !truth)
      return [
        name,
        ` says whether ${range} hold an odd number of ones. ${known} of these four ${known > 1 ? "are" : "is"} covered.`,
      ];
    const ones = before.reduce((p, q) => p + q);
    return [
      name,
      ` says whether ${range} hold an odd number of ones. They hold ${ones}, an ${ones % 2 ? "odd" : "even"} number: a `,
      html("b", {}, String(ones % 2)),
      ` follows with probability ${format(1 - noise)}.`,
    ];
  }
  if (!places.length) return ["Nothing is covered. Touch a bit."];
  return [
    html("b", {}, `${places.length} ${places.length > 1 ? "bits" : "bit"} covered: `),
    "2",
    html("sup", {}, String(places.length)),
    ` = ${2 ** places.length} ways to fill ${places.length > 1 ? "them" : "it"}.`,
    html(
      "span",
      { class: "more" },
      " A bar is the probability of a one",
      now.at ? `, for Gibbs sampling the share of ones among ${now.at} draws.` : ".",
      now.weigh &&
        " The lines across are the exact ones, and a way is off by its largest distance from them.",
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
        `${LANES[name]}: ${now[name].ones.map((p) => format(p)).join(", ")}; ${counted(name, now)}`,
    );
  return `Covered: ${places.map((t) => t + 1).join(", ")}. Probability of a one, ${ways.join(". ")}.`;
}
