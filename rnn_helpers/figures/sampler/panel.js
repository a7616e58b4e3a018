// How the selected character was chosen: the most likely ones, before and after the temperature.
import { html, set, setSize, svg, text } from "../lib/dom.js";
import { clamp, percent } from "../lib/scales.js";
import { rect } from "../lib/shapes.js";
import { short } from "./lane.js";
import { character, ranked, tempered } from "./math.js";

const SHOWN = 9; // characters that have their own bars

const part = (share) => (share < 0.005 && share ? "under 1\u00a0%" : percent(share));
const sign = (token) => ({ " ": "␣", "\n": "↵" })[character(token)] ?? character(token);
const named = (token) =>
  ({ " ": "a space", "\n": "end of line" })[character(token)] ?? `“${character(token)}”`;

/** Build the panel; `update(now, size)` shows how the selected character was chosen. */
export function panel() {
  const bars = svg("g");
  const drawing = svg("svg", { class: "uf-drawing", role: "img" }, bars);
  const title = html("p", { class: "title" });
  return {
    title,
    area: html("div", { class: "area" }, drawing),
    update(now, size) {
      const { written } = now[now.lane];
      const at = Math.min(now.at, written.length);
      const one = { ...written[at - 1], heat: now.lane === "drawn" ? now.temperature : 0 };
      title.replaceChildren(html("b", {}, `Character ${at}: `), ...sentences(one));
      set(drawing, { "aria-label": title.textContent });
      bars.replaceChildren(...picture(one, size, drawing));
    },
  };
}

function sentences({ token, yhat, heat }) {
  const first = `${named(token)} has ${part(yhat[token])}, all others together ${part(1 - yhat[token])}. `;
  if (!heat) return [first, "It is the most likely, so it is chosen."];
  if (heat === 1) return [first, "It is drawn."];
  const after = part(tempered(yhat, heat)[token]);
  return [first, `At temperature ${short(heat)} it has ${after}. It is drawn.`];
}

/** Draw a bar for each of the most likely characters, and below them the line that contains u. */
function picture({ token, u, yhat, heat }, { width, em, room }, drawing) {
  const onSlide = Number.isFinite(room);
  const at = { em, font: onSlide ? 0.9 * em : Math.max(0.8 * em, 12) };
  const high = (onSlide ? room - 10.8 : 11) * em;
  setSize(drawing, width, high);
  Object.assign(at, { left: 1, right: width - 1, top: 2.7 * em, floor: high - 5.6 * em });
  const rows = rowsOf(yhat, tempered(yhat, heat), token);
  return [
    svg("path", { class: "axis", d: `M${at.left} ${at.floor}H${at.right}` }),
    ...key(heat, at),
    ...columns(rows, at),
    ...strip(rows, heat ? u : null, at, high - 1.9 * em),
  ];
}

/** List the bars: the most likely characters, and all others together. */
function rowsOf(yhat, likely, token) {
  const order = ranked(yhat);
  const others = order.slice(SHOWN);
  const sum = (of) => others.reduce((p, i) => p + of[i], 0);
  return [
    ...order.slice(0, SHOWN).map((i) => ({
      label: sign(i),
      before: yhat[i],
      after: likely[i],
      held: i === token,
    })),
    { label: "others", before: sum(yhat), after: sum(likely), held: others.includes(token) },
  ];
}

function columns(rows, at) {
  const { em, left, right, top, floor } = at;
  const word = 3 * at.font; // the last column's
  const each = Math.min((right - left) / (SHOWN + 1.6), (right - left - word) / SHOWN);
  const half = Math.min(0.36 * each, 1.2 * em);
  const most = Math.max(0.3, ...rows.flatMap(({ before, after }) => [before, after]));
  const y = (share) => floor - (share / most) * (floor - top);
  return rows
    .flatMap(({ label, before, after, held }, i) => {
      const x = i < SHOWN ? left + (i + 0.5) * each : right - Math.max(0.8 * each, word / 2);
      const above = y(Math.max(before, after)) - 0.65 * em;
      return [
        rect(x, y(after), half, floor - y(after), { class: "after" }),
        rect(x - half, y(before), half, floor - y(before), { class: "before" }),
        held &&
          rect(x - half - 3, floor + 0.25 * em, 2 * half + 6, 1.5 * em, { class: "chosen", rx: 4 }),
        text(at, x, floor + em, { class: "sign" }, label),
        after >= 0.005 && text(at, x, above, { class: "share" }, Math.round(100 * after)),
      ];
    })
    .filter(Boolean);
}

/** Draw the probabilities end to end, and a mark at u if the character was sampled. */
function strip(rows, u, at, y) {
  const { em, left, right } = at;
  const height = 1.5 * em;
  const x = (share) => left + share * (right - left);
  let below = 0;
  const pieces = rows.flatMap(({ after, label, held }) => {
    const from = x(below);
    below += after;
    const wide = x(below) - from;
    if (wide < 0.5) return [];
    return [
      rect(from, y, wide, height, { class: held ? "piece held" : "piece" }),
      wide > 1.1 * em * Math.max(1, label.length * 0.55) &&
        text(at, (from + x(below)) / 2, y + height / 2, { class: "sign" }, label),
    ];
  });
  if (u === null)
    pieces.push(text(at, left, y - em, { class: "start" }, "the first gets everything"));
  else {
    const [dart, middle] = [x(u), clamp(x(u), 3.2 * em, right + 1 - 3.2 * em)];
    const [from, to] = [Math.max(left, dart - 0.4 * em), Math.min(right, dart + 0.4 * em)];
    pieces.push(
      svg("path", { class: "dart", d: `M${dart} ${y + 2}L${from} ${y + 2 - 0.8 * em}H${to}z` }),
      text(at, middle, y - 1.4 * em, { class: "share" }, `u = ${u.toFixed(3)}`),
    );
  }
  return pieces.filter(Boolean);
}

/** Draw the key of the two kinds of bars. */
const key = (heat, { em, font }) =>
  ["temperature 1", short(heat)].map((words, i) => {
    const x = i ? 2.4 * em + 6.6 * font : 1;
    return svg(
      "g",
      {},
      rect(x, 0.3 * em, 0.9 * em, 0.8 * em, { class: i ? "after" : "before" }),
      text({ font }, x + 1.4 * em, 0.7 * em, { class: "key" }, words),
    );
  });
