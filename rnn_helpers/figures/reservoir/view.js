import { band, chartIn, cursor, frame, line, rule, ticksX, ticksY, title } from "../lib/chart.js";
import { ramp } from "../lib/colours.js";
import { holds, transport } from "../lib/controls.js";
import { html, italic, redraw, set, svg, text } from "../lib/dom.js";
import { areaOf, figure } from "../lib/figure.js";
import { arrowKeys, draggable, knob, sliderRole } from "../lib/handles.js";
import { said } from "../lib/linked.js";
import { decade, raised } from "../lib/powers.js";
import { remembered } from "../lib/remembered.js";
import { clamp, counted, format, log, percent } from "../lib/scales.js";
import { path, place, rect } from "../lib/shapes.js";
import { presets } from "../lib/stage.js";
import { worker } from "../lib/worker.js";
import { meta } from "./meta.js";
import {
  apart,
  APART,
  DELAYS,
  echo,
  FULL,
  HAIR,
  heard,
  MEASURED,
  recall,
  remember,
  SAID,
  SHORT,
  total,
  UNITS,
  verdict,
} from "./math.js";

/** The charts of each view. */
const VIEWS = {
  echo: ["echo"],
  memory: ["capacity", "said"],
  map: ["plane", "apart"],
  all: ["plane", "capacity", "said", "echo", "apart"],
};
/** Units whose echo is drawn. */
const SHOWN = 6;
/** The axis of distances: its limits, as powers of ten. */
const [LOW, HIGH] = [-10, 2];
const OUTPUTS = [-1.2, 1.2];
const TIMES = [0, DELAYS];
/** The largest memory in the map, which has the darkest color. */
const MOST = Math.max(...MEASURED.capacities.flat());
/**
 * The upper end of the map. On its logarithmic axis it is as far above the largest measured scale as
 * the midpoint to the next smaller one is below.
 */
const MEASURED_TO = Math.sqrt(MEASURED.scales.at(-1) ** 3 / MEASURED.scales.at(-2));
/** Milliseconds without a change after which the full computation starts. */
const REST = 200;
const PRESETS = {
  "0.9, weak": { radius: 0.9, scale: 0.1, leak: 1 },
  "3, weak": { radius: 3, scale: 0.1, leak: 1 },
  "0.9, strong": { radius: 0.9, scale: 10, leak: 1 },
  "3, strong": { radius: 3, scale: 10, leak: 1 },
  "at the edge": { radius: 1, scale: 0.01, leak: 1 },
};
/** Words about two starts: in bold, after it, and in small. */
const MEET = {
  meet: ["Two starts meet", ` within ${APART} steps: the state depends only on the inputs.`],
  close: ["Two starts come closer", `, but they don't meet within ${APART} steps.`],
  apart: ["Two starts stay apart", ": the state also depends on where it began."],
  chaos: [
    "Chaos",
    ": even two starts a millionth apart separate.",
    " (The lines are one example. The memory is nearly the same in all.)",
  ],
};

export const render = figure("reservoir", meta, ({ model, el, spec, save, again }) => {
  const view = model.get("view");
  el.dataset.view = view;
  const [echoOnly, all] = [view === "echo", view === "all"];
  const has = (chart) => VIEWS[view].includes(chart);
  const ground = svg("g");
  const [point, delay] = [knob(), knob()];
  const area = areaOf("The reservoir", has("plane") && point, has("capacity") && delay);
  area.drawing.prepend(ground);
  const readout = html("div", { class: "readout" });
  const time = transport(model, "k", { ...spec.k, interval: 300, text: (k) => `k = ${k}` });
  const computer = computed(again);
  let [now, at] = [null, null];

  // The handle in the plane of radius and input scale.
  const put = (radius, scale) =>
    save({
      radius: clamp(Number(radius.toFixed(2)), spec.radius.min, spec.radius.max),
      scale: clamp(Number(scale.toPrecision(2)), spec.scale.min, spec.scale.max),
    });
  const label = "radius (left and right) and input scale (up and down)";
  set(point, sliderRole(label, spec.radius.min, spec.radius.max));
  draggable(point, {
    surface: area.drawing,
    move: ({ x, y }) => put(at.plane.x.invert(x), at.plane.y.invert(y)),
  });
  const move = ([right, up]) =>
    put(model.get("radius") + 0.05 * right, model.get("scale") * 10 ** (0.1 * up));
  arrowKeys(point, move, 1, { PageUp: [0, 5], PageDown: [0, -5] });

  // The handle on the curve of the memory.
  const held =
    has("capacity") &&
    holds(delay, model, "k", spec.k, {
      surface: area.drawing,
      at: ({ x }) => at.capacity.x.invert(x),
      text: (k) => `input of ${k} steps ago: ${percent(now?.capacity[k] ?? 0)} recovered`,
    });

  const fit = remembered((size) => {
    at = scales(size, VIEWS[view]);
    redraw(ground, axes(at));
  });
  return {
    parts: [
      readout,
      area,
      has("plane") && presets(model, "radius and input", PRESETS),
      [
        !echoOnly && "radius",
        has("plane") && "scale",
        has("plane") && "leak",
        view !== "map" && time,
        all && "over",
      ],
    ],
    reveal: echoOnly && { k: 20 },
    follow: [time, held, computer],
    update(state, size) {
      fit(size);
      now = echoOnly ? { ...state, echo: echo(state, null, "silence") } : computer.values(state);
      area.draw(size, at, picture(now, at));
      redraw(readout, echoOnly ? left(now) : words(now, view));
      if (echoOnly) return [said(readout), ""];
      if (at.plane) {
        place(point, at.plane.x(now.radius), at.plane.y(now.scale));
        // The map shows reservoirs without a leak.
        point.classList.toggle("beside", now.leak < 1);
      }
      if (at.capacity) place(delay, at.capacity.x(now.k), at.capacity.y(now.capacity[now.k]));
      set(point, {
        "aria-valuenow": now.radius,
        "aria-valuetext": `radius ${format(now.radius)}, input scale ${now.scale}: ${memory(now)} of ${UNITS} inputs recovered`,
      });
      return (
        now.fate && [
          said(readout),
          `The radius is ${format(now.radius)} and the input scale ${now.scale}.`,
        ]
      );
    },
  };
});

/**
 * `values(state)` returns the state with what can be computed for it while a hand moves. Once the hand
 * rests, the memory is computed from more steps, and `again()` is called.
 */
function computed(again) {
  const later = worker(REST);
  let now = null;
  let moved = -Infinity; // when the hand last moved
  let turn = false; // whether the memory waits
  function* full() {
    return yield* remember(now, FULL, now.k);
  }
  function settle(found) {
    const gaps = apart(now, APART);
    Object.assign(now, found, { gaps, fate: verdict(gaps) });
    now.echo = echo(now, now.before, now.over);
    again();
  }
  function values(state) {
    const last = now;
    const same = last && ["radius", "scale", "leak"].every((key) => last[key] === state[key]);
    const known = same && last.words[state.k];
    const impulse = last?.over !== state.over;
    now = { ...last, ...state };
    if (known && !impulse) return now;
    // Each of the two computations takes longer than a frame. So while the hand moves, they take turns:
    // one change is used for the memory, the next for the rest.
    const moving = performance.now() - moved < REST / 2;
    turn = moving && !turn;
    if (!known && !(turn && now.words[now.k])) Object.assign(now, recall(now, SHORT, now.k));
    if (!moving || turn || impulse)
      Object.assign(now, { gaps: apart(now, DELAYS), echo: echo(now, now.before, now.over) });
    if (known) return now;
    now.fate = null;
    moved = performance.now();
    later.start([[full(), settle]]);
    return now;
  }
  return { values, stop: later.stop };
}

/** The whole memory. If it comes from few steps, or in chaos, its first decimal isn't certain. */
const memory = ({ capacity, fate }) => {
  const known = fate && fate !== "chaos";
  return known ? format(total(capacity), 1) : `about ${Math.round(total(capacity))}`;
};

// ---- the drawing

/** What the axes of the charts show: from left to right, from below to above. */
const LIMITS = {
  plane: [[0, 3], [0.01, 10], log],
  capacity: [TIMES, [0, 1]],
  said: [[0, SAID - 1], OUTPUTS],
  echo: [TIMES, [SHOWN, 0]],
  apart: [TIMES, [LOW, HIGH]],
};

/** Heights of the charts in a view that has few, in ems, and of what a slide shows besides. */
const EMS = { echo: 12, capacity: 11, said: 11, plane: 13, apart: 13 };
const ROOM = { echo: 9, capacity: 9, plane: 7 };

/** Where everything goes: two columns on a page, one on a phone, three on a slide. */
function scales({ width, em, room }, names) {
  const narrow = width < 30 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const [margin, title, ticks] = [3 * em, 1.6 * em, 1.5 * em];
  const charts = {};
  function box(name, left, y, ...size) {
    const [across, up, scale] = LIMITS[name];
    const look = { em, font, above: 0.8 };
    charts[name] = chartIn([left, y + title, ...size], across, up, look, scale);
  }
  let height;
  const few = names.length < 5;
  if (few) {
    const columns = narrow ? 1 : names.length;
    const w = (width - columns * (margin + 0.5 * em)) / columns;
    const free = (room - ROOM[names[0]]) * em - title - 2.2 * ticks;
    let y = 0;
    names.forEach((name, i) => {
      const high = room < Infinity ? free : EMS[name] * em;
      const column = i % columns;
      box(name, margin + column * (w + margin + 0.5 * em), y, w, high);
      if (column === columns - 1) y += title + high + (name === "echo" ? 1.8 : 2.2) * ticks;
    });
    height = y;
  } else if (room < Infinity) {
    const w = (width - 3 * margin) / 3 - 0.5 * em;
    const high = (room - 5.5) * em;
    const half = (high - title - 2 * ticks - title) / 2;
    const [first, second, third] = [0, 1, 2].map((i) => margin + i * (w + margin + 0.5 * em));
    box("plane", first, 0, w, high - title - 2 * ticks);
    box("capacity", second, 0, w, half);
    box("said", second, title + half + ticks, w, half);
    box("echo", third, 0, w, half);
    box("apart", third, title + half + ticks, w, half);
    height = high;
  } else if (narrow) {
    let y = 0;
    for (const [name, high] of [
      ["plane", 13],
      ["capacity", 8],
      ["said", 5],
      ["echo", 8],
      ["apart", 8],
    ]) {
      box(name, margin, y, width - margin - 0.5 * em, high * em);
      y += title + high * em + (name === "plane" ? 2 : 1.2) * ticks;
    }
    height = y;
  } else {
    const w = (width - 2 * margin - 1.5 * em) / 2;
    const right = 2 * margin + w + em;
    const [high, middle, low] = [13 * em, 5 * em, 8 * em];
    box("plane", margin, 0, w, high);
    box("capacity", right, 0, w, high);
    const second = title + high + 2.2 * ticks;
    box("said", margin, second, right + w - margin, middle);
    const third = second + title + middle + 0.6 * ticks;
    box("echo", margin, third, w, low);
    box("apart", right, third, w, low);
    height = third + title + low + ticks;
  }
  return { narrow, em, font, height, few, slide: room < Infinity, charts, ...charts };
}

/** What changes only with the size: frames, axes and the map. */
function axes(at) {
  const { slide, few, charts, plane, capacity, said, echo, apart, font } = at;
  const tight = slide && !few;
  const delays = (k) => (k === DELAYS && !tight ? `${k} steps` : String(k));
  return [
    plane && map(plane),
    Object.values(charts).map((chart) => frame(chart)),
    plane && around(plane, at, tight),
    capacity && [
      title(capacity, [tight ? "recovered, by " : "share recovered, by delay ", italic("k")]),
      ticksY(capacity, [0, 1]),
    ],
    [capacity, echo, apart].map(
      (chart) =>
        chart && ticksX(chart, [0, 50, 100], delays, (k) => (k === DELAYS ? "tick end" : "tick")),
    ),
    said && [
      ticksY(said, [0, 1, -1], (x) => format(x, 0)),
      few &&
        ticksX(
          said,
          [0, SAID],
          (t) => (t ? `${t} steps` : "0"),
          (t) => (t ? "tick end" : "tick"),
        ),
    ],
    apart && [
      distances(apart),
      ticksY(apart, tight ? [0, -8] : [0, -4, -8], (power) => decade(power, font)),
    ],
  ];
}

/** The words around the map. */
function around(plane, at, tight) {
  const { em } = at;
  const word = (x, y, words, name = "tick") => text(at, x, y, { class: name }, words);
  return [
    title(
      plane,
      tight
        ? `${MEASURED.reservoirs} reservoirs, mean`
        : `memory, mean of ${MEASURED.reservoirs} reservoirs`,
    ),
    ticksX(plane, [0, 1, 2, 3]),
    ticksY(plane, tight ? [0.01, 10] : [0.01, 0.1, 1, 10]),
    word(plane.x(tight ? 0.4 : 1), plane.bottom + 1.95 * em, "spectral radius"),
    key(plane.right, plane.bottom + 1.95 * em, at),
    text(
      at,
      0,
      0,
      {
        class: "tick",
        transform: `translate(${plane.left - 2.6 * em} ${(plane.top + plane.bottom) / 2}) rotate(-90)`,
      },
      "input scale",
    ),
    ["two starts", "don't meet"].map((words, i) =>
      word(plane.x(2.2), plane.y(0.05) + 1.3 * i * em, words),
    ),
    !tight &&
      word(
        plane.right - 0.3 * em,
        (plane.top + plane.y(MEASURED_TO)) / 2,
        "not measured",
        "tick end",
      ),
  ];
}

/** A cell for each measured mean, the edge up to which most starts meet, and the best radius of each row. */
function map(at) {
  const { radii, scales, capacities, met, reservoirs } = MEASURED;
  const halfway = (values) => values.slice(1).map((value, i) => (values[i] + value) / 2);
  const logs = scales.map(Math.log10);
  const xs = [0, ...halfway(radii), radii.at(-1)].map(at.x);
  const ys = [-2, ...halfway(logs), Math.log10(MEASURED_TO)].map((power) => at.y(10 ** power));
  const cell = (value, i, j) =>
    rect(xs[j], ys[i + 1], xs[j + 1] - xs[j] + 0.5, ys[i] - ys[i + 1] + 0.5, {
      style: `fill:${ramp("amount", value / MOST)}`,
    });
  const ends = met.map((row) => xs[1 + row.findLastIndex((count) => 2 * count >= reservoirs)]);
  const edge = [
    [ends[0], ys[0]],
    ...ends.map((x, i) => [x, at.y(scales[i])]),
    [ends.at(-1), ys.at(-1)],
  ];
  return [
    capacities.map((row, i) => row.map((value, j) => cell(value, i, j))),
    cursor(at, 1, "one"),
    svg("path", {
      class: "edge",
      d: path(edge),
    }),
    capacities.map((row, i) => {
      const best = row.indexOf(Math.max(...row));
      return svg("circle", {
        class: "best",
        cx: at.x(radii[best]),
        cy: at.y(scales[i]),
        r: 0.24 * at.em,
      });
    }),
  ];
}

/** The scale of the map's colors. */
function key(right, y, at) {
  const { em } = at;
  const wide = 3.5 * em;
  const left = right - 1.6 * em - wide;
  return [
    Array.from({ length: 6 }, (_, i) =>
      rect(left + (i * wide) / 6, y - 0.4 * em, wide / 6 + 0.5, 0.8 * em, {
        style: `fill:${ramp("amount", i / 5)}`,
      }),
    ),
    text(at, left - 0.4 * em, y, { class: "tick end" }, "0"),
    text(at, right, y, { class: "tick end" }, format(MOST, 0)),
  ];
}

/** The names of the two distances. The second has its dashes beside it. */
function distances(at) {
  const { em, font, left, right, top } = at;
  const roomy = right - left > 18.9 * font;
  const y = top - 0.8 * em;
  const second = left + (roomy ? 11.4 : 5) * font;
  return [
    title(at, roomy ? "distance of two starts" : "distance", "title state"),
    svg("path", { class: "hair", d: `M${second} ${y}h${1.6 * font}` }),
    text(
      at,
      second + 2 * font,
      y,
      { class: "title state" },
      "from 10",
      raised(format(Math.log10(HAIR), 0), font),
    ),
  ];
}

function picture(now, at) {
  const { em, slide, few, capacity, said, echo, apart } = at;
  const shares = Array.from(now.capacity ?? [], (share, k) => [k, share]);
  const word = (y, words, name) =>
    text(at, capacity.right - 0.5 * em, capacity.top + y * em, { class: name }, words);
  return [
    [capacity, echo, !few && apart].map((chart) => chart && cursor(chart, now.k)),
    capacity && [
      band(
        capacity,
        [
          [0, 0],
          [shares.length - 1, 0],
        ],
        shares,
        "area",
      ),
      line(capacity, shares, "share"),
      word(1, `sum ${memory(now)}`, "sum end"),
      (few || !slide) && word(2.3, `at most ${UNITS}`, "tick end"),
    ],
    said && outputs(now, at),
    echo && echoes(now, at),
    apart && gaps(now, apart),
  ];
}

/** The input of k steps ago, and what the readout for this delay outputs. */
function outputs({ words, k }, { said }) {
  const values = (list) => Array.from(list, (value, t) => [t, clamp(value, ...OUTPUTS)]);
  return [
    rule(said, 0),
    line(said, values(heard(k)), "true"),
    line(said, values(words[k]), "said"),
    title(said, [
      svg("tspan", { class: "target" }, `input ${k} steps ago`),
      ", ",
      svg("tspan", { class: "output" }, "readout"),
    ]),
  ];
}

/** The first units, each in its row. */
function echoes({ echo }, { echo: chart }) {
  const largest = Math.max(...echo.flatMap((h) => [...h.slice(0, SHOWN)].map(Math.abs)));
  return [
    Array.from({ length: SHOWN }, (_, i) => [
      rule(chart, i + 0.5),
      line(
        chart,
        echo.map((h, t) => [t, i + 0.5 - (0.6 * h[i]) / (largest || 1)]),
        "echo",
      ),
    ]),
    title(chart, `six of ${UNITS} states`, "title state"),
  ];
}

/** About two digits of a size. */
const short = (value) => (value ? format(value, 1 - Math.floor(Math.log10(value))) : "0");

function gaps({ gaps: [far, hair] }, chart) {
  const points = (gap) =>
    Array.from(gap.slice(0, DELAYS + 1), (d, t) => [t, clamp(Math.log10(d || 1e-99), LOW, HIGH)]);
  return [line(chart, points(hair), "hair"), line(chart, points(far), "starts")];
}

// ---- the words

/** The size of the echo at the cursor. */
function left({ echo, k }) {
  const largest = Math.max(...echo[k].map(Math.abs));
  return html(
    "p",
    {},
    `The largest of the ${UNITS} states is `,
    html("b", { class: "memory" }, short(largest)),
    ` in size ${k ? `${counted(k, "step")} after the pulse` : "at the pulse"}.`,
  );
}

function words(now, view) {
  const [first, then, more] = MEET[now.fate] ?? ["", "", ""];
  return [
    html(
      "p",
      {},
      "Linear readouts recover ",
      html("b", { class: "memory" }, memory(now)),
      ` past inputs in all, of at most ${UNITS}.`,
    ),
    view === "memory"
      ? html(
          "p",
          {},
          `Of the input ${counted(now.k, "step")} ago, they recover ${percent(now.capacity[now.k])}.`,
        )
      : html("p", {}, html("b", {}, first), then, more && html("span", {}, more)),
    view === "map" &&
      now.leak < 1 &&
      html(
        "p",
        {},
        "The leak makes the echoes longer, but also more alike, so readouts tell fewer steps apart. (The map is for units without a leak.)",
      ),
  ].filter(Boolean);
}
