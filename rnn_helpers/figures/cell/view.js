import { rule } from "../lib/chart.js";
import { html, italic, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure } from "../lib/figure.js";
import { said } from "../lib/linked.js";
import { format, linear } from "../lib/scales.js";
import { rect } from "../lib/shapes.js";
import { counts, ENDS, isSet, RESET, run } from "./math.js";
import { meta } from "./meta.js";

/** The label of the slider, and the rows that a stage shows below its inputs. */
const STAGES = {
  leak: ["share kept α", ["f", "s", "gradient"]],
  forget: [`forget gate f at step ${RESET}`, ["f", "s", "gradient"]],
  input: ["input gate g where there is no 1", ["c", "g", "s", "gradient"]],
  output: [`output gate q at step ${ENDS[1]}`, ["s", "q", "h", "gradient"]],
};
const NAMES = {
  x: ["input"],
  c: ["cell input"],
  f: ["forget gate ", "f"],
  g: ["input gate ", "g"],
  q: ["output gate ", "q"],
  s: ["state ", "s"],
  h: ["output ", "h"],
};
const GRADIENTS = {
  leak: ["← gradient of", "the last state"],
  input: ["← gradient for", "the cell input"],
  output: ["← gradient of", "the last output"],
};
const GATES = ["f", "g", "q"];
const VALUED = ["s", "h", "gradient"];
/** Height of each row and of the gap above it, where values stand above bars; in ems. */
const HEIGHTS = { x: 1.5, c: 1.2, f: 1.5, g: 1.5, q: 1.5, s: 3.4, h: 2, gradient: 2 };
const GAPS = { x: 0, c: 0.4, f: 0.6, g: 0.6, q: 0.6, s: 1.4, h: 1.7, gradient: 1.6 };
const COUNTS = counts();

export const render = figure("cell", meta, ({ model, control }) => {
  const stage = model.get("stage");
  const area = areaOf("Inputs, gates, states and gradients over time");
  const readout = html("p", { class: "readout" });
  const slider = control("gate", { label: STAGES[stage][0], text: (value) => format(value, 2) });
  return {
    parts: [area, readout, [slider]],
    reveal: stage === "leak" && { gate: 0.99 },
    update({ gate }, size) {
      const steps = run(stage, gate);
      const at = scales(stage, steps, size);
      area.draw(size, at, picture(stage, steps, at));
      redraw(readout, words(stage, steps));
      return [said(readout), `The ${STAGES[stage][0]} is ${format(gate)}.`];
    },
  };
});

/** A value with at most two digits (three for outputs). Only the leak's values keep trailing zeros. */
function number(stage, key, value, digits = 3) {
  if (stage === "leak") return value.toFixed(digits);
  return String(Number(value.toFixed(key === "h" ? 3 : 2))).replace("-", "−");
}

/** The readout: the counts, and how much of a change to an earlier step is left. */
function words(stage, steps) {
  const bold = (key, t) => html("b", { class: key }, number(stage, key, steps[t - 1][key]));
  const [first, last] = ENDS;
  const counted =
    stage === "output"
      ? [`At step ${last} the state is `, bold("s", last), " and the output is ", bold("h", last)]
      : [
          "After three 1s the state is ",
          bold("s", first),
          ", and after one 1 it is ",
          bold("s", last),
        ];
  const arrives = (what, from) => [
    `${what} arrives at step ${last} with the factor `,
    bold("gradient", from),
  ];
  const changed =
    stage === "output"
      ? [`the state at step ${RESET} changes this output by the factor `, bold("gradient", RESET)]
      : stage === "input"
        ? [
            ...arrives("the cell input", 9),
            " from step 9 (noise) and ",
            bold("gradient", 11),
            " from step 11 (a 1)",
          ]
        : arrives(`the state at step ${first}`, first);
  return [...counted, ".", html("br"), "A change to ", ...changed, "."];
}

// ---- the drawing: rows over one time

function scales(stage, steps, { width, em, room }) {
  const narrow = width < 30 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const [left, right] = [narrow ? 0.3 * em : 7.5 * em, width - 0.6 * em];
  const wide = (right - left) / steps.length;
  const rows = ["x", ...STAGES[stage][1]];
  const above = (key) => GAPS[key] + (narrow && key !== "x" ? 1.3 : 0);
  const needed = rows.reduce((sum, key) => sum + above(key) + HEIGHTS[key], 0);
  const share = Math.min(1, (room - 8) / needed);
  const place = {};
  let y = 1.6 * em;
  for (const key of rows) {
    const top = y + share * above(key) * em;
    y = top + share * HEIGHTS[key] * em;
    place[key] = [y, top];
  }
  const most = Math.max(...steps.map(({ s }) => s));
  const limit = stage === "leak" ? [0.1, 0.3, 1].find((limit) => most <= limit) : 4;
  const small = room < Infinity ? font : 0.8 * em;
  const all = wide > (stage === "leak" || stage === "output" ? 2.8 : 2.3) * small; // room for each value
  return {
    ...{ narrow, em, font, small, left, right, wide, rows, place },
    height: y + 1.7 * em,
    time: linear([0, steps.length], [left, right]),
    bar: (key) => linear([key === "c" ? -0.4 : 0, key === "s" ? limit : 1], place[key]),
    labeled: (key, t) =>
      VALUED.includes(key) && (all || ENDS.includes(t) || (t === 1 && key === "gradient")),
  };
}

function picture(stage, steps, at) {
  const { em, wide, rows, place, height } = at;
  const [top, bottom] = [place.x[1], height - 1.5 * em];
  const border = at.time(ENDS[0]);
  return [
    ENDS.map((t) => rect(at.time(t - 1), top, wide, bottom - top, { class: "end" })),
    svg("path", { class: "between", d: `M${border} 0V${bottom}` }),
    sentences(at),
    rows.map((key) => [
      key !== "x" || !at.narrow ? name(stage, key, at) : [],
      row(stage, key, steps, at),
    ]),
    steps.map(({ t }, i) =>
      text(at, at.time(i + 0.5), height - 0.65 * em, { class: ENDS.includes(t) && "strong" }, t),
    ),
    !at.narrow && text(at, 0, height - 0.65 * em, { class: "name" }, "step"),
  ];
}

/** A brace over each sentence, with the number of its ones. */
const sentences = (at) =>
  [
    [0, ENDS[0], "three 1s"],
    [...ENDS, "one 1"],
  ].flatMap(([from, to, ones], i) => {
    const [x0, x1] = [at.time(from) + 0.3 * at.em, at.time(to) - 0.3 * at.em];
    const said = at.narrow ? ones : `${i ? "second" : "first"} sentence: ${ones}`;
    return [
      svg("path", {
        class: "brace",
        d: `M${x0} ${1.4 * at.em}v${-0.25 * at.em}H${x1}v${0.25 * at.em}`,
      }),
      text(at, (x0 + x1) / 2, 0.5 * at.em, {}, said),
    ];
  });

/** The name of a row, in one or two lines, each with its kind. */
function lines(stage, key) {
  if (key === "gradient") return (GRADIENTS[stage] ?? GRADIENTS.leak).map((line) => [key, line]);
  if (key === "f" && stage === "leak") return [[key, "share kept ", italic("α")]];
  const [name, letter] = NAMES[key];
  const line = [key, name, letter && italic(letter)];
  return key === "s" && stage !== "leak" ? [line, ["target", "– right count"]] : [line];
}

/** The name beside a row, or above it on a narrow screen. */
function name(stage, key, at) {
  const [bottom, top] = at.place[key];
  const named = lines(stage, key);
  if (at.narrow) {
    const words = named.map(([kind, ...words]) => svg("tspan", { class: kind }, words, " "));
    return text(at, at.left, top - (GAPS[key] + 0.35) * at.em, { class: "name" }, words);
  }
  const middle = (bottom + top) / 2 - 0.6 * (named.length - 1) * at.em;
  return named.map(([kind, ...words], i) =>
    text(at, 0, middle + 1.2 * i * at.em, { class: `name ${kind}` }, words),
  );
}

/** The values of a row over time: symbols, numbers or bars. */
function row(stage, key, steps, at) {
  const [bottom, top] = at.place[key];
  const middle = (i) => at.time(i + 0.5);
  const value = (now, i, y) => {
    const noise = key === "c" && now.symbol !== "1";
    const strong = key === "c" ? !noise : ENDS.includes(now.t);
    const kind = noise ? "" : strong ? `${key} strong` : key;
    const said = number(stage, key, now[key], ENDS.includes(now.t) ? 3 : 2);
    return text(at, middle(i), y, { class: kind, "font-size": at.small }, said);
  };
  if (key === "x") return steps.map(({ symbol }, i) => cell(symbol, i, at));
  if (key === "c" && !at.narrow) return steps.map((now, i) => value(now, i, (bottom + top) / 2));
  const scale = at.bar(key);
  const [zero, gate] = [scale(0), GATES.includes(key)];
  const across = (i) => [at.time(i) + 0.14 * at.wide, 0.72 * at.wide];
  const bar = (now, i) => {
    const [y, [x, width]] = [scale(now[key]), across(i)];
    const size = { y: Math.min(y, zero - 0.5), height: Math.max(Math.abs(zero - y), 0.5) };
    const kind = gate && isSet(stage, now) ? "set" : "";
    return svg("rect", { class: `bar ${key} ${kind}`, x, width, ...size });
  };
  const count = (value, i) => `M${at.time(i + 0.04)} ${scale(value)}h${0.92 * at.wide}`;
  return [
    gate &&
      steps.map((_, i) => rect(across(i)[0], top, across(i)[1], bottom - top, { class: "frame" })),
    rule({ ...at, y: scale }, 0),
    steps.map(bar),
    key === "s" &&
      stage !== "leak" &&
      svg("path", { class: "count", d: COUNTS.map(count).join("") }),
    steps.map(
      (now, i) =>
        at.labeled(key, now.t) && value(now, i, (at.narrow ? top : scale(now[key])) - 0.65 * at.em),
    ),
  ];
}

/** An input in its box. */
const cell = (symbol, i, at) => {
  const [bottom, top] = at.place.x;
  return svg(
    "g",
    { class: { 1: "x one", r: "x reset" }[symbol] ?? "" },
    rect(at.time(i) + 1, top, at.wide - 2, bottom - top, { class: "box", rx: 0.15 * at.em }),
    text(at, at.time(i + 0.5), (bottom + top) / 2, { class: symbol === "1" && "strong" }, symbol),
  );
};
