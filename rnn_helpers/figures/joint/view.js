import { cursor, line, rule, ticksX, ticksY } from "../lib/chart.js";
import { holds, transport } from "../lib/controls.js";
import { html, italic, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure, stage } from "../lib/figure.js";
import { knob } from "../lib/handles.js";
import { decade } from "../lib/powers.js";
import { roving } from "../lib/roving.js";
import { counted, linear, log } from "../lib/scales.js";
import { MARKS, path, place, point, tipped } from "../lib/shapes.js";
import { presets } from "../lib/stage.js";
import { upTo } from "../lib/vectors.js";
import { graph, kind, networkNumbers, rowNumbers, step, tableNumbers } from "./math.js";
import { meta, TAU } from "./meta.js";

const PRESETS = { "with states": { summed: 0 }, "without states": { summed: TAU } };

export const render = figure("joint", meta, ({ model, spec, save }) => {
  const [nodes, end] = [svg("g"), knob({ class: "end" })];
  const area = areaOf(
    "The arrows between symbols and states, and the numbers of two models",
    nodes,
    end,
  );
  const readout = html("div", { class: "readout" });
  // A chosen step may be beyond the end of a sequence that became shorter.
  const there = (key) => Math.min(model.get(key), model.get("tau"));
  const time = transport({ ...model, get: there }, "summed", {
    ...spec.summed,
    interval: 1300,
    limit: () => model.get("tau"),
    text: (n) => `${n} of ${model.get("tau")}`,
  });
  roving(nodes, (id) => {
    if (kind(id) === "y") save({ t: step(id) });
    else save({ summed: step(id) - (step(id) === there("summed")) });
  });
  let at;
  let now;
  const held = holds(end, model, "tau", spec.tau, {
    surface: area.drawing,
    at: ({ x }) => at.step.invert(x - at.handle),
    text: () => (now ? spoken(now) : ""),
  });
  return {
    parts: [stage(area, readout), [presets(model, "states", PRESETS), time], ["tau"]],
    reveal: { tau: 9, summed: TAU, t: 9 },
    follow: [time, held],
    update(state, size) {
      now = { ...state, t: there("t"), ...graph(state.tau, state.summed) };
      at = scales(size, now);
      area.draw(size, at, title(now, at), arrows(now, at), letters(now, at), chart(now, at));
      redraw(nodes, circles(now, at));
      place(end, at.step(now.tau) + at.handle, at.rows.y);
      redraw(readout, words(now));
      return spoken(now);
    },
  };
});

// ---- the graph: a column for each step

function scales({ width, em, room }, { k, units }) {
  const slide = room < Infinity;
  const narrow = !slide && width < 34 * em;
  const font = (narrow ? 0.8 : 0.9) * em;
  const x0 = 1.5 * em;
  const whole = narrow ? width : 0.62 * width;
  const pitch = (whole - x0 - 0.4 * em) / (TAU + 0.45);
  const arch = (slide ? 5.6 : narrow ? 7.4 : 6.4) * em;
  const rows = { y: arch + 0.8 * em, h: arch + (slide ? 4.6 : 5.2) * em };
  const foot = rows.h + 2 * em;
  const [left, right] = [narrow ? 2.6 * em : whole + 3.2 * em, width - 0.8 * em];
  const [top, bottom] = narrow ? [foot + 2.2 * em, foot + 10.5 * em] : [1.9 * em, foot - 1.6 * em];
  const most = Math.max(
    4,
    Math.ceil(TAU * Math.log10(k)),
    Math.ceil(Math.log10(networkNumbers(k, units))),
  );
  return {
    ...{ em, font, narrow, x0, pitch, arch, rows, most },
    r: Math.min(0.95 * em, 0.36 * pitch),
    handle: 0.72 * pitch,
    height: narrow ? bottom + 2.4 * em : foot + 0.4 * em,
    step: linear([1, TAU], [x0 + pitch / 2, x0 + (TAU - 0.5) * pitch]),
    box: {
      ...{ em, font, left, right, top, bottom, below: 0.9 },
      x: linear([1, TAU], [left + 0.6 * em, right - 0.6 * em]),
      y: log([1, 10 ** most], [bottom, top]),
    },
  };
}

const title = ({ arrows: all, gone, tau }, at) =>
  text(
    at,
    at.x0,
    at.narrow ? 0.6 * at.em : at.box.top - 1.3 * at.em,
    { class: "title" },
    svg("tspan", { class: "count" }, counted(all.length, "arrow")),
    gone === 0 ? ", all states" : gone === tau ? ", no states" : "",
  );

const where = (node, { step: x, rows }) => [x(step(node)), rows[kind(node)]];

function arrows(now, at) {
  const fresh = new Set(now.fresh.map(String));
  const into = `y${now.t}`;
  const drawn = now.arrows.map((arrow) => {
    const name = [fresh.has(String(arrow)) && "fresh", arrow[1] === into && "into"];
    return { arrow, name: name.filter(Boolean).join(" ") };
  });
  // Highlighted arrows are drawn last, on top.
  drawn.sort((p, q) => p.name.length - q.name.length);
  return drawn.map(({ arrow: [from, to], name }) =>
    svg(
      "g",
      { class: `arrow from-${kind(from)}-to-${kind(to)} ${name}` },
      curve(where(from, at), where(to, at), at, kind(from) === "y" && kind(to) === "y"),
    ),
  );
}

/** The letters of the weights, beside the last arrow of each kind. */
function letters({ tau, gone }, { em, font, step: x, rows, pitch }) {
  const between = (share) => rows.y + share * (rows.h - rows.y);
  const place = (...at) => ({ font: Math.max(font, 12), at });
  const labels = {
    V: gone < tau && place(x(tau) + 0.6 * em, between(0.5)),
    U: gone < tau && place(x(tau) - 0.3 * pitch, between(0.33)),
    W: gone < tau - 1 && place(x(tau - 0.5), rows.h + 1.3 * em),
  };
  return Object.entries(labels).map(
    ([letter, where]) =>
      where && text(where, ...where.at, { class: `weights ${letter}` }, italic(letter)),
  );
}

/** An arrow between the rims of two nodes: straight, or in an arch over the symbols in between. */
function curve([x0, y0], [x1, y1], { em, r, arch, pitch }, over) {
  const size = 0.42 * em;
  if (over && x1 - x0 > 1.5 * pitch) {
    const high = arch * (0.32 + (0.95 * (x1 - x0)) / (pitch * (TAU - 1)));
    const lean = 0.12 * (x1 - x0);
    const [from, end] = [x0 + 0.45 * r, [x1 - 0.3 * r, y1 - 0.97 * r]];
    const [p, q] = [point(from + lean, y0 - high), point(end[0] - lean, y1 - high)];
    return tipped(
      `M${point(from, y0 - 0.9 * r)}C${p} ${q} ${point(...end)}`,
      end,
      [lean, high],
      size,
    );
  }
  const length = Math.hypot(x1 - x0, y1 - y0);
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const end = [x1 - (r + 1.5) * ux, y1 - (r + 1.5) * uy];
  return tipped(path([[x0 + r * ux, y0 + r * uy], end]), end, [ux, uy], size);
}

/** The nodes. One of them is the tab stop. */
function circles({ tau, gone, t }, at) {
  const { em, font, r, rows, step: x, pitch } = at;
  const all = upTo(tau).flatMap((i) => [`y${i}`, `h${i}`]);
  return [
    upTo(TAU)
      .slice(tau + 1)
      .map((i) => svg("circle", { class: "later", cx: x(i), cy: rows.y, r: 1.5 })),
    ["y", "h"].map((name) => text(at, 0.45 * em, rows[name], { class: name }, italic(name))),
    all.map((node) => {
      const [cx, cy] = where(node, at);
      const lost = kind(node) === "h" && step(node) <= gone;
      const name = [kind(node), lost && "gone", node === `y${t}` && "chosen"];
      return svg(
        "g",
        {
          class: `node ${name.filter(Boolean).join(" ")}`,
          "data-node": node,
          tabindex: node === `y${t}` ? 0 : -1,
          role: "button",
          "aria-pressed": String(kind(node) === "y" ? node === `y${t}` : lost),
          "aria-label": `${kind(node)} ${step(node)}${lost ? ", removed" : ""}`,
        },
        svg("rect", {
          class: "uf-ring",
          x: cx - Math.max(12, pitch / 2),
          y: cy - Math.max(12, 1.2 * r),
          width: Math.max(24, pitch),
          height: 2 * Math.max(12, 1.2 * r),
          rx: 0.3 * em,
        }),
        svg("circle", { class: "disc", cx, cy, r }),
        text({ font }, cx, cy, {}, step(node)),
      );
    }),
  ];
}

// ---- the chart of the numbers, up to the length of the sequence

function chart({ tau, k, units }, { em, box, most, font }) {
  const every = most > 8 ? 3 : most > 4 ? 2 : 1;
  const powers = upTo(Math.floor(most / every) + 1).map((i) => 10 ** (every * (i - 1)));
  const lengths = upTo(TAU).filter(
    (i) => i === tau || ((i === 1 || i === TAU) && Math.abs(i - tau) !== 1),
  );
  const curves = {
    table: [(n) => tableNumbers(k, n), MARKS.diamond],
    network: [() => networkNumbers(k, units), MARKS.circle],
  };
  return [
    legend(box, Object.entries(curves)),
    powers.map((value) => [
      rule(box, value, "grid"),
      ticksY(box, [value], () => decade(Math.round(Math.log10(value)), font)),
    ]),
    ticksX(box, lengths, String, (i) => (i === tau ? "tick now" : "tick")),
    text(
      box,
      (box.left + box.right) / 2,
      box.bottom + 2 * em,
      { class: "tick" },
      "length ",
      italic("τ"),
    ),
    cursor(box, tau, "stem"),
    Object.entries(curves).map(([name, [count, mark]]) => [
      line(
        box,
        upTo(tau).map((n) => [n, count(n)]),
        `curve ${name}`,
      ),
      upTo(tau).map((n) =>
        place(
          svg("path", { class: `mark ${name}`, d: mark }),
          box.x(n),
          box.y(count(n)),
          (n === tau ? 0.32 : 0.2) * em,
        ),
      ),
    ]),
  ];
}

/** The title of the chart and the names of its curves. */
function legend(at, curves) {
  const { em, font, left, top } = at;
  const [x, y] = [left - 1.8 * em, top - 1.3 * em];
  return [
    text(at, x, y, { class: "title" }, "numbers"),
    curves.map(([name, [, mark]], i) => [
      place(
        svg("path", { class: `mark ${name}`, d: mark }),
        x + (5.4 + 4.2 * i) * font,
        y,
        0.3 * font,
      ),
      text(at, x + (6 + 4.2 * i) * font, y, { class: `start ${name}` }, name),
    ]),
  ];
}

// ---- the words

const exactly = (n) => n.toLocaleString("en");
const raise = (base, power) => [String(base), html("sup", {}, String(power))];
const symbol = (name, t) => [html("i", {}, name), html("sup", {}, `(${t})`)];

/** The symbols before step t, as a sentence lists them. */
const before = (t) =>
  t === 2
    ? symbol("y", 1)
    : t === 3
      ? [...symbol("y", 1), " and ", ...symbol("y", 2)]
      : [...symbol("y", 1), " to ", ...symbol("y", t - 1)];

function words(now) {
  const { tau, k, units, gone } = now;
  const table = tableNumbers(k, tau);
  const net = networkNumbers(k, units);
  return [
    html(
      "p",
      {},
      gone === 0
        ? "No arrow joins two symbols. All arrows of one color share their weights."
        : lost(now),
    ),
    html("p", {}, looked(now)),
    html(
      "p",
      {},
      html("span", { class: "of-table" }, "Table"),
      ": ",
      raise(k, tau),
      " − 1 = ",
      html("b", {}, exactly(table)),
      table === 1 ? " number. " : " numbers. ",
      html("span", { class: "of-network" }, "Network"),
      ` of ${counted(units, "unit")}: `,
      html("b", {}, exactly(net)),
      ", at every length.",
    ),
  ];
}

/** A sentence on the arrows that the last removal of a state added. */
function lost({ gone, tau, fresh, parents }) {
  const next =
    gone < tau ? [...symbol("y", gone), " and ", ...symbol("h", gone + 1)] : symbol("y", gone);
  if (!parents.length)
    return [...symbol("h", 1), " depended on no symbol, so no arrow replaces it."];
  return [
    ...symbol("h", gone),
    " was a function of ",
    ...before(gone),
    ": ",
    ...next,
    gone < tau ? " now depend on " : " now depends on ",
    gone === 2 ? "it" : "them",
    ` instead${fresh.length > 1 ? `, through ${fresh.length} new arrows` : ""}.`,
  ];
}

/** A sentence on the arrows that the selected symbol receives. */
function looked({ t, k, gone }) {
  const name = html("b", {}, ...symbol("y", t));
  if (t > gone) return [name, " receives one arrow, from its state, ", ...symbol("h", t), "."];
  if (t === 1) return [name, " receives no arrow: ", counted(k - 1, "number"), "."];
  return [
    name,
    t === 2 ? " receives an arrow from " : " receives arrows from ",
    ...before(t),
    ": ",
    ...raise(k, t - 1),
    ` pasts, ${k > 2 ? `${k - 1} numbers` : "one number"} for each, `,
    html("b", {}, exactly(rowNumbers(k, t))),
    ".",
  ];
}

function spoken({ tau, k, units, gone, arrows: all, t }) {
  const parents =
    t > gone ? `h ${t}` : t === 1 ? "nothing" : `all ${counted(t - 1, "symbol")} before it`;
  return (
    `With length ${tau}, ${k} kinds and ${gone} of ${tau} states removed, there ${all.length === 1 ? "is" : "are"} ${counted(all.length, "arrow")}; y ${t} depends on ${parents}. ` +
    `A table has ${exactly(tableNumbers(k, tau))} numbers, and the network has ${exactly(networkNumbers(k, units))}.`
  );
}
