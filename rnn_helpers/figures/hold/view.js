import { html, redraw, svg, text } from "../lib/dom.js";
import { signed } from "../lib/colours.js";
import { areaOf, figure } from "../lib/figure.js";
import { ALPHABET } from "../lib/knock.js";
import { counted, format, rounded } from "../lib/scales.js";
import { rect } from "../lib/shapes.js";
import { read } from "./math.js";
import { meta } from "./meta.js";

const UNITS = ["unit 1", "unit 2"];

export const render = figure("hold", meta, () => {
  const area = areaOf("The state after each word");
  const next = html("div", { class: "next" });
  return {
    parts: [area, next, ["n", "w"]],
    watch: area.node,
    reveal: { n: 10, w: 1 },
    update({ n, w }, size) {
      const steps = read(w, n);
      const at = layout(size, steps.length);
      area.draw(
        size,
        at,
        names(at),
        steps.map((step, t) => column(step, t, at)),
      );
      redraw(next, prediction(steps.at(-1)));
      return spoken(steps, n, w);
    },
  };
});

function layout({ width, em }, columns) {
  const left = (width < 30 * em ? 3.2 : 4.2) * em;
  const pitch = Math.min((width - left) / columns, 8 * em);
  const high = 2.3 * em;
  const tilted = pitch > 1.9 * em; // in narrow columns, the words stand upright
  const top = (tilted ? 3 : 3.7) * em;
  return {
    ...{ em, left, pitch, high, top, turn: tilted ? -40 : -90, font: 0.9 * em },
    digits: pitch < 2.6 * em ? 1 : 2,
    small: tilted && Math.min(0.9 * em, pitch / 2.4), // no digits in narrow columns
    x: (t) => left + (t + 0.5) * pitch,
    y: (unit) => top + unit * (high + 0.25 * em),
    height: top + 2 * high + 0.35 * em,
  };
}

const names = (at) =>
  UNITS.map((name, unit) => text(at, 0, at.y(unit) + at.high / 2, { class: "unit" }, name));

/** A symbol, and below it the two entries of the state. */
function column({ input, h }, t, at) {
  const { em, x, y, pitch, high, top, small, digits, turn } = at;
  const place = `translate(${x(t)} ${top - 0.4 * em}) rotate(${turn})`;
  return [
    svg("text", { "font-size": at.font, transform: place, class: "word" }, ALPHABET[input]),
    h.map((value, unit) => [
      rect(x(t) - pitch / 2 + 1, y(unit), pitch - 2, high, {
        class: "cell",
        style: `fill:${signed(value)}`,
        rx: 0.15 * em,
      }),
      small &&
        text(
          { font: small },
          x(t),
          y(unit) + high / 2,
          { class: Math.abs(value) > 0.62 ? "strong" : "weak" },
          rounded(value, digits),
        ),
    ]),
  ];
}

/** The probabilities of the next word. */
const prediction = ({ yhat }) => [
  html("p", {}, "After the last knock, the network predicts"),
  html(
    "div",
    { class: "bars" },
    yhat.map((p, token) => [
      html("span", { class: "name" }, ALPHABET[token]),
      html(
        "span",
        { class: "track" },
        html("span", { class: "uf-fill", style: `width:${100 * p}%` }),
      ),
      html("span", { class: "share" }, rounded(p)),
    ]),
  ),
];

function spoken(steps, n, w) {
  const { h, yhat } = steps.at(-1);
  return (
    `The weight is ${format(w, 1)}. With ${counted(n, "giraffe")} between the knocks, unit 2 ends at ${rounded(h[1])}. ` +
    `Then who? has probability ${rounded(yhat[2])} and knock has ${rounded(yhat[1])}.`
  );
}
