import { frame } from "../lib/chart.js";
import { transport } from "../lib/controls.js";
import { html, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { linear } from "../lib/scales.js";
import { path, point, tipped } from "../lib/shapes.js";
import { wordRow } from "../lib/wordrow.js";
import { compute, EDGE, LONGEST, YEARS } from "./math.js";
import { meta } from "./meta.js";

const ALL = YEARS.length;

export const render = figure("path", meta, ({ model, spec, save }) => {
  const row = wordRow(model, save, LONGEST);
  const area = areaOf("The plane of the state's two numbers");
  const list = html("div", { class: "years", role: "group", "aria-label": "year" });
  const total = html("p", { class: "total" });
  const length = () => model.get("words");
  const shown = () => Math.min(model.get("t"), length());
  const time = transport({ ...model, get: shown }, "t", {
    ...spec.t,
    interval: 700,
    limit: length,
    text: (t) => `${t} of ${length()} words`,
  });
  return {
    parts: [
      row,
      stage(area, html("div", { class: "side" }, html("p", {}, "At the end:"), list, total)),
      [time, "words", "trained"],
    ],
    watch: area.node,
    reveal: { place: 3, words: 6, trained: "second", year: 2009, t: 12 },
    follow: [row.refresh, time],
    update(state, size) {
      const { words, place, t } = state;
      if (place > words) return save({ place: words });
      const now = compute(state);
      row.node.style.setProperty("--n", words);
      row.node.classList.toggle("long", words > 8);
      row.update(now, (i) => (i > now.t ? "later" : i === now.t ? "now" : ""));
      draw(area, size, now);
      redraw(list, YEARS.map((year, i) => choice(year, i, now, save))); // biome-ignore format: a row
      const right = now.says.filter((said, i) => said === i).length;
      redraw(total, html("b", {}, `${right} of ${ALL}`), " years named");
      return spoken(now, t, right);
    },
  };
});

/** A row of the list: a year in the sentence, and the year that the network outputs. */
const choice = (year, i, { says, chosen }, save) =>
  html(
    "button",
    {
      type: "button",
      class: says[i] === i ? "right" : "wrong",
      "aria-pressed": String(i === chosen),
      "data-node": `year-${i}`,
      onclick: () => save({ year: Number(year) }),
    },
    html("span", { class: `key year-${i}` }, year),
    " → ",
    html("span", { class: `key year-${says[i]}` }, YEARS[says[i]]),
    html("span", { class: "sign" }, says[i] === i ? " ✓" : " ✗"),
  );

function draw(area, { width, em, room }, now) {
  // The rest takes 11 em of a slide's room, and the list of years is as high as the plane.
  const side = Math.min(width - 0.4 * em, 23 * em, (room - 11) * em);
  const [left, top] = [(width - side) / 2, 1.5 * em];
  const at = {
    ...{ em, left, top, right: left + side, bottom: top + side, font: 0.85 * em },
    x: linear([-EDGE, EDGE], [left, left + side]),
    y: linear([-EDGE, EDGE], [top + side, top]),
  };
  area.draw(
    { width },
    { height: side + 3 * em },
    now.regions.map((corners, i) => regionOf(corners, i, now, at)),
    frame(at),
    others(now, at),
    pathOf(now, at),
  );
}

const spots = (points, at) => points.map(([p, q]) => [at.x(p), at.y(q)]);

/** The part of the plane in which a year is named, and its name outside the frame. */
function regionOf(corners, i, { saysNow }, at) {
  const points = spots(corners, at);
  const middle = [0, 1].map((k) => points.reduce((sum, p) => sum + p[k], 0) / points.length);
  const above = middle[1] < (at.top + at.bottom) / 2;
  return svg(
    "g",
    { class: `region year-${i} ${saysNow === i ? "on" : ""}` },
    svg("path", { d: `${path(points)}Z` }),
    text(
      { font: at.em },
      middle[0],
      above ? at.top - 0.75 * at.em : at.bottom + 0.8 * at.em,
      { "text-anchor": "middle" },
      YEARS[i],
    ),
  );
}

/** The paths of the other years, from the state before the year to the word `t`. */
const others = ({ paths, chosen, place, t }, at) =>
  paths.map((states, i) => {
    if (i === chosen || t < place) return null;
    const points = spots(states.slice(place - 1, t + 1), at);
    const [cx, cy] = points.at(-1);
    return svg(
      "g",
      { class: `other year-${i}` },
      svg("path", { d: path(points) }),
      svg("circle", { cx, cy, r: 0.4 * at.em }),
    );
  });

/** The path of the state up to the word `t`, with the words at the points to which they lead. */
function pathOf({ states, words, t, place }, at) {
  const { em } = at;
  const points = spots(states.slice(0, t + 1), at);
  const steps = points.slice(1).map((end, i) => {
    const start = points[i];
    const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
    const length = Math.hypot(dx, dy);
    if (length < 1.2 * em) return svg("path", { class: "shaft", d: path([start, end]) });
    const tip = [end[0] - (dx / length) * 0.5 * em, end[1] - (dy / length) * 0.5 * em];
    const name = i + 1 === place ? "step year" : i + 1 === t ? "step last" : "step";
    return svg("g", { class: name }, tipped(`M${point(...start)}L${point(...tip)}`, tip, [dx, dy], 0.55 * em)); // biome-ignore format: one arrow
  });
  const dot = ([x, y], i) =>
    svg("circle", {
      ...{ cx: x, cy: y, r: (i === t ? 0.5 : 0.32) * em },
      class: ["dot", i === place && "year", i === 0 && "start", i === t && "now"].filter(Boolean).join(" "), // biome-ignore format: names
    });
  const taken = points.map(([x, y]) => ({ x, y, half: 0.3 * em, high: 0.3 * em }));
  return [steps, points.map(dot), clusters(points, at).map((one) => labels(one, words, at, taken))];
}

/** Points that lie close together, so that their words are written below each other. */
function clusters(points, { em }) {
  const found = [];
  points.forEach(([x, y], i) => {
    if (!i) return;
    const near = found.find((one) => Math.hypot(one.x - x, one.y - y) < 2.2 * em);
    if (near) near.steps.push(i);
    else found.push({ x, y, steps: [i] });
  });
  return found;
}

/** Words below each other in their order, where they meet no box that is `taken`. */
function labels({ x, y, steps }, words, at, taken) {
  // Toward the middle from a point at the rim, and away from it from a point near the middle.
  const near = Math.hypot(x - at.x(0), y - at.y(0)) < 0.25 * (at.right - at.left);
  const [right, below] = [x > at.x(0) !== near, y > at.y(0) !== near];
  const [side, down] = [right ? -1 : 1, below ? -1 : 1];
  const start = x + side * 0.8 * at.em;
  let height = y + down * 0.9 * at.em;
  return (below ? steps.toReversed() : steps).map((step) => {
    const word = words[step - 1];
    const half = 0.25 * at.font * word.length;
    const box = () => ({ x: start + side * half, y: height, half, high: 0.43 * at.em });
    while (taken.some((other) => meet(other, box()))) height += down * 0.2 * at.em;
    taken.push(box());
    const anchor = right ? "end" : "start";
    return text(at, start, height, { class: "word", "text-anchor": anchor }, word);
  });
}

const meet = (a, b) =>
  Math.abs(a.x - b.x) < a.half + b.half && Math.abs(a.y - b.y) < a.high + b.high;

const spoken = ({ states, words, t, place, says, chosen, saysNow }, _, right) => {
  const [p, q] = states[t].map((value) => value.toFixed(1).replace("-", "−"));
  const end = t === words.length;
  return (
    `After ${t} of ${words.length} words, the state is at ${p} and ${q}, where the output is ${YEARS[saysNow]}. ` +
    (end
      ? `With the year at position ${place}, the network outputs ${YEARS[says[chosen]]} for ${YEARS[chosen]}, and it names ${right} of ${ALL} years.`
      : "")
  );
};
