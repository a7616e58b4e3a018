import { transport } from "../lib/controls.js";
import { html, redraw, svg, text } from "../lib/dom.js";
import { areaOf, fact, figure } from "../lib/figure.js";
import { roving } from "../lib/roving.js";
import { point, rect, tipped } from "../lib/shapes.js";
import { upTo } from "../lib/vectors.js";
import { products, ROOMS, ready, START, stepByStep, terms, U, W } from "./math.js";
import { meta } from "./meta.js";

const WAYS = {
  steps: { title: "f, from the state before", label: "The tea, computed with f" },
  pairs: { title: "g, from all the rooms", label: "The tea, computed with g" },
};

export const render = figure("pairs", meta, ({ model, spec, save }) => {
  const limit = () => model.get("T");
  const round = transport(model, "round", {
    ...spec.round,
    limit,
    text: (value) => `round ${Math.min(value, limit())} of ${limit()}`,
  });
  model.on("change:T", round.update);
  const sides = Object.entries(WAYS).map(([way, { title, label }]) => {
    const states = svg("g");
    const area = areaOf(label, states);
    const [sum, facts] = [html("p", { class: "sum" }), html("div", { class: "counts" })];
    roving(states, (id) => save({ at: Number(id.split("-")[1]) }));
    const node = html("div", { class: `side ${way}` }, html("b", {}, title), area, sum, facts);
    return { way, area, states, sum, facts, node };
  });
  return {
    parts: [
      ["T", round],
      html(
        "div",
        { class: "sides" },
        sides.map(({ node }) => node),
      ),
    ],
    watch: sides[0].area.node,
    reveal: { round: 1 },
    follow: [round],
    update(state, size) {
      const { T } = state;
      const chosen = Math.min(state.at, T);
      const values = stepByStep(T);
      const done = ready(T, state.round);
      const at = scales(size, T);
      for (const { way, area, states, sum, facts } of sides) {
        const now = { way, T, chosen, values, done: done[way] };
        area.draw(size, at, arrows(now, at), given(now, at));
        redraw(states, computed(now, at));
        redraw(sum, sumOf(now));
        redraw(
          facts,
          fact(done[way], `of ${T} ready`),
          fact(products(T, state.round)[way], "products"),
        );
      }
      return spoken({ T, round: state.round, chosen, values, done });
    },
  };
});

// ---- the drawings: the rooms below, the states above; column 0 holds the first temperature

function scales({ width, em, room }, T) {
  const pitch = Math.min(width / (T + 1), 4.6 * em);
  const left = (width - pitch * (T + 1)) / 2;
  const onSlide = Number.isFinite(room);
  const high = onSlide ? 5.6 * em : 7.4 * em;
  const r = Math.min(1.2 * em, 0.42 * pitch);
  return {
    ...{ em, r, font: Math.max((onSlide ? 0.9 : 0.75) * em, Math.min(em, 0.9 * r)) },
    x: (t) => left + (t + 0.5) * pitch,
    top: r + 0.2 * em,
    bottom: high,
    height: high + r + 0.2 * em,
  };
}

/** The nodes from which arrows lead to the state of step t, as `[column, row, weight]`. */
const sources = (way, t) =>
  way === "steps"
    ? [
        [t, "bottom", U],
        [t - 1, "top", W],
      ]
    : terms(t).map(({ from, weight }) => [from, "bottom", weight]);

function arrows({ way, T, chosen, done }, at) {
  const needed = (t) => (way === "steps" ? t <= chosen : t === chosen);
  const order = upTo(T).sort((a, b) => needed(a) - needed(b)); // those that stand out are on top
  return order.map((t) =>
    sources(way, t).map(([from, row, weight]) => {
      const [a, b] = [
        [at.x(from), at[row]],
        [at.x(t), at.top],
      ];
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
      const on = (s) => [a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])];
      const [from_, to] = [on(at.r / length), on(1 - (1.12 * at.r) / length)];
      const name = ["arrow", needed(t) && "needed", t <= done && "done"].filter(Boolean).join(" ");
      return svg(
        "g",
        { class: name, style: `--weight: ${(0.06 + 0.14 * Math.sqrt(weight)).toFixed(3)}em` },
        tipped(`M${point(...from_)}L${point(...to)}`, to, [b[0] - a[0], b[1] - a[1]], 0.5 * at.em),
      );
    }),
  );
}

const number = (at, x, y, words) => text(at, x, y, { "text-anchor": "middle" }, words);

/** The first temperature and the rooms. */
function given({ way, T }, at) {
  const { r, x, bottom } = at;
  const start = [x(0), way === "steps" ? at.top : bottom];
  return [
    svg("g", { class: "start" }, [
      svg("circle", { cx: start[0], cy: start[1], r }),
      number(at, ...start, `${START}°`),
    ]),
    upTo(T).map((t) =>
      svg("g", { class: "room" }, [
        rect(x(t) - 0.9 * r, bottom - 0.9 * r, 1.8 * r, 1.8 * r, { rx: 0.25 * r }),
        number(at, x(t), bottom, `${ROOMS[t - 1]}°`),
      ]),
    ),
  ];
}

/** The states, empty until they are computed. */
const computed = ({ way, T, chosen, values, done }, at) =>
  upTo(T).map((t) =>
    svg(
      "g",
      {
        class: ["state", t <= done && "done", t === chosen && "chosen"].filter(Boolean).join(" "),
        "data-node": `${way}-${t}`,
        tabindex: t === chosen ? 0 : -1,
        role: "button",
        "aria-pressed": String(t === chosen),
        "aria-label": `state ${t}, ${t <= done ? `${values[t]} degrees` : "not ready"}`,
      },
      svg("circle", { cx: at.x(t), cy: at.top, r: at.r }),
      number(at, at.x(t), at.top, t <= done ? `${values[t]}°` : "?"),
    ),
  );

// ---- the words

const rounded = (weight) => Number(weight.toFixed(3));

/** The sum of the chosen state; a state that isn't ready is a question mark. */
function sumOf({ way, chosen, values, done }) {
  const known = (t) => (t <= done || t === 0 ? `${values[t]}` : "?");
  const parts =
    way === "steps"
      ? [`${U} · ${ROOMS[chosen - 1]}`, `${W} · ${known(chosen - 1)}`]
      : terms(chosen).map(({ weight, value }) => `${rounded(weight)} · ${value}`);
  return [
    html("b", {}, known(chosen)),
    way === "pairs" && chosen > 1 ? " ≈ " : " = ", // the weights are rounded
    ...parts.flatMap((part, i) => [html("span", {}, `${i ? "+ " : ""}${part}`), " "]),
  ];
}

function spoken({ T, round, chosen, values, done }) {
  const { steps, pairs } = products(T, round);
  const sum = terms(chosen).map(({ weight, value }) => `${rounded(weight)} times ${value}`);
  return (
    `The left side has ${done.steps} of ${T} temperatures ready after ${steps} products, ` +
    `and the right side has ${done.pairs} of ${T} after ${pairs}. ` +
    (chosen <= done.pairs
      ? `State ${chosen} is ${values[chosen]} degrees: ${sum.join(" plus ")}.`
      : "")
  );
}
