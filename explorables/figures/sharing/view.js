import { control, controls, setAll } from "../../lib/controls.js";
import { html, responsive, set, setSize, svg } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { keySlider } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { clamp } from "../../lib/scales.js";
import { upTo } from "../../lib/vectors.js";
import { compute, KINDS, LONGEST, YEAR, YEARS } from "./math.js";
import { meta } from "./meta.js";

const SHARES = {
  mlp: "separate weights for each position",
  conv: "the same weights in a window of three words",
  rnn: "the same weights in a loop",
};
const NAMES = { mlp: "MLP", conv: "Convolution", rnn: "RNN" };
const ALL = YEARS.length;
const SIXTH = { place: 6, words: 6, trained: "second" };

export function render({ model, el }) {
  const { controls: spec } = meta;
  const three = model.get("view") === "three";
  const row = wordRow(() => model.get("words"), {
    get: () => now.place,
    change: (place) => setAll(model, { place: clamp(place, 1, now.words.length) }),
  });
  const strips = (three ? KINDS : ["mlp"]).map((kind) => strip(kind, three));
  const stage = html(
    "div",
    { class: `stage ${three ? "three" : ""}` },
    row.node,
    strips,
    html("p", { class: "chance" }, html("i", {}), ` guessing: 1 of ${ALL}`),
  );
  const readout = html("p", { class: "readout" });
  const status = live();
  const place = control(model, "place", spec.place);
  el.classList.add("fig-sharing");
  el.append(
    stage,
    readout,
    controls(
      place,
      three && control(model, "words", spec.words),
      control(model, "trained", spec.trained),
    ),
    // The prediction is about the network with separate weights alone.
    ...(three ? [] : [guess(meta.prediction, () => setAll(model, SIXTH))]),
    status,
  );

  let now;
  let size;
  // With the year always second in training, a position shows its bar once the year has been there.
  let visited = new Set();
  let before = "";
  model.on("reset", () => (before = ""));
  function update() {
    const state = Object.fromEntries(Object.keys(spec).map((key) => [key, model.get(key)]));
    if (state.place > state.words) return setAll(model, { place: state.words });
    now = compute(state);
    if (before !== state.words) visited = new Set();
    before = state.words;
    if (state.trained === "second") visited.add(now.place);
    const open = now.words.map((_, i) => state.trained !== "second" || visited.has(i + 1));
    for (const input of place.querySelectorAll("input")) input.max = state.words;
    stage.style.setProperty("--n", now.words.length);
    stage.classList.toggle("narrow", size.width / now.words.length < 4.2 * size.em);
    const upright = size.width / now.words.length < 2.9 * size.em;
    stage.classList.toggle("upright", upright);
    // A slide leaves less height: lower bars, and of three networks the names beside them.
    const left = (size.room - (upright ? 17 : 15)) / strips.length;
    stage.style.setProperty("--bar", `${clamp(left, 1.2, three ? 2.6 : 6)}em`);
    row.update(now);
    strips.forEach((each, i) => each.update(now.nets[i], now, open, size));
    readout.replaceChildren(...read(now, three));
    status.announce(now.nets.map((net) => spoken(net, now)).join(" "));
  }
  model.on("change", update);
  const stop = responsive(stage, ({ width, em, room }) => {
    const tight = three && Number.isFinite(room);
    el.classList.toggle("tight", tight);
    size = { width: width - (tight ? 13 * em : 0), em, room };
    update();
  });
  return stop;
}

const mark = (net) => (net.says === YEAR ? "✓" : "✗");
const count = (net, { place }) => `${net.named[place - 1]} of ${ALL} years`;

function read(now, three) {
  if (three) return [`Year at position ${now.place} of ${now.words.length}.`];
  const [net] = now.nets;
  return [
    `Year at position ${now.place}: names `,
    html("b", {}, count(net, now)),
    `. For this sentence, it outputs ${net.says}\u00a0${mark(net)}.`,
  ];
}

const spoken = (net, now) =>
  `${NAMES[net.kind]}, year at position ${now.place}: names ${count(net, now)}. ` +
  `For this sentence, it outputs ${net.says}, which is ${net.says === YEAR ? "right" : "wrong"}.`;

/** The sentence, one column for each word. The year is dragged along it, or moved by the arrow keys. */
function wordRow(words, { get, change }) {
  const chip = html("span", { class: "word year" }, YEAR);
  const text = (place) => `position ${place} of ${words()}`;
  const others = html("div", { class: "others" });
  const numbers = html("div", { class: "numbers", "aria-hidden": "true" });
  const node = html(
    "div",
    { class: "sentence" },
    html("div", { class: "words" }, others, chip),
    numbers,
  );
  const line = chip.parentElement;
  const at = ({ clientX }) => {
    const { left, width } = line.getBoundingClientRect();
    return 1 + Math.floor(((clientX - left) / width) * words());
  };
  let refresh = null;
  const move = (event) => line.hasPointerCapture(event.pointerId) && change(at(event));
  set(line, {
    onpointerdown: (event) => {
      if (event.button) return;
      event.preventDefault();
      line.setPointerCapture(event.pointerId);
      chip.focus({ preventScroll: true });
      change(at(event));
    },
    onpointermove: move,
  });
  return {
    node,
    update({ place, words: list }) {
      refresh ??= keySlider(chip, {
        label: `the year ${YEAR}`,
        min: 1,
        max: LONGEST,
        get,
        change,
        text,
      });
      refresh();
      set(chip, { "aria-valuemax": list.length });
      chip.style.gridColumn = place;
      others.replaceChildren(
        ...list.map((word, i) =>
          html(
            "span",
            { class: "word", style: `grid-column:${i + 1}` },
            i + 1 === place ? "" : word,
          ),
        ),
      );
      numbers.replaceChildren(...upTo(list.length).map((i) => html("span", {}, i)));
    },
  };
}

/** One network: its name, a sketch of it, and under each word how many years it names there. */
function strip(kind, three) {
  const verdict = html("span", { class: "says" });
  const sketch = svg("svg", { class: "uf-drawing sketch", "aria-hidden": "true" });
  const bars = html("div", { class: "bars" });
  const head = three
    ? html(
        "p",
        { class: "head" },
        html("b", {}, NAMES[kind]),
        html("span", {}, SHARES[kind]),
        verdict,
      )
    : html("p", { class: "head" }, SHARES[kind]);
  const node = html(
    "div",
    { class: "strip", role: "group", "aria-label": NAMES[kind] },
    three ? [head, sketch] : [sketch, head],
    bars,
  );
  return {
    node,
    update(net, { place, words }, open, { width, em }) {
      verdict.textContent = `outputs ${net.says} ${mark(net)}`;
      verdict.classList.toggle("wrong", net.says !== YEAR);
      draw(sketch, kind, words.length, place, width, em);
      bars.replaceChildren(
        ...net.named.map((n, i) =>
          html(
            "div",
            { class: `spot ${i + 1 === place ? "here" : ""}` },
            open[i]
              ? [
                  html("span", { class: "named" }, n, html("span", { class: "of" }, ` of ${ALL}`)),
                  html("div", { class: "bar uf-fill", style: `--share:${n / ALL}` }),
                ]
              : html("span", { class: "unknown" }, "?"),
          ),
        ),
      );
    },
  };
}

/** Sketch which weights read the words: lines, a window around the year, or a chain of states. */
function draw(sketch, kind, n, place, width, em) {
  const height = 1.7 * em;
  const x = (t) => ((t - 0.5) * width) / n;
  const line = (x1, y1, x2, y2, lit) =>
    svg("line", { x1, y1, x2, y2, class: lit ? "line lit" : "line" });
  const box = (cx, lit) =>
    svg("rect", {
      x: cx - 0.4 * em,
      y: height - 0.8 * em,
      width: 0.8 * em,
      height: 0.7 * em,
      rx: 0.15 * em,
      class: lit ? "box lit" : "box",
    });
  const places = upTo(n);
  const parts = {
    mlp: () => [
      places.map((t) => line(x(t), 0, width / 2, height - 0.5 * em, t === place)),
      box(width / 2),
    ],
    conv: () => {
      const [from, to] = [Math.max(place - 1, 1), Math.min(place + 1, n)];
      const [left, right] = [x(from) - 0.4 * em, x(to) + 0.4 * em];
      return [
        svg("path", {
          d: `M${left} 0V${0.35 * em}H${right}V0M${x(place)} ${0.35 * em}V${height - 0.8 * em}`,
          class: "line lit",
        }),
        box(x(place), true),
      ];
    },
    rnn: () => [
      places.map((t) => line(x(t), 0, x(t), height - 0.8 * em, t === place)),
      places
        .slice(1)
        .map((t) => line(x(t - 1), height - 0.45 * em, x(t), height - 0.45 * em, t > place)),
      places.map((t) => box(x(t), t >= place)),
    ],
  }[kind]();
  setSize(sketch, width, height).replaceChildren(...parts.flat());
}
