import { html, redraw, setSize, svg } from "../lib/dom.js";
import { figure, stage } from "../lib/figure.js";
import { clamp } from "../lib/scales.js";
import { rect } from "../lib/shapes.js";
import { upTo } from "../lib/vectors.js";
import { wordRow } from "../lib/wordrow.js";
import { compute, KINDS, LONGEST, YEAR, YEARS } from "./math.js";
import { meta } from "./meta.js";

const SHARES = {
  mlp: "separate weights for each position",
  conv: "the same weights in a window of three words",
  rnn: "the same weights in a loop",
};
const NAMES = { mlp: "MLP", conv: "Convolution", rnn: "RNN" };
const SAID = { conv: "convolution" }; // within a sentence
const ALL = YEARS.length;
const SIXTH = { place: 6, words: 6, trained: "second" };

export const render = figure("sharing", meta, ({ model, el, save, control }) => {
  const three = model.get("view") === "three";
  const row = wordRow(model, save, LONGEST);
  const strips = (three ? KINDS : ["mlp"]).map((kind) => strip(kind, three));
  const box = stage(
    row,
    strips,
    html("p", { class: "chance" }, html("i", {}), ` guessing: 1 of ${ALL}`),
  );
  box.classList.toggle("three", three);
  const readout = html("p", { class: "readout" });
  const place = control("place", { limit: () => model.get("words") });
  // With the year always second in training, a position shows its bar once the year has been there.
  let visited = new Set();
  let before = "";
  model.on("reset", () => (before = ""));
  return {
    parts: [box, readout, [place, three && "words", "trained"]],
    // The prediction is about the network with separate weights alone.
    reveal: !three && SIXTH,
    follow: [row.refresh],
    update(state, { width: whole, em, room }) {
      const { words, trained } = state;
      if (state.place > words) return save({ place: words });
      const now = compute(state);
      if (before !== words) visited = new Set();
      before = words;
      if (trained === "second") visited.add(now.place);
      const open = now.words.map((_, i) => trained !== "second" || visited.has(i + 1));
      // A slide leaves less height for the bars, and has the names of three networks beside them.
      const tight = three && room < Infinity;
      const width = whole - (tight ? 13 * em : 0);
      const upright = width / words < 2.9 * em;
      const left = (room - (upright ? 17 : 15)) / strips.length;
      el.classList.toggle("tight", tight);
      box.classList.toggle("narrow", width / words < 4.2 * em);
      box.classList.toggle("upright", upright);
      box.style.setProperty("--n", words);
      box.style.setProperty("--bar", `${clamp(left, 1.2, three ? 2.6 : 6)}em`);
      row.update(now);
      strips.forEach((each, i) => each.update(now.nets[i], now, open, { width, em }));
      redraw(readout, read(now, three));
      return now.nets.map((net) => spoken(net, now)).join(" ");
    },
  };
});

const mark = (net) => (net.says === YEAR ? "✓" : "✗");
const count = (net, { place }) => `${net.named[place - 1]} of ${ALL} years`;

function read(now, three) {
  if (three) return [`Year at position ${now.place} of ${now.words.length}.`];
  const [net] = now.nets;
  return [
    `With the year at position ${now.place}, it names `,
    html("b", {}, count(net, now)),
    `. For this sentence, it outputs ${net.says}\u00a0${mark(net)}.`,
  ];
}

const spoken = (net, now) =>
  `With the year at position ${now.place}, the ${SAID[net.kind] ?? NAMES[net.kind]} names ${count(net, now)}. ` +
  `For this sentence, it outputs ${net.says}, which is ${net.says === YEAR ? "right" : "wrong"}.`;

/** One network: its name, a sketch of it, and below each word how many years it names there. */
function strip(kind, three) {
  const verdict = html("span", { class: "says" });
  const sketch = svg("svg", { class: "uf-drawing sketch", "aria-hidden": "true" });
  const bars = html("div", { class: "bars" });
  const named = [html("b", {}, NAMES[kind]), html("span", {}, SHARES[kind]), verdict];
  const head = html("p", { class: "head" }, three ? named : SHARES[kind]);
  const bar = (years) => [
    html("span", { class: "named" }, years, html("span", { class: "of" }, ` of ${ALL}`)),
    html("div", { class: "bar uf-fill", style: `--share:${years / ALL}` }),
  ];
  return {
    node: html(
      "div",
      { class: "strip", role: "group", "aria-label": NAMES[kind] },
      three ? [head, sketch] : [sketch, head],
      bars,
    ),
    update(net, { place, words }, open, { width, em }) {
      verdict.textContent = `outputs ${net.says} ${mark(net)}`;
      verdict.classList.toggle("wrong", net.says !== YEAR);
      const height = 1.7 * em;
      setSize(sketch, width, height);
      redraw(sketch, SKETCHES[kind](sketchAt(words.length, width, height, em), place));
      redraw(
        bars,
        net.named.map((years, i) =>
          html(
            "div",
            { class: `spot ${i + 1 === place ? "here" : ""}` },
            open[i] ? bar(years) : html("span", { class: "unknown" }, "?"),
          ),
        ),
      );
    },
  };
}

/** The parts of a sketch, where `x(t)` is the middle of column t. */
const sketchAt = (n, width, height, em) => ({
  ...{ n, width, height, em },
  x: (t) => ((t - 0.5) * width) / n,
  line: (x1, y1, x2, y2, lit) => svg("line", { x1, y1, x2, y2, class: lit ? "line lit" : "line" }),
  box: (x, lit) =>
    rect(x - 0.4 * em, height - 0.8 * em, 0.8 * em, 0.7 * em, {
      rx: 0.15 * em,
      class: lit ? "box lit" : "box",
    }),
});

/** Sketch which weights read the words: lines, a window around the year, or a chain of states. */
const SKETCHES = {
  mlp: ({ n, width, height, em, x, line, box }, place) => [
    upTo(n).map((t) => line(x(t), 0, width / 2, height - 0.5 * em, t === place)),
    box(width / 2),
  ],
  conv({ n, height, em, x, box }, place) {
    const left = x(Math.max(place - 1, 1)) - 0.4 * em;
    const right = x(Math.min(place + 1, n)) + 0.4 * em;
    const d = `M${left} 0V${0.35 * em}H${right}V0M${x(place)} ${0.35 * em}V${height - 0.8 * em}`;
    return [svg("path", { d, class: "line lit" }), box(x(place), true)];
  },
  rnn({ n, height, em, x, line, box }, place) {
    const y = height - 0.45 * em;
    const places = upTo(n);
    return [
      places.map((t) => line(x(t), 0, x(t), height - 0.8 * em, t === place)),
      places.slice(1).map((t) => line(x(t - 1), y, x(t), y, t > place)),
      places.map((t) => box(x(t), t >= place)),
    ];
  },
};
