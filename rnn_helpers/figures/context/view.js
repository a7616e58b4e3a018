import { html, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { roving } from "../lib/roving.js";
import { point, rect } from "../lib/shapes.js";
import { DOORS, LENGTH, LETTERS, PICTURES, right, rightInAll, says, SENTENCES } from "./math.js";
import { meta } from "./meta.js";

const STEPS = Array.from({ length: LENGTH }, (_, t) => t);
const NAMES = {
  step: "every step",
  start: "first state",
  both: "both",
};

export const render = figure("context", meta, ({ control, save }) => {
  const pictures = svg("g");
  const area = areaOf("A picture, and three networks' sentences about it", pictures);
  const readout = html("p", { class: "readout" });
  roving(pictures, (id) => save({ picture: Number(id) }));
  return {
    parts: [stage(area, readout), [control("gone", { text: whenGone })]],
    reveal: { gone: 4 },
    update(state, size) {
      const lanes = DOORS.map((door) => says(door, PICTURES[state.picture], state.gone));
      const now = { ...state, lanes };
      const at = scales(size);
      area.draw(
        size,
        at,
        STEPS.map((t) => text(at, at.middle(t), at.ticks, { class: "tick" }, t + 1)),
        DOORS.map((door, i) => lane(door, i, now, at)),
      );
      redraw(
        pictures,
        PICTURES.map((_, i) => picture(i, state.picture, at)),
      );
      readout.textContent = words(now);
      return spoken(now);
    },
  };
});

const whenGone = (gone) => (gone > LENGTH ? "never" : `from step ${gone} on`);

function scales({ width, em, room }) {
  const slide = room < Infinity;
  const font = 0.9 * em;
  const each = Math.min((width - 0.4 * em) / PICTURES.length, 4 * em);
  const side = Math.max(Math.min(each - 0.5 * em, (slide ? 2.1 : 3) * em), 24);
  const ticks = side + 1.6 * em;
  const first = ticks + em;
  const high = (slide ? 1.1 : 2.1) * em;
  const lane = 2.7 * em + high + (slide ? 0.2 : 0.6) * em;
  const x0 = 2.2 * em;
  const wide = (width - x0 - 0.4 * em) / LENGTH;
  return {
    ...{ em, font, width, each, side, ticks, first, high, lane, x0, wide },
    height: first + DOORS.length * lane,
    middle: (t) => x0 + (t + 0.5) * wide,
  };
}

/** Draw one of the pictures to choose from. */
function picture(i, chosen, { each, side, em }) {
  const x = 0.2 * em + i * each;
  const y = 0.2 * em;
  const dot = side / 3.4;
  const inset = (side - 3 * dot) / 2;
  return svg(
    "g",
    {
      class: i === chosen ? "picture chosen" : "picture",
      "data-node": i,
      tabindex: i === chosen ? 0 : -1,
      role: "button",
      "aria-pressed": String(i === chosen),
      "aria-label": `picture ${i + 1}`,
    },
    rect(x, y, side, side, { class: "frame uf-ring", rx: 2 }),
    PICTURES[i].map(
      (ink, k) =>
        ink === 1 &&
        rect(x + inset + (k % 3) * dot, y + inset + Math.floor(k / 3) * dot, dot, dot, {
          class: "ink",
        }),
    ),
  );
}

function lane(door, i, now, at) {
  const { em, width, first, high, lane, wide, middle, x0 } = at;
  const title = first + i * lane + 0.6 * em;
  const top = first + i * lane + 2.7 * em;
  const { letters, p } = now.lanes[i];
  const doors = [
    ...(door === "step" ? [] : [tell(x0 - 0.9 * em, top, true, at)]),
    ...(door === "start" ? [] : STEPS.map((t) => tell(middle(t), top, t + 1 < now.gone, at))),
  ];
  return svg(
    "g",
    { class: `lane ${door}` },
    text(at, 0.2 * em, title, { class: "title" }, NAMES[door]),
    text(
      at,
      width - 0.4 * em,
      title,
      { class: "total" },
      `${right(letters, now.picture)} of ${LENGTH}`,
    ),
    doors,
    door !== "step" &&
      svg("circle", { class: "told", cx: x0 - 0.9 * em, cy: top + high / 2, r: 0.6 * em }),
    STEPS.map((t) => {
      const wrong = LETTERS[letters[t]] !== SENTENCES[now.picture][t];
      const tall = p[t][letters[t]] * high;
      const [x, w] = [middle(t) - 0.42 * wide, 0.84 * wide];
      return svg(
        "g",
        { class: wrong ? "letter wrong" : "letter" },
        rect(x, top, w, high, { class: "trough" }),
        rect(x, top + high - tall, w, tall, { class: "bar" }),
        text(at, middle(t), top + high / 2, {}, LETTERS[letters[t]]),
      );
    }),
  );
}

/** Draw an arrow where the picture enters, or a bar where it is gone. */
function tell(x, y, open, { em }) {
  if (!open) return svg("path", { class: "shut", d: `M${point(x, y - 0.9 * em)}V${y - 0.2 * em}` });
  const tip = `M${point(x, y - 2)}l${point(-0.25 * em, -0.45 * em)}h${0.5 * em}Z`;
  return [
    svg("path", { class: "told", d: `M${point(x, y - 0.95 * em)}V${y - 0.4 * em}` }),
    svg("path", { class: "tip", d: tip }),
  ];
}

function words({ gone }) {
  const key =
    "The height of a bar is the probability of its letter; wrong letters are struck out. ";
  if (gone > LENGTH) return `${key}The picture is there to the end.`;
  const all = DOORS.map((door) => `${NAMES[door]}, ${rightInAll(door, gone)}`).join("; ");
  return `${key}Right letters, of ${LENGTH * PICTURES.length} about all eight pictures: ${all}.`;
}

function spoken(now) {
  const said = DOORS.map((door, i) => {
    const { letters } = now.lanes[i];
    const written = letters.map((k) => LETTERS[k]).join(" ");
    const fine = right(letters, now.picture);
    return `The network “${NAMES[door]}” writes ${written}; ${fine} of ${LENGTH} letters ${fine === 1 ? "is" : "are"} right.`;
  });
  const there = now.gone > LENGTH ? "there to the end" : `gone ${whenGone(now.gone)}`;
  return `Picture ${now.picture + 1} is ${there}. ${said.join(" ")}`;
}
