import { html, redraw, set, svg } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { draggable, keySlider, knob } from "../lib/handles.js";
import { linked } from "../lib/linked.js";
import { paper } from "../lib/paper.js";
import { clamp } from "../lib/scales.js";
import { place } from "../lib/shapes.js";
import { graph, handled, plot, scales } from "./drawing.js";
import { meta } from "./meta.js";
import { compute, LONGEST, meeting } from "./math.js";
import { brief, number, OPENING, READOUT, sentence } from "./words.js";

const OF = { leak: ["alpha", "other"], skip: ["w", "skip", "d"], clock: ["w", "p"] };
const OWN = ["alpha", "other", "w", "skip", "d", "p"];
const KEYS = ["kind", ...OWN, "back", "span"];
// The controls of a figure that shows a single kind. Its handles change the others.
const ONE = { skip: ["d", "back"], leak: ["alpha", "back"], clock: ["p", "back"] };

export const render = figure("scales", meta, ({ model, el, save, control, again }) => {
  const front = svg("g");
  const pad = svg("rect", { class: "pad" });
  const far = knob({ class: "back" });
  const arcs = ["d", "p"].map((key) => ({ key, node: knob() }));
  const heard = ["other", "alpha"].map((key) => ({ key, node: knob() }));
  const label = "The unfolded graph and, below it, how much is left by steps back";
  const area = areaOf(label, pad, front, far, arcs, heard);
  const row = Object.fromEntries(KEYS.map((key) => [key, control(key)]));
  const shown = { model, save, drawing: area.drawing, pad, far, arcs, heard, now: null, at: null };
  // The axis grows if the selected step is beyond its end.
  model.on(
    "change:back",
    () => model.get("back") > model.get("span") && model.set("span", LONGEST),
  );
  model.on("change:span", () => model.set("back", Math.min(model.get("back"), model.get("span"))));
  const one = model.get("view") === "one";
  // The opening asks why so much is left, so its figure has neither the table nor the third line.
  const puzzle = one && model.get("kind") === "skip";
  // The chapter asks which of two leaky units holds more of a later value. Before the reader has looked
  // there, their lines are drawn only as far as the dotted line.
  const asking = one && model.get("kind") === "leak";
  const asked = ({ alpha, other }) =>
    alpha === meta.controls.alpha.default && other === meta.controls.other.default;
  const print = paper(again);
  let seen = false;
  const readout = html("div", { class: puzzle ? "readout brief" : "readout" });
  return {
    parts: [stage(area, readout), Object.values(row)],
    reveal: model.get("kind") === "leak" && {
      kind: "leak",
      alpha: 0.99,
      other: 0.9,
      back: 10,
      span: 40,
    },
    follow: [
      holdBack(shown),
      ...arcs.map((arc) => holdArc(shown, arc)),
      ...heard.map((unit) => holdLeak(shown, unit)),
      linked(el),
      print,
    ],
    update(state, size) {
      const now = { ...state, ...compute(state), hidden: 0 };
      if (!asked(state) || now.k < meeting(state.alpha, state.other)) seen = true;
      if (asking && !seen && !print.on()) now.hidden = now.k;
      if (puzzle || now.hidden) now.limit = null;
      const at = scales(now, size);
      Object.assign(shown, { now, at });
      area.draw(size, at, graph(now, at));
      set(pad, { x: at.left, y: at.top, width: at.right - at.left, height: at.bottom - at.top });
      redraw(front, plot(now, at));
      placeKnobs(shown);
      const wanted = one ? ONE[now.kind] : ["kind", ...OF[now.kind], "back", "span"];
      for (const key of KEYS) row[key].classList.toggle("off", !wanted.includes(key));
      if (puzzle) redraw(readout, brief(now));
      else {
        const [numbers, ...words] = READOUT[now.kind](now);
        redraw(readout, numbers, html("div", {}, words));
      }
      return [sentence(now), OPENING[now.kind](now)];
    },
  };
});

// ---- handles; each function returns one that updates the handle after other changes

function write({ save }, key, value) {
  const { min, max, step = 1 } = meta.controls[key];
  const near = Number((Math.round(value / step) * step).toFixed(3));
  save({ [key]: clamp(near, min, max) });
}

/** Let the reader select a step with the knob or anywhere in the plot. */
function holdBack(shown) {
  const { model, far, pad, drawing } = shown;
  const hold = {
    surface: drawing,
    move: ({ x }) => write(shown, "back", Math.min(shown.at.x.invert(x), shown.now.span)),
  };
  draggable(far, hold);
  draggable(pad, { ...hold, start: hold.move });
  // Time runs to the right, so the right arrow key means fewer steps back.
  return keySlider(far, {
    label: "the step looked back to",
    min: -LONGEST,
    max: -1,
    get: () => -(shown.now?.k ?? model.get("back")),
    change: (value) => write(shown, "back", -value),
    text: () => (shown.now ? sentence(shown.now) : ""),
  });
}

/** Let the reader change the length of the skip with the knob in the middle of its arc. */
function holdArc(shown, { key, node }) {
  const { model, drawing } = shown;
  let held;
  draggable(node, {
    surface: drawing,
    start: ({ x }) => (held = { x, size: shown.now[key] }),
    move: ({ x }) => write(shown, key, held.size + (2 * (held.x - x)) / shown.at.pitch),
  });
  return keySlider(node, {
    label: key === "d" ? "length of the skip" : "period of the clock",
    min: meta.controls[key].min,
    max: meta.controls[key].max,
    get: () => model.get(key),
    change: (value) => write(shown, key, value),
    text: (value) => `${key} = ${value}`,
  });
}

/** Let the reader set the weight 1 - α of the input of a leaky unit, on a logarithmic axis. */
function holdLeak(shown, { key, node }) {
  const { model, drawing } = shown;
  const move = ({ y }) => write(shown, key, 1 - 10 ** shown.at.y.invert(y));
  const takenIn = () => Math.log10(1 - model.get(key));
  draggable(node, { surface: drawing, move });
  return keySlider(node, {
    label: `share that the ${key === "alpha" ? "upper" : "lower"} unit takes in, 1 − α`,
    min: -3,
    max: 0,
    step: 0.05,
    get: takenIn,
    change(value) {
      const near = Math.round(1000 * (1 - 10 ** value)) / 1000;
      const next = model.get(key) - 0.001 * Math.sign(value - takenIn());
      write(shown, key, near === model.get(key) ? next : near);
    },
    text: () => `takes in ${number(1 - model.get(key))}, α = ${number(model.get(key))}`,
  });
}

function placeKnobs({ far, arcs, heard, now, at }) {
  const shown = (node, yes) => set(node, { display: yes ? null : "none" });
  place(far, at.x(now.k), at.rows.x);
  for (const { key, node } of arcs) {
    shown(node, (key === "d" ? "skip" : "clock") === now.kind);
    const { middle, height } = handled(now, at);
    place(node, middle, at.rows.front - height);
  }
  for (const { key, node } of heard) {
    shown(node, now.kind === "leak");
    place(node, at.x(0), at.y(Math.log10(1 - now[key])));
  }
}
