import { button, controls, controlsOf, setAll, transport } from "../../lib/controls.js";
import { drawingOf, html, set, setSize, svg, text, redraw } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { arrowKeys, draggable, knob, sliderRole } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { decade } from "../../lib/powers.js";
import { clamp, format, linear } from "../../lib/scales.js";
import { MARKS, path, place, rect } from "../../lib/shapes.js";
import { keepDrawn, settings } from "../../lib/stage.js";
import { errors, LENGTH, network, NETWORKS, PUSH, run, SINCE, training } from "./math.js";
import { meta } from "./meta.js";

/** What each network was fed as it learned, and the mark of its line. */
const NAMES = {
  truth: ["fed the truth", MARKS.diamond],
  mixed: ["fed a mixture", MARKS.circle],
  itself: ["fed its own words", MARKS.nabla],
};
const TALL = 1.8; // of the axis of signals
const POWERS = [-3, 0.5]; // of the axis of errors

export function render({ model, el }) {
  const { controls: spec } = meta;
  const plot = svg("g");
  const grip = knob({ class: "grip" });
  const drawing = drawingOf("Three networks and the wave", plot, grip);
  const area = html("div", { class: "area" }, drawing);
  const readout = html("div", { class: "readout" });
  const status = live();
  const time = transport(model, "t", { ...spec.t, interval: 60, text: (t) => `step ${t}` });
  const another = button("another phase", () =>
    setAll(model, { seed: (model.get("seed") + 1) % (spec.seed.max + 1) }),
  );
  el.classList.add("fig-freerun");
  el.append(
    html("div", { class: "stage" }, area, readout),
    controls(time, another),
    controls(controlsOf(model, spec, "since", "push")),
    guess(meta.prediction, () =>
      setAll(model, { seed: spec.seed.default, since: spec.since.default, push: 0, t: LENGTH }),
    ),
    status,
  );

  let now;
  let at;
  // The moment sideways, the push up and down.
  const put = (since, push) =>
    setAll(model, {
      since: clamp(Math.round(since), ...SINCE),
      push: clamp(Math.round(20 * push) / 20, -PUSH, PUSH),
    });
  draggable(grip, {
    surface: drawing,
    move: ({ x, y }) => put(at.time.invert(x), at.value[0].invert(y) - now.base),
  });
  set(
    grip,
    sliderRole("when the truth is taken away (left and right), and a push (up and down)", ...SINCE),
  );
  arrowKeys(
    grip,
    ([right, up]) => put(model.get("since") + right, model.get("push") + up / 20),
    1,
    { PageUp: [10, 0], PageDown: [-10, 0] },
  );
  let kept = {};
  function update(size) {
    const state = settings(model, spec);
    const key = [state.seed, state.since, state.push].join();
    if (kept.key !== key) {
      const runs = NETWORKS.map((name) => run(network(name), state));
      kept = { key, runs, errors: runs.map((steps) => errors(steps, state.since)) };
    }
    now = { ...state, ...kept, base: kept.runs[0][state.since].fed - state.push };
    at = scales(size);
    setSize(drawing, size.width, at.height);
    redraw(plot, picture(now, at));
    place(grip, at.time(now.since), at.value[0](clamp(now.base + now.push, -TALL, TALL)));
    set(grip, { "aria-valuenow": now.since, "aria-valuetext": spoken(now) });
    readout.replaceChildren(table(now));
    time.update();
    status.announce(spoken(now));
  }
  return keepDrawn(model, area, update, { clocks: [time] });
}

// ---- the drawing: a strip for each network, and their errors, over one time

function scales({ width, em, room }) {
  const slide = room < Infinity;
  const narrow = !slide && width < 30 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const [x0, x1] = [(narrow ? 1.8 : 2.6) * em, width - 0.6 * em];
  const title = (slide ? 1.15 : 1.5) * em;
  const high = (slide ? 2.7 : 4) * em;
  let y = 0;
  const strips = NETWORKS.map(() => {
    const top = y + title;
    y = top + high;
    return { top, bottom: y };
  });
  const error = {
    top: y + title + 0.3 * em,
    bottom: y + title + 0.3 * em + (slide ? 4 : 6.5) * em,
  };
  return {
    em,
    font,
    narrow,
    x0,
    x1,
    strips,
    error,
    height: error.bottom + 1.5 * em,
    time: linear([0, LENGTH], [x0, x1]),
    value: strips.map(({ top, bottom }) => linear([-TALL, TALL], [bottom, top])),
    power: linear(POWERS, [error.bottom, error.top]),
  };
}

function picture(now, at) {
  const { runs, since, t, errors } = now;
  const { em, x0, x1, strips, error, time, value, power, font } = at;
  const tick = (y, words) => text(at, x0 - 0.4 * em, y, { class: "end tick" }, words);
  const mark = (k) => svg("path", { class: `sign ${NETWORKS[k]}`, d: NAMES[NETWORKS[k]][1] });
  return [
    runs.map((steps, k) => {
      const { top, bottom } = strips[k];
      const line = (key, from, to) =>
        path(
          steps.slice(from, to).map((one) => [time(one.t), value[k](clamp(one[key], -TALL, TALL))]),
        );
      return [
        rect(x0, top, time(since) - x0, bottom - top, { class: "reads" }),
        rect(x0, top, x1 - x0, bottom - top, { class: "frame" }),
        svg("path", { class: "zero", d: `M${x0} ${value[k](0)}H${x1}` }),
        svg("path", { class: "right", d: line("y", 0) }),
        svg("path", { class: `says ${NETWORKS[k]}`, d: line("o", 0, t) }),
        place(mark(k), x0 + 0.5 * em, top - 0.65 * em, 0.33 * em),
        text(
          at,
          x0 + 1.2 * em,
          top - 0.65 * em,
          { class: `name ${NETWORKS[k]}` },
          `${NAMES[NETWORKS[k]][0]} in training`,
        ),
        [-1, 1].map((one) => tick(value[k](one), format(one, 0))),
      ];
    }),
    svg("path", { class: "moment", d: `M${time(since)} ${strips[0].top}V${error.bottom}` }),
    text(at, time(since) - 0.5 * em, strips[0].bottom - 0.6 * em, { class: "end input" }, "told"),
    x1 - time(since) > 3.2 * em &&
      text(at, time(since) + 0.5 * em, strips[0].bottom - 0.6 * em, { class: "alone" }, "alone"),
    rect(x0, error.top, x1 - x0, error.bottom - error.top, { class: "frame" }),
    text(at, x0, error.top - 0.65 * em, { class: "name loss" }, "error (root of the mean square)"),
    [-3, -2, -1, 0].map((p) => [
      svg("path", { class: "zero", d: `M${x0} ${power(p)}H${x1}` }),
      tick(power(p), decade(p, font)),
    ]),
    errors.map((row, k) => {
      const points = row
        .slice(0, t)
        .map((value, i) => [time(i + 1), power(clamp(Math.log10(value || 1e-9), ...POWERS))]);
      const every = points.filter((_, i) => (i + 12 * k) % 36 === 24);
      return [
        svg("path", {
          class: `says ${NETWORKS[k]}`,
          d: path(points.slice(0, since)) + path(points.slice(since)),
        }),
        every.map(([x, y]) => place(mark(k), x, y, 0.33 * em)),
      ];
    }),
    [0, 100, 200, 300].map((step) =>
      text(
        at,
        time(step),
        error.bottom + 0.8 * em,
        { class: "tick" },
        step && !at.narrow ? `step ${step}` : step,
      ),
    ),
    t < LENGTH &&
      svg("path", { class: "cursor", d: `M${time(t)} ${strips[0].top}V${error.bottom}` }),
  ];
}

// ---- the words

function table({ errors, since, t, push }) {
  const alone = Math.max(t - since, 0);
  return html(
    "table",
    {},
    html(
      "caption",
      {},
      alone
        ? `${alone} ${alone === 1 ? "step" : "steps"} alone${push ? `, pushed by ${format(push)}` : ""}`
        : "not yet alone",
    ),
    html(
      "tr",
      {},
      ["as it learned", "error, told the truth", "error alone"].map((words) =>
        html("th", { scope: "col" }, words),
      ),
    ),
    NETWORKS.map((name, k) =>
      html(
        "tr",
        {},
        html("th", { scope: "row", class: name }, NAMES[name][0]),
        html("td", {}, format(training[name].told, 3)),
        html("td", {}, html("b", {}, alone ? format(errors[k][t - 1], 3) : "?")),
      ),
    ),
  );
}

const spoken = ({ errors, since, t, push }) =>
  `The truth is taken away after step ${since}${push ? `, pushed by ${format(push)}` : ""}. At step ${t}, the errors are ` +
  `${NETWORKS.map((name, k) => `${format(errors[k][t - 1], 3)} (${NAMES[name][0]})`).join(", ")}.`;
