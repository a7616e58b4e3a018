import { button, transport } from "../lib/controls.js";
import { html, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { guess } from "../lib/guess.js";
import { path, rect, tipped } from "../lib/shapes.js";
import { choices, DIGITS, isTrue, LENGTH, MANY, orderOf, SENTENCES, written } from "./math.js";
import { meta } from "./meta.js";

const STEPS = Array.from({ length: LENGTH }, (_, t) => t);
const SIDE = 8; // pixels of a digit
const SHADES = 15;
const LAST = LENGTH * MANY;
const SEVEN = SENTENCES.right[0];

export const render = figure("orders", meta, ({ model, spec, save, reseed }) => {
  const friends = model.get("view") === "friends";
  const area = areaOf("The picture, and a sentence about it");
  const tally = html("p", { class: "tally" });
  const list = html("ol", { class: "sentences" });
  const time = transport(model, "at", {
    ...spec.at,
    interval: 350,
    text: (at) => `word ${((at - 1) % LENGTH) + 1} of sentence ${Math.ceil(at / LENGTH)}`,
  });
  const whole = { at: LAST, seed: spec.seed.default };
  const all = button(`write ${MANY} sentences`, () => save({ at: LAST }));
  return {
    parts: [
      stage(area, html("div", { class: "so-far" }, tally, list)),
      !friends && ["fed", "read"],
      [time, all, reseed("other coins")],
      !friends &&
        guess(meta.words[0].prediction, () => save({ ...whole, fed: "word", read: "strips" })),
    ],
    watch: area.node,
    reveal: friends && whole,
    follow: [time],
    update({ at: words, fed, read, seed }, size) {
      const said = written(seed, read, fed);
      const done = Math.floor(words / LENGTH);
      const now = {
        ...{ fed, read, done, said, friends },
        t: (words - 1) % LENGTH,
        words: said[Math.ceil(words / LENGTH) - 1],
      };
      const at = scales(size, friends ? 2 : 3);
      area.draw(
        size,
        at,
        picture(now, at),
        feedback(now, at),
        STEPS.map((t) => word(t, now, at)),
      );
      const right = said.slice(0, done).filter(isTrue).length;
      redraw(tally, html("b", {}, `${right} of ${done}`), " sentences true");
      redraw(
        list,
        said.map((each, n) => line(each, n, done)),
      );
      return spoken(now, right);
    },
  };
});

/** `rows` is the number of choices below a word. */
function scales({ width, em, room }, rows) {
  const slide = room < Infinity;
  const wide = Math.min(width / LENGTH, (slide ? 10 : 8.5) * em);
  const left = (width - LENGTH * wide) / 2;
  const font = slide ? 1.06 * em : Math.max(0.9 * em, 12);
  const strip = Math.min(wide, (slide ? 3.4 : 4.6) * em);
  const box = strip + (slide ? 1.6 : 2.2) * em;
  const bars = box + 2.5 * em;
  const row = 1.5 * font;
  return {
    ...{ em, font, left, wide, strip, box, bars, row, rows },
    height: bars + rows * row + 0.2 * em,
    x: (t) => left + t * wide,
    middle: (t) => left + (t + 0.5) * wide,
  };
}

/** Draw the picture as four strips. Those that the network hasn't seen yet are covered. */
function picture({ read, t }, at) {
  const { em, x, wide, strip, middle, box } = at;
  const apart = read === "strips";
  const gap = apart ? 0.25 * em : 0;
  return [
    STEPS.map((s) => [
      rect(x(s) + gap, 1, wide - 2 * gap, strip, { class: "paper" }),
      s === 0 && digit(DIGITS[3], s, at),
      s === LENGTH - 1 && digit(DIGITS[7], s, at),
      apart && s > t && rect(x(s) + gap, 1, wide - 2 * gap, strip, { class: "cover" }),
    ]),
    !apart && rect(x(0), 1, LENGTH * wide, strip, { class: "frame", rx: 3 }),
    STEPS.map((s) => {
      const end = [middle(s), box - 0.3 * em];
      const shaft = path([[middle(s), strip + 0.25 * em], end]);
      return svg(
        "g",
        { class: s <= t ? "sees" : "sees later" },
        tipped(shaft, end, [0, 1], 0.45 * em),
      );
    }),
  ];
}

/** Draw the pixels of a digit, as one path for each shade. */
function digit(shades, t, { middle, strip }) {
  const cell = (0.9 * strip) / SIDE;
  const squares = {};
  [...shades].forEach((shade, k) => {
    const level = Math.ceil(parseInt(shade, 16) / 2);
    const [x, y] = [
      middle(t) + ((k % SIDE) - SIDE / 2) * cell,
      1 + 0.05 * strip + Math.floor(k / SIDE) * cell,
    ];
    squares[level] =
      `${squares[level] ?? ""}M${x.toFixed(1)} ${y.toFixed(1)}h${cell.toFixed(2)}v${cell.toFixed(2)}h${-cell.toFixed(2)}Z`;
  });
  return Object.entries(squares).map(
    ([level, d]) =>
      level > 0 &&
      svg("path", {
        class: "ink",
        d,
        "fill-opacity": Math.min((2 * level) / SHADES, 1),
      }),
  );
}

/** Draw an arrow from each word to the next, if anything is fed back. */
function feedback({ fed, t }, { em, x, wide, box }) {
  if (fed === "nothing") return null;
  const y = box + 0.85 * em;
  return STEPS.slice(1).map((s) => {
    const [from, to] = [x(s) - 0.08 * wide, x(s) + 0.08 * wide];
    const name = `${fed}${s <= t ? "" : " later"}`;
    return svg(
      "g",
      { class: name },
      tipped(
        path([
          [from, y],
          [to, y],
        ]),
        [to + 2, y],
        [1, 0],
        0.45 * em,
      ),
    );
  });
}

/** Return the choices to show. If there are too many, these are the first, the drawn one, and the sum of the rest. */
function rowsOf(open, drawn, rows) {
  if (open.length <= rows) return open;
  const other =
    open.slice(1).find(([word]) => word === drawn) ?? open.find(([word]) => word === SEVEN);
  const rest = open.filter((each) => each !== open[0] && each !== other);
  return [open[0], other, [`${rest.length} others`, rest.reduce((sum, [, p]) => sum + p, 0)]];
}

/** A word, and below it the choices for it. */
function word(t, now, at) {
  const { em, font, middle, wide, box, bars, row } = at;
  const there = t <= now.t;
  const [x, half] = [middle(t), 0.42 * wide];
  const drawn = now.words[t];
  const shown = there ? rowsOf(choices(t, now.words, now.read, now.fed), drawn, at.rows) : [];
  const large = { font: Math.min(1.1 * font, wide / 4.2) };
  return [
    rect(x - half, box, 2 * half, 1.7 * em, {
      class: `box ${there ? (orderOf(t, drawn) ?? "wrong") : "empty"}`,
      rx: 0.3 * em,
    }),
    text(
      large,
      x,
      box + 0.85 * em,
      { class: there ? `said ${orderOf(t, drawn) ?? "wrong"}` : "later" },
      there ? drawn : "?",
    ),
    shown.map(([name, p], n) => [
      rect(x - half, bars + n * row, 2 * half, row - 3, { class: "trough" }),
      rect(x - half, bars + n * row, 2 * half * p, row - 3, {
        class: name === drawn ? "bar" : "bar other",
      }),
      text(
        { font: Math.min(0.95 * font, wide / 5) },
        x - half + 0.3 * em,
        bars + n * row + (row - 3) / 2,
        { class: "name" },
        name,
      ),
      wide > 6 * em &&
        text(
          { font: 0.95 * font },
          x + half - 0.3 * em,
          bars + n * row + (row - 3) / 2,
          { class: "share" },
          p.toFixed(2),
        ),
    ]),
  ];
}

/** A sentence that has been written, or an empty line. */
function line(words, n, done) {
  if (n >= done) return html("li", { class: "later" }, "…");
  const right = isTrue(words);
  return html(
    "li",
    { class: right ? "true" : "false" },
    words.map((each, t) => [
      html("span", { class: orderOf(t, each) ?? "wrong" }, each),
      t < LENGTH - 1 && " ",
    ]),
    html("span", { class: "verdict" }, right ? " ✓" : " ✗"),
  );
}

function spoken({ t, words, done, friends, fed, read }, right) {
  const so = words.slice(0, t + 1).join(" ");
  const who = friends ? "The friends have" : "The network has";
  const way = friends
    ? ""
    : `It sees ${read === "whole" ? "the whole picture" : "one strip after another"}, and ${
        { nothing: "nothing is", shares: "the probabilities are", word: "the drawn word is" }[fed]
      } fed back. `;
  return `${way}${who} written “${so}${t < LENGTH - 1 ? " …" : ""}”.${done ? ` So far, ${right} of ${done} sentences are true.` : ""}`;
}
