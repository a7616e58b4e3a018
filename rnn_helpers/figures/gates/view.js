import { button, controls } from "../lib/controls.js";
import { drawingOf, html, pointIn, redraw, set, setSize } from "../lib/dom.js";
import { figure, stage } from "../lib/figure.js";
import { isShortcut } from "../lib/handles.js";
import { said } from "../lib/linked.js";
import { roving } from "../lib/roving.js";
import { rounded } from "../lib/scales.js";
import { CALLED, picture, scales, STRIPS } from "./drawing.js";
import { meta } from "./meta.js";
import { LONGEST, put, range, run, SYMBOLS, training, turned } from "./math.js";

const PRESETS = {
  "many resets": "11r1r111r0r11r1r01r1",
  "only ones": "1".repeat(LONGEST),
  "ones, then a reset": `${"1".repeat(18)}r11101`,
};

export const render = figure("gates", meta, ({ save, control }) => {
  const drawing = drawingOf("The sequence; below it the answers, the gates and the states");
  const scroller = html(
    "div",
    { class: "uf-scroll", role: "region", "aria-label": "the sequence and the network over it" },
    drawing,
  );
  const readout = html("div", { class: "readout" });
  const shown = { drawing, scroller, now: null, at: null };
  const light = lights(shown, (step) => redraw(readout, words(shown.now, step, shown.at)));
  const stay = scrolls(shown);
  holdSymbols(shown, save);
  return {
    parts: [
      stage(html("div", { class: "area" }, scroller), readout),
      html(
        "div",
        { class: "rows" },
        controls(["net", "unit", "sequence"].map((key) => control(key))),
        sequences(save),
      ),
    ],
    reveal: { net: "lstm", sequence: PRESETS["only ones"], t: LONGEST },
    update(state, size) {
      const now = { ...state, steps: run(state), t: Math.min(state.t, state.sequence.length) };
      const at = scales(now, size);
      const scrolled = at.width > size.width;
      Object.assign(shown, { now, at });
      setSize(drawing, at.width, at.height);
      set(scroller, { tabindex: scrolled ? 0 : null });
      redraw(drawing, picture(now, at));
      if (scrolled) scrollTo(scroller, now.t, at, size.width);
      stay();
      light();
      return [...readout.children]
        .map((part) => (part.className === "sum" ? summed(now.steps[now.t - 1]) : said(part)))
        .join(" ");
    },
  };
});

/** Buttons that set a sequence and choose its last reset. */
const sequences = (save) =>
  html(
    "div",
    { class: "uf-controls presets", role: "group", "aria-label": "sequences" },
    Object.entries(PRESETS).map(([name, sequence]) =>
      button(name, () => save({ sequence, t: sequence.lastIndexOf("r") + 1 || sequence.length })),
    ),
  );

/** Scroll to a step in a window of this width. */
function scrollTo(scroller, t, at, width) {
  const [left, right] = [at.time(t - 1) - at.left, at.time(t) + at.wide - width];
  scroller.scrollLeft = Math.max(Math.min(scroller.scrollLeft, left), right);
}

/** Keep the names above the rows in sight, and fade an edge if there is more behind it. */
function scrolls({ scroller, drawing }) {
  const stay = () => {
    const { scrollLeft, clientWidth, scrollWidth } = scroller;
    scroller.classList.toggle("before", scrollLeft > 1);
    scroller.classList.toggle("after", scrollLeft + clientWidth < scrollWidth - 1);
    for (const name of drawing.querySelectorAll(".stays"))
      set(name, { transform: `translate(${scrollLeft} 0)` });
  };
  scroller.addEventListener("scroll", stay);
  return stay;
}

/** The step under an event's pointer, or null. */
function stepAt({ drawing, now, at }, event) {
  const t = Math.ceil(at.time.invert(pointIn(drawing, event).x));
  return t >= 1 && t <= now.steps.length ? t : null;
}

/**
 * Light the step under the pointer, or else the chosen one, and call `show(step)`. Return a function
 * that lights the chosen one.
 */
function lights(shown, show) {
  const { drawing } = shown;
  let over = null;
  const light = (t) => {
    over = t;
    const step = shown.now.steps[(t ?? shown.now.t) - 1];
    drawing.querySelector(".band")?.setAttribute("x", shown.at.time(step.t - 1));
    show(step);
  };
  drawing.addEventListener("pointermove", (event) => {
    const t = stepAt(shown, event);
    if (t !== over) light(t);
  });
  drawing.addEventListener("pointerleave", () => light(null));
  return () => light(null);
}

/** Change symbols by a click or by the keys 0, 1, r, space and Enter. The arrow keys move between steps. */
function holdSymbols(shown, save) {
  const { drawing } = shown;
  const turn = (t, symbol = turned(shown.now.sequence[t - 1])) =>
    save({ sequence: put(shown.now.sequence, t, symbol), t });
  drawing.addEventListener("keydown", (event) => {
    const cell = event.target.closest("[data-node]");
    const key = event.key.toLowerCase();
    if (!cell || isShortcut(event)) return;
    if (!SYMBOLS.includes(key) && key !== " " && key !== "enter") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    turn(Number(cell.dataset.node), SYMBOLS.includes(key) ? key : undefined);
  });
  drawing.addEventListener("click", (event) => {
    const t = stepAt(shown, event);
    if (!t) return;
    if (event.target.closest("[data-node]")) {
      event.stopImmediatePropagation(); // one change, not a choice too
      return turn(t);
    }
    const unit = event.target.closest("[data-unit]")?.dataset.unit;
    save({ t, ...(unit && { unit: Number(unit) }) });
  });
  roving(drawing, (id) => save({ t: Number(id) }));
}

// ---- the words

const between = ([low, high]) =>
  rounded(low) === rounded(high) ? rounded(low) : `${rounded(low)} to ${rounded(high)}`;

const bold = (kind, ...words) => html("b", { class: kind }, ...words);

/** The values of one of the unit's gates at resets and elsewhere. */
function habit({ steps, unit }, [key, called]) {
  const [at, other] = [true, false].map((reset) =>
    range(steps, key, unit, ({ symbol }) => (symbol === "r") === reset),
  );
  return [
    `Its ${called} `,
    html("i", {}, key),
    " is ",
    at && [bold("gate", between(at)), " at resets"],
    at && other && ", ",
    other && [bold("gate", between(other)), at && " elsewhere"],
    ". ",
  ];
}

/** A number below 0 in brackets. */
const bracket = (value) => (value < 0 ? `(${rounded(value)})` : rounded(value));

/** The answer as a sum, each term over its name. */
function addition({ terms, answer }) {
  const term = (value, kind, name) =>
    html("span", { class: "term" }, bold(kind, bracket(value)), html("small", {}, name));
  const units = terms.slice(0, -1).map((value, i) => [term(value, "state", `unit ${i + 1}`), "+"]);
  return [units, term(terms.at(-1), "", "bias"), "=", term(answer, "output", "answer")];
}

/** The same for screen readers. */
function summed({ terms, answer }) {
  const names = terms.map((_, i) => (i < terms.length - 1 ? `unit ${i + 1}` : "the bias"));
  const added = terms.map((value, i) => `${rounded(value)} from ${names[i]}`);
  return `${added.slice(0, -1).join(", ")} and ${added.at(-1)}, which is ${rounded(answer)}.`;
}

/** The readout: the answer, a step of the chosen unit, and what its gates do at resets. */
function words(all, now, { most }) {
  const { net, unit, steps } = all;
  const i = unit - 1;
  const [state, kept, taken] =
    net === "lstm" ? ["s", now.f[i], now.g[i]] : ["h", now.u[i], 1 - now.u[i]];
  const off = Math.abs(now.answer - now.count);
  const beyond = [
    steps.length > training.length && `${training.length} steps`,
    most > training.usual && `few counts above ${training.usual}`,
  ].filter(Boolean);
  return [
    html(
      "p",
      {},
      bold("", `Step ${now.t}, ${CALLED[now.symbol]}: `),
      "the count is ",
      bold("target", now.count),
      off > 0.5 && [", and the answer is off by ", bold("loss", rounded(off, 1))],
      ". The answer is the sum of 10 × weight × output:",
    ),
    html("p", { class: "sum" }, addition(now)),
    html(
      "p",
      {},
      `In unit ${unit}, `,
      bold(state === "s" ? "memory" : "state", html("i", {}, state)),
      ` = ${rounded(kept)} × ${bracket(now.before[state][i])} + ${rounded(taken)} × ${bracket(now.c[i])} = `,
      bold("", rounded(now[state][i])),
      ".",
    ),
    html(
      "p",
      { class: "habit" },
      STRIPS[net].slice(0, 2).map((strip) => habit(all, strip)),
    ),
    beyond.length > 0 && html("p", {}, `Dashed: training had ${beyond.join(" and ")}.`),
  ];
}
