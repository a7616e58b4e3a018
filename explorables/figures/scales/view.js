import { control, controls, setAll } from "../../lib/controls.js";
import { drawingOf, html, set, svg } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { draggable, keySlider, knob } from "../../lib/handles.js";
import { linked, live } from "../../lib/linked.js";
import { clamp } from "../../lib/scales.js";
import { place } from "../../lib/shapes.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import { graph, handled, plot, scales } from "./drawing.js";
import { meta } from "./meta.js";
import { compute, LONGEST } from "./math.js";
import { number, sentence, READOUT } from "./words.js";

const OF = { leak: ["alpha", "other"], skip: ["w", "skip", "d"], clock: ["w", "p"] };
const OWN = ["alpha", "other", "w", "skip", "d", "p"];
const KEYS = ["kind", ...OWN, "back", "span"];

export function render({ model, el }) {
  const { controls: spec } = meta;
  const [ground, front] = [svg("g"), svg("g")];
  const pad = svg("rect", { class: "pad" });
  const far = knob({ class: "back" });
  const arcs = ["d", "p"].map((key) => ({ key, node: knob() }));
  const heard = ["other", "alpha"].map((key) => ({ key, node: knob() }));
  const drawing = drawingOf(
    "The unfolded graph, and below it the sizes of its ways back",
    ground,
    pad,
    front,
    far,
    arcs,
    heard,
  );
  const area = html("div", { class: "area" }, drawing);
  const readout = html("div", { class: "readout" });
  const status = live();
  const row = Object.fromEntries(KEYS.map((key) => [key, control(model, key, spec[key])]));
  el.classList.add("fig-scales");
  el.append(
    html("div", { class: "stage" }, area, readout),
    controls(...KEYS.map((key) => row[key])),
    guess(meta.prediction, () =>
      setAll(model, { kind: "leak", alpha: 0.99, other: 0.9, back: 10, span: 40 }),
    ),
    status,
  );

  const figure = { model, drawing, pad, far, arcs, heard, now: null, at: null };
  const follow = [
    holdBack(figure),
    ...arcs.map((arc) => holdArc(figure, arc)),
    ...heard.map((unit) => holdLeak(figure, unit)),
  ];
  const link = linked(el);
  function update(size) {
    const state = settings(model, spec);
    const now = { ...state, ...compute(state) };
    const at = scales(now, size);
    Object.assign(figure, { now, at });
    set(drawing, { viewBox: `0 0 ${size.width} ${at.height}` });
    set(pad, { x: at.left, y: at.top, width: at.right - at.left, height: at.bottom - at.top });
    ground.replaceChildren(svg("g", {}, graph(now, at)));
    front.replaceChildren(svg("g", {}, plot(now, at)));
    placeKnobs(figure);
    for (const key of OWN) row[key].classList.toggle("off", !OF[now.kind].includes(key));
    const [numbers, ...words] = READOUT[now.kind](now);
    readout.replaceChildren(numbers, html("div", {}, words));
    for (const refresh of follow) refresh();
    link.refresh();
    status.announce(sentence(now));
  }
  // Whoever looks back beyond what is shown is shown more.
  model.on(
    "change:back",
    () => model.get("back") > model.get("span") && model.set("span", LONGEST),
  );
  model.on("change:span", () => model.set("back", Math.min(model.get("back"), model.get("span"))));
  return keepDrawn(model, area, update);
}

// ---- hands; each returns what follows a change that was made elsewhere

function write(model, key, value) {
  const { min, max, step = 1 } = meta.controls[key];
  const near = Number((Math.round(value / step) * step).toFixed(3));
  setAll(model, { [key]: clamp(near, min, max) });
}

/** The step looked back to: its knob, and anywhere in the plot. */
function holdBack(figure) {
  const { model, far, pad, drawing } = figure;
  const hold = {
    surface: drawing,
    move: ({ x }) => write(model, "back", Math.min(figure.at.x.invert(x), figure.now.span)),
  };
  draggable(far, hold);
  draggable(pad, { ...hold, start: hold.move });
  // To the right is later, for the keys too.
  return keySlider(far, {
    label: "the step looked back to",
    min: -LONGEST,
    max: -1,
    get: () => -(figure.now?.k ?? model.get("back")),
    change: (value) => write(model, "back", -value),
    text: () => (figure.now ? sentence(figure.now) : ""),
  });
}

/** The knob is in the middle of the arc, which grows to both sides of its middle. */
function holdArc(figure, { key, node }) {
  const { model, drawing } = figure;
  let held;
  draggable(node, {
    surface: drawing,
    start: ({ x }) => (held = { x, size: figure.now[key] }),
    move: ({ x }) => write(model, key, held.size + (2 * (held.x - x)) / figure.at.pitch),
  });
  return keySlider(node, {
    label: key === "d" ? "length of the skip" : "period of the clock",
    min: meta.controls[key].min,
    max: meta.controls[key].max,
    get: () => model.get(key),
    change: (value) => write(model, key, value),
    text: (value) => `${key} = ${value}`,
  });
}

/** How much a leaky unit hears, on a logarithmic axis. */
function holdLeak(figure, { key, node }) {
  const { model, drawing } = figure;
  const move = ({ y }) => write(model, key, 1 - 10 ** figure.at.log.invert(y));
  const hears = () => Math.log10(1 - model.get(key));
  draggable(node, { surface: drawing, move });
  return keySlider(node, {
    label: `how much the unit ${key === "alpha" ? "above" : "below"} hears, 1 − α`,
    min: -3,
    max: 0,
    step: 0.05,
    get: hears,
    change(value) {
      const near = Math.round(1000 * (1 - 10 ** value)) / 1000;
      const next = model.get(key) - 0.001 * Math.sign(value - hears());
      write(model, key, near === model.get(key) ? next : near);
    },
    text: () => `hears ${number(1 - model.get(key))}, α = ${number(model.get(key))}`,
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
    place(node, at.x(0), at.log(Math.log10(1 - now[key])));
  }
}
