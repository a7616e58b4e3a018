import { controls, transport } from "../lib/controls.js";
import { html, redraw, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { clamp, counted } from "../lib/scales.js";
import { rect } from "../lib/shapes.js";
import { presets } from "../lib/stage.js";
import { argmax } from "../lib/vectors.js";
import { ENGLISH, joined, known, MOST, translate } from "./math.js";
import { meta } from "./meta.js";

const ROWS = 5; // of the shortest sentences
const ALL = MOST + 1;
const SENTENCES = [
  "we hear rain",
  "we hear wind",
  "we hear gentle music tonight",
  "they love beautiful music",
  "I hear distant thunder",
  "it is raining",
];

export const render = figure("translation", meta, ({ model, spec, control }) => {
  const area = areaOf("Attention weights");
  const written = html("p", { class: "written" });
  const note = html("p", { class: "note" });
  let now = null;
  const last = () => Math.max(1, now?.steps.length ?? ROWS);
  const there = (key) => (key === "t" ? Math.min(model.get(key), last()) : model.get(key));
  const time = transport({ ...model, get: there }, "t", {
    ...spec.t,
    limit: last,
    interval: 900,
    text: (t) => `step ${Math.min(t, last())}`,
  });
  const examples = Object.fromEntries(
    SENTENCES.map((source) => [source, { source, t: source === spec.source.default ? 2 : ALL }]),
  );
  return {
    parts: [
      stage(
        control("source"),
        presets(model, "Sentences to try", examples, ["t"]),
        controls(time),
        area,
        written,
        note,
      ),
    ],
    reveal: { source: spec.source.default, t: 3 },
    follow: [time],
    update({ source: typed, t: asked }, size) {
      const { source, strange } = known(typed);
      now = translate(source);
      const t = clamp(asked, 1, Math.max(1, now.steps.length));
      const at = scales(size, source, now.steps.length);
      area.draw(size, at, picture(source, now.steps, t, at));
      redraw(written, result(now, t));
      note.textContent = strange.length
        ? `Left out: ${strange.join(", ")}. The network has learned only these words: ${ENGLISH.join(", ")}.`
        : "";
      return [spoken(source, now.steps[t - 1], t), `The sentence is “${source.join(" ")}”.`];
    },
  };
});

function scales({ width, em, room }, source, steps) {
  const slide = room < Infinity;
  const narrow = width < 30 * em;
  const font = Math.max((narrow ? 0.82 : 0.95) * em, 12);
  const left = (narrow ? 5.6 : 6.6) * em;
  const cell = Math.min((width - left - 2.8 * em) / Math.max(1, source.length), 6 * em);
  const row = (slide ? 1.3 : 1.9) * em;
  const longest = Math.max(1, ...source.map((word) => word.length));
  const tilted = longest * 0.56 * font > cell - 0.3 * em;
  const top = (tilted ? 4.2 : 1.9) * em;
  return {
    em,
    font,
    left,
    cell,
    row,
    top,
    tilted,
    height: top + Math.max(ROWS, steps) * row + 0.3 * em,
  };
}

function picture(source, steps, t, at) {
  const { left, cell, row, top, em, font, tilted } = at;
  const x = (i) => left + i * cell;
  const middle = (r) => top + (r - 0.5) * row;
  const wrote = (r, kind, word) =>
    text(at, left - 0.5 * em, middle(r), { class: `wrote ${kind}` }, word);
  const shown = t;
  return [
    source.map((word, i) => {
      const [cx, cy] = [x(i + 0.5), top - 0.8 * em];
      if (!tilted) return text(at, cx, cy, { class: "read" }, word);
      const turn = { class: "read start", transform: `rotate(-38 ${cx} ${cy})` };
      return text(at, cx - 0.4 * em, cy, turn, word);
    }),
    steps.slice(0, shown).map(({ weights, word, p }, i) => [
      wrote(i + 1, i + 1 === t ? "chosen" : "", word),
      weights.map((weight, j) => [
        rect(x(j) + 1, top + i * row + 1, cell - 2, row - 2, {
          class: "weight",
          rx: 3,
          "fill-opacity": (0.06 + 0.94 * weight).toFixed(3),
        }),
        text(
          { font: 0.88 * font },
          x(j + 0.5),
          middle(i + 1),
          { class: weight > 0.5 ? "share dark" : weight < 0.005 ? "share none" : "share" },
          weight.toFixed(2),
        ),
      ]),
      text(at, x(weights.length) + 0.4 * em, middle(i + 1), { class: "sure" }, p.toFixed(2)),
    ]),
    t < steps.length && wrote(t + 1, "next", "?"),
    source.length > 0 &&
      rect(x(0), top + (shown - 1) * row, cell * source.length, row, { class: "line", rx: 3 }),
  ];
}

// ---- the words

function result({ steps, written }, t) {
  if (!steps.length) return ["Type a sentence."];
  const whole = t >= steps.length;
  const words = joined(written.slice(0, t));
  return [
    whole ? "The translation is " : "So far, it has written ",
    html("b", {}, words || "nothing"),
    whole ? "." : " …",
  ];
}

function spoken(source, step, t) {
  if (!step) return "No words.";
  const k = argmax(step.weights);
  const what = step.word === "■" ? "the end symbol" : step.word;
  return (
    `Step ${t} of the decoder writes ${what} with probability ${step.p.toFixed(2)}. ` +
    `Of ${counted(source.length, "word")}, ${source[k]} has the largest weight, ${step.weights[k].toFixed(2)}.`
  );
}
