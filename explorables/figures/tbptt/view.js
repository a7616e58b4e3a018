import { control, controls, setAll, transport, holds } from "../../lib/controls.js";
import { drawingOf, html, italic, responsive, set, svg, text, uniqueId } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { knob } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { clamp, format } from "../../lib/scales.js";
import { place, swatch } from "../../lib/shapes.js";
import { bars, chain, chart, errorScales, scales } from "./drawing.js";
import { meta } from "./meta.js";
import { compute, errors, frameOf, frames, PHASES, scene, shown, STEPS } from "./math.js";

const ALL = Array.from({ length: STEPS }, (_, k) => k + 1);
const FEW = [1, 2, 3, 5, 7, 10, 15, 20, 30, STEPS]; // while a hand moves
const KEYS = ["block", "radius", "carry", "t", "frame"];

/**
 * The model as a hand sees it: the frame goes with the loss that is looked at, and with the length of the
 * blocks, and the loss with the frame. What prose and Reset set stays as it is.
 */
function handed(model) {
  const state = () => Object.fromEntries(KEYS.map((key) => [key, model.get(key)]));
  return {
    get: (key) => (key === "frame" ? shown(state()) : model.get(key)),
    on: (event, heard) => model.on(event, heard),
    save_changes: () => model.save_changes(),
    set(key, value) {
      const before = state();
      const { phase } = scene(shown(before), before.block);
      model.set(key, value);
      const { block, t } = state();
      if (key === "frame") {
        const first = (scene(value, block).number - 1) * block + 1;
        model.set("t", Math.min(first + ((t - 1) % block), STEPS));
      } else if (key === "block" || key === "t") {
        model.set("frame", phase === 1 ? 0 : frameOf(Math.ceil(t / block), phase, block));
      }
    },
  };
}

export function render({ model, el }) {
  const { controls: spec } = meta;
  const hand = handed(model);
  const hatch = uniqueId("hatch");
  const it = parts(hatch);
  const film = filmOf(model, hand);
  const row = Object.fromEntries(
    KEYS.slice(0, 4).map((key) => [key, control(hand, key, spec[key])]),
  );
  row.t.classList.add("at");
  el.classList.add("fig-tbptt");
  el.append(
    controls(film),
    html(
      "div",
      { class: "stage" },
      html("div", {}, it.area, key()),
      html("div", { class: "side" }, it.beside, it.readout),
    ),
    controls(...Object.values(row)),
    guess(meta.prediction, () => {
      el.classList.add("answered");
      setAll(model, { block: 10, t: 31, frame: 0 });
    }),
    it.status,
  );

  const figure = { ...it, hatch, now: null, at: null, wide: null };
  const follow = holdKnobs(figure, hand);
  const lines = errorLines(() => el.isConnected && update());
  let size; // of the drawing, and of the one beside it
  let other;
  function update() {
    if (!size || !other) return;
    const state = Object.fromEntries(KEYS.map((key) => [key, model.get(key)]));
    figure.now = compared({ ...state, ...compute(state) }, lines);
    figure.at = scales(size);
    figure.wide = errorScales(other);
    draw(figure, size, other);
    for (const refresh of follow) refresh();
    film.update();
    it.status.announce(sentence(figure.now));
  }
  model.on("change", update);
  const ends = [
    responsive(it.area, (next) => {
      size = next;
      update();
    }),
    responsive(it.beside, (next) => {
      other = next;
      update();
    }),
  ];
  return () => {
    lines.stop();
    film.stop();
    for (const end of ends) end();
  };
}

/** Both drawings with their knobs, and where the words go; what is cut off is hatched. */
function parts(hatch) {
  const stripes = { width: 5, height: 5, patternUnits: "userSpaceOnUse" };
  const pattern = svg(
    "pattern",
    { id: hatch, ...stripes, patternTransform: "rotate(45)" },
    svg("path", { class: "hatch", d: "M0 0V5" }),
  );
  const [under, over, curve] = [svg("g"), svg("g"), svg("g")];
  const [cut, loss, onLine] = ["cut", "at", "cut"].map((name) => knob({ class: name }));
  const drawing = drawingOf(
    "The chain in blocks, and each step's contribution to the gradient of one loss",
    svg("defs", {}, pattern),
    under,
    over,
    cut,
    loss,
  );
  const small = drawingOf("The error of the gradient by length of block", curve, onLine);
  const [area, beside] = [
    html("div", { class: "area" }, drawing),
    html("div", { class: "beside" }, small),
  ];
  const readout = html("div", { class: "readout" });
  const status = live();
  return { under, over, curve, cut, loss, onLine, drawing, small, area, beside, readout, status };
}

/** The film of all frames. */
function filmOf(model, hand) {
  const text = (frame) => {
    const { number, phase } = scene(frame, model.get("block"));
    return `block ${number}: ${phase === 2 && !model.get("carry") ? "start from 0" : PHASES[phase]}`;
  };
  const limit = () => frames(model.get("block"));
  return transport(hand, "frame", { ...meta.controls.frame, min: 1, interval: 1100, limit, text });
}

/** Returns what follows settings that were chosen elsewhere. */
function holdKnobs(figure, hand) {
  const { cut, onLine, loss, drawing, small } = figure;
  const hold = (node, key, surface, at, label) =>
    holds(node, hand, key, meta.controls[key], {
      surface,
      at,
      label,
      text: () => (figure.now ? sentence(figure.now) : ""),
    });
  const step = ({ x }) => figure.at.x.invert(x);
  const length = ({ x }) => 10 ** figure.wide.x.invert(x);
  return [
    hold(cut, "block", drawing, (point) => step(point) - 0.5, "length of a block"),
    hold(onLine, "block", small, length, "length of a block, on its line"),
    hold(loss, "t", drawing, step, "step of the loss"),
  ];
}

/**
 * The errors by length of block: of few lengths while a hand moves; of all when it rests, and
 * `known()` follows.
 */
function errorLines(known) {
  const lines = new Map();
  let rest;
  return {
    of(radius, carry) {
      const key = `${radius} ${carry}`;
      if (!lines.has(key)) lines.set(key, errors(radius, carry, FEW));
      if (lines.get(key).length < STEPS) {
        clearTimeout(rest);
        rest = setTimeout(() => {
          lines.set(key, errors(radius, carry, ALL));
          known();
        }, 200);
      }
      return lines.get(key);
    },
    stop: () => clearTimeout(rest),
  };
}

/** A state with the errors of its and of all other lengths of block. */
function compared(now, lines) {
  const { block, radius, carry, blocks } = now;
  const line = lines.of(radius, carry);
  const found = line.find((each) => each.block === block);
  const here = found ?? errors(radius, carry, [block])[0];
  return {
    ...now,
    here,
    now: { ...scene(shown(now), block), blocks },
    line: found ? line : [...line, here].sort((p, q) => p.block - q.block),
    carried: carry ? null : lines.of(radius, true),
  };
}

function draw(figure, size, other) {
  const { now, at, wide } = figure;
  set(figure.drawing, { viewBox: `0 0 ${size.width} ${at.height}` });
  set(figure.small, { viewBox: `0 0 ${other.width} ${wide.height}` });
  figure.under.replaceChildren(svg("g", {}, chain(now, at)));
  figure.over.replaceChildren(svg("g", {}, bars(now, at, figure.hatch)), label(now, at));
  figure.curve.replaceChildren(svg("g", {}, chart(now, wide)));
  place(figure.cut, at.x(now.block + 0.5), at.rows.cut);
  place(figure.loss, at.x(now.t), at.rows.loss);
  const { error } = now.here;
  place(figure.onLine, wide.x(Math.log10(now.block)), wide.y(clamp(error, 0, 1)));
  figure.readout.replaceChildren(table(now));
}

/** What the three kinds of nodes are. */
function key() {
  const node = (name, r) => swatch(16, 16, svg("circle", { class: name, cx: 8, cy: 8, r }));
  const kinds = [
    ["node full", 7, "in memory"],
    ["node gone", 4, "discarded"],
    ["node", 7, "still to come"],
  ];
  return html(
    "p",
    { class: "key" },
    kinds.map(([name, r, words]) => html("span", {}, node(name, r), words)),
  );
}

/** The length of a block beside the knob that holds it, on the side where there is room. */
function label({ block }, at) {
  const near = block > 0.75 * STEPS;
  const place = at.x(block + 0.5) + (near ? -0.8 : 0.8) * at.em;
  return text(
    at,
    place,
    at.rows.cut,
    { class: near ? "held-name end" : "held-name" },
    italic("K"),
    ` = ${block}`,
  );
}

const steps = (n) => `${n} ${n === 1 ? "step" : "steps"}`;

function table({ block, carry, t, reach, mean, one, here, off }) {
  const row = (name, value, kind) =>
    html("tr", { class: kind }, html("th", { scope: "row" }, name), html("td", {}, value));
  return html(
    "table",
    {},
    html(
      "caption",
      {},
      block === STEPS ? "one block: exact" : `blocks of ${block}${carry ? "" : ", each from 0"}`,
    ),
    row("error of the gradient", html("b", {}, format(here.error))),
    row("cosine with the exact one", format(here.cosine), "less"),
    row("states in memory", `${block} of ${STEPS}`),
    row("mean reach of a loss", `${format(mean, 1)} ${mean === 1 ? "step" : "steps"}`, "mean"),
    row(`reach of the loss at ${t}`, steps(reach)),
    row("error of its gradient", format(one.error), "less"),
    !carry && row(`state at ${t} is off by`, `${format(100 * off[t - 1], 0)} %`),
  );
}

function sentence({ block, t, first, reach, here, carry }) {
  return (
    `With blocks of ${block} steps and the state ${carry ? "" : "not "}carried, the error of the gradient is ${format(here.error)}. ` +
    `The loss at step ${t} reaches ${steps(reach)}, to step ${first}.`
  );
}
