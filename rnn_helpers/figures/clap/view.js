import { button } from "../lib/controls.js";
import { signed } from "../lib/colours.js";
import { html, redraw, set, svg, text } from "../lib/dom.js";
import { areaOf, figure } from "../lib/figure.js";
import { isShortcut } from "../lib/handles.js";
import { said } from "../lib/linked.js";
import { clamp, counted, rounded } from "../lib/scales.js";
import { path, rect } from "../lib/shapes.js";
import { settings } from "../lib/stage.js";
import {
  answer,
  BAR,
  claps,
  echo,
  loudness,
  readout,
  recalled,
  score,
  SHOWN,
  STEPS,
} from "./math.js";
import { meta } from "./meta.js";
import { pads } from "./pads.js";
import { past } from "./past.js";
import { player } from "./player.js";

/** Units whose echo and weight are drawn beside a readout. */
const ROWS = 6;
/** States of this size have the strongest color. */
const STRONG = 0.12;
/** Shades of each sign. */
const COLORS = 20;
const SILENT = ".".repeat(BAR);
const SLIDERS = {
  ring: ["at", "read"],
  fit: ["k", "units"],
  leak: ["leak", "k"],
  lose: ["radius", "leak"],
};

export const render = figure("clap", meta, (given) => {
  const { model, el, spec, save } = given;
  const view = model.get("view");
  if (view === "past") return past(given);
  const ring = view === "ring";
  el.dataset.view = view;
  const [veil, head] = [svg("rect", { class: "veil" }), svg("path", { class: "head" })];
  const area = areaOf(ring ? "The units after each step" : "A weighted sum of echoes", veil, head);
  const readoutLine = html("p", { class: "found" });
  let at = null;

  // While a take lasts, later columns are covered; a cursor also moves while the sound plays.
  let take = false;
  const clock = player(
    (now) => {
      if (!at) return;
      const x = at.x(now);
      set(head, { d: `M${x} ${at.top}V${at.bottom}`, visibility: null });
      set(veil, { ...box(x, at), visibility: take ? null : "hidden" });
    },
    () => {
      take = false;
      hide();
      label();
    },
  );
  const hide = () => {
    set(veil, { visibility: "hidden", width: 0 });
    set(head, { visibility: "hidden", d: null });
  };
  const listen = button("Play", () => {
    const playing = clock.now() < Infinity && !take;
    clock.stop();
    if (!playing) clock.run(settings(model, spec));
    label();
  });
  const label = () => (listen.textContent = clock.now() < Infinity && !take ? "Stop" : "Play");

  function clap() {
    const now = clock.now();
    const step = Math.round(now);
    if (take && step < BAR) return turn(step, "x");
    clock.stop();
    take = true;
    clock.run(null);
    label();
    save({ rhythm: `x${SILENT.slice(1)}` });
  }
  function turn(step, mark) {
    const rhythm = model.get("rhythm").padEnd(BAR, ".");
    const next = mark ?? (rhythm[step] === "x" ? "." : "x");
    save({ rhythm: rhythm.slice(0, step) + next + rhythm.slice(step + 1) });
  }
  const row = pads(BAR, (step) => {
    if (take) clock.stop();
    turn(step);
  });
  const clear = button("Clear", () => {
    clock.stop();
    save({ rhythm: SILENT });
  });
  hide();
  return {
    parts: [
      html("div", { class: "stand" }, clapper(clap), listen, clear, row),
      area,
      readoutLine,
      SLIDERS[view],
    ],
    watch: area.node,
    reveal: ring && { read: true },
    follow: [clock],
    update(now, size) {
      if (at?.size !== size) hide(); // the next frame puts them where they belong
      at = { ...(ring ? ringing(size) : adding(size)), size };
      row.show(now.rhythm);
      const found = ring ? recalled(now) : answer(now);
      area.draw(size, at, ring ? units(now, found, at) : sum(now, found, at));
      redraw(readoutLine, ring ? below(now, found) : sumWords(now, found));
      return [said(readoutLine), rhythmWords(now.rhythm)];
    },
  };
});

/** A button that claps when it is pressed, not when it is let go. */
function clapper(clap) {
  let pressed = 0;
  const node = button("Clap", (event) => {
    // A click without a press comes from a screen reader.
    if (!event.detail && event.timeStamp - pressed > 1000) clap();
  });
  node.classList.add("clap");
  const down = (event) => {
    pressed = event.timeStamp;
    clap();
  };
  set(node, {
    onpointerdown: (event) => event.button === 0 && down(event),
    onkeydown: (event) => {
      if (isShortcut(event) || ![" ", "Enter"].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) down(event);
      pressed = event.timeStamp;
    },
    onkeyup: (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      pressed = event.timeStamp;
    },
  });
  return node;
}

/** What is not yet there in a take. */
const box = (x, { top, bottom, right }) => ({
  ...{ x, y: top - 1, height: bottom - top + 2 },
  width: Math.max(right - x + 1, 0),
});

// ---- the layout

function columns({ width, em, room }, margin) {
  const narrow = width < 30 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const left = margin * font;
  const right = width - 0.3 * em;
  const wide = (right - left) / STEPS;
  return {
    ...{ em, font, narrow, left, right, wide },
    slide: room < Infinity,
    x: (t) => left + t * wide,
  };
}

function ringing(size) {
  const at = columns(size, 4.6);
  const { em, font, slide } = at;
  const high = (slide ? 0.27 : at.narrow ? 0.42 : 0.5) * em;
  const top = 0.2 * em;
  const marks = top + 0.9 * em;
  const low = marks + SHOWN * high;
  const loud = [low + 0.5 * em, low + (slide ? 1.6 : 2.4) * em];
  const back = [loud[1] + 1.9 * font, loud[1] + 1.9 * font + (slide ? 1.5 : 2.2) * em];
  return {
    ...at,
    high,
    top,
    marks,
    low,
    loud,
    back,
    bottom: loud[1],
    height: back[1] + 1.3 * font,
  };
}

function adding(size) {
  const at = columns(size, 5.6);
  const { em, font, slide } = at;
  const high = (slide ? 1.05 : 1.6) * em;
  const top = 0.2 * em;
  const rows = top + 1.3 * em;
  const low = rows + ROWS * high;
  const sums = [low + 1.9 * font, low + 1.9 * font + (slide ? 2.8 : 5) * em];
  return { ...at, high, top, rows, low, sums, bottom: sums[1], height: sums[1] + 1.4 * font };
}

// ---- ringing units

function units(now, found, at) {
  const { x, wide, marks, low, loud, font } = at;
  const states = echo(now);
  const loudest = loudness(states);
  const most = Math.max(...loudest, 0.3);
  const name = (y, words) => text(at, 0, y, { class: "name" }, words);
  const label = Math.min(x(now.at - 0.5), at.right - 1.7 * font);
  return [
    ticks(claps(now.rhythm), at),
    cells(states, at),
    rect(at.left, marks, at.right - at.left, low - marks, { class: "frame" }),
    loudest.map((size, t) => {
      const tall = (size / most) * (loud[1] - loud[0]);
      return rect(x(t) + 0.1 * wide, loud[1] - tall, 0.8 * wide, tall, { class: "loud" });
    }),
    svg("path", { class: "base", d: `M${at.left} ${loud[1]}H${at.right}` }),
    name((at.top + marks) / 2, "claps"),
    name(marks + 0.8 * font, `${SHOWN} units`),
    name(marks + 2 * font, "of 100"),
    name((loud[0] + loud[1]) / 2, "loudness"),
    rect(x(now.at - 1), marks, wide, low - marks, { class: "marked" }),
    text(at, label, loud[1] + 0.9 * font, { class: "tick" }, `step ${now.at}`),
    text(at, x(0.5), loud[1] + 0.9 * font, { class: "tick" }, "1"),
    now.at < STEPS - 6 &&
      text(at, x(STEPS), loud[1] + 0.9 * font, { class: "tick end" }, String(STEPS)),
    back(now, found, at),
  ];
}

/** A line for each run of equal cells, and a path for each color: cell by cell, it would be slow and long. */
function cells(states, { x, wide, marks, high }) {
  const paths = new Map();
  const color = (t, i) => Math.round(clamp(states[t][i] / STRONG, -1, 1) * COLORS);
  for (let i = 0; i < SHOWN; i++) {
    const y = (marks + (i + 0.5) * high).toFixed(1);
    for (let t = 0, from = 0; t < states.length; t++) {
      const now = color(t, i);
      if (t + 1 < states.length && color(t + 1, i) === now) continue;
      const line = `M${x(from).toFixed(1)} ${y}H${(x(t) + wide + 0.2).toFixed(1)}`;
      paths.set(now, (paths.get(now) ?? "") + line);
      from = t + 1;
    }
  }
  return [...paths].map(([color, d]) =>
    svg("path", { d, "stroke-width": high + 0.2, style: `stroke:${signed(color, COLORS)}` }),
  );
}

/** The rhythm that the marked column contains. */
function back(now, found, at) {
  const {
    x,
    wide,
    back: [top, bottom],
    font,
  } = at;
  const frame = [
    rect(at.left, top, BAR * wide, bottom - top, { class: "frame" }),
    text(at, 0, (top + bottom) / 2 - 0.55 * font, { class: "name" }, "read from"),
    text(at, 0, (top + bottom) / 2 + 0.55 * font, { class: "name" }, `step ${now.at}`),
  ];
  if (!now.read)
    return [frame, text(at, x(BAR / 2), (top + bottom) / 2, { class: "unknown" }, "guess first")];
  const y = (value) => bottom - (clamp(value, 0, 1.25) / 1.25) * (bottom - top);
  const [from, to] = [x(now.at - 0.5), x(BAR) + 0.6 * at.em];
  return [
    frame,
    targets(claps(now.rhythm).slice(0, BAR), 0, at, y),
    bars(found, 0, at, y),
    from > to + 0.5 * at.em && [
      svg("path", {
        class: "lead",
        d: `M${from} ${at.loud[1] + 1.5 * font}V${(top + bottom) / 2}H${to}`,
      }),
      svg("path", {
        class: "tip",
        d: `M${to - 0.3 * at.em} ${(top + bottom) / 2}l${0.6 * at.em} ${-0.3 * at.em}v${0.6 * at.em}z`,
      }),
    ],
  ];
}

/** A mark for each clap. */
const ticks = (played, { x, wide, top, em }) =>
  played.map(
    (clap, t) => clap && rect(x(t) + 0.1 * wide, top, 0.8 * wide, 0.7 * em, { class: "clapped" }),
  );

/** Where a clap should be: dashed boxes from 0 to 1. */
const targets = (played, k, { x, wide }, y) =>
  played.map(
    (clap, t) =>
      clap && t + k < STEPS && rect(x(t + k), y(1), wide, y(0) - y(1), { class: "wanted" }),
  );

const bars = (found, from, { x, wide }, y) =>
  found.map((value, t) => {
    const [zero, end] = [y(0), y(value)];
    return rect(x(from + t) + 0.15 * wide, Math.min(zero, end), 0.7 * wide, Math.abs(end - zero), {
      class: value > 0.5 ? "bar" : "bar faint",
    });
  });

function below(now, found) {
  if (!now.read) return "Somewhere in this picture, is your rhythm still there?";
  return [`From the states of step ${now.at} alone, `, ...told(found, now.rhythm)];
}

/** How many claps come back. */
function told(found, rhythm) {
  const { hits, claps: all, others } = score(found, rhythm);
  return [
    html("b", {}, `${hits} of ${counted(all, "clap")}`),
    ` come back${others ? `, and ${others} that you didn’t make` : ""}.`,
  ];
}

// ---- a readout

function sum(now, found, at) {
  const { x, rows, high, sums, font, em } = at;
  const states = echo(now);
  const { V } = readout(now, now.k, now.units);
  const shown = Math.min(ROWS, now.units);
  const most = Math.max(...states.flatMap((h) => [...h.slice(0, ROWS)].map(Math.abs)), 1e-9);
  const y = (value) => sums[1] - ((clamp(value, -0.5, 1.5) + 0.5) / 2) * (sums[1] - sums[0]);
  const left = now.units - shown;
  const weights = at.narrow ? "" : ", each with a weight";
  return [
    ticks(claps(now.rhythm), at),
    text(at, 0, at.top + 0.35 * em, { class: "name" }, "claps"),
    Array.from({ length: shown }, (_, i) => {
      const middle = rows + (i + 0.5) * high;
      const points = states.map((h, t) => [x(t + 0.5), middle - (0.65 * high * h[i]) / most]);
      return [
        svg("path", { class: "zero", d: `M${at.left} ${middle}H${at.right}` }),
        svg("path", { class: "echo", d: path(points) }),
        text(at, at.left - 0.5 * em, middle, { class: "weight" }, `× ${weight(V[i])}`),
      ];
    }),
    text(
      at,
      at.left,
      at.low + 0.75 * font,
      { class: "name" },
      left ? `and ${counted(left, "more unit")}${weights}. The sum:` : "The sum:",
    ),
    svg("path", { class: "zero", d: `M${at.left} ${y(0)}H${at.right}` }),
    [0, 1].map((value) =>
      text(at, at.left - 0.5 * em, y(value), { class: "weight tick" }, String(value)),
    ),
    targets(claps(now.rhythm).slice(0, BAR), now.k, at, y),
    bars(found, 0, at, y),
    [1, now.k + 1].map(
      (t, i) =>
        (i === 0 ? now.k > 5 : true) &&
        text(at, x(t - 0.5), sums[1] + 0.8 * font, { class: i || "first" }, `${t}`),
    ),
    text(at, at.right, sums[1] + 0.8 * font, { class: "tick end" }, "step 48"),
    svg("path", {
      class: "span",
      d: `M${x(now.k)} ${sums[0]}V${sums[1]}M${x(Math.min(now.k + BAR, STEPS))} ${sums[0]}V${sums[1]}`,
    }),
  ];
}

const weight = (value) => rounded(value, Math.abs(value) < 10 ? 1 : 0);

const sumWords = (now, found) => [
  `In the sum of ${counted(now.units, "unit")}, ${now.k ? `${counted(now.k, "step")} later` : "at once"}, `,
  ...told(found.slice(now.k), now.rhythm),
];

/** The rhythm in words. */
function rhythmWords(rhythm) {
  const on = [...rhythm].flatMap((mark, t) => (mark === "x" ? [t + 1] : []));
  return on.length ? `Claps at steps ${on.join(", ")}.` : "No claps.";
}
