// The memory, its cells as dark as what is shown of them; sums of its lines; and what is read.
import { svg, text } from "../../lib/dom.js";
import { clamp, format, linear } from "../../lib/scales.js";
import { rect } from "../../lib/shapes.js";
import { sum } from "../../lib/vectors.js";
import { byLine, LETTERS, LINES, LONGEST, NOTE, places, VERSE } from "./math.js";

const LARGE = 0.15; // a gradient of this size is as dark as can be, and fills half a bar
const CAPITAL = 0.73; // height of a capital, in ems

export function scales({ width, em, room }, { width: letters }) {
  const slide = room < Infinity;
  const narrow = !slide && width < 26 * em;
  const font = slide ? 0.95 * em : narrow ? Math.max(0.75 * em, 12) : 1.1 * em;
  const row = (slide ? 1.12 : narrow ? 1.25 : 1.55) * em;
  const bare = slide || narrow; // no room for numbers beside the bars
  const column = bare
    ? clamp((width - 4.5 * em) / LONGEST, 0.6 * font, 0.75 * font)
    : Math.min(0.75 * font, (width - 9 * em) / LONGEST);
  const wide = column * LONGEST;
  const top = 1.7 * em;
  const gap = 0.45 * row;
  const y = (line) => top + line * row + Math.floor(line / VERSE) * gap;
  const low = y(LINES.length - 1) + row;
  const [x0, number] = [wide + 0.8 * em, bare ? 0 : 3.6 * em];
  const logo = {
    y: low + (slide ? 1.5 : 2.2) * em,
    high: (slide ? 1.6 : 2.6) * em,
    column: Math.min(1.8 * column, wide / letters),
  };
  return {
    em,
    font,
    least: slide ? font : 12,
    small: slide ? font : Math.max(0.85 * em, 12),
    narrow,
    bare,
    left: 0,
    column,
    row,
    wide,
    top,
    low,
    y,
    logo,
    bar: { x0, x1: Math.min(width, x0 + number + 16 * em) - number },
    lineAt: (at) => {
      const middles = LINES.map((_, line) => Math.abs(y(line) + row / 2 - at));
      return middles.indexOf(Math.min(...middles));
    },
    ground: { x: 0, y: top, width: wide, height: low - top },
    height: logo.y + logo.high + 0.4 * em,
  };
}

/** Where a cell stands. */
const boxOf = ({ line, start, text }, { left, column, row, y }) => ({
  x: left + start * column,
  y: y(line),
  width: text.length * column,
  height: row,
});

/** What marks a cell. */
export function around(cell, at) {
  const { x, y, width, height } = boxOf(cell, at);
  return { x: x - 1, y: y - 1, width: width + 2, height: height + 2, rx: 3 };
}

export function picture(now, at) {
  const { cells, shows } = now;
  const drawn = { weights: weighed, gradient: pulled, write: overwritten }[shows];
  return [
    title(at, 0, heading(now, at)),
    cells.map((cell, i) => {
      const { x, y, width, height } = boxOf(cell, at);
      const thin = cell.text.length * at.column < 12 ? 0.5 : 1;
      const box = { x: x + thin / 2, y: y + 0.5, width: width - thin, height: height - 1 };
      return drawn(now, at, cell, i, box);
    }),
    lines(now, at),
    reading(now, at),
  ];
}

const title = ({ em, small, above = 0 }, x, says) =>
  text({ font: small }, x, above + 0.7 * em, { class: "title" }, says);

function heading({ cells, shows }, { bare }) {
  const many = `${cells.length} cells`;
  if (shows !== "gradient") return bare ? many : `the memory, ${many}`;
  return bare
    ? "filled: to fall; framed: to rise"
    : `${many}; filled: score to fall, framed: to rise`;
}

/** The letters of a cell, each in the middle of its place. */
const letters = ({ line, start }, says, at, attributes) =>
  svg(
    "text",
    {
      x: [...says].map((_, i) => (at.left + (start + i + 0.5) * at.column).toFixed(1)).join(" "),
      y: (at.y(line) + at.row / 2 + 0.35 * at.font).toFixed(1),
      "font-size": at.font,
      ...attributes,
    },
    says.replaceAll(" ", "\u00a0"), // a blank at the start would be dropped, and its place with it
  );

const tile = ({ x, y, width, height }, attributes) =>
  rect(x.toFixed(2), y.toFixed(2), Math.max(width, 1).toFixed(2), height.toFixed(2), attributes);

/** Darkness of a share, which a small one must not be without. */
const dark = (share) => Math.sqrt(clamp(share, 0, 1));

function weighed({ weights }, at, cell, i, box) {
  const shade = dark(weights[i]);
  return [
    tile(box, { class: "cell" }),
    tile(box, { class: "weight", "fill-opacity": shade.toFixed(3) }),
    letters(cell, cell.text, at, { class: shade > 0.55 ? "strong" : null }),
  ];
}

/** A score that is to fall has its cell filled, one that is to rise a frame. */
function pulled({ onScores }, at, cell, i, box) {
  const shade = dark(Math.abs(onScores[i]) / LARGE);
  const falls = onScores[i] > 0;
  const inset = Math.min(1.5, box.width / 6);
  const frame = {
    x: box.x + inset,
    y: box.y + inset,
    width: box.width - 2 * inset,
    height: box.height - 2 * inset,
  };
  return [
    tile(box, { class: "cell" }),
    falls
      ? tile(box, { class: "falls", "fill-opacity": shade.toFixed(3) })
      : tile(frame, {
          class: "rises",
          "stroke-width": 2 * inset,
          "stroke-opacity": shade.toFixed(3),
        }),
    letters(cell, cell.text, at, { class: falls && shade > 0.75 ? "strong" : null }),
  ];
}

function overwritten({ weights, width }, at, cell, i, box) {
  const own = 1 - weights[i];
  const thick = 0.13 * at.row;
  const foot = { ...box, y: box.y + box.height - thick, height: thick };
  return [
    tile(box, { class: "cell" }),
    tile({ ...foot, width: own * foot.width }, { class: "own" }),
    letters(cell, cell.text, at, { opacity: own.toFixed(3) }),
    weights[i] > 0.02 &&
      letters(cell, NOTE.slice(0, Math.min(width, LONGEST - cell.start)), at, {
        class: "note",
        opacity: weights[i].toFixed(3),
      }),
  ];
}

// ---- to the right: what the cells of a line have together

const OF_A_LINE = {
  weights: { called: "weight", short: "weight", values: ({ weights }) => weights },
  gradient: {
    called: "gradient on the scores",
    short: "grad.",
    values: ({ onScores }) => onScores,
  },
  write: {
    called: "still its own",
    short: "own",
    values: ({ cells, weights }) =>
      cells.map(({ line, text }, i) => ((1 - weights[i]) * text.length) / LINES[line].length),
  },
};

function lines(now, at) {
  const { called, short, values } = OF_A_LINE[now.shows];
  const { x0, x1 } = at.bar;
  const signed = now.shows === "gradient";
  const scale = linear(signed ? [-LARGE, LARGE] : [0, 1], [x0, x1]);
  const zero = scale(0);
  return [
    title(at, x0, at.bare ? short : called),
    byLine(now.cells, values(now)).map((value, l) => {
      const [y, high] = [at.y(l) + 0.22 * at.row, 0.56 * at.row];
      const end = clamp(scale(value), x0, x1);
      return [
        rect(x0, y, x1 - x0, high, { class: "trough" }),
        rect(Math.min(zero, end), y, Math.abs(end - zero), high, { class: `bar ${now.shows}` }),
        !at.bare &&
          text(at, x1 + 0.5 * at.em, y + high / 2, { class: "number" }, brief(value, signed)),
      ];
    }),
    signed && svg("path", { class: "zero", d: `M${zero} ${at.top}V${at.low}` }),
  ];
}

const brief = (value, signed) =>
  signed ? (Math.abs(value) < 5e-4 ? "0" : format(value, 3)) : format(shortly(value), 2);
/** A small share is 0.00, not 3e-5. */
const shortly = (value) => Math.round(100 * value) / 100;

// ---- beneath: what is read, at each place the letters that have a share, each as high as it is

function reading({ read, shows }, at) {
  const { y, high, column } = at.logo;
  const size = Math.max(column / 0.62, at.least);
  const called = shows === "write" ? "what is read after writing" : "what is read";
  return [
    title({ ...at, above: y - 1.4 * at.em }, 0, called),
    svg("path", { class: "ground", d: `M0 ${y + high}H${column * places(read).length}` }),
    places(read).map((shares, p) => {
      const order = [...shares.keys()].sort((a, b) => shares[b] - shares[a]);
      let foot = y + high;
      return order.map((letter) => {
        const share = shares[letter] / Math.max(1, sum(shares));
        const bottom = foot;
        foot -= share * high;
        if (!letter || share < 0.03) return null;
        const tall = (0.94 * share * high) / (CAPITAL * size);
        return svg(
          "text",
          {
            class: "read",
            "font-size": size.toFixed(1),
            transform: `translate(${((p + 0.5) * column).toFixed(1)} ${bottom.toFixed(1)}) scale(1 ${tall.toFixed(3)})`,
            "fill-opacity": (0.35 + 0.65 * share).toFixed(2),
          },
          LETTERS[letter].toUpperCase(),
        );
      });
    }),
  ];
}
