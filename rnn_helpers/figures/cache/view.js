import { transport } from "../lib/controls.js";
import { html, svg, text } from "../lib/dom.js";
import { areaOf, figure } from "../lib/figure.js";
import { clamp } from "../lib/scales.js";
import { point, rect } from "../lib/shapes.js";
import { presets } from "../lib/stage.js";
import { compute, LETTERS, picture, ROOM, WIDE } from "./math.js";
import { meta } from "./meta.js";

const LEVELS = 8; // of ink in a pixel
const HIGH = picture(0).length / WIDE;
const EXAMPLES = {
  "both full": { t: 12, keys: "new", rule: "sum" },
  "keys again, by the sum": { t: 24, keys: "again", rule: "sum" },
  "keys again, by the delta rule": { t: 24, keys: "again", rule: "delta" },
};

export const render = figure("cache", meta, ({ model, spec, reseed }) => {
  const area = areaOf("The letters, and what both memories return");
  const time = transport(model, "t", { ...spec.t, interval: 700, text: (t) => `${t} written` });
  return {
    parts: [
      area,
      [time],
      ["keys", "rule"],
      html("div", { class: "below" }, presets(model, "examples", EXAMPLES), reseed("other keys")),
    ],
    reveal: { t: LETTERS.length, keys: "new", rule: "sum" },
    follow: [time],
    update(state, size) {
      const now = { ...state, ...compute(state) };
      const at = layout(size, now);
      area.draw(size, at, drawing(now, at));
      return spoken(now);
    },
  };
});

function layout({ width, em, room }, { t, keys }) {
  const slide = room < Infinity;
  const narrow = !slide && width < 30 * em;
  const font = (slide ? 0.95 : narrow ? 0.85 : 0.9) * em;
  const [head, gap] = [1.9 * em, 0.35 * em];
  const again = keys === "again";
  const lines = (n) => (slide || (t > ROOM && !(n && again)) ? 2 : 1); // of a group
  const most = slide ? ((room - 5.6) * em - 3 * head) / 6 - gap : Infinity;
  const pitch = Math.min(width / ROOM, 4.2 * em);
  const pixel = Math.max(
    Math.floor(Math.min((pitch - (narrow ? 1 : 2) * gap) / WIDE, most / HIGH)),
    3,
  );
  const row = HIGH * pixel + gap;
  const top = (n) => (n ? top(n - 1) + head + lines(n - 1) * row : 0);
  // A key that comes again keeps its column, and both memories have one value for it.
  const line = (n, i) => (n && again ? 0 : Math.floor(i / ROOM));
  return {
    ...{ em, font, pixel, narrow, width: ROOM * pitch },
    x: (i) => (i % ROOM) * pitch + (pitch - WIDE * pixel) / 2,
    y: (n, i) => top(n) + head + line(n, i) * row,
    title: (n) => top(n) + 0.9 * em,
    height: top(3) + 0.4 * em,
  };
}

function drawing(now, at) {
  const { t, first, pairs, keys } = now;
  const shown = Array.from({ length: Math.max(t, ROOM) }, (_, i) => i);
  const all = pairs.length;
  const seen = (count) => (all ? `${count} of ${all}${at.narrow ? "" : " can be recognized"}` : "");
  const kept = t ? `pairs ${first + 1} to ${t}` : "empty";
  const again = keys === "again" && first > 0;
  return [
    heading(at, 0, "written", "written", again ? "the old values are pale" : ""),
    heading(at, 1, "cache", `cache: ${kept}`, seen(now.cache)),
    heading(
      at,
      2,
      "matrix",
      `matrix: ${now.rule === "sum" ? "sum" : "delta rule"}`,
      seen(now.matrix),
    ),
    shown.map((i) => place(at, 0, i)),
    pairs.flatMap(({ i }) => [1, 2].map((n) => place(at, n, i))),
    shown
      .slice(0, t)
      .map((i) => tile(at, 0, i, picture(i), again && i < first ? "written old" : "written")),
    pairs.map(({ i, cache, matrix }) => [
      tile(at, 1, i, cache.reading, "cache", cache.right),
      tile(at, 2, i, matrix.reading, "matrix", matrix.right),
    ]),
  ];
}

const heading = (at, n, name, words, count) => [
  text(at, 0, at.title(n), { class: `title ${name}` }, words),
  text(at, at.width, at.title(n), { class: "count" }, count),
];

/** The frame of a picture. */
const place = ({ x, y, pixel }, n, i) =>
  rect(x(i) - 1, y(n, i) - 1, WIDE * pixel + 2, HIGH * pixel + 2, { class: "place" });

/** Draw a picture: a path for each level of ink, from runs of pixels; and a cross if it is wrong. */
function tile({ x, y, pixel }, n, i, values, name, right = true) {
  const levels = {};
  for (let at = 0; at < values.length; ) {
    const level = levelOf(values[at]);
    let run = 1;
    while ((at + run) % WIDE && levelOf(values[at + run]) === level) run++;
    const [left, top] = [x(i) + (at % WIDE) * pixel, y(n, i) + Math.floor(at / WIDE) * pixel];
    if (level)
      levels[level] =
        `${levels[level] ?? ""}M${point(left, top)}h${run * pixel}v${pixel}h-${run * pixel}z`;
    at += run;
  }
  const [left, top, wide, high] = [x(i), y(n, i), WIDE * pixel, HIGH * pixel];
  return [
    Object.entries(levels).map(([level, d]) =>
      svg("path", { class: name, d, "fill-opacity": level / LEVELS }),
    ),
    !right &&
      svg("path", {
        class: "wrong",
        d: `M${point(left, top)}l${wide} ${high}m-${wide} 0l${wide}-${high}`,
      }),
  ];
}

const levelOf = (value) => Math.round((LEVELS * clamp(value + 1, 0, 2)) / 2);

function spoken({ t, first, pairs, cache, matrix, rule }) {
  if (!t) return "Nothing is written yet. Both memories are empty.";
  const by = rule === "sum" ? "the sum" : "the delta rule";
  return (
    `${t} ${t === 1 ? "pair is" : "pairs are"} written. The cache contains pairs ${first + 1} to ${t}. For ${pairs.length} ` +
    `${pairs.length === 1 ? "key" : "keys"}, the cache returns ${cache} recognizable letters, and the matrix, written by ${by}, returns ${matrix}.`
  );
}
