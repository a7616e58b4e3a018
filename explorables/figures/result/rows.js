// Estimates by category: rows with a name, an interval on a line, and a number. They are HTML, so that
// words wrap, can be found and copied, and are as large on a phone as in the text.
import { html, redraw, set } from "../../lib/dom.js";
import { roving } from "../../lib/roving.js";
import { clamp } from "../../lib/scales.js";
import {
  axisWords,
  guessed,
  parts,
  scaleOf,
  sentence,
  short,
  snap,
  ticksOf,
  typed,
  untyped,
} from "./math.js";
import { toldLine } from "./told.js";

const NARROW = 26; // ems below which a name stands above its line
const MOST = 14; // rows of a column on a slide, of which its other words leave so many ems:
const WORDS = 5;
/** Keep "α = 0.9" on one line. */
const unbroken = (words) => words.replaceAll(" = ", "\u00a0=\u00a0");
const percent = (value) => `${value.toFixed(2)}%`;

/** The chart. `guessing` has the reader's guesses; see view.js. */
export function rowChart(data, guessing) {
  const [part] = parts(data);
  const at = scaleOf(part, [0, 100]);
  const groups = [...new Set(data.rows.map(({ group }) => group ?? ""))];
  const look = { part, at, groups, ticks: ticksOf(part) };
  const told = toldLine(data, "Bars", "Choose a row to read it as a sentence.");
  const blocks = html("div", { class: "blocks" });
  const node = html("div", { class: "chart" }, blocks, told.node);
  let [drawn, chosen] = [[], null];
  function choose(id) {
    chosen = id ?? null;
    for (const one of drawn) one.node.classList.toggle("is-at", one.id === chosen);
    const one = drawn.find(({ id }) => id === chosen);
    for (const other of drawn) set(other.node, { tabindex: other.open ? -1 : null });
    set(one?.node ?? drawn.find(({ open }) => open)?.node ?? node, { tabindex: 0 });
    const below = one && node.classList.contains("is-narrow") ? one.node : told.node;
    told.tell(one && sentence(one.id, one.point, part), below);
  }
  roving(blocks, choose);
  const hover = ({ target, pointerType }) =>
    pointerType === "mouse" && choose(target.closest?.("[data-node]")?.dataset.node);
  blocks.addEventListener("pointerover", hover);
  blocks.addEventListener("pointerleave", hover);
  return {
    node,
    focus: (options) => blocks.querySelector("input")?.focus(options),
    draw({ width, em, room }) {
      const narrow = width < NARROW * em;
      node.classList.toggle("is-narrow", narrow);
      told.fit(
        part.points.map(([id, point]) => sentence(id, point, part)),
        { width, em },
      );
      drawn = part.points.map(([id, point]) => entry(id, point, { look, guessing }));
      const slide = room < Infinity && !narrow;
      const columns = slide ? Math.ceil(lines(data.rows) / MOST) : 1;
      const style = widths(data.rows, part, columns, slide);
      set(node, { style: slide ? `${style};${height(data.rows, columns, room)}` : style });
      redraw(
        blocks,
        chunks(data.rows, columns).map((some) => block(some, data, drawn, look)),
      );
      choose(drawn.some(({ id, open }) => open && id === chosen) ? chosen : null);
    },
  };
}

/** How many lines rows and their headings take. */
const lines = (rows) => rows.length + new Set(rows.map(({ under }) => under).filter(Boolean)).size;

/** The indices of the rows of each column; rows below one heading stay together. */
function chunks(rows, columns) {
  const least = Math.ceil(lines(rows) / columns);
  const all = [[]];
  rows.forEach((row, i) => {
    const begins = !row.under || row.under !== rows[i - 1]?.under;
    const full = lines(all.at(-1).map((k) => rows[k])) >= least - Boolean(row.under);
    if (begins && full && all.length < columns) all.push([]);
    all.at(-1).push(i);
  });
  return all;
}

/** Widths of the columns of names and numbers, in ems, for the longest of them. */
function widths(rows, part, columns, slide) {
  const longest = (texts) => Math.max(...texts.map(({ length }) => length));
  const names = clamp(
    0.53 * longest(rows.map(({ label }) => label)),
    4,
    columns > 1 ? 9 : slide ? 20 : 14,
  );
  const numbers = 0.62 * longest(part.points.map(([, point]) => short(point, part))) + 0.6;
  return `--names:${names.toFixed(1)}em;--numbers:${Math.max(numbers, 3).toFixed(1)}em`;
}

/** The height of a row on a slide, so that all of them fit. */
const height = (rows, columns, room) =>
  `--row:${clamp((columns * (room - WORDS)) / lines(rows), 1.1, 1.9).toFixed(2)}em`;

/** Rows with their headings, and an axis below. */
function block(indices, { rows }, drawn, { part, at, ticks }) {
  const line = (name, ...track) =>
    html(
      "div",
      { class: `entry ${name}`, "aria-hidden": "true" },
      html("div", { class: "track" }, track),
    );
  const named = part.marks.map(([value, name]) => placed("span", "mark-name", at(value), name));
  const numbers = ticks.map(([value, text]) => placed("span", "tick", at(value), text));
  return html(
    "div",
    { class: "block" },
    named.length > 0 && line("names", named),
    html(
      "ul",
      { class: "entries", role: "list" },
      indices.map((i, k) => [
        rows[i].under &&
          (k === 0 || rows[i].under !== rows[i - 1].under) &&
          html("li", { class: "under" }, rows[i].under),
        drawn[i].node,
      ]),
    ),
    line("axis", numbers),
    html("p", { class: "measure" }, axisWords(part)),
  );
}

/** Something at a place of the line, which shifts by as much as it is along the line. */
const placed = (tag, name, place, ...words) =>
  html(tag, { class: name, style: `left:${percent(place)};--at:-${percent(place)}` }, words);

/** A row. While it is asked about, the reader's guess stands in place of the estimate. */
function entry(id, point, { look: { part, at, groups, ticks }, guessing }) {
  const { open: told, labels, made } = guessing;
  const asked = labels.includes(id);
  const open = told || !asked;
  const number = html("span", { class: "number" });
  const track = html(
    "div",
    { class: "track", "aria-hidden": "true" },
    ticks.map(([value]) => html("i", { class: "rule", style: `left:${percent(at(value))}` })),
    part.marks.map(([value]) =>
      html("i", { class: "compared", style: `left:${percent(at(value))}` }),
    ),
  );
  const node = html(
    "li",
    {
      class: `entry look-${groups.indexOf(point.group ?? "") % 3}${asked ? " is-asked" : ""}`,
      ...(open && { "data-node": id, tabindex: -1 }),
    },
    html("span", { class: "name" }, unbroken(point.label)),
    track,
    number,
  );
  if (!open) askIn(track, number, { id, point, part, at, guessing });
  else {
    const [left, right] = [at(point.low), at(point.high)];
    track.append(
      html("i", {
        class: "bar uf-fill",
        style: `left:${percent(left)};width:${percent(right - left)}`,
      }),
      html("i", { class: "dot uf-fill", style: `left:${percent(at(point.value))}` }),
    );
    number.append(short(point, part));
    number.append(html("span", { class: "uf-hidden" }, rest(point, part)));
    if (asked && made.has(id)) compare(track, number, made.get(id), { point, part, at });
  }
  return { id, point, node, open };
}

/** What a sentence about a row adds to its name and its number. */
const rest = (point, part) =>
  sentence("", point, part).split(short(point, part)).slice(1).join(short(point, part));

/** Show a guess beside the result. */
function compare(track, number, guess, { point, part, at }) {
  const [from, to] = [at(guess), at(point.value)].sort((a, b) => a - b);
  track.append(
    html("i", { class: "gap", style: `left:${percent(from)};width:${percent(to - from)}` }),
    html("i", { class: "guess uf-fill", style: `left:${percent(at(guess))}` }),
  );
  number.append(html("small", {}, `you: ${short(guessed(guess, point), part)}`));
}

/** A marker to drag along the line, and a field for the same number. */
function askIn(track, number, { id, point, part, at, guessing }) {
  const { count } = point;
  const steps = count?.[1] ?? (part.share ? 100 : 200);
  const unit = count ? `of ${count[1]}` : part.share ? "%" : "";
  const take = (value) => {
    guessing.take(id, value);
    follow();
  };
  const dragged = () => take(snap(at.invert((100 * Number(slider.value)) / steps), point, part));
  const slider = html("input", {
    type: "range",
    min: 0,
    max: steps,
    "aria-label": `your guess for ${id}`,
    oninput: dragged,
    // A click or Enter at the place where the marker already is doesn't change it, but is a guess.
    onclick: dragged,
    onkeydown: ({ key }) => key === "Enter" && dragged(),
  });
  const field = html("input", {
    type: "number",
    step: "any",
    "aria-label": `your guess for ${id}, ${unit}`,
    oninput: () =>
      take(field.value === "" ? Number.NaN : untyped(field.valueAsNumber, point, part)),
  });
  slider.value = steps / 2;
  function follow() {
    const guess = guessing.made.get(id);
    slider.dataset.empty = guess === undefined;
    set(slider, {
      "aria-valuetext": guess === undefined ? "no guess yet" : short(guessed(guess, point), part),
    });
    if (guess === undefined) return;
    slider.value = (at(guess) / 100) * steps;
    if (field !== document.activeElement) field.value = typed(guess, point, part);
  }
  set(track, { "aria-hidden": null });
  track.append(slider);
  number.append(field, html("span", {}, unit));
  follow();
}
