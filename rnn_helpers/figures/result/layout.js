// How rows are arranged: in one column, or on a slide in as many as have room.
import { clamp } from "../lib/scales.js";
import { short } from "./math.js";

const MOST = 15; // lines of a column on a slide
const TALLER = 0.8; // ems by which a row with a marker is higher
const WORDS = 5.4; // ems of height that other words take on a slide

/** How many lines items and their headings take. */
const lines = (items) =>
  items.filter(({ under }, i) => under && under !== items[i - 1]?.under).length + items.length;

/** Divide items between two columns. Those below one heading stay together. */
function halves(items) {
  const begins = items
    .map((_, i) => i)
    .filter((i) => i > 0 && (!items[i].under || items[i].under !== items[i - 1].under));
  const tallest = (i) => Math.max(lines(items.slice(0, i)), lines(items.slice(i)));
  const best = begins.reduce((a, b) => (tallest(b) < tallest(a) ? b : a));
  return [items.slice(0, best), items.slice(best)];
}

/** The items of each column: the estimates of a part with their names, ids and headings. */
function columnsOf(items, slide) {
  if (!slide || lines(items) <= MOST) return [items];
  const columns = halves(items);
  if (columns.every((some) => lines(some) <= MOST)) return columns;
  return halves(items.map(({ under, ...item }) => ({ ...item, name: item.id })));
}

/** The columns, and the widths of names and numbers and the height of a row, as a style. */
export function arranged({ points, marks, ask, open }, { slide, room }) {
  const items = points.map(([id, point]) => ({ id, point, name: point.label, under: point.under }));
  const columns = columnsOf(items, slide);
  const longest = (texts) => Math.max(...texts.map(({ length }) => length));
  const most = columns.length > 1 ? 11 : slide ? 20 : 16;
  const names = clamp(0.58 * longest(columns.flat().map(({ name }) => name)), 4, most);
  const numbers = Math.max(0.62 * longest(points.map(([, point]) => short(point, {}))) + 0.6, 3);
  const guesses = open ? 0 : (ask?.labels.length ?? 0);
  const left = room - WORDS - (marks.length ? 1.3 : 0) - TALLER * guesses;
  const wraps = ({ name }) => 0.58 * name.length > names;
  const tallest = Math.max(...columns.map((some) => lines(some) + some.filter(wraps).length));
  const row = clamp(left / tallest, 0.94, 1.9);
  const style = `--names:${names.toFixed(1)}em;--numbers:${numbers.toFixed(1)}em`;
  return { columns, style: slide ? `${style};--row:${row.toFixed(2)}em` : style };
}
