// Estimates by category: rows with a name, an interval on a line, and a number. They are HTML, so that
// words wrap, can be found and copied, and are as large on a phone as in the text.
import { html, redraw, set } from "../lib/dom.js";
import { roving } from "../lib/roving.js";
import { guessField } from "./field.js";
import { arranged } from "./layout.js";
import {
  after,
  axisWords,
  guessed,
  parts,
  scaleOf,
  sentence,
  short,
  snap,
  ticksOf,
} from "./math.js";
import { toldLine } from "./told.js";

const LOOKS = 3; // groups that look different
const NARROW = 26; // ems below which a name stands above its line
/** Keep "α = 0.9" on one line. */
const unbroken = (words) => words.replaceAll(" = ", "\u00a0=\u00a0");
const percent = (value) => `${value.toFixed(2)}%`;

/** The chart. `guessing` has the reader's guesses; see view.js. */
export function rowChart(data, guessing) {
  const [part] = parts(data);
  const names = [...new Set(data.rows.map(({ group }) => group ?? ""))];
  const groups = names.length > LOOKS ? [] : names;
  const told = toldLine(data, "Bars", "Choose a row to read it as a sentence.");
  const blocks = html("div", { class: "blocks" });
  const words = html("p", { class: "measure" }, axisWords(part));
  const node = html("div", { class: "chart" }, blocks, words, told.node);
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
      const now = { ...part, open: guessing.open };
      const { columns, style } = arranged(now, { slide: room < Infinity && !narrow, room });
      const at = scaleOf(now, [0, 100]);
      const look = { part, at, groups, ticks: ticksOf(now, columns.length > 1 ? 2 : 5) };
      const drawnIn = (items) => items.map((item) => entry(item, { look, guessing }));
      const blocksOf = columns.map(drawnIn);
      drawn = blocksOf.flat();
      node.classList.toggle("is-narrow", narrow);
      node.classList.toggle("is-parted", columns.length > 1);
      set(node, { style: `${style};--rules:${rules(look)}` });
      told.fit(
        part.points.map(([id, point]) => sentence(id, point, part)),
        { width, em },
      );
      redraw(
        blocks,
        blocksOf.map((items) => block(items, look)),
      );
      choose(drawn.some(({ id, open }) => open && id === chosen) ? chosen : null);
    },
  };
}

/** Vertical lines at the ticks, as a background, because each row has all of them. */
const rules = ({ at, ticks }) =>
  ticks
    .map(
      ([value]) => `linear-gradient(var(--uf-grid) 0 0) ${percent(at(value))} 0/1px 100% no-repeat`,
    )
    .join();

/** Rows with their headings, and an axis below. */
function block(items, { part, at, ticks }) {
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
      items.map(({ under, node }, i) => [
        under && under !== items[i - 1]?.under && html("li", { class: "under" }, under),
        node,
      ]),
    ),
    line("axis", numbers),
  );
}

/** Something at a place of the line, which shifts by as much as it is along the line. */
const placed = (tag, name, place, ...words) =>
  html(tag, { class: name, style: `left:${percent(place)};--at:-${percent(place)}` }, words);

/** A row. While it is asked about, the reader's guess stands in place of the estimate. */
function entry(item, { look: { part, at, groups }, guessing }) {
  const { id, point } = item;
  const { open: told, labels, made } = guessing;
  const asked = labels.includes(id);
  const open = told || !asked;
  const number = html("span", { class: "number" });
  const track = html(
    "div",
    { class: "track", "aria-hidden": "true" },
    part.marks.map(([value]) =>
      html("i", { class: "compared", style: `left:${percent(at(value))}` }),
    ),
  );
  const node = html(
    "li",
    {
      class: `entry look-${Math.max(groups.indexOf(point.group ?? ""), 0)}${asked ? " is-asked" : ""}`,
      ...(open && { "data-node": id, tabindex: -1 }),
    },
    html("span", { class: "name" }, unbroken(item.name)),
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
    number.append(html("span", { class: "uf-hidden" }, after(point, part)));
    if (asked && made.has(id)) compare(track, number, made.get(id), { point, part, at });
  }
  return { ...item, node, open };
}

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
  const label = `your guess for ${id}`;
  const typing = { key: id, label, point, part, guessing, follow };
  const { field, unit, words, take, refresh } = guessField(typing);
  const steps = point.count?.[1] ?? (part.share ? 100 : 200);
  const dragged = () => take(snap(at.invert((100 * Number(slider.value)) / steps), point, part));
  const slider = html("input", {
    type: "range",
    min: 0,
    max: steps,
    "aria-label": label,
    oninput: dragged,
    // A click or Enter at the place where the marker already is doesn't change it, but is a guess.
    onclick: dragged,
    onkeydown: ({ key }) => key === "Enter" && dragged(),
  });
  slider.value = steps / 2;
  function follow(guess) {
    slider.dataset.empty = guess === undefined;
    set(slider, { "aria-valuetext": words() });
    if (guess !== undefined) slider.value = (at(guess) / 100) * steps;
  }
  set(track, { "aria-hidden": null });
  track.append(slider);
  number.append(field, html("span", {}, unit));
  refresh();
}
