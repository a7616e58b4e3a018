import { transport } from "../lib/controls.js";
import { html, redraw, set, svg, text } from "../lib/dom.js";
import { areaOf, fact, figure } from "../lib/figure.js";
import { roving } from "../lib/roving.js";
import { place, point, rect } from "../lib/shapes.js";
import { switches } from "../lib/switches.js";
import { upTo } from "../lib/vectors.js";
import {
  floors,
  from,
  kinds,
  known,
  needed,
  reach,
  rounds,
  ROUNDS,
  STEPS,
  turned,
} from "./math.js";
import { meta } from "./meta.js";

/** Arrows of the elevator around 0, 0: up, down, and down to the ground floor. */
const ARROWS = {
  up: "M0-0.8L0.7 0.6H-0.7Z",
  down: "M0 0.8L0.7-0.6H-0.7Z",
  ground: "M0 0.4L0.7-0.8H-0.7ZM-0.8 0.55H0.8V0.85H-0.8Z",
};
const ALL = upTo(STEPS);

export const render = figure("merge", meta, ({ model, spec, save }) => {
  const arrows = ALL.map((t) => lever(t, () => save({ moves: turned(model.get("moves"), t) })));
  const tops = svg("g");
  const area = areaOf(
    "Eight moves, the rules that merge them, and the floors",
    svg("g", { role: "group", "aria-label": "moves" }, arrows),
    tops,
  );
  const readout = html("p", { class: "rule" });
  const facts = html("div", { class: "counts" });
  const time = transport(model, "round", {
    ...spec.round,
    interval: 1600,
    text: (round) => `round ${round}`,
  });
  roving(tops, (id) => save({ at: Number(id.slice(5)) }));
  area.plot.addEventListener("click", ({ target }) => {
    const t = target.closest("[data-at]")?.dataset.at;
    if (t) save({ at: Number(t) });
  });
  return {
    parts: [area, readout, facts, [time]],
    reveal: { round: ROUNDS },
    follow: [time],
    update(state, size) {
      const { moves, round } = state;
      const now = { ...state, kinds: kinds(moves), rules: rounds(moves), floors: floors(moves) };
      now.needed = new Set(needed(state.at).map(String));
      const at = layout(size);
      area.draw(size, at, picture(now, at));
      arrows.forEach((node, i) => turn(node, i + 1, now, at));
      redraw(tops, top(now, at));
      redraw(readout, words(now));
      redraw(
        facts,
        fact(known(round).merged, `of ${STEPS} floors known`),
        fact(known(round).single, "known if no moves are merged"),
      );
      return spoken(now);
    },
  };
});

/** A move, which a click replaces by the next kind. */
function lever(t, turn) {
  const node = svg(
    "g",
    { class: "move" },
    svg("rect", { class: "target-area uf-ring" }),
    svg("path", { class: "arrow" }),
  );
  switches(node, `move ${t}`, turn);
  return set(node, { role: "button" });
}

// ---- the drawing: moves at the bottom, a row of rules for each round, and the floors at the top

function layout({ width, em, room }) {
  const slide = room < Infinity;
  const narrow = !slide && width < 30 * em;
  const left = (narrow ? 2.6 : 5) * em;
  const pitch = Math.min((width - left) / STEPS, 5.4 * em);
  const high = (slide ? 2.7 : 3.1) * em;
  const r = Math.min(1.05 * em, Math.max(0.4 * pitch, 12)); // 24 pixels for a finger
  const last = r + 0.2 * em;
  return {
    ...{ em, narrow, left, pitch, r, font: (narrow ? 0.85 : 0.95) * em },
    wide: Math.min(2.6 * em, pitch - 0.3 * em),
    box: 1.7 * em,
    x: (t) => left + (t - 0.5) * pitch,
    y: (round) => last + (ROUNDS + 1 - round) * high, // the floors are above the last round
    top: last,
    height: last + (ROUNDS + 1) * high + 1.3 * em,
  };
}

function picture(now, at) {
  const { em, x, y, top, narrow } = at;
  const name = (where, kind, words) => text(at, 0, where, { class: `name ${kind}` }, words);
  const lines = ALL.flatMap((t) =>
    upTo(ROUNDS + 1).flatMap((round) => {
      const own = { t, round, source: t };
      const other = round <= ROUNDS && t > reach(round) && { ...own, source: t - reach(round) };
      return [own, other].filter(Boolean);
    }),
  ).sort((a, b) => wanted(a, now) - wanted(b, now)); // those that stand out are on top
  return [
    rect(x(now.at) - at.pitch / 2 + 1, 0, at.pitch - 2, at.height, { class: "held", rx: 0.4 * em }),
    name(top, "output", "floor"),
    upTo(ROUNDS).map((round) => name(y(round), "state", narrow ? `r. ${round}` : `round ${round}`)),
    name(y(0), "input", "move"),
    lines.map(({ t, round, source }) =>
      svg("path", {
        class: ["line", wanted({ t, round, source }, now) && "needed"].filter(Boolean).join(" "),
        d: `M${point(x(source), y(round - 1) - (round > 1 ? 0 : 0.9 * em))}L${point(x(t), round > ROUNDS ? top + at.r : y(round) + (t > reach(round) ? at.box / 2 : 0))}`,
      }),
    ),
    ALL.flatMap((t) =>
      upTo(ROUNDS)
        .filter((round) => t > reach(round))
        .map((round) => box(t, round, now, at)),
    ),
  ];
}

/** Whether a line belongs to the tree of the chosen floor. */
const wanted = ({ t, round, source }, { at, needed }) =>
  round > ROUNDS
    ? t === at
    : needed.has(String([t, round])) && needed.has(String([source, round - 1]));

function box(t, round, { rules, round: done, needed }, at) {
  const { x, y, wide, box } = at;
  const name = ["box", round <= done && "done", needed.has(String([t, round])) && "needed"];
  return svg(
    "g",
    { class: name.filter(Boolean).join(" "), "data-at": t },
    rect(x(t) - wide / 2, y(round) - box / 2, wide, box, { rx: 0.3 * at.em }),
    round <= done && text(at, x(t), y(round), {}, written(rules[round][t - 1])),
  );
}

/** Draw a move. */
function turn(node, t, { kinds }, { em, pitch, x, y }) {
  const [area, arrow] = node.children;
  const [wide, high] = [Math.max(Math.min(pitch - 4, 2.6 * em), 24), 2.2 * em];
  set(area, { x: x(t) - wide / 2, y: y(0) - high / 2, width: wide, height: high, rx: 0.4 * em });
  place(set(arrow, { d: ARROWS[kinds[t - 1]] }), x(t), y(0), 0.68 * em);
  set(node, { "aria-label": `move ${t}: ${kinds[t - 1]}` });
}

/** The floors, question marks until they are known. */
const top = ({ at: chosen, round, floors }, at) =>
  ALL.map((t) => {
    const sure = t <= known(round).merged;
    return svg(
      "g",
      {
        class: ["top", sure && "done", t === chosen && "chosen"].filter(Boolean).join(" "),
        "data-node": `floor${t}`,
        tabindex: t === chosen ? 0 : -1,
        role: "button",
        "aria-pressed": String(t === chosen),
        "aria-label": `after move ${t}: ${sure ? `floor ${floors[t - 1]}` : "not known"}`,
      },
      svg("circle", { cx: at.x(t), cy: at.top, r: at.r }),
      text(at, at.x(t), at.top, {}, sure ? signed(floors[t - 1]) : "?"),
    );
  });

// ---- the words

const signed = (value) => String(value).replace("-", "−");

/** A rule in a box: +2, −1, ±0, or →1 if it doesn't depend on the floor before. */
const written = ({ keep, add }) =>
  keep ? (add === 0 ? "±0" : (add > 0 ? "+" : "") + signed(add)) : `→${signed(add)}`;

const meant = ({ keep, add }) => {
  if (!keep) return `wherever you were, you end on floor ${signed(add)}`;
  if (!add) return "you end where you were";
  const floors = Math.abs(add) === 1 ? "one floor" : `${Math.abs(add)} floors`;
  return `from anywhere, you end ${floors} ${add > 0 ? "higher" : "lower"}`;
};

function words({ at, round, kinds, rules, floors }) {
  const [first, rule] = [from(at, round), rules[round][at - 1]];
  const list = kinds.slice(first - 1, at).join(", ");
  return [
    html("b", {}, first === at ? `Move ${at}` : `Moves ${first} to ${at}`),
    ` (${list}): ${meant(rule)}. `,
    html(
      "span",
      { class: "formula" },
      `h ← ${rule.keep} · h ${rule.add < 0 ? "−" : "+"} ${Math.abs(rule.add)}`,
    ),
    first === 1 && rule.keep === 1 && ` From floor 0, that is floor ${signed(floors[at - 1])}.`,
  ];
}

function spoken({ at, round, kinds, rules }) {
  const first = from(at, round);
  return (
    `After ${round} of ${ROUNDS} rounds, ${known(round).merged} of ${STEPS} floors are known. ` +
    `${first === at ? `Move ${at}` : `Moves ${first} to ${at}`}, ${kinds.slice(first - 1, at).join(", ")}: ` +
    `${meant(rules[round][at - 1])}.`
  );
}
