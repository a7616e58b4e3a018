import { rule } from "../lib/chart.js";
import { button, setAll, transport } from "../lib/controls.js";
import { drawingOf, html, italic, pointIn, redraw, set, setSize, svg, text } from "../lib/dom.js";
import { figure, stage } from "../lib/figure.js";
import { draggable, keySlider, knob } from "../lib/handles.js";
import { equation, linked } from "../lib/linked.js";
import { raised } from "../lib/powers.js";
import { remembered } from "../lib/remembered.js";
import { clamp, linear, rounded } from "../lib/scales.js";
import { place, rect } from "../lib/shapes.js";
import { defaults } from "../lib/stage.js";
import eq from "./equations.tex";
import { diagram } from "./diagram.js";
import { meta } from "./meta.js";
import { compute, GATES, KEEP, read, STEPS, sumOf, write } from "./math.js";

const NAME = {
  x: "input x",
  c: "cell input",
  g: "input gate g",
  f: "forget gate f",
  s: "state s",
  q: "output gate q",
  h: "output h",
  grad: "gradient",
};
const ROWS = Object.keys(NAME);

export const render = figure("lstm", meta, ({ model, el, spec, save }) => {
  const plot = svg("g");
  // The areas where gates are dragged, and a handle of each gate at the cursor. They are not redrawn.
  const zones = GATES.map((gate) => svg("rect", { class: "zone", "data-term": gate }));
  const grips = GATES.map((gate) => knob({ class: "grip", "data-term": gate }));
  const drawing = drawingOf("The cell over time", plot, zones, grips);
  const [block, formulas] = [html("div", { class: "block" }), html("div", { class: "formulas" })];
  const sum = html("p", { class: "sum" });
  const readout = html("p", { class: "readout" });
  const free = button("free the gates", () => save({ held: "" }));
  const time = transport(model, "t", { ...spec.t, text: (t) => `step ${t}` });
  const rows = html("div", { class: "rows" }, drawing);
  const showFormulas = remembered((cell) => redraw(formulas, lines(cell)));
  const view = { model, drawing, plot, zones, grips, now: null, at: null };
  let term = null;
  const link = linked(el, (next) => {
    term = next;
    if (view.now) redraw(sum, arithmetic(view.now, term));
  });
  plot.addEventListener("click", (event) =>
    save({ t: columnAt(view.at, pointIn(drawing, event).x) }),
  );
  return {
    parts: [
      stage(rows, html("div", { class: "side" }, block, formulas, sum, readout)),
      [time, free, "value"],
    ],
    reveal: { ...defaults(spec), held: "f5:0" },
    follow: [...GATES.map((gate, i) => holdGate(view, gate, i)), time, link],
    watch: rows,
    update(state, size) {
      const { params, steps } = compute(state);
      const now = { ...state, params, steps, step: steps[state.t - 1] };
      Object.assign(view, { now, at: scales(now, size) });
      drawRows(view, size);
      redraw(block, diagram(now));
      showFormulas(state.cell);
      for (const line of formulas.children) markHeld(line, now.step);
      redraw(sum, arithmetic(now, term));
      redraw(readout, verdict(now));
      free.ariaDisabled = String(!state.held);
      return [
        readout.textContent,
        `An LSTM cell${state.cell === "peepholes" ? " with peepholes" : ""} has made ${STEPS} steps.`,
      ];
    },
  };
});

// ---- hands

const columnAt = ({ left, wide }, x) => clamp(Math.floor((x - left) / wide) + 1, 1, STEPS);

/** Let the reader set a gate at a step. Return a function that updates the handle. */
function holdGate(view, gate, i) {
  const { model, drawing } = view;
  const grip = view.grips[i];
  const held = () => read(model.get("held"));
  const hold = (t, value) =>
    setAll(model, { held: write({ ...held(), [gate + t]: clamp(value, 0, 1) }) });
  const release = (t) => {
    const { [gate + t]: _, ...others } = held();
    setAll(model, { held: write(others) });
  };
  grip.addEventListener("keydown", (event) => {
    if (event.key !== "Delete" && event.key !== "Backspace") return;
    event.preventDefault();
    event.stopPropagation();
    release(model.get("t"));
  });
  const valueAt = (y) => view.at.bar[gate].invert(y);
  let column;
  draggable(view.zones[i], {
    surface: drawing,
    start({ x, y }) {
      column = columnAt(view.at, x);
      setAll(model, { t: column });
      hold(column, valueAt(y));
      grip.focus({ preventScroll: true });
    },
    move: ({ y }) => hold(column, valueAt(y)),
  });
  return keySlider(grip, {
    label: `${NAME[gate]} at this step; Delete lets the weights set it again`,
    min: 0,
    max: 1,
    step: 0.05,
    get: () => Number((view.now?.step[gate] ?? 0).toFixed(3)),
    text: (value) => (view.now ? `${rounded(value)}, ${how(view.now, gate)}` : ""),
    change: (value) => hold(model.get("t"), value),
  });
}

/** Draw the rows, and place the areas and handles of the gates over them. */
function drawRows({ drawing, plot, zones, grips, now, at }, { width }) {
  setSize(drawing, width, at.height);
  redraw(plot, rows(now, at));
  const { left, wide, top, high } = at;
  GATES.forEach((gate, i) => {
    set(zones[i], { x: left, y: top[gate], width: wide * STEPS, height: high[gate] });
    place(grips[i], left + wide * (now.t - 0.5), at.bar[gate](now.step[gate]));
  });
}

/** Mark the equation of a gate that is held, and show the value in place of the equation's number. */
function markHeld(node, { set, ...step }) {
  const { line, number } = node.dataset;
  const held = line in set;
  node.classList.toggle("held", held);
  node.lastChild.textContent = held ? `= ${rounded(step[line])}` : number;
}

/** Whether the reader or the weights set a gate at the cursor. */
const how = ({ step }, gate) => (gate in step.set ? "set by you" : "set by the weights");

// ---- the rows over time

const shown = (step, name) => (name === "x" ? step.x[0] : step[name]);

function scales({ steps }, { width, em, room }) {
  const narrow = width < 17 * em;
  const font = (narrow ? 0.82 : 0.92) * em;
  const left = (narrow ? 2.6 : 6.5) * em;
  const head = 2.2 * em;
  const gap = 0.45 * em;
  // A row with negative values is higher than a gate.
  const unit = Math.min((room - 6) / 9, 2.1) * em;
  const [top, high, reach, bar] = [{}, {}, {}, {}];
  let y = head;
  for (const name of ROWS) {
    const gate = GATES.includes(name);
    const most = Math.max(...steps.map((step) => Math.abs(shown(step, name))));
    reach[name] = [1, 2, 4, 8].find((limit) => most <= limit) ?? 8;
    top[name] = y;
    high[name] = (gate ? 1 : 1.2) * unit - gap;
    bar[name] = linear([gate ? 0 : -reach[name], reach[name]], [y + high[name], y]);
    // The row of f is below that of g, and their handles must not touch.
    y += high[name] + (name === "g" ? gap + 0.6 * em : gap);
  }
  return {
    ...{ narrow, em, font, left, top, high, reach, bar },
    wide: (width - left - 1) / STEPS,
    height: y,
  };
}

function rows(now, at) {
  const { left, wide, top, high, reach, font, em, narrow } = at;
  const { steps, t } = now;
  const column = (step) => {
    const x0 = left + wide * (step.t - 1);
    const across = { x: x0 + 0.14 * wide, width: 0.72 * wide };
    return ROWS.map((name) => {
      const scale = at.bar[name];
      const [value, isGate] = [shown(step, name), GATES.includes(name)];
      const y = scale(value);
      const zero = scale(0);
      const kind = isGate && name in step.set ? "held" : "";
      const thick = Math.max(Math.abs(zero - y), 1);
      return svg(
        "g",
        { class: `cell ${name} ${kind}`, "data-term": name },
        isGate && svg("rect", { class: "frame", ...across, y: top[name], height: high[name] }),
        svg("rect", { class: "bar", ...across, y: Math.min(zero, y), height: thick }),
        kind === "held" &&
          svg("path", { class: "cap", d: `M${x0 + 0.08 * wide} ${y}h${0.84 * wide}` }),
      );
    });
  };
  const marks = { [KEEP]: "keep", [STEPS]: "ask" };
  const above = (name, step, y, words) =>
    svg(
      "text",
      { class: name, x: left + wide * (step - 0.5), y: y * em, "font-size": font },
      words,
    );
  return [
    rect(left + wide * (t - 1), 0, wide, at.height, { class: "cursor", rx: 0.3 * em }),
    steps.map(({ t }) => [above("time", t, 0.95, t), marks[t] && above("mark", t, 1.95, marks[t])]),
    !narrow && svg("text", { class: "name quiet", x: 0, y: 0.95 * em, "font-size": font }, "step"),
    ROWS.map((name) => [
      rect(left, top[name], wide * STEPS, high[name], { class: "hit", "data-term": name }),
      !GATES.includes(name) && rule({ left, right: left + wide * STEPS, y: at.bar[name] }, 0),
      text(
        at,
        0,
        top[name] + high[name] / 2,
        { class: `name ${name}`, "data-term": name },
        label(name, narrow, font),
        reach[name] > 1 && svg("tspan", { class: "quiet" }, ` ±${reach[name]}`),
      ),
    ]),
    svg("g", { class: "columns" }, steps.map(column)),
  ];
}

function label(name, narrow, font) {
  if (name === "grad")
    return ["∂", italic("h"), !narrow && raised(`(${STEPS})`, font, " "), "/∂", italic("s")];
  if (name === "c") return narrow ? "in" : NAME.c;
  const words = NAME[name].split(" ");
  return [narrow ? "" : `${words.slice(0, -1).join(" ")} `, italic(words.at(-1))];
}

// ---- the words

const NUMBERS = { f: "10.40", s: "10.41", g: "10.42", h: "10.43", q: "10.44" };

/** The equations (G 10.40)-(G 10.44). */
const lines = (cell) =>
  Object.entries(NUMBERS).map(([name, number]) => {
    const peeps = cell === "peepholes" && GATES.includes(name) ? "p" : "";
    return html(
      "div",
      { class: "formula", "data-line": name, "data-number": `(G ${number})` },
      equation(eq[name + peeps]),
      html("span", { class: "number" }),
    );
  });

const sup = (above) => html("sup", {}, `(${above})`);
const sign = (name, above) =>
  html("span", { class: `sign ${name}` }, html("i", {}, name), sup(above));
/** A sum or product of numbers. Negative ones are in brackets. */
const chain = (values, sign) =>
  values
    .map((value, i) => (value < 0 && i ? `(${rounded(value)})` : rounded(value)))
    .join(` ${sign} `);

/** The arithmetic of the highlighted term at the cursor, or of the state if none is highlighted. */
function arithmetic({ params, step, t }, term) {
  const name = { sp: "s", x: "s", hp: "s", p: "s", grad: "grad" }[term] ?? term ?? "s";
  const { f, g, c, s, q, h, sPrev, grad, path } = step;
  const is = (value) => [" = ", html("b", {}, rounded(value))];
  if (name === "grad")
    return [
      "∂",
      sign("h", STEPS),
      " / ∂",
      sign("s", t),
      ...is(grad),
      `; forget gates after: ${rounded(path)}`,
    ];
  if (name === "h") return [sign("h", t), ` = tanh(${rounded(s)}) × ${rounded(q)}`, ...is(h)];
  if (name === "c") return [`cell input = tanh(${chain(sumOf(params, step, "c"), "+")})`, ...is(c)];
  if (!GATES.includes(name))
    return [sign("s", t), ` = ${chain([f, sPrev], "×")} + ${chain([g, c], "×")}`, ...is(s)];
  if (name in step.set) return [sign(name, t), ...is(step[name]), ", set by you"];
  return [sign(name, t), ` = σ(${chain(sumOf(params, step, name), "+")})`, ...is(step[name])];
}

/** The readout: the output, and how much of its gradient arrives at the step of the value. */
function verdict({ steps }) {
  const [kept, last] = [steps[KEEP - 1], steps[STEPS - 1]];
  const output = [
    "The output ",
    sign("h", STEPS),
    " is ",
    html("b", { class: "h" }, rounded(last.h)),
  ];
  if (!last.grad) return [...output, ". It has no gradient, because the output gate is closed."];
  const share = kept.grad / last.grad;
  const detour = Math.abs(share - kept.path) > 0.05 && " The rest takes paths through the outputs.";
  return [
    ...output,
    ". Of its gradient at ",
    sign("s", STEPS),
    ", ",
    html("b", {}, Math.abs(share) < 0.005 ? "< 0.01" : rounded(share)),
    " arrives at ",
    sign("s", KEEP),
    ". The forget gates alone, ",
    sign("f", KEEP + 1),
    " ⋯ ",
    sign("f", STEPS),
    `, leave ${rounded(kept.path)}.`,
    detour && html("span", { class: "rest" }, detour),
  ];
}
