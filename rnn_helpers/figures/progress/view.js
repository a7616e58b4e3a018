import { frame, line, rule, ticksX, ticksY } from "../lib/chart.js";
import { holds, transport } from "../lib/controls.js";
import { html, redraw, text } from "../lib/dom.js";
import { areaOf, figure } from "../lib/figure.js";
import { knob } from "../lib/handles.js";
import { counted, format, linear, log } from "../lib/scales.js";
import { place } from "../lib/shapes.js";
import { nearest, parts, SENTENCE, stage, stages, TABLES } from "./math.js";
import { meta } from "./meta.js";

const LAST = stages.at(-1).minibatches;
const [LOW, HIGH] = [1.8, 6.8]; // bits on the axis
const DARK = 8; // bits of the darkest characters

const minibatches = (n) => (n === 1 ? "1 minibatch" : `${n} minibatches`);
const words = (at) => `minibatch ${stages[at - 1].minibatches.toLocaleString("en-US")}`;

export const render = figure("progress", meta, ({ model, spec }) => {
  const dot = knob({ class: "at" });
  const area = areaOf("Bits per unseen character during the training", dot);
  const wrote = panel("It writes:");
  const reads = panel("It reads:");
  const letters = SENTENCE.map((letter) => html("span", {}, letter));
  reads.body.append(...letters);
  const time = transport(model, "at", { ...spec.at, text: words });
  let across = Number; // from a place in the drawing to minibatches
  const hold = holds(dot, model, "at", spec.at, {
    ...{ surface: area.drawing, text: words },
    at: ({ x }) => nearest(across(x)),
  });
  return {
    parts: [[time], area, wrote.node, reads.node],
    reveal: { at: nearest(100) },
    follow: [hold, time],
    update({ at: now }, size) {
      const at = scales(size);
      const here = stage(now);
      across = at.x.invert;
      area.draw(size, at, axes(at), curve(at, now));
      place(dot, at.x(here.minibatches), at.y(here.bits));
      redraw(wrote.body, parts(here).map(word));
      wrote.said.textContent = counted(here.known.length, "known word");
      letters.forEach((letter, i) => shade(letter, here.costs[i]));
      reads.said.textContent = `${Math.round(here.whole)} bits in all`;
      return spoken(here);
    },
  };
});

/** A heading with a number at its end, and a text below. */
function panel(name) {
  const said = html("b", {});
  const body = html("p", { class: "text", dir: "ltr", translate: "no" });
  const heading = html("p", { class: "heading" }, html("span", {}, name), said);
  return { node: html("div", { class: "panel" }, heading, body), said, body };
}

const word = ({ text: letters, known }) => (known ? html("mark", {}, letters) : letters);

const shade = (letter, bits) =>
  letter.style.setProperty("--bits", `${Math.round(100 * Math.min(bits / DARK, 1))}%`);

const spoken = ({ minibatches: after, bits, known, whole }) =>
  `After ${minibatches(after)}, an unseen character costs ${format(bits, 1)} bits on average. ` +
  `The network's text has ${counted(known.length, "known word")}, and the sentence costs ${Math.round(whole)} bits.`;

function scales({ width, em, room }) {
  // On a slide the lines are near one another, so their labels need two columns.
  const second = Number.isFinite(room) ? 3.4 * em : 0;
  const [left, right, top] = [2 * em, width - 4.9 * em - second, 1.6 * em];
  const bottom = Math.min(room - 14.6, 13) * em;
  return {
    ...{ em, font: 0.9 * em, left, right, top, bottom, below: 0.95, second },
    height: bottom + 1.6 * em,
    x: log([1, LAST], [left, right]),
    y: linear([LOW, HIGH], [bottom, top]),
  };
}

const axes = (at) => [
  frame(at),
  text(at, at.left, at.top - 0.8 * at.em, { class: "start" }, "bits per unseen character"),
  ticksY(at, [2, 4, 6], String, "tick end"),
  ticksX(at, [1, 20, 100, 400, LAST], (n) => n.toLocaleString("en-US")),
  TABLES.map(({ order, bits }, i) => {
    const x = at.right + 1.1 * at.em + (i % 2) * at.second;
    return [rule(at, bits, "table"), text(at, x, at.y(bits), { class: "start" }, `${order}-gram`)];
  }),
];

/** The curve up to the present stage. */
const curve = (at, now) =>
  line(
    at,
    stages.slice(0, now).map(({ minibatches, bits }) => [minibatches, bits]),
    "curve",
  );
