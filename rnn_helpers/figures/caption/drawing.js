// The picture, the encoder's maps, and the words.
import { signed } from "../lib/colours.js";
import { svg, text } from "../lib/dom.js";
import { rect } from "../lib/shapes.js";
import { END, SIDE, WORDS } from "./math.js";

const LEVELS = 8;
const FEWEST = 5; // columns of words
const BEST = 3; // words of a column
export const shown = (k) => (k === END ? "END" : WORDS[k]);

export function scales({ width, em, room }, { said }, alone) {
  const slide = room < Infinity;
  const narrow = !slide && width < 36 * em;
  const font = Math.max((slide ? 0.92 : 0.85) * em, 12);
  const air = slide ? 0.65 : 1;
  const pad = slide ? 11 * em : narrow ? Math.min(width, 16 * em) : Math.min(0.36 * width, 15 * em);
  const [left, top] = [narrow ? (width - pad) / 2 : 0, 0.3 * em];
  const x0 = narrow ? 0 : pad + 1.8 * em;
  const y0 = narrow ? top + pad + 1.2 * em : top;
  const columns = Math.max(FEWEST, said.words.length);
  const first = (narrow ? 1.6 : 4) * em; // room for START, or on a narrow page for the first state alone
  const wide = (width - x0 - first) / columns;
  const row = (slide ? 1.3 : 1.5) * font;
  const lines = slide || narrow ? 1 : 2; // of maps in each layer
  const maps = Math.min((lines * (width - x0)) / 12.2, (slide ? 2.1 : 2.9) * em);
  const eye = { one: y0 + 0.2 * em, two: y0 + lines * maps + 0.7 * air * em };
  eye.context = eye.two + (lines * maps) / 2 + 0.8 * air * em;
  const doors = eye.context + (0.9 + air) * em;
  const words = alone ? y0 + 1.6 * em : doors + (1.3 + 0.7 * air) * em;
  const bars = words + (1.7 + 0.5 * air) * em;
  const height = Math.max(bars + BEST * row + 0.3 * em, top + pad);
  return {
    ...{ em, font, narrow, pad, left, top, x0, columns, wide, row, eye, doors, words, bars },
    ...{ lines, maps, width, height },
    middle: (t) => x0 + first + (t + 0.5) * wide,
  };
}

/** Draw the picture, and unless it is shown alone, the numbers that the encoder computes from it. */
export const drawnSeen = (now, at, alone) => [page(now, at), alone || eye(now, at)];

/** Draw the words, and unless the picture is shown alone, where the context enters. */
export const drawnSaid = (now, at, alone) => [alone || doors(now, at), words(now, at)];

/** Return the squares of a map, as the data of one path for each level. */
function squares(values, side, x, y, cell) {
  const paths = Array.from({ length: LEVELS + 1 }, () => "");
  const levels = values.map((value) => Math.round(LEVELS * Math.min(Math.max(value, 0), 1)));
  for (let k = 0, end; k < levels.length; k = end) {
    // Neighbors of one shade in a row are one rectangle.
    for (end = k + 1; end % side && levels[end] === levels[k]; ) end++;
    const [column, row] = [k % side, Math.floor(k / side)];
    paths[levels[k]] +=
      `M${(x + column * cell).toFixed(1)} ${(y + row * cell).toFixed(1)}h${((end - k) * cell).toFixed(1)}v${cell.toFixed(2)}h${((k - end) * cell).toFixed(1)}Z`;
  }
  return paths;
}

/** Draw the squares of all `maps` as one path per shade; `look(level)` gives its attributes, for a level from 0 to 1. */
const shades = (maps, look) =>
  Array.from({ length: LEVELS }, (_, n) => n + 1).map((level) => {
    const d = maps.map((paths) => paths[level]).join("");
    return d && svg("path", { d, ...look(level / LEVELS) });
  });

const ink = (level) => ({ class: "ink", "fill-opacity": level });
const filled = (value) => ({ style: `fill:${signed(value)}` });

const page = ({ seen }, { left, top, pad }) => [
  rect(left, top, pad, pad, { class: "paper", rx: 3 }),
  shades([squares(seen, SIDE, left, top, pad / SIDE)], ink),
];

/** Draw both layers of convolutions and the context. */
function eye({ eye: { one, two, context } }, at) {
  const { x0, lines, maps, em, eye: y } = at;
  const wide = (12 / lines) * maps;
  const layer = (all, cells, step, start) => {
    const side = +(0.88 * step).toFixed(2);
    const most = Math.max(1e-9, ...all.flat());
    const each = all.length / lines;
    const [frames, drawn] = [[], []];
    all.forEach((map, n) => {
      const [x, top] = [x0 + (n % each) * step, start + Math.floor(n / each) * step];
      const tones = map.map((value) => value / most);
      frames.push(`M${x.toFixed(1)} ${top.toFixed(1)}h${side}v${side}h${-side}Z`);
      drawn.push(squares(tones, cells, x, top, side / cells));
    });
    return [svg("path", { class: "map", d: frames.join("") }), shades(drawn, filled)];
  };
  const cell = Math.min(wide / context.length, 0.9 * em);
  const end = x0 + context.length * cell;
  return [
    layer(one, SIDE / 2, maps, y.one),
    layer(two, SIDE / 4, maps / 2, y.two),
    context.map((value, n) => rect(x0 + n * cell, y.context, cell, 0.9 * em, filled(value))),
    rect(x0, y.context, end - x0, 0.9 * em, { class: "map" }),
    lines > 1 &&
      [
        ["first layer", y.one + maps],
        ["second layer", y.two + maps / 2],
        ["context", y.context + 0.45 * em],
      ].map(([name, middle]) => text(at, x0 + wide + 0.6 * em, middle, { class: "part" }, name)),
  ];
}

/** Draw the ways by which the context enters: at each step, as the first state, or both (figure 10.9). */
function doors({ door, said, at: so }, at) {
  const { x0, em, words, doors: y, middle } = at;
  const tip = words - 1.1 * em;
  const ways = [
    ...(door === "step" ? [] : [x0 + 0.5 * em]),
    ...(door === "start"
      ? []
      : said.words.slice(0, so + (so < said.words.length ? 1 : 0)).map((_, t) => middle(t))),
  ];
  return [
    svg("path", {
      class: "told",
      d: ways.map((x) => `M${x0 + 0.5 * em} ${y - 0.3 * em}V${y}H${x.toFixed(1)}V${tip}`).join(""),
    }),
    ways.map((x) =>
      svg("path", {
        class: "tip",
        d: `M${x.toFixed(1)} ${tip + 4}l${-0.25 * em} ${-0.45 * em}h${0.5 * em}Z`,
      }),
    ),
    door !== "step" && svg("circle", { class: "state", cx: x0 + 0.5 * em, cy: words, r: 0.5 * em }),
  ];
}

/** Draw the words so far, and under each the most likely words of its step. */
function words({ said, at: so, told }, at) {
  const { em, font, narrow, x0, wide, row, words: y, bars, middle } = at;
  const large = narrow ? font : 1.15 * font;
  const column = said.words.slice(0, so).map((word, t) => {
    const best = said.p[t].map((p, k) => [p, k]).sort(([p], [q]) => q - p);
    const kept = best.slice(0, BEST);
    if (!kept.some(([, k]) => k === word)) kept[BEST - 1] = [said.p[t][word], word];
    const x = middle(t) - 0.46 * wide;
    const lie = t === 0 && told !== "own" && told !== shown(word);
    return svg(
      "g",
      { class: word === END ? "word end" : "word" },
      text(
        { ...at, font: large },
        middle(t),
        y,
        { class: lie ? "lie" : "said" },
        lie ? told : shown(word),
      ),
      text(
        at,
        middle(t),
        y + 1.15 * em,
        { class: "p" },
        lie ? `not ${shown(word)}` : said.p[t][word].toFixed(2),
      ),
      kept.map(([p, k], n) => [
        rect(x, bars + n * row, 0.92 * wide, row - 3, { class: "trough" }),
        rect(x, bars + n * row, 0.92 * wide * p, row - 3, {
          class: k === word ? "bar" : "bar other",
        }),
        text(
          at,
          x + 0.3 * em,
          bars + n * row + (row - 3) / 2,
          { class: "name" },
          p < 0.005 ? "" : shown(k),
        ),
      ]),
    );
  });
  return [
    column,
    so < said.words.length && text({ ...at, font: large }, middle(so), y, { class: "next" }, "?"),
    !narrow && text(at, x0 + 2.5 * em, y, { class: "note" }, "START"),
  ];
}

export function spoken({ said, at, told }) {
  const so = said.words.slice(0, at).map(shown);
  const lie = told !== "own" && told !== so[0];
  const own = so[0];
  if (lie) so[0] = told;
  const p = said.p[at - 1][said.words[at - 1]].toFixed(2);
  const instead = lie && at > 1 ? ` The second step received ${told} in place of ${own}.` : "";
  return `The caption is “${so.join(" ")}${at < said.words.length ? " …" : ""}”. Its last word has probability ${p}.${instead}`;
}
