import { control, controls, setAll, transport, holds } from "../../lib/controls.js";
import { drawingOf, html, italic, responsive, set, svg, text, uniqueId } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { knob } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { clamp, format } from "../../lib/scales.js";
import { place } from "../../lib/shapes.js";
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
  const pattern = svg(
    "pattern",
    {
      id: hatch,
      width: 5,
      height: 5,
      patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(45)",
    },
    svg("path", { class: "hatch", d: "M0 0V5" }),
  );
  const [under, over] = [svg("g"), svg("g")];
  const [cut, loss, onLine] = [
    knob({ class: "cut" }),
    knob({ class: "at" }),
    knob({ class: "cut" }),
  ];
  const drawing = drawingOf(
    "The chain in blocks, and what each step gives to the gradient of one loss",
    svg("defs", {}, pattern),
    under,
    over,
    cut,
    loss,
  );
  const curve = svg("g");
  const small = drawingOf("The error of the gradient by length of block", curve, onLine);
  const [area, beside] = [
    html("div", { class: "area" }, drawing),
    html("div", { class: "beside" }, small),
  ];
  const readout = html("div", { class: "readout" });
  const status = live();
  let now;
  const film = transport(hand, "frame", {
    ...spec.frame,
    min: 1,
    interval: 1100,
    limit: () => frames(model.get("block")),
    text: (frame) => {
      const { number, phase } = scene(frame, model.get("block"));
      return `block ${number}: ${phase === 2 && !model.get("carry") ? "start from 0" : PHASES[phase]}`;
    },
  });
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
      html("div", {}, area, key()),
      html("div", { class: "side" }, beside, readout),
    ),
    controls(...Object.values(row)),
    guess(meta.prediction, () => {
      el.classList.add("answered");
      setAll(model, { block: 10, t: 31, frame: 0 });
    }),
    status,
  );

  // ---- the errors of all blocks: of few while a hand moves, of all when it rests

  const lines = new Map();
  let rest;
  const line = (radius, carry) => {
    const key = `${radius} ${carry}`;
    if (!lines.has(key)) lines.set(key, errors(radius, carry, FEW));
    if (lines.get(key).length < STEPS) {
      clearTimeout(rest);
      rest = setTimeout(() => {
        lines.set(key, errors(radius, carry, ALL));
        if (el.isConnected && size) update();
      }, 200);
    }
    return lines.get(key);
  };

  // ---- hands

  const sliders = [
    {
      node: cut,
      key: "block",
      surface: drawing,
      at: ({ x }) => at.x.invert(x) - 0.5,
      label: "length of a block",
    },
    {
      node: onLine,
      key: "block",
      surface: small,
      at: ({ x }) => 10 ** wide.x.invert(x),
      label: "length of a block, on its line",
    },
    {
      node: loss,
      key: "t",
      surface: drawing,
      at: ({ x }) => at.x.invert(x),
      label: "step of the loss",
    },
  ];
  const follow = sliders.map(({ node, key, ...hold }) =>
    holds(node, hand, key, spec[key], { ...hold, text: () => (now ? sentence(now) : "") }),
  );

  let size; // of the drawing, and of the one beside it
  let other;
  let at; // their scales
  let wide;
  function update() {
    if (!size || !other) return;
    const state = Object.fromEntries(KEYS.map((key) => [key, model.get(key)]));
    const { block, radius, carry, t } = state;
    const rows = line(radius, carry);
    const [here] = rows
      .filter((each) => each.block === block)
      .concat(rows.length < STEPS ? errors(radius, carry, [block]) : []);
    const made = compute(state);
    now = { ...state, ...made, here, now: { ...scene(shown(state), block), blocks: made.blocks } };
    now.line =
      rows.length < STEPS
        ? [...rows.filter((each) => each.block !== block), here].sort((p, q) => p.block - q.block)
        : rows;
    now.carried = carry ? null : line(radius, true);
    at = scales(size);
    wide = errorScales(other);
    set(drawing, { viewBox: `0 0 ${size.width} ${at.height}` });
    set(small, { viewBox: `0 0 ${other.width} ${wide.height}` });
    under.replaceChildren(svg("g", {}, chain(now, at)));
    over.replaceChildren(svg("g", {}, bars(now, at, hatch)), label(now, at));
    curve.replaceChildren(svg("g", {}, chart(now, wide)));
    place(cut, at.x(block + 0.5), at.rows.cut);
    place(loss, at.x(t), at.rows.loss);
    place(onLine, wide.x(Math.log10(block)), wide.y(clamp(here.error, 0, 1)));
    readout.replaceChildren(table(now));
    follow.forEach((refresh) => refresh());
    film.update();
    status.announce(sentence(now));
  }
  model.on("change", update);
  const ends = [
    responsive(area, (next) => {
      size = next;
      update();
    }),
    responsive(beside, (next) => {
      other = next;
      update();
    }),
  ];
  return () => {
    clearTimeout(rest);
    film.stop();
    ends.forEach((end) => end());
  };
}

/** What the three kinds of nodes are. */
function key() {
  const node = (name, r) =>
    svg(
      "svg",
      { viewBox: "0 0 16 16", "aria-hidden": "true" },
      svg("circle", { class: name, cx: 8, cy: 8, r }),
    );
  const kinds = [
    ["node full", 7, "in memory"],
    ["node gone", 4, "let go"],
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
    `Blocks of ${block}, the state ${carry ? "" : "not "}carried: error of the gradient ${format(here.error)}. ` +
    `The loss at step ${t} reaches ${steps(reach)}, to step ${first}.`
  );
}
