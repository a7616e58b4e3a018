import { control, holds, transport } from "../lib/controls.js";
import { html, italic, redraw, responsive, svg, tableRow, text, uniqueId } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { knob } from "../lib/handles.js";
import { clamp, counted, format, percent } from "../lib/scales.js";
import { place, swatch } from "../lib/shapes.js";
import { settings } from "../lib/stage.js";
import { bars, chain, chart, errorScales, scales } from "./drawing.js";
import { meta } from "./meta.js";
import { compute, errors, frameOf, frames, PHASES, scene, shown, STEPS } from "./math.js";

const ALL = Array.from({ length: STEPS }, (_, k) => k + 1);
const FEW = [1, 2, 3, 5, 7, 10, 15, 20, 30, STEPS]; // while a control moves

/**
 * The model as the controls see it. The frame follows the step of the loss and the length of the
 * blocks, and the loss follows the frame. The prose and Reset set each value alone.
 */
function linkedModel(model) {
  const state = () => settings(model, meta.controls);
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

export const render = figure("tbptt", meta, ({ model, el, spec, save, again }) => {
  const hand = linkedModel(model);
  const own = (key) => control(hand, key, spec[key]);
  const film = filmOf(model, hand);
  const lines = errorLines(again);
  const [cut, loss, onLine] = ["cut", "at", "cut"].map((name) => knob({ class: name }));
  const area = areaOf(
    "The chain in blocks, and each step's contribution to the gradient of one loss",
    cut,
    loss,
  );
  const beside = areaOf("The error of the gradient by length of block", onLine);
  beside.node.className = "beside";
  const readout = html("div", { class: "readout" });
  const hatch = uniqueId("hatch");
  const defs = svg("defs", {}, hatchOf(hatch));
  const step = own("t");
  step.classList.add("at");

  let [now, at, wide] = [null, null, null];
  let other; // size of the drawing beside the first
  const end = responsive(beside.node, (size) => {
    other = size;
    again();
  });
  const held = (node, key, { drawing }, at, label) =>
    holds(node, hand, key, spec[key], {
      ...{ surface: drawing, at, label },
      text: () => (now ? sentence(now) : ""),
    });
  return {
    parts: [
      [film],
      stage(html("div", {}, area, key()), html("div", { class: "side" }, beside, readout)),
      [own("block"), own("radius"), own("carry"), step],
    ],
    reveal() {
      el.classList.add("answered");
      save({ block: 10, t: 31, frame: 0 });
    },
    follow: [
      held(cut, "block", area, ({ x }) => at.x.invert(x) - 0.5, "length of a block"),
      held(onLine, "block", beside, ({ x }) => wide.x.invert(x), "length of a block, on its line"),
      held(loss, "t", area, ({ x }) => at.x.invert(x), "step of the loss"),
      film,
      lines,
      { stop: end },
    ],
    update(state, size) {
      if (!other) return;
      now = compared({ ...state, ...compute(state) }, lines);
      at = scales(size);
      wide = errorScales(other);
      area.draw(size, at, defs, chain(now, at), bars(now, at, hatch), label(now, at));
      beside.draw(other, wide, chart(now, wide));
      place(cut, at.x(now.block + 0.5), at.rows.cut);
      place(loss, at.x(now.t), at.rows.loss);
      place(onLine, wide.x(now.block), wide.y(clamp(now.here.error, 0, 1)));
      redraw(readout, table(now));
      return sentence(now);
    },
  };
});

/** The pattern of the bars that the gradient leaves out. */
const hatchOf = (id) =>
  svg(
    "pattern",
    { id, width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("path", { class: "hatch", d: "M0 0V5" }),
  );

/** The film of all frames. */
function filmOf(model, hand) {
  const text = (frame) => {
    const { number, phase } = scene(frame, model.get("block"));
    return `block ${number}: ${phase === 2 && !model.get("carry") ? "start from 0" : PHASES[phase]}`;
  };
  const limit = () => frames(model.get("block"));
  return transport(hand, "frame", { ...meta.controls.frame, min: 1, interval: 1100, limit, text });
}

/**
 * The errors by length of block, for a few lengths while a control moves. When it rests, all lengths
 * are computed, and then `known()` is called.
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

/** A state, and the errors for its length of block and for all others. */
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

/** The legend of the three kinds of nodes. */
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

/** The length of a block, beside its knob on the side where there is room. */
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

function table({ block, carry, t, reach, mean, here, off }) {
  const row = (name, value, kind) =>
    tableRow({ class: kind }, html("th", { scope: "row" }, name), value);
  return html(
    "table",
    {},
    html(
      "caption",
      {},
      block === STEPS ? "one block: exact" : `blocks of ${block}${carry ? "" : ", each from 0"}`,
    ),
    row("error of the gradient", html("b", {}, format(here.error))),
    row("states in memory", `${block} of ${STEPS}`),
    row("mean reach of a loss", `${format(mean, 1)} ${mean === 1 ? "step" : "steps"}`, "mean"),
    row(`reach of the loss at ${t}`, counted(reach, "step")),
    !carry && row(`state at ${t} is off by`, percent(off[t - 1])),
  );
}

function sentence({ block, t, first, reach, here, carry }) {
  return (
    `With blocks of ${counted(block, "step")} and the state ${carry ? "" : "not "}carried, the error of the gradient is ${format(here.error)}. ` +
    `The loss at step ${t} reaches ${counted(reach, "step")}, to step ${first}.`
  );
}
