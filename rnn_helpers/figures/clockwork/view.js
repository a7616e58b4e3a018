import { frame, line, rule, ticksX } from "../lib/chart.js";
import { signed } from "../lib/colours.js";
import { controls, transport } from "../lib/controls.js";
import { html, pointIn, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { said } from "../lib/linked.js";
import { draggable, keySlider, knob } from "../lib/handles.js";
import { roving } from "../lib/roving.js";
import { clamp, format, linear, percent } from "../lib/scales.js";
import { place, point, rect } from "../lib/shapes.js";
import { presets } from "../lib/stage.js";
import { meta } from "./meta.js";
import { GROUPS, left, LENGTH, READS, run, runs, SINCE, SLOW } from "./math.js";

const clocked = (group, clock) => ({ net: "clockwork", group, clock, t: LENGTH });
const PRESETS = {
  "all as trained": clocked(2, 4),
  "freeze period 8": clocked(1, 0),
  "freeze period 4": clocked(2, 0),
  "freeze period 2": clocked(3, 0),
  "period 4 → 6": clocked(2, 6),
};
const free = (group, clock) => ({ net: "rnn", group, clock, t: LENGTH });
const RNN_PRESETS = {
  "all as trained": free(1, 1),
  "freeze the 4 slowest": free(1, 0),
  "freeze the 3 fastest": free(4, 0),
};
/** Names for the units of a network without clocks, the slowest first. */
const NAMES = ["4 slowest", "3 slower", "3 faster", "3 fastest"];
const SHADES = 16;
const every = (k) => (k === 1 ? "every step" : `every ${k} steps`);
/** The values of sliders for screen readers. */
const SPOKEN = {
  clock: (k) => (k ? `updates ${every(k)}` : "frozen"),
  since: (t) => `from step ${t}`,
};

export const render = figure("clockwork", meta, ({ model, el, spec, save, reseed, control }) => {
  const grip = knob({ class: "grip" });
  const area = areaOf("The signal, and the states of all units", grip);
  const { drawing, plot } = area;
  const readout = html("div", { class: "readout" });
  const time = transport(model, "t", { ...spec.t, interval: 120, text: (t) => `step ${t}` });
  const another = reseed("another signal");
  let now;
  let at;
  const [first, last] = SINCE;
  const band = (y) => {
    const far = at.bands.map(({ top, bottom }) => Math.abs(y - (top + bottom) / 2));
    return far.indexOf(Math.min(...far)) + 1;
  };
  // A horizontal drag sets the step, and a vertical one selects the group.
  draggable(grip, {
    surface: drawing,
    move: ({ x, y }) =>
      save({ group: band(y), since: clamp(Math.round(at.x.invert(x) + 1), first, last) }),
  });
  const held = keySlider(grip, {
    label: "step from which the group’s clock is changed",
    min: first,
    max: last,
    get: () => model.get("since"),
    change: (since) => save({ since }),
    text: (since) => `from step ${since}: ${now ? spoken(now) : ""}`,
  });
  roving(plot, (group) => Number(group) !== now.group && save({ group: Number(group) }));
  drawing.addEventListener("click", (event) => {
    if (!event.target.closest(".signal")) return;
    save({ t: clamp(Math.ceil(at.x.invert(pointIn(drawing, event).x)), spec.t.min, LENGTH) });
  });
  const examples = { clockwork: PRESETS, rnn: RNN_PRESETS };
  for (const [net, states] of Object.entries(examples))
    examples[net] = presets(model, "examples", states, ["t"], "uf-controls presets");
  return {
    parts: [
      stage(area, readout),
      html(
        "div",
        { class: "rows" },
        controls(time, another),
        controls(["net", "clock", "since"].map((key) => control(key, { text: SPOKEN[key] }))),
        Object.values(examples),
      ),
    ],
    reveal: { ...PRESETS["freeze period 8"], since: spec.since.default },
    follow: [time, held],
    update(state, size) {
      const steps = run(state);
      now = { ...state, steps, left: left(steps), groups: GROUPS[state.net] };
      at = scales(now, size);
      el.classList.toggle("is-free", state.net === "rnn"); // the prediction is about clocks
      for (const [net, node] of Object.entries(examples))
        node.classList.toggle("off", net !== state.net);
      area.draw(size, at, picture(now, at));
      place(grip, at.x(now.since - 1), at.bands[now.group - 1].top - 0.4 * at.em);
      redraw(readout, words(now));
      return [
        said(readout),
        `A ${now.net === "rnn" ? "simple" : "clockwork"} RNN receives two waves and then continues them.`,
      ];
    },
  };
});

// ---- the drawing: the signal and, below it, a band for each group over the same time

function scales({ groups }, { width, em, room }) {
  const narrow = room === Infinity && width < 32 * em;
  const slide = room < Infinity;
  const font = (narrow ? 0.8 : 0.9) * em;
  const tall = slide ? 0.26 : 0.29;
  const [left, right] = [(narrow ? 0.3 : 6.8) * em, width - 1.4 * em];
  const title = (narrow ? 1.6 : slide ? 1.05 : 1.3) * em;
  const free = (slide ? room - 4.9 : 25) * em;
  const chart = Math.round(tall * free);
  const high = Math.floor((free - chart - 4 * title - 1.5 * em - (narrow ? title : 0)) / 4);
  let y = chart + (narrow ? title : 0.3 * em);
  const signal = { top: y - chart, bottom: y };
  const bands = groups.map(({ units }) => {
    const top = Math.round(y + title);
    y = top + high;
    return { top, bottom: y, units, each: (high - 0.5 * em) / units, rows: top + 0.5 * em };
  });
  return {
    ...{ narrow, em, font, left, right, bands, ...signal, foot: y },
    height: y + 1.5 * em,
    x: linear([0, LENGTH], [left, right]),
    y: linear([-1.15, 1.15], [signal.bottom, signal.top]),
  };
}

function picture(now, at) {
  const { steps, t } = now;
  const { narrow, right, bands, top, foot, x } = at;
  const shade = (name, from, to) => rect(from, top, to - from, foot - top, { class: name });
  return [
    wave(steps, at),
    bands.map((_, g) => band(now, g, at)),
    since(now, at),
    t < LENGTH && shade("ahead", x(t), right + 2),
    shade("now", x(t - 1), x(t - 1) + Math.max(x(1) - x(0), 2)),
    ticksX(
      { ...at, x: (tick) => x(tick - 0.5), bottom: foot, below: 0.8 },
      [1, READS, SLOW, 2 * SLOW, LENGTH],
      (tick) => (tick === 1 && !narrow ? "step 1" : tick),
    ),
  ];
}

/** A name beside a row or, in a narrow drawing, at its start. */
const name = (at, y, kind, ...words) =>
  text(
    at,
    at.narrow ? at.left : at.left - 0.6 * at.em,
    y,
    { class: `${at.narrow ? "start" : "end"} ${kind}` },
    ...words,
  );

/** The signal and its continuation by the network. */
function wave(steps, at) {
  const { narrow, em, left, right, top, bottom, x, y } = at;
  const high = bottom - top;
  const curve = (key, from, name) =>
    line(
      at,
      steps.slice(from).map((now) => [now.t - 0.5, clamp(now[key], -1.15, 1.15)]),
      name,
    );
  const word = (name, said) => svg("tspan", { class: name }, said);
  return [
    rect(left, top, x(READS) - left, high, { class: "reads" }),
    frame(at, "frame signal"),
    rule(at, 0),
    curve("y", 0, "right"),
    curve("o", READS - 1, "says"),
    text(at, x(READS / 2), bottom - 0.65 * em, { class: "input" }, "input"),
    narrow
      ? text(
          at,
          left,
          top - 0.75 * em,
          { class: "start" },
          word("target", "signal"),
          " and ",
          word("output", "generated"),
        )
      : [
          name(at, top + 0.35 * high, "target", "signal"),
          name(at, top + 0.65 * high, "output", "generated"),
        ],
    [-1, 1].map((one) =>
      text(at, right + 0.3 * em, y(one), { class: "start tick" }, format(one, 0)),
    ),
  ];
}

/** The units of a group over time. The reader can select it and change its clock. */
function band(now, g, at) {
  const { steps, group, groups, net, since } = now;
  const { narrow, em, left, right, x } = at;
  const { top, rows, bottom } = at.bands[g];
  const spans = runs(steps, g + 1);
  const chosen = g + 1 === group;
  const ticks = spans.filter(([from]) => steps[from - 1].moving[g]);
  const changed = chosen && now.clock > 0 && !untouched(now);
  const period = changed ? `${groups[g].period} → ${now.clock}` : groups[g].period;
  const [before, after] = net === "rnn" ? [NAMES[g], ""] : ["period ", period];
  const y = narrow ? top - 0.7 * em : (rows + bottom) / 2;
  return svg(
    "g",
    {
      class: `band ${chosen ? "chosen" : ""}`,
      role: "button",
      "data-node": g + 1,
      tabindex: chosen ? 0 : -1,
      "aria-pressed": String(chosen),
      "aria-label": `${labelled(now, g + 1)}${chosen ? `, ${newClock(now)} from step ${since}` : ": give it another clock"}`,
    },
    rect(narrow ? left - 2 : 0, top - 3, right - (narrow ? left - 4 : -2), bottom - top + 5, {
      class: "uf-ring",
      rx: 3,
    }),
    states(spans, steps, g, at),
    svg("path", {
      class: "ticks",
      d: ticks.map(([from]) => `M${(x(from - 1) + 0.5).toFixed(1)} ${top}v${0.36 * em}`).join(""),
    }),
    name(at, y, "state", before, svg("tspan", { class: "big" }, String(after))),
  );
}

/** A group's states, a path for each shade. Each interval without an update is one line. */
function states(spans, steps, g, { bands, x }) {
  const { rows, each, units } = bands[g];
  const first = bands.slice(0, g).reduce((sum, { units }) => sum + units, 0);
  const gap = x(1) - x(0) > 3 ? 0.8 : 0;
  const high = each - 0.8;
  const shades = Array.from({ length: SHADES + 1 }, () => "");
  for (const [from, to] of spans)
    for (let i = 0; i < units; i++) {
      const shade = Math.round(((steps[from - 1].h[first + i] + 1) / 2) * SHADES);
      const width = x(to) - x(from - 1) - gap;
      shades[shade] += `M${point(x(from - 1), rows + i * each + high / 2)}h${width.toFixed(1)}`;
    }
  const look = (shade) => `stroke:${signed((2 * shade) / SHADES - 1)}`;
  return shades.map(
    (d, shade) => d && svg("path", { d, "stroke-width": high, style: look(shade) }),
  );
}

/** The mark of the step from which the selected group has its new clock. */
function since(now, at) {
  const { narrow, em, right, x } = at;
  const { top, bottom } = at.bands[now.group - 1];
  const from = x(now.since - 1);
  return [
    svg("path", { class: "since", d: `M${from} ${at.top}V${bottom}` }),
    rect(from, top - 1.5, right - from, bottom - top + 2, { class: "held", rx: 2 }),
    text(at, right, top - (narrow ? 0.7 : 0.58) * em, { class: "end hold" }, newClock(now)),
  ];
}

// ---- the words

const labelled = ({ net, groups }, group) =>
  net === "rnn"
    ? `the ${NAMES[group - 1]} units`
    : `the group of period ${groups[group - 1].period}`;
const untouched = ({ groups, group, clock }) => clock === groups[group - 1].period;
const newClock = (now) =>
  untouched(now) ? "as trained" : now.clock ? `now ${every(now.clock)}` : "frozen";
const spoken = (now) =>
  `${percent(now.left.slow)} of the slow wave, ${percent(now.left.fast)} of the fast one`;

/** Say which groups update at a step, by their periods. */
const moves = (periods) =>
  periods.length
    ? `The ${periods.length > 1 ? "groups that update" : "group that updates"} now ${periods.length > 1 ? "have the periods" : "has the period"} ${periods.join(", ")}.`
    : "No group updates now.";

function words(now) {
  const { t, steps, since, net, groups, clock } = now;
  const { o, y, moving } = steps[t - 1];
  const many = net === "rnn";
  const what = labelled(now, now.group);
  const done = untouched(now)
    ? `${many ? "Every unit" : "Every group"} updates as in training.`
    : `From step ${since} on, ${what} ${clock ? `update${many ? "" : "s"} ${every(clock)}` : `${many ? "are" : "is"} frozen`}.`;
  const mark = (kind, word) => html("b", { class: kind }, word);
  const period = (own, g) => (g + 1 === now.group && t >= since && clock ? clock : own);
  const which = groups.map((group, g) => period(group.period, g)).filter((_, g) => moving[g]);
  return [
    html(
      "p",
      {},
      done,
      " The signal generated in the last 48 steps has ",
      mark("output", percent(now.left.slow)),
      " of the slow wave and ",
      mark("output", percent(now.left.fast)),
      " of the fast one.",
    ),
    html(
      "p",
      {},
      mark("", `Step ${t}: `),
      t < READS
        ? "the input is given, and the next input is "
        : ["the output is ", mark("output", format(o)), ", and the target is "],
      mark("target", format(y)),
      ". ",
      many ? "" : moves(which),
    ),
  ];
}
