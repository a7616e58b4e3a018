import { button, control, controls, setAll } from "../../lib/controls.js";
import {
  drawingOf,
  html,
  italic,
  pointIn,
  set,
  setSize,
  svg,
  text,
  redraw,
} from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { live } from "../../lib/linked.js";
import { roving } from "../../lib/roving.js";
import { format, linear } from "../../lib/scales.js";
import { point, rect } from "../../lib/shapes.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import { meta } from "./meta.js";
import { LONGEST, networks, put, range, run, SYMBOLS, training, turned, worst } from "./math.js";
import { isShortcut } from "../../lib/handles.js";

/** What is shown of each cell, with its name and what it is. */
const STRIPS = {
  lstm: [
    ["f", "forget gate", "gate"],
    ["g", "input gate", "gate"],
    ["s", "state", "memory"],
  ],
  gru: [
    ["u", "update gate", "gate"],
    ["r", "reset gate", "gate"],
    ["h", "state", "state"],
  ],
};
const PRESETS = {
  "many resets": "11r1r111r0r11r1r01r1",
  "only ones": "1".repeat(LONGEST),
  "ones, then a reset": `${"1".repeat(18)}r11101`,
};
const CALLED = { 0: "a zero", 1: "a one", r: "a reset" };
const units = (net) => networks[net].b.length;

export function render({ model, el }) {
  const { controls: spec } = meta;
  const drawing = drawingOf("The sequence; below it the answers, the gates and the states");
  const scroller = html(
    "div",
    { class: "uf-scroll", role: "region", "aria-label": "the sequence and the network over it" },
    drawing,
  );
  const area = html("div", { class: "area" }, scroller);
  const readout = html("div", { class: "readout" });
  const status = live();
  const write = (state) => setAll(model, state);
  el.classList.add("fig-gates");
  el.append(
    html("div", { class: "stage" }, area, readout),
    html(
      "div",
      { class: "rows" },
      controls(...["net", "unit", "sequence"].map((key) => control(model, key, spec[key]))),
      html(
        "div",
        { class: "uf-controls presets", role: "group", "aria-label": "sequences" },
        Object.entries(PRESETS).map(([name, sequence]) =>
          button(name, () =>
            write({ sequence, t: sequence.lastIndexOf("r") + 1 || sequence.length }),
          ),
        ),
      ),
    ),
    guess(meta.prediction, () =>
      write({ net: "lstm", sequence: PRESETS["only ones"], t: LONGEST }),
    ),
    status,
  );

  let now;
  let at;
  let size;
  let over = null; // a step that the pointer passes
  const shown = () => now.steps[(over ?? now.t) - 1];
  const light = () => {
    drawing.querySelector(".band")?.setAttribute("x", at.time(shown().t - 1));
    readout.replaceChildren(...words(now, shown(), at));
  };
  function update(next) {
    size = next;
    const state = settings(model, spec);
    const { sequence } = state;
    const held = drawing.contains(document.activeElement);
    now = { ...state, steps: run(state), t: Math.min(state.t, sequence.length) };
    at = scales(now, size);
    over = null;
    setSize(drawing, at.width, at.height);
    set(scroller, { tabindex: at.width > size.width ? 0 : null });
    redraw(drawing, picture(now, at));
    if (held) drawing.querySelector('[tabindex="0"]').focus({ preventScroll: true });
    if (at.width > size.width) reach(now.t);
    stay();
    light();
    status.announce(readout.textContent);
  }
  /** Scroll to a step, where the drawing scrolls. */
  function reach(t) {
    const [left, right] = [at.time(t - 1) - at.left, at.time(t) + at.wide - size.width];
    scroller.scrollLeft = Math.max(Math.min(scroller.scrollLeft, left), right);
  }
  /** The names above the rows stay in sight, and an edge behind which there is more fades. */
  const stay = () => {
    const { scrollLeft, clientWidth, scrollWidth } = scroller;
    scroller.classList.toggle("before", scrollLeft > 1);
    scroller.classList.toggle("after", scrollLeft + clientWidth < scrollWidth - 1);
    for (const name of drawing.querySelectorAll(".stays"))
      set(name, { transform: `translate(${scroller.scrollLeft} 0)` });
  };
  scroller.addEventListener("scroll", stay);
  const turn = (t, symbol = turned(now.sequence[t - 1])) =>
    write({ sequence: put(now.sequence, t, symbol), t });
  const column = (event) => {
    const t = Math.ceil(at.time.invert(pointIn(drawing, event).x));
    return t >= 1 && t <= now.steps.length ? t : null;
  };
  // A click and the keys 0, 1, r, space and Enter write a symbol; the arrow keys go from step to step.
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
    const t = column(event);
    if (!t) return;
    if (event.target.closest("[data-node]")) {
      event.stopImmediatePropagation(); // one change, not a choice too
      return turn(t);
    }
    const unit = event.target.closest("[data-unit]")?.dataset.unit;
    write({ t, ...(unit && { unit: Number(unit) }) });
  });
  roving(drawing, (id) => write({ t: Number(id) }));
  drawing.addEventListener("pointermove", (event) => {
    const t = column(event);
    if (t === over) return;
    over = t;
    light();
  });
  drawing.addEventListener("pointerleave", () => {
    over = null;
    light();
  });
  return keepDrawn(model, area, update);
}

// ---- the drawing: rows over one time

function scales({ net, steps }, { width, em, room }) {
  // Names stand beside the rows where the longest sequence has room too, else above them.
  const narrow = room === Infinity && width < 9.2 * em + 22 * LONGEST;
  const n = units(net);
  const font = (width < 24 * em ? 0.8 : 0.9) * em;
  const left = (narrow ? 1.3 : 7.6) * em;
  const right = 1.6 * em;
  // Where there is no room for fingers, the drawing is wider than its place, which scrolls.
  const least = narrow ? 24 : 0;
  const wide = Math.min(Math.max((width - left - right) / steps.length, least), 2.4 * em);
  const slide = room < Infinity;
  const title = (narrow ? 1.35 : slide ? 0.35 : 0.55) * em;
  const cell = 1.7 * em;
  const free = Math.min(room - 3.9, 28) * em;
  const chart = slide ? 0.165 * free : 4.6 * em;
  // Whole pixels, for lines and numbers at the same distances.
  const high = Math.floor(
    Math.min((free - cell - chart - 4 * title - 1.2 * em) / (3 * n), 1.4 * em),
  );
  const top = { x: 0.1 * em };
  top.chart = top.x + cell + title;
  let y = top.chart + chart;
  for (const [key] of STRIPS[net]) {
    top[key] = Math.round(y + title);
    y = top[key] + n * high;
  }
  const most = Math.max(5, ...steps.map((now) => Math.max(now.count, now.says)));
  return {
    narrow,
    em,
    font,
    small: Math.max(12, Math.min(font, 1.2 * high)),
    left,
    wide,
    cell,
    chart,
    high,
    top,
    n,
    most,
    width: Math.max(left + steps.length * wide + right, narrow ? 0 : width),
    height: y + 1.25 * em,
    time: linear([0, steps.length], [left, left + steps.length * wide]),
    count: linear([0, most], [top.chart + chart, top.chart + 0.3 * em]),
  };
}

function picture(now, at) {
  const { steps, net, unit, t, sequence } = now;
  const { left, wide, em, top, high, narrow, n } = at;
  const end = at.time(steps.length);
  const middle = (i) => at.time(i + 0.5);
  const name = (y, kind, ...says) =>
    narrow
      ? text(at, left, y - 0.65 * em, { class: `start stays ${kind}` }, says)
      : text(at, left - 1.35 * em, y, { class: `end ${kind}` }, says);
  const strips = STRIPS[net].map(([key, called, kind]) => {
    const y0 = top[key];
    const gate = kind === "gate";
    // The states of a unit are on a scale of their own: it is their course that is to be seen.
    const limits = steps[0][key].map((_, i) =>
      gate ? 1 : Math.max(...steps.map((now) => Math.abs(now[key][i]))),
    );
    // All bars in one path: a click draws everything anew.
    const bar = (value, i, k) => {
      const share = (value / limits[i]) * (gate ? high - 2 : high / 2 - 1);
      const length = Math.abs(share) < 0.5 ? 0.5 : share;
      const zero = y0 + i * high + (gate ? high - 1 : high / 2);
      const [x, width] = [at.time(k) + 0.1 * wide, 0.8 * wide];
      return `M${point(x, zero)}h${width.toFixed(1)}v${(-length).toFixed(1)}h${(-width).toFixed(1)}z`;
    };
    return [
      name(
        narrow ? y0 : y0 + (n * high) / 2 - (gate ? 0 : 0.3 * em),
        kind,
        called,
        " ",
        italic(key),
      ),
      !gate &&
        !narrow &&
        text(
          at,
          left - 1.35 * em,
          y0 + (n * high) / 2 + 0.9 * em,
          { class: "end tick" },
          "own scales",
        ),
      Array.from({ length: n }, (_, i) => [
        rect(left, y0 + i * high, end - left, high, { class: "row", "data-unit": i + 1 }),
        !gate && svg("path", { class: "zero", d: `M${left} ${y0 + (i + 0.5) * high}H${end}` }),
        text(
          at,
          left - 0.65 * em,
          y0 + (i + 0.5) * high,
          { class: `${i + 1 === unit ? "chosen" : "tick"}`, "font-size": at.small },
          String(i + 1),
        ),
      ]),
      svg("path", {
        class: `bar ${kind}`,
        d: steps.map((now, k) => now[key].map((value, i) => bar(value, i, k)).join("")).join(""),
      }),
      rect(left, y0 + (unit - 1) * high, end - left, high, { class: "row chosen" }),
    ];
  });
  const cells = [...sequence].map((symbol, i) =>
    svg(
      "g",
      {
        class: `cell ${symbol === "r" ? "reset" : symbol === "1" ? "one" : ""}`,
        role: "button",
        "data-node": i + 1,
        tabindex: i + 1 === t ? 0 : -1,
        "aria-label": `step ${i + 1}, ${CALLED[symbol]}: change it`,
      },
      rect(at.time(i) + 1, top.x, wide - 2, at.cell, { class: "box", rx: 0.15 * em }),
      text(at, middle(i), top.x + at.cell / 2, {}, symbol),
      rect(at.time(i), top.x - 1, wide, at.cell + 2, { class: "uf-ring" }),
    ),
  );
  const floor = at.count(0);
  const beyond = steps.length > training.length && at.time(training.length);
  return [
    svg("rect", { class: "band", y: 0, width: wide, height: at.height, rx: 0.2 * em }),
    !narrow && text(at, left - 1.35 * em, top.x + at.cell / 2, { class: "end input" }, "sequence"),
    svg("path", { class: "zero", d: `M${left} ${floor}H${end}` }),
    at.most > training.usual &&
      svg("path", { class: "usual", d: `M${left} ${at.count(training.usual)}H${end}` }),
    beyond &&
      svg("path", { class: "usual", d: `M${beyond} ${top.chart}V${at.height - 1.25 * em}` }),
    narrow
      ? text(
          at,
          left,
          top.chart - 0.65 * em,
          { class: "start stays" },
          svg("tspan", { class: "target" }, "count"),
          " and ",
          svg("tspan", { class: "output" }, "answer"),
        )
      : [
          text(at, left - 1.35 * em, top.chart + 0.3 * at.chart, { class: "end target" }, "count"),
          text(at, left - 1.35 * em, top.chart + 0.8 * at.chart, { class: "end output" }, "answer"),
        ],
    text(at, end + 0.25 * em, at.count(at.most), { class: "start tick" }, format(at.most, 0)),
    text(at, end + 0.25 * em, floor, { class: "start tick" }, "0"),
    svg("path", {
      class: "off",
      d: steps
        .map(({ count, says }, i) =>
          Math.abs(says - count) > 0.5 ? `M${middle(i)} ${at.count(says)}V${at.count(count)}` : "",
        )
        .join(""),
    }),
    svg("path", {
      class: "count",
      d: steps
        .map(({ count }, i) => `M${at.time(i + 0.06)} ${at.count(count)}h${0.88 * wide}`)
        .join(""),
    }),
    steps.map(({ says }, i) =>
      svg("circle", { class: "answer", cx: middle(i), cy: at.count(says), r: 0.24 * em }),
    ),
    strips,
    steps.map((_, i) =>
      text(
        at,
        middle(i),
        at.height - 0.6 * em,
        { class: i + 1 === t ? "now" : "tick" },
        i % 2 && wide < 1.4 * em ? "" : String(i + 1),
      ),
    ),
    cells,
  ];
}

// ---- the words

const two = (value) => format(Math.round(100 * value) / 100, 2);
const one = (value) => format(Math.round(10 * value) / 10, 1);
const between = ([low, high]) =>
  two(low) === two(high) ? two(low) : `${two(low)} to ${two(high)}`;

const bold = (kind, ...says) => html("b", { class: kind }, ...says);

/** What a gate of the unit does where a reset comes, and elsewhere. */
function habit({ steps, unit }, [key, called]) {
  const [at, other] = [true, false].map((reset) =>
    range(steps, key, unit, ({ symbol }) => (symbol === "r") === reset),
  );
  return [
    `Its ${called} `,
    html("i", {}, key),
    ": ",
    at && [bold("gate", between(at)), " at resets"],
    at && other && ", ",
    other && [bold("gate", between(other)), at && " elsewhere"],
    ". ",
  ];
}

/** What a step does in the chosen unit, what its gates do at resets, and how right the answers are. */
function words(all, now, { most }) {
  const { net, unit, steps } = all;
  const i = unit - 1;
  const [state, kept, taken] =
    net === "lstm" ? ["s", now.f[i], now.g[i]] : ["h", now.u[i], 1 - now.u[i]];
  const bracket = (value) => (value < 0 ? `(${two(value)})` : two(value));
  const off = (now) => Math.abs(now.says - now.count);
  const far = worst(steps);
  const beyond = [
    steps.length > training.length && `${training.length} steps`,
    most > training.usual && `few counts above ${training.usual}`,
  ].filter(Boolean);
  return [
    [
      bold("", `Step ${now.t}, ${CALLED[now.symbol]}: `),
      "the answer is ",
      bold("output", one(now.says)),
      ", the count ",
      bold("target", now.count),
      off(now) > 0.5 && [", ", bold("loss", `off by ${one(off(now))}`)],
      `. In unit ${unit}, `,
      bold(state === "s" ? "memory" : "state", html("i", {}, state)),
      ` = ${two(kept)} × ${bracket(now.before[state][i])} + ${two(taken)} × ${bracket(now.c[i])} = `,
      bold("", two(now[state][i])),
      ".",
    ],
    STRIPS[net].slice(0, 2).map((strip) => habit(all, strip)),
    off(far) > 0.5
      ? [`Furthest off is the answer at step ${far.t}, by `, bold("loss", one(off(far))), "."]
      : [`No answer is off by more than ${one(Math.ceil(10 * off(far)) / 10)}.`],
    beyond.length && [`Dashed: training had ${beyond.join(" and ")}.`],
  ]
    .filter(Boolean)
    .map((line) =>
      html(
        "p",
        {},
        line.flat(Infinity).filter((part) => part || part === 0),
      ),
    );
}
