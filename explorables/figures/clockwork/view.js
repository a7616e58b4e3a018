import { signed } from "../../lib/colours.js";
import { button, control, controls, setAll, transport } from "../../lib/controls.js";
import { html, pointIn, responsive, set, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { draggable, keySlider, knob, place } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { roving } from "../../lib/roving.js";
import { clamp, format, linear } from "../../lib/scales.js";
import { meta } from "./meta.js";
import { GROUPS, left, LENGTH, READS, run, runs, SINCE, SLOW } from "./math.js";

const PRESETS = {
  "all as trained": { group: 2, clock: 4 },
  "period 8 still": { group: 1, clock: 0 },
  "period 4 still": { group: 2, clock: 0 },
  "period 2 still": { group: 3, clock: 0 },
  "period 4 → 6": { group: 2, clock: 6 },
};
/** What units of a network without clocks are called, the slowest first. */
const NAMES = ["slowest 4", "second 3", "third 3", "fastest 3"];
const SHADES = 16;
const every = (k) => (k === 1 ? "every step" : `every ${k} steps`);
/** What a slider says to who listens. */
const SPOKEN = {
  clock: (k) => (k ? `moves ${every(k)}` : "held still"),
  since: (t) => `from step ${t}`,
};

export function render({ model, el }) {
  const { controls: spec } = meta;
  const plot = svg("g");
  const grip = knob({ class: "grip" });
  const drawing = svg(
    "svg",
    { class: "uf-drawing", role: "group", "aria-label": "The signal, and the states of all units" },
    ...[plot, grip],
  );
  const area = html("div", { class: "area" }, drawing);
  const told = html("div", { class: "told" });
  const say = live();
  const time = transport(model, "t", { ...spec.t, interval: 120, text: (t) => `step ${t}` });
  const presets = Object.entries(PRESETS).map(([name, wanted]) => {
    const node = button(name, () => setAll(model, { net: "clockwork", ...wanted, t: LENGTH }));
    const holds = () => Object.entries(wanted).every(([key, value]) => model.get(key) === value);
    return {
      node,
      follow: () => node.setAttribute("aria-pressed", model.get("net") === "clockwork" && holds()),
    };
  });
  const another = button("another signal", () =>
    setAll(model, { seed: (model.get("seed") + 1) % 100 }),
  );
  el.classList.add("fig-clockwork");
  el.append(
    html("div", { class: "stage" }, area, told),
    html(
      "div",
      { class: "rows" },
      controls(time, another),
      controls(
        ["net", "clock", "since"].map((key) =>
          control(model, key, spec[key], { text: SPOKEN[key] }),
        ),
      ),
      html(
        "div",
        { class: "uf-controls presets", role: "group", "aria-label": "examples" },
        presets.map(({ node }) => node),
      ),
    ),
    guess(meta.prediction, () =>
      setAll(model, {
        net: "clockwork",
        ...PRESETS["period 8 still"],
        since: spec.since.default,
        t: LENGTH,
      }),
    ),
    say,
  );

  let now;
  let at;
  let size;
  const write = (key, value) => {
    model.set(key, clamp(Math.round(value), spec[key].min ?? 1, spec[key].max ?? 4));
    model.save_changes();
  };
  const band = (y) => {
    const far = at.bands.map(({ top, bottom }) => Math.abs(y - (top + bottom) / 2));
    return far.indexOf(Math.min(...far)) + 1;
  };
  // The moment sideways, the group up and down.
  draggable(grip, {
    surface: drawing,
    move({ x, y }) {
      model.set("group", band(y));
      write("since", at.time.invert(x) + 1);
    },
  });
  const follow = keySlider(grip, {
    ...{ label: "step from which the group’s clock is changed", min: SINCE[0], max: SINCE[1] },
    get: () => model.get("since"),
    change: (since) => write("since", since),
    text: (since) => `from step ${since}: ${now ? said(now) : ""}`,
  });
  roving(plot, (group) => {
    if (Number(group) === now.group) return;
    model.set("group", Number(group));
    model.save_changes();
  });
  drawing.addEventListener("click", (event) => {
    if (event.target.closest(".signal"))
      write("t", Math.ceil(at.time.invert(pointIn(drawing, event).x)));
  });
  let waiting = false; // several values may change at once: one drawing serves them all
  function update() {
    waiting = false;
    const state = Object.fromEntries(Object.keys(spec).map((key) => [key, model.get(key)]));
    const steps = run(state);
    now = { ...state, steps, left: left(steps), groups: GROUPS[state.net] };
    at = scales(now, size);
    set(drawing, {
      viewBox: `0 0 ${size.width} ${at.height}`,
      width: size.width,
      height: at.height,
    });
    const focused = plot.contains(document.activeElement);
    plot.replaceChildren(...picture(now, at).flat(Infinity).filter(Boolean));
    if (focused) plot.querySelector('[tabindex="0"]').focus({ preventScroll: true });
    place(grip, at.time(now.since - 1), at.bands[now.group - 1].top - 0.4 * at.em);
    told.replaceChildren(...words(now));
    presets.forEach((preset) => preset.follow());
    follow();
    say.say(told.textContent);
  }
  model.on("change", () => {
    if (!waiting) queueMicrotask(update);
    waiting = true;
  });
  const stop = responsive(area, (next) => {
    size = next;
    update();
  });
  return () => {
    stop();
    time.stop();
  };
}

// ---- the drawing: the signal, and below it a band for each group, over one time

function scales({ groups }, { width, em, room }) {
  const narrow = room === Infinity && width < 32 * em;
  const slide = room < Infinity;
  const font = (narrow ? 0.8 : 0.9) * em;
  const tall = slide ? 0.26 : 0.29;
  const [x0, x1] = [(narrow ? 0.3 : 6.8) * em, width - 1.4 * em];
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
    ...{ narrow, em, font, x0, x1, bands, signal, bottom: y, height: y + 1.5 * em },
    time: linear([0, LENGTH], [x0, x1]),
    value: linear([-1.15, 1.15], [signal.bottom, signal.top]),
  };
}

const path = (points) => `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;

function picture(now, at) {
  const { steps, t, group, since, clock, groups, net } = now;
  const { narrow, em, x0, x1, bands, signal, bottom, time, value } = at;
  const middle = (t) => time(t - 0.5);
  const line = (key, from) =>
    path(steps.slice(from).map((now) => [middle(now.t), value(clamp(now[key], -1.15, 1.15))]));
  const name = (y, kind, ...says) =>
    text(
      at,
      narrow ? x0 : x0 - 0.6 * em,
      y,
      { class: `${narrow ? "start" : "end"} ${kind}` },
      ...says,
    );
  const held = bands[group - 1];
  const wide = time(1) - time(0);
  return [
    svg("rect", {
      class: "reads",
      x: x0,
      y: signal.top,
      width: time(READS) - x0,
      height: signal.bottom - signal.top,
    }),
    svg("rect", {
      class: "frame signal",
      x: x0,
      y: signal.top,
      width: x1 - x0,
      height: signal.bottom - signal.top,
    }),
    svg("path", { class: "zero", d: `M${x0} ${value(0)}H${x1}` }),
    svg("path", { class: "right", d: line("y", 0) }),
    svg("path", { class: "says", d: line("o", READS - 1) }),
    text(at, time(READS / 2), signal.bottom - 0.65 * em, { class: "input" }, "reads"),
    narrow
      ? text(
          at,
          x0,
          signal.top - 0.75 * em,
          { class: "start" },
          svg("tspan", { class: "target" }, "signal"),
          " and what is ",
          svg("tspan", { class: "output" }, "generated"),
        )
      : [
          name(signal.top + 0.35 * (signal.bottom - signal.top), "target", "signal"),
          name(signal.top + 0.65 * (signal.bottom - signal.top), "output", "generated"),
        ],
    [-1, 1].map((one) =>
      text(at, x1 + 0.3 * em, value(one), { class: "start tick" }, format(one, 0)),
    ),
    bands.map((band, g) => {
      const { top, rows, each, units } = band;
      const first = bands.slice(0, g).reduce((sum, { units }) => sum + units, 0);
      const flat = runs(steps, g + 1);
      const chosen = g + 1 === group;
      const gap = wide > 3 ? 0.8 : 0;
      const shades = Array.from({ length: SHADES + 1 }, () => "");
      for (const [from, to] of flat)
        for (let i = 0; i < units; i++) {
          const shade = Math.round(((steps[from - 1].h[first + i] + 1) / 2) * SHADES);
          const width = time(to) - time(from - 1) - gap;
          shades[shade] +=
            `M${time(from - 1).toFixed(1)} ${(rows + i * each).toFixed(1)}h${width.toFixed(1)}v${(each - 0.8).toFixed(1)}h${(-width).toFixed(1)}z`;
        }
      const ticks = flat.filter(([from]) => steps[from - 1].moving[g]);
      const [before, after] = net === "rnn" ? [NAMES[g], ""] : ["period ", groups[g].period];
      return svg(
        "g",
        {
          ...{ class: `band ${chosen ? "chosen" : ""}`, role: "button", "data-node": g + 1 },
          ...{ tabindex: chosen ? 0 : -1, "aria-pressed": String(chosen) },
          "aria-label": `${labelled(now, g + 1)}${chosen ? `, ${clocked(now)} from step ${since}` : ": give it another clock"}`,
        },
        svg("rect", {
          ...{ class: "uf-ring", x: narrow ? x0 - 2 : 0, y: top - 3, rx: 3 },
          ...{ width: x1 - (narrow ? x0 - 4 : -2), height: band.bottom - top + 5 },
        }),
        shades.map(
          (d, shade) => d && svg("path", { d, style: `fill:${signed((2 * shade) / SHADES - 1)}` }),
        ),
        svg("path", {
          class: "ticks",
          d: ticks
            .map(([from]) => `M${(time(from - 1) + 0.5).toFixed(1)} ${top}v${0.36 * em}`)
            .join(""),
        }),
        narrow
          ? text(
              at,
              x0,
              top - 0.7 * em,
              { class: "start state" },
              before,
              svg("tspan", { class: "big" }, String(after)),
            )
          : name(
              (rows + band.bottom) / 2,
              "state",
              before,
              svg("tspan", { class: "big" }, String(after)),
            ),
      );
    }),
    svg("path", { class: "since", d: `M${time(since - 1)} ${signal.top}V${held.bottom}` }),
    svg("rect", {
      ...{ class: "held", x: time(since - 1), y: held.top - 1.5, rx: 2 },
      ...{ width: x1 - time(since - 1), height: held.bottom - held.top + 2 },
    }),
    text(at, x1, held.top - (narrow ? 0.7 : 0.58) * em, { class: "end hold" }, clocked(now)),
    t < LENGTH &&
      svg("rect", {
        class: "ahead",
        x: time(t),
        y: signal.top,
        width: x1 - time(t) + 2,
        height: bottom - signal.top,
      }),
    svg("rect", {
      class: "now",
      x: time(t - 1),
      y: signal.top,
      width: Math.max(wide, 2),
      height: bottom - signal.top,
    }),
    [1, READS, SLOW, 2 * SLOW, LENGTH].map((tick) =>
      text(
        at,
        middle(tick),
        bottom + 0.8 * em,
        { class: "tick" },
        tick === 1 ? (narrow ? "1" : "step 1") : String(tick),
      ),
    ),
  ];
}

// ---- the words

const share = (part) => `${format(Math.round(100 * part), 0)}\u00a0%`;
const labelled = ({ net, groups }, group) =>
  net === "rnn"
    ? `the ${NAMES[group - 1]} units`
    : `the group of period ${groups[group - 1].period}`;
const untouched = ({ groups, group, clock }) => clock === groups[group - 1].period;
const clocked = (now) =>
  untouched(now) ? "as trained" : now.clock ? `now ${every(now.clock)}` : "held still";
const said = (now) =>
  `${share(now.left.slow)} of the slow wave, ${share(now.left.fast)} of the fast one`;

function words(now) {
  const { t, steps, since, net, groups, clock } = now;
  const { o, y, moving } = steps[t - 1];
  const many = net === "rnn";
  const what = labelled(now, now.group);
  const done = untouched(now)
    ? `${many ? "Every unit" : "Every group"} moves as it was trained to.`
    : `From step ${since} on ${what} ${clock ? `move${many ? "" : "s"} ${every(clock)}` : `${many ? "are" : "is"} held still`}.`;
  const mark = (kind, word) => html("b", { class: kind }, word);
  const which = groups.map(({ period }) => period).filter((_, g) => moving[g]);
  return [
    html(
      "p",
      {},
      ...[
        done,
        " What is generated in the last 48 steps has ",
        mark("output", share(now.left.slow)),
      ],
      ...[" of the slow wave and ", mark("output", share(now.left.fast)), " of the fast one."],
    ),
    html(
      "p",
      {},
      mark("", `Step ${t}: `),
      t < READS ? "it reads; next comes " : ["it says ", mark("output", format(o)), ", right is "],
      mark("target", format(y)),
      many ? "." : `. Now moving: ${which.length ? `period ${which.join(", ")}` : "none"}.`,
    ),
  ];
}
