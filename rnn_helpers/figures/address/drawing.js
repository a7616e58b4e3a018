// The memory, with cells as dark as their weights; a bar for each line; and the reading.
import { italic, svg, text } from "../lib/dom.js";
import { clamp, rounded } from "../lib/scales.js";
import { rect } from "../lib/shapes.js";
import { sum } from "../lib/vectors.js";
import { byLine, LETTERS, LINES, LONGEST, places, VERSE } from "./math.js";

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
    ...{ column, row, wide, top, low, y, logo },
    bar: { x0, x1: Math.min(width, x0 + number + 16 * em) - number },
    right: Math.min(width, x0 + 24 * em) - 1,
    lineAt: (at) => {
      const middles = LINES.map((_, line) => Math.abs(y(line) + row / 2 - at));
      return middles.indexOf(Math.min(...middles));
    },
    ground: { x: 0, y: top, width: wide, height: low - top },
    height: logo.y + logo.high + 0.4 * em,
  };
}

/** Return the box of a cell. */
const boxOf = ({ line, start, text }, { left, column, row, y }) => ({
  x: left + start * column,
  y: y(line),
  width: text.length * column,
  height: row,
});

/** Return the frame around the selected cell. */
export function around(cell, at) {
  const { x, y, width, height } = boxOf(cell, at);
  return { x: x - 1, y: y - 1, width: width + 2, height: height + 2, rx: 3 };
}

export function picture(now, at) {
  const { cells, weights } = now;
  const many = `${cells.length} cells`;
  return [
    title(at, 0, at.bare ? many : `the memory, ${many}`),
    cells.map((cell, i) => {
      const { x, y, width, height } = boxOf(cell, at);
      const thin = cell.text.length * at.column < 12 ? 0.5 : 1;
      const box = { x: x + thin / 2, y: y + 0.5, width: width - thin, height: height - 1 };
      const shade = Math.sqrt(clamp(weights[i], 0, 1)); // a small weight can be seen, too
      return [
        tile(box, { class: "cell" }),
        tile(box, { class: "weight", "fill-opacity": shade.toFixed(3) }),
        letters(cell, at, { class: shade > 0.55 ? "strong" : null }),
      ];
    }),
    now.part === "place" ? steps(now, at) : lines(now, at),
    reading(now, at),
  ];
}

const title = ({ em, small, above = 0 }, x, says) =>
  text({ font: small }, x, above + 0.7 * em, { class: "title" }, says);

/** Draw the letters of a cell, each in the middle of its place. */
const letters = ({ line, start, text: says }, at, attributes) =>
  svg(
    "text",
    {
      x: [...says].map((_, i) => (at.left + (start + i + 0.5) * at.column).toFixed(1)).join(" "),
      y: (at.y(line) + at.row / 2 + 0.35 * at.font).toFixed(1),
      "font-size": at.font,
      ...attributes,
    },
    says.replaceAll(" ", "\u00a0"), // SVG would drop a blank at the start
  );

const tile = ({ x, y, width, height }, attributes) =>
  rect(x.toFixed(2), y.toFixed(2), Math.max(width, 1).toFixed(2), height.toFixed(2), attributes);

// ---- to the right: the sum of the weights of each line

function lines({ cells, weights, part }, at) {
  const { x0, x1 } = at.bar;
  const called = part === "find" ? "share of the reading" : "weight of the whole line";
  return [
    title(at, x0, at.bare ? called.split(" ")[0] : called),
    byLine(cells, weights).map((value, l) => {
      const [y, high] = [at.y(l) + 0.22 * at.row, 0.56 * at.row];
      return [
        rect(x0, y, x1 - x0, high, { class: "trough" }),
        rect(x0, y, clamp(value, 0, 1) * (x1 - x0), high, { class: "bar" }),
        !at.bare && text(at, x1 + 0.5 * at.em, y + high / 2, { class: "number" }, rounded(value)),
      ];
    }),
  ];
}

/** The steps from a key to the weights: the name of each, the letter that sets it, and its weights. */
const STEPS = [
  ["content", "k", "found"],
  ["gate", "g", "gated"],
  ["shift", "s", "moved"],
  ["sharpen", "γ", "weights"],
];

/** Draw a column of bars for each step. */
function steps(now, at) {
  const { em, row } = at;
  const [x0, gap] = [at.bar.x0, (at.bare ? 0.25 : 0.7) * em];
  const wide = (at.right - x0 + gap) / STEPS.length - gap;
  return STEPS.map(([name, letter, key], i) => {
    const x = x0 + i * (wide + gap);
    return [
      title(at, x, at.bare ? italic(letter) : name),
      byLine(now.cells, now[key]).map((value, l) => {
        const unused = key === "found" && now.t && !now.gate; // the gate lets nothing of it pass
        const box = [at.y(l) + 0.22 * row, 0.56 * row];
        return [
          rect(x, box[0], wide, box[1], { class: "trough" }),
          rect(x, box[0], clamp(value, 0, 1) * wide, box[1], {
            class: unused ? "bar unused" : "bar",
          }),
        ];
      }),
    ];
  });
}

// ---- below: the reading, each letter as high as its share

function reading({ read }, at) {
  const { y, high, column } = at.logo;
  const size = Math.max(column / 0.62, at.least);
  return [
    title({ ...at, above: y - 1.4 * at.em }, 0, "the reading"),
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
