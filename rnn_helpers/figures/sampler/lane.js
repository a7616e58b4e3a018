// One text: its characters, with the rounds of a cycle marked, and a summary.
import { button } from "../lib/controls.js";
import { html, set } from "../lib/dom.js";
import { clamp, counted } from "../lib/scales.js";
import { AHEAD, character, unlikely } from "./math.js";

const LONG = 4; // characters of the shortest round that gets its own mark

/** Format a temperature. */
export const short = (heat) => String(Math.round(100 * heat) / 100);
const many = (token) =>
  ({ " ": "spaces", "\n": "ends of lines" })[character(token)] ?? `“${character(token)}”`;

/**
 * Build one of the two texts; `choose(state)` selects the character that was pressed. `update` returns
 * a function that measures the text, which in turn returns one that scrolls it.
 */
export function lane(name, choose) {
  const head = button("", () => choose({ lane: name }));
  const written = html("div", {
    class: "written",
    role: "region",
    tabindex: 0,
    onclick({ target }) {
      const at = target.closest("[data-at]")?.dataset.at;
      if (at) choose({ lane: name, at: Number(at) });
    },
  });
  const readout = html("p", { class: "readout" });
  const letters = lettersIn(written);
  return {
    node: html("div", { class: `lane ${name}` }, head, written, readout),
    update(now, { room }) {
      const heat = name === "drawn" ? now.temperature : 0;
      const writer = now[name];
      head.textContent =
        name === "drawn" ? `at temperature ${short(heat)}` : "always the most likely";
      head.setAttribute("aria-pressed", String(name === now.lane));
      set(written, { "aria-label": `written, ${head.textContent}` });
      const shown = letters(writer, now.prompt, Math.min(now.at, writer.written.length));
      written.classList.toggle("looked", name === now.lane);
      written.classList.toggle("cycling", cycling(writer.round, now.at));
      readout.replaceChildren(...summary(writer.written.slice(0, now.at), writer, heat));
      return () => scrolling(written, shown, Number.isFinite(room));
    },
  };
}

/** Return a function that shows the first characters of a text in `node`, after the prompt. */
function lettersIn(node) {
  let [writer, round, letters, into] = [null, null, [], node];
  function add({ token }, i) {
    const since = round ? i - round.before : -1;
    if (since === 0 || (since > 0 && round.length >= LONG && since % round.length === 0)) {
      const odd = Math.floor(since / round.length) % 2 ? "odd" : "even";
      into = html("span", { class: `round ${odd}` });
      node.append(into);
    }
    const shown = character(token);
    const dot = shown === " " && since >= 0 && round.length < LONG;
    const letter = html("span", { "data-at": i + 1, class: dot ? "dot" : null }, dot ? "·" : shown);
    letters.push(letter);
    into.append(letter);
  }
  return (now, prompt, at) => {
    if (writer !== now || round !== now.round) {
      [writer, round, letters, into] = [now, now.round, [], node];
      node.replaceChildren(html("span", { class: "prompt" }, prompt));
    }
    for (let i = letters.length; i < at; i++) add(now.written[i], i);
    letters.forEach((letter, i) => {
      letter.hidden = i >= at;
      letter.classList.toggle("held", i === at - 1);
    });
    node.querySelectorAll(".round").forEach((part) => (part.hidden = part.firstChild.hidden));
    return [node.firstChild, ...letters].filter((part) => !part.hidden);
  };
}

/** Measure, and return a function that scrolls by whole lines. On a slide, lines above are hidden. */
function scrolling(node, shown, onSlide) {
  const cursor = shown.at(-1);
  const line = parseFloat(getComputedStyle(node).lineHeight);
  const row = Math.floor((cursor.offsetTop + cursor.offsetHeight / 2) / line);
  const rows = Math.round(node.clientHeight / line);
  const first = Math.round(node.scrollTop / line);
  const top = line * clamp(first, row - rows + 1, row);
  const gone = onSlide
    ? shown.map((part) => part.offsetTop + part.offsetHeight <= top + line / 2)
    : [];
  return () => {
    node.scrollTop = top;
    gone.forEach((above, i) => shown[i].classList.toggle("gone", above));
  };
}

/** Whether a cycle has run twice within the first `at` characters. */
const cycling = (round, at) => Boolean(round) && at >= round.before + 2 * round.length;

function summary(written, { written: all, round, back }, heat) {
  if (heat) return [`Not the most likely: ${unlikely(written)} of ${written.length}.`];
  if (round === null) return [`There is no cycle in ${AHEAD} characters.`];
  if (!cycling(round, written.length)) return [];
  const { before, length } = round;
  const same =
    length > 1 ? `the same ${length} again and again` : `nothing but ${many(all[before].token)}`;
  const state =
    back === null
      ? ""
      : ` From character ${back} on, its state repeats too, so it can't leave the cycle.`;
  return [
    `${before ? `After ${counted(before, "character")}` : "From the start"}: ${same}.${state}`,
  ];
}
