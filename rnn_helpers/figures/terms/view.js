import { bar, chartIn, frame, line, rule, ticksY, title } from "../lib/chart.js";
import { holdsPower } from "../lib/controls.js";
import { html, italic, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure } from "../lib/figure.js";
import { knob } from "../lib/handles.js";
import { said } from "../lib/linked.js";
import { decade } from "../lib/powers.js";
import { clamp, format, log } from "../lib/scales.js";
import { place, rect } from "../lib/shapes.js";
import { compute, STEPS, WORDS } from "./math.js";
import { meta } from "./meta.js";

const [LOW, HIGH] = [1e-5, 1e3];
const KEYS = WORDS.indexOf("keys") + 1;

export const render = figure("terms", meta, ({ model, spec }) => {
  const handle = knob();
  const area = areaOf("The gradient on its way back, and each word's term", handle);
  const readout = html("div", { class: "readout" });
  let at;
  const held = holdsPower(handle, model, "w", {
    surface: area.drawing,
    label: "what the weights alone leave at the first word: the size of W",
    min: Math.log10(spec.w.min),
    max: Math.log10(spec.w.max),
    step: 0.02,
    // The dashed line multiplies by the size of W at each step.
    at: ({ y }) => Math.log10(at.line.y.invert(y)) / (STEPS - 1),
    text: (power) => `size ${format(10 ** power)}`,
  });
  return {
    parts: [area, readout, ["w", "input"]],
    reveal: { w: 1, input: "1" },
    follow: [held],
    update(state, size) {
      const now = compute(state);
      at = layout(size);
      area.draw(size, at, words(at), gradient(now, at), terms(now, at));
      place(handle, at.line.x(1), at.line.y(now.bound[0]));
      redraw(readout, facts(now));
      return [
        `${said(readout)} The term of “keys” in the gradient of W is ${short(now.terms[KEYS - 1])} times the largest term.`,
        `The size of W is ${format(state.w)}, and that of the inputs ${state.input}.`,
      ];
    },
  };
});

/** Two charts with a column for each word, and the words below them. */
function layout({ width, em, room }) {
  const narrow = width < 34 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const foot = (narrow ? 4.6 : 1.6) * em; // for the words
  const free = clamp(room - 7, 12, 20) * em - foot - 3.8 * em;
  const [left, wide] = [3.2 * em, width - 3.6 * em];
  const look = { em, font, above: 0.75 };
  const across = [0.5, STEPS + 0.5];
  const first = [left, 1.5 * em, wide, 0.62 * free];
  const line = chartIn(first, across, [LOW, HIGH], look, log);
  const second = [left, line.bottom + 2.2 * em, wide, 0.38 * free];
  const bars = chartIn(second, across, [0, 1.25], look);
  return { em, font, narrow, line, bars, height: bars.bottom + foot };
}

/** The words, upright where there is no room; that of the subject stands out in all charts. */
function words({ em, narrow, line, bars }) {
  const { x, bottom } = bars;
  const wide = x(2) - x(1);
  return [
    rect(x(KEYS) - wide / 2, line.top, wide, bars.bottom - line.top, { class: "band" }),
    WORDS.map((word, i) => {
      const [cx, cy] = [x(i + 1), bottom + (narrow ? 0.5 : 0.95) * em];
      const turned = narrow && { transform: `rotate(-90 ${cx.toFixed(1)} ${cy.toFixed(1)})` };
      const name = `word${i + 1 === KEYS ? " subject" : ""}${narrow ? " end" : ""}`;
      return text(bars, cx, cy, { class: name, ...turned }, word);
    }),
  ];
}

const along = (values) => values.map((value, i) => [i + 1, clamp(value, LOW, HIGH)]);

function gradient({ sizes, bound }, { narrow, line: at }) {
  return [
    frame(at),
    rule(at, 1, "one"),
    line(at, along(bound), "bound"),
    line(at, along(sizes), "curve"),
    along(sizes).map(([t, value]) =>
      svg("circle", { class: "dot", cx: at.x(t), cy: at.y(value), r: 0.24 * at.em }),
    ),
    ticksY(at, [1e-4, 1e-2, 1, 1e2], (value) => decade(Math.log10(value), at.font), "tick end"),
    title(
      at,
      ["gradient at each state", !narrow && [" (dashed: by the weights alone)"]],
      "title gradient",
    ),
  ];
}

function terms({ terms }, { narrow, em, bars: at }) {
  const wide = Math.min(0.6 * (at.x(2) - at.x(1)), 2.6 * em);
  return [
    frame(at),
    terms.map((term, i) => [
      bar(at, i + 1, term, wide, { class: "term" }),
      text(at, at.x(i + 1), at.y(term) - 0.7 * em, { class: "value" }, short(term)),
    ]),
    title(
      at,
      ["each step's term of ∂", italic("L"), " / ∂", italic("W"), !narrow && " (the largest: 1)"],
      "title parameter",
    ),
  ];
}

/** A number with about two digits. */
const short = (value) => {
  if (value === 0) return "0";
  if (value >= 10) return format(value, 0);
  if (value < 0.001) return "<0.001";
  return format(value, value < 0.01 ? 3 : value < 0.995 ? 2 : 1).replace(/^1\.0$/, "1");
};

const facts = ({ keys, slope }) => [
  html(
    "p",
    {},
    "Left at “keys”: ",
    html("b", { class: "parameter" }, short(keys.weights)),
    " by the weights × ",
    html("b", { class: "state" }, short(keys.slopes)),
    " by the slopes = ",
    html("b", { class: "gradient" }, short(keys.left)),
  ),
  html("p", {}, "Average slope: ", html("b", { class: "state" }, format(slope))),
];
