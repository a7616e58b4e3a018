import { guess } from "../../lib/guess.js";
import {
  clamp,
  control,
  controls,
  draggable,
  format,
  html,
  italic,
  keySlider,
  knob,
  linear,
  linked,
  live,
  place,
  responsive,
  set,
  setAll,
  svg,
  text,
} from "../../lib/index.js";
import { decade, raised, spokenLog } from "../../lib/powers.js";
import { meta } from "./index.js";
import { best, compute, decades, left, length, LONGEST, meeting, moves, NOW, shares, ticks, ways } from "./math.js";

const OF = { leak: ["alpha", "other"], skip: ["w", "skip", "d"], clock: ["w", "p"] };
const OWN = ["alpha", "other", "w", "skip", "d", "p"];
const KEYS = ["kind", ...OWN, "back", "span"];

export function render({ model, el }) {
  const { controls: spec } = meta;
  const write = (key, value) => {
    const { min, max, step = 1 } = spec[key];
    model.set(key, clamp(Number((Math.round(value / step) * step).toFixed(3)), min, max));
    model.save_changes();
  };
  let now;
  let at;
  const [ground, front] = [svg("g"), svg("g")];
  const pad = svg("rect", { class: "pad" });
  const far = knob({ class: "far" });
  const arcs = ["d", "p"].map((key) => ({ key, node: knob() }));
  const heard = ["other", "alpha"].map((key) => ({ key, node: knob() }));
  const drawing = svg(
    "svg",
    { class: "uf-drawing", role: "group", "aria-label": "The unfolded graph, and below it the sizes of its ways back" },
    ...[ground, pad, front, far, ...[...arcs, ...heard].map(({ node }) => node)],
  );
  const area = html("div", { class: "area" }, drawing);
  const told = html("div", { class: "told" });
  const say = live();
  const row = Object.fromEntries(KEYS.map((key) => [key, control(model, key, spec[key])]));
  el.classList.add("fig-scales");
  el.append(
    html("div", { class: "stage" }, area, told),
    controls(...KEYS.map((key) => row[key])),
    guess(meta.prediction, () => setAll(model, { kind: "leak", alpha: 0.99, other: 0.9, back: 10, span: 40 })),
    say,
  );

  // ---- hands

  const hold = { surface: drawing, move: ({ x }) => write("back", Math.min(at.x.invert(x), now.span)) };
  draggable(far, hold);
  draggable(pad, { ...hold, start: hold.move });
  const follow = [
    // To the right is later, for the keys too.
    keySlider(far, {
      ...{ label: "the step looked back to", min: -LONGEST, max: -1 },
      get: () => -(now?.k ?? model.get("back")),
      change: (value) => write("back", -value),
      text: () => (now ? sentence(now) : ""),
    }),
  ];
  for (const { key, node } of arcs) {
    let held;
    draggable(node, {
      surface: drawing,
      start: ({ x }) => (held = { x, size: now[key] }),
      // The knob is in the middle of the arc, which grows to both sides of its middle.
      move: ({ x }) => write(key, held.size + (2 * (held.x - x)) / at.pitch),
    });
    follow.push(
      keySlider(node, {
        ...{ label: key === "d" ? "length of the skip" : "period of the clock", min: spec[key].min, max: spec[key].max },
        get: () => model.get(key),
        change: (value) => write(key, value),
        text: (value) => `${key} = ${value}`,
      }),
    );
  }
  for (const { key, node } of heard) {
    const hears = () => Math.log10(1 - model.get(key));
    draggable(node, { surface: drawing, move: ({ y }) => write(key, 1 - 10 ** at.log.invert(y)) });
    follow.push(
      keySlider(node, {
        ...{ label: `how much the unit ${key === "alpha" ? "above" : "below"} hears, 1 − α`, min: -3, max: 0, step: 0.05 },
        get: hears,
        change(value) {
          const near = Math.round(1000 * (1 - 10 ** value)) / 1000;
          const next = model.get(key) - 0.001 * Math.sign(value - hears());
          write(key, near === model.get(key) ? next : near);
        },
        text: () => `hears ${number(1 - model.get(key))}, α = ${number(model.get(key))}`,
      }),
    );
  }

  const link = linked(el);
  let size;
  function update() {
    const state = Object.fromEntries(KEYS.map((key) => [key, model.get(key)]));
    now = { ...state, ...compute(state) };
    at = scales(now, size);
    set(drawing, { viewBox: `0 0 ${size.width} ${at.height}` });
    set(pad, { x: at.left, y: at.top, width: at.right - at.left, height: at.bottom - at.top });
    ground.replaceChildren(svg("g", {}, graph(now, at)));
    front.replaceChildren(svg("g", {}, plot(now, at)));
    place(far, at.x(now.k), at.rows.x);
    for (const { key, node } of arcs) {
      set(node, { display: (key === "d" ? "skip" : "clock") === now.kind ? null : "none" });
      const { middle, height } = handled(now, at);
      place(node, middle, at.rows.front - height);
    }
    for (const { key, node } of heard) {
      set(node, { display: now.kind === "leak" ? null : "none" });
      place(node, at.x(0), at.log(Math.log10(1 - now[key])));
    }
    for (const key of OWN) row[key].classList.toggle("off", !OF[now.kind].includes(key));
    const [numbers, ...words] = TOLD[now.kind](now);
    told.replaceChildren(numbers, html("div", {}, words));
    follow.forEach((refresh) => refresh());
    link.refresh();
    say.say(sentence(now));
  }
  // Whoever looks back beyond what is shown is shown more.
  model.on("change:back", () => model.get("back") > model.get("span") && model.set("span", LONGEST));
  model.on("change:span", () => model.set("back", Math.min(model.get("back"), model.get("span"))));
  model.on("change", update);
  return responsive(area, (next) => {
    size = next;
    update();
  });
}

/** At most three decimals, none of them an idle 0. */
const number = (value) => String(Number(value.toFixed(3)));

// ---- the drawing

function scales({ kind, span, front, beside, limit }, { width, em, room }) {
  const slide = room < Infinity;
  const narrow = width < 24 * em && !slide;
  const font = (narrow ? 0.8 : 0.9) * em;
  const [left, right] = [3.3 * font, width - 3.5 * font];
  const x = linear([span, 0], [left, right]);
  const height = slide ? (room - 3.1) * em : (narrow ? 25 : 26) * em;
  const gap = (slide ? 1.3 : 1.6) * em;
  const arc = kind === "leak" ? 0 : (slide ? 1.6 : 2.5) * em;
  const top = 1.9 * em + arc;
  const rows = { title: 0.7 * em, front: top, x: top + gap, beside: top + 2 * gap };
  const words = rows.beside + 1.25 * em;
  const [low, high] = decades([front.line, beside.line, limit ?? []]);
  const most = Math.min(0, Math.max(low + 1, ...[...front.line, ...beside.line].filter((v) => v > 0).map(Math.log10)));
  const [y0, y1] = [words + 2.6 * em, height - 1.5 * em];
  return {
    ...{ narrow, em, font, left, right, x, height, arc, rows, words, low, high, most, top: y0, bottom: y1 },
    pitch: (right - left) / span,
    log: linear([low, high], [y1, y0]),
  };
}

const point = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
const disc = (x, y, r) => `M${point(x - r, y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
const box = (x, y, r) => `M${point(x - r, y - r)}h${2 * r}v${2 * r}h${-2 * r}z`;

/** How high an arc over so many steps stands. */
const rise = (steps, at) => Math.min(at.arc, Math.max(0.45 * steps * at.pitch, 0.9 * at.em));

/** From where an arc ends, and over so many steps, to where it begins. */
function arched(k, steps, at) {
  const [a, b, y] = [at.x(k), at.x(k + steps), at.rows.front];
  const up = y - (4 / 3) * rise(steps, at);
  return `M${point(a, y)}C${point(a + 0.2 * (b - a), up)} ${point(b - 0.2 * (b - a), up)} ${point(b, y)}`;
}

/** The arc that is held: where its middle is, and how high. */
function handled({ kind, d, p }, at) {
  const steps = kind === "skip" ? d : p;
  const from = kind === "skip" ? 0 : NOW % p;
  return { middle: at.x(from + steps / 2), height: rise(steps, at) };
}

/** The edges of the ways back, as `{ d, share }`: where, and how much of the gradient goes there. */
function routes({ kind, k, w, skip, d, p, front, beside: { line } }, at) {
  const flat = (from, to, share = 1, unit = "front") => ({
    ...{ unit, share },
    d: `M${point(at.x(from), at.rows[unit])}H${at.x(to).toFixed(1)}`,
  });
  const arc = (from, share) => ({ unit: "front", share, d: arched(from, kind === "skip" ? d : p, at) });
  const beside = line[k] > 0 ? [flat(0, k, 1, "beside")] : [];
  if (!front.line[k]) return beside;
  if (kind === "leak") return [flat(0, k), ...beside];
  if (kind === "skip") {
    const { steps, skips } = shares(w, skip, d, k);
    return [
      ...beside,
      ...steps.map((share, i) => flat(i, i + 1, share)),
      ...skips.map((share, i) => arc(i, share)),
    ].filter(({ share }) => share > 0.002);
  }
  const [first, last] = [NOW % p, k - (p - ((NOW - k) % p)) % p];
  if (first > k || last < first) return [flat(0, k), ...beside];
  const way = [...beside, flat(0, first), flat(last, k)];
  for (let i = first; i < last; i += p) way.push(arc(i, 1));
  return way;
}

/** Paths of the nodes of a row, those of about one size together. */
function nodes(unit, y, { line, small }, at) {
  const levels = new Map();
  const r = Math.min(0.36 * at.pitch, 0.4 * at.em);
  line.forEach((value, k) => {
    const share = value > 0 ? clamp((Math.log10(value) - at.low) / (at.most - at.low), 0, 1) : -1;
    const level = Math.round(share * 12) / 12;
    const d = disc(at.x(k), y, small(k) ? 0.55 * r : r);
    levels.set(level, (levels.get(level) ?? "") + d);
  });
  const paths = [...levels].map(([level, d]) =>
    svg("path", {
      class: level < 0 ? "node never" : "node",
      d,
      "stroke-width": Math.min(0.08 * at.em, 0.3 * r).toFixed(2),
      style: level < 0 ? null : `fill:color-mix(in oklab, var(--uf-gradient) ${(100 * level).toFixed(0)}%, var(--uf-paper))`,
    }),
  );
  return svg("g", { "data-term": unit }, paths);
}

function graph(now, at) {
  const { kind, span, k, w, d, p, front, beside, alpha, other } = now;
  const { rows, em, pitch, x } = at;
  const all = Array.from({ length: span + 1 }, (_, i) => i);
  const r = Math.min(0.34 * pitch, 0.34 * em);
  const unheard = all.filter((i) => !front.heard[i]);
  const starts = all.filter((i) => (kind === "skip" ? i + d <= span : kind === "clock" && moves(p, NOW - i) && i + p <= span));
  const enter = all.map((i) => `M${point(x(i), rows.x)}V${(front.heard[i] ? rows.front : rows.x).toFixed(1)}M${point(x(i), rows.x)}V${rows.beside}`);
  // Beside the edge that brings the value in, on the side where there is room.
  const [side, end] = k > 0.12 * span ? [0.55 * em, ""] : [-0.55 * em, " end"];
  const hears = (y, a) =>
    kind === "leak" && text(at, x(k) + side, (rows.x + y) / 2, { class: `hears${end}` }, `× ${number(1 - a)}`);
  return [
    svg("path", { class: "cursor", d: `M${x(k)} ${rows.x}V${at.bottom}` }),
    svg("path", { class: "edges faint", d: enter.join("") }),
    svg("path", { class: kind === "skip" && w === 0 ? "edges cut" : "edges", d: `M${x(span)} ${rows.front}H${x(0)}` }),
    svg("path", { class: kind !== "leak" && w === 0 ? "edges cut" : "edges", d: `M${x(span)} ${rows.beside}H${x(0)}` }),
    svg("path", { class: "edges", d: starts.map((i) => arched(i, kind === "skip" ? d : p, at)).join("") }),
    ...routes(now, at).map(({ unit, d, share }) => svg("path", { class: "way", "data-term": unit, d, "stroke-width": `${(0.06 + 0.24 * share).toFixed(3)}em` })),
    svg("path", { class: "way", d: `M${x(k)} ${front.heard[k] && front.line[k] ? rows.front : rows.x}V${beside.line[k] ? rows.beside : rows.x}`, "stroke-width": "0.14em" }),
    nodes("front", rows.front, { line: front.line, small: (i) => kind === "clock" && !moves(p, NOW - i) }, at),
    nodes("beside", rows.beside, { line: beside.line, small: () => false }, at),
    svg("path", { class: "input", d: all.filter((i) => front.heard[i]).map((i) => box(x(i), rows.x, r)).join("") }),
    svg("path", { class: "input deaf", d: unheard.map((i) => box(x(i), rows.x, r)).join("") }),
    hears(rows.front, alpha),
    hears(rows.beside, other),
    ...titles(now, at),
    text(at, x(0) + 0.7 * em, rows.x, { class: "input-name" }, italic("x")),
    [rows.front, rows.beside].map((y) => text(at, x(0) + 0.7 * em, y, { class: "state-name" }, italic("h"))),
    kind !== "leak" && text(at, handled(now, at).middle + 0.75 * em, rows.front - handled(now, at).height - 0.1 * em, { class: "held" }, `${kind === "skip" ? "d" : "p"} = ${kind === "skip" ? d : p}`),
  ];
}

/** What the unit above and the one below do, each with a piece of its line. */
function titles({ kind, alpha, other, w, skip, d, p }, at) {
  const { left, em, rows, words, font } = at;
  const h = (above) => [italic("h"), raised(`(${above})`, font, " ")];
  const sum = (...terms) => [
    h("t"),
    "= ",
    terms
      .filter(([weight]) => weight)
      .map(([weight, when]) => [number(weight) === "1" ? "" : `${number(weight)} `, when ? h(when) : italic("x")])
      .flatMap((term, i) => [i ? "+ " : "", ...term]),
  ];
  const average = (a) => sum([a, "t−1"], [1 - a]);
  const rules = {
    leak: [average(alpha), average(other)],
    skip: [sum([w, "t−1"], [skip, `t−${d}`], [1]), [sum([w, "t−1"], [1]), ", no skip"]],
    clock: [
      [`period ${p}: `, sum([w, "t−1"], [1]), at.narrow ? "" : " at a tick"],
      "period 1: it moves at each step",
    ],
  }[kind];
  return rules.map((words_, i) => {
    const [x, y] = [at.narrow ? 0.1 * em : left, i ? words : rows.title];
    const unit = i ? "beside" : "front";
    return svg(
      "g",
      { "data-term": unit },
      svg("path", { class: `line ${unit}`, d: `M${x} ${y}h${1.9 * em}` }),
      text(at, x + 2.3 * em, y, { class: "rule" }, words_),
    );
  }).flat();
}

// ---- the plot

/** A line, with gaps where there is nothing; it ends where it leaves the axis. */
function path(values, at) {
  let d = "";
  let before = null;
  values.forEach((value, k) => {
    const log = value > 0 ? Math.log10(value) : null;
    if (log === null || (log < at.low && (before === null || before < at.low))) return (before = null);
    if (log < at.low) {
      const part = (at.low - before) / (log - before);
      d += `L${point(at.x(k - 1 + part), at.bottom)}`;
      return (before = log);
    }
    if (before !== null && before < at.low) {
      d += `M${point(at.x(k - (log - at.low) / (log - before)), at.bottom)}`;
    }
    d += `${before === null ? "M" : "L"}${point(at.x(k), at.log(log))}`;
    before = log;
  });
  return d;
}

function plot(now, at) {
  const { kind, span, k, front, beside, limit } = now;
  const { left, right, top, bottom, em, x, log, low, high, narrow } = at;
  const dots = ({ line, heard }) =>
    line.flatMap((value, i) => (value > 0 && heard[i] && Math.log10(value) >= low ? [disc(x(i), log(Math.log10(value)), clamp(0.26 * at.pitch, 0.12 * em, 0.22 * em))] : [])).join("");
  const none = front.line.flatMap((value, i) => (value > 0 ? [] : [`M${point(x(i), bottom)}v${-0.35 * em}`])).join("");
  const every = high - low > 8 ? 4 : high - low > 4 ? 2 : 1;
  const powers = [];
  for (let power = low; power <= high; power += every * Math.ceil((high - low) / every / 8)) powers.push(power);
  const mark = (unit, shape) => {
    const value = Math.log10(unit.line[k]);
    return unit.line[k] > 0 && value >= low && svg("path", { class: `mark ${shape}`, "data-term": shape, d: (shape === "front" ? disc : box)(x(k), log(value), (shape === "front" ? 0.32 : 0.27) * em) });
  };
  const title = { leak: "what a value leaves in the unit now", skip: "gradient on the state of then", clock: "gradient on the state of then" }[kind];
  const ticks = narrow ? [span, 0] : [span, span / 2, 0];
  return [
    svg("rect", { class: "frame", x: left, y: top, width: right - left, height: bottom - top }),
    svg("path", { class: "grid", d: powers.filter((power) => power > low && power < high).map((power) => `M${left} ${log(power)}H${right}`).join("") }),
    high > 0 && svg("path", { class: "zero", d: `M${left} ${log(0)}H${right}` }),
    limit && svg("path", { class: "line limit", "data-term": "limit", d: path(limit, at) }),
    svg("path", { class: "line beside", "data-term": "beside", d: path(beside.line, at) }),
    svg("path", { class: "line front", "data-term": "front", d: path(front.line, at) }),
    svg("path", { class: "dots", "data-term": "front", d: dots(front) }),
    none && svg("path", { class: "none", d: none }),
    mark(beside, "beside"),
    mark(front, "front"),
    powers.map((power) => text(at, left - 0.4 * em, log(power), { class: "tick end" }, decade(power, at.font))),
    ticks.map((i) => text(at, x(i), bottom + 0.85 * em, { class: i === span ? "tick start" : "tick" }, i === span ? `${i} steps back` : i ? String(i) : "now")),
    text(at, left, top - 0.75 * em, { class: "title" }, title),
    kind === "leak" && knobs(now, at),
  ];
}

/** α beside each knob, apart where the knobs are not. */
function knobs({ alpha, other }, { right, top, bottom, em, font, log }) {
  const [y0, y1] = [alpha, other].map((a) => clamp(log(Math.log10(1 - a)), top, bottom));
  const apart = alpha === other ? 0 : Math.max(0, 1.05 * font - Math.abs(y0 - y1)) / 2;
  const way = Math.sign(alpha - other);
  return [[alpha, y0 + way * apart], [other, y1 - way * apart]].map(([a, y]) =>
    text({ font }, right + 0.75 * em, y, { class: "held" }, number(a)),
  );
}

// ---- words and tables

const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";
/** A number in three digits; far from 1 in one or two, with a power of ten. */
function amount(value) {
  if (value === 0) return "0";
  if (value >= 1e-4 && value < 1e5) return String(Number(value.toPrecision(3)));
  const far = value < 1e-9 || value >= 1e10;
  const [digits, exponent] = value.toExponential(far ? 0 : 1).split("e");
  const raise = [...exponent.replace("+", "")].map((sign) => (sign === "-" ? "⁻" : SUPERSCRIPT[sign])).join("");
  return `${digits}·10${raise}`;
}
const counted = (n) => (n < 1e6 ? String(n) : amount(n));
const plural = (n, what) => `${counted(n)} ${what}${n === 1 ? "" : "s"}`;

const swatch = (kind) =>
  svg("svg", { viewBox: "0 0 34 12", class: "swatch", "aria-hidden": "true" }, svg("path", { class: `line ${kind}`, d: "M1 6H33" }));
const table = (caption, heads, rows) =>
  html(
    "table",
    {},
    html("caption", {}, caption),
    html("tr", {}, heads.map((head) => (head ? html("th", { scope: "col" }, head) : html("td")))),
    rows.map(([kind, ...cells]) => html("tr", { "data-term": kind || null }, cells.map((cell) => html("td", {}, cell)))),
  );
const p = (...words) => html("p", {}, words);
const strong = (words) => html("b", {}, words);
const i = (word) => html("i", {}, word);
const sup = (word) => html("sup", {}, word);
const sub = (word) => html("sub", {}, word);
const stepsBack = (k) => `${plural(k, "step")} back`;

const TOLD = {
  leak({ k, alpha, other, front, beside, limit }) {
    const row = (kind, name, a) => [kind, swatch(kind), name, amount(1 - a), amount(a ** k), amount(left(a, k))];
    const [more, less] = front.line[k] >= beside.line[k] ? [alpha, other] : [other, alpha];
    const ratio = left(more, k) / left(less, k);
    const met = meeting(alpha, other);
    return [
      table(stepsBack(k), ["", i("α"), "hears", "× keeps", "= holds"], [
        row("front", String(alpha), alpha),
        row("beside", String(other), other),
        row("limit", `${k}/${k + 1}`, best(k)),
      ]),
      p(
        ratio > 1.0000001 ? [i("α"), ` = ${more} holds `, strong(Number.isFinite(ratio) ? `${amount(ratio)} times` : "all"), Number.isFinite(ratio) ? " as much of it." : " there is of it."] : "Both hold as much of it.",
        met ? ` They cross ${format(met, 1)} steps back.` : "",
        ` No α holds more than ${k}/${k + 1}.`,
      ),
      p("1/e is left after −1/ln ", i("α"), " = ", strong(amount(length(alpha))), " and ", strong(amount(length(other))), " steps; 1/(1 − ", i("α"), ") is ", amount(1 / (1 - alpha)), " and ", amount(1 / (1 - other)), "."),
    ];
  },
  skip({ k, w, skip, d, front, beside, limit }) {
    const all = ways(w, skip, d, k);
    const total = all.reduce((sum, { count }) => sum + count, 0);
    const most = all.reduce((a, b) => (b.together > a.together ? b : a), all[0]);
    const shown = [...new Set([all[0], most, all.at(-1)])].filter(Boolean);
    const exact = w === 0 && k % d === 0;
    return [
      table(stepsBack(k), ["", "skips", "ways", "each", "together"], [
        ...shown.map((group) => ["", "", String(group.skips), counted(group.count), amount(group.each), amount(group.together)]),
        ["front", swatch("front"), "all", counted(total), "", amount(front.line[k])],
      ]),
      p(
        html("span", { "data-term": "beside" }, swatch("beside"), " ", i("w"), sup(k), " = ", amount(beside.line[k])),
        html("span", { "data-term": "limit" }, swatch("limit"), " ", i("w"), sub(i("d")), sup(`${k}/${d}`), " = ", amount(limit[k])),
      ),
      p(
        total === 0
          ? w === 0 && skip === 0 ? "No edge, no way." : [`No way: ${k} is no multiple of ${d}.`, " Without the edges of one step only each ", `${d}th state is reached.`]
          : exact ? ["One way: the exponent is divided by ", i("d"), ". With ", i("w"), " = 0, exactly."]
          : front.line[k] > 1
            ? w <= 1 && skip <= 1
              ? "Each way shrinks, but there are so many that together they grow."
              : "Ways over weights above 1 grow, and there are more and more ways."
          : ["The exponent is divided by ", i("d"), " only with ", i("w"), " = 0: here all the other ways add to it."],
      ),
    ];
  },
  clock({ k, w, p: period, front, beside }) {
    const n = ticks(period, k);
    const then = NOW - k;
    const hears = (yes) => (yes ? "yes" : "no");
    return [
      table(stepsBack(k), ["", "period", "ticks", "gradient", "hears it"], [
        ["front", swatch("front"), String(period), String(n), amount(front.line[k]), hears(front.heard[k])],
        ["beside", swatch("beside"), "1", String(k), amount(beside.line[k]), "yes"],
      ]),
      p("Each tick multiplies by ", i("w"), ` = ${amount(w)}; between ticks the state stays, and the gradient passes unchanged: ×\u00a01.`),
      p(
        front.heard[k]
          ? `Now is step ${NOW}. Step ${then} is a multiple of ${period}: its input is heard.`
          : `Now is step ${NOW}. Step ${then} is no multiple of ${period}: its input is never heard, like ${period - 1} of every ${period}.`,
      ),
    ];
  },
};

/** What there is to be seen, for who listens. */
function sentence({ kind, k, alpha, other, front, beside, w, skip, d, p: period }) {
  const far = stepsBack(k);
  const spoken = (value) => (value > 0 && (value < 1e-4 || value >= 1e5) ? spokenLog(Math.log10(value)) : amount(value));
  if (kind === "leak") return `${far}: α = ${alpha} holds ${spoken(front.line[k])}, α = ${other} ${spoken(beside.line[k])}.`;
  if (kind === "skip") {
    const total = ways(w, skip, d, k).reduce((sum, { count }) => sum + count, 0);
    return `${far}: ${plural(total, "way")}, together ${spoken(front.line[k])}; without skips ${spoken(beside.line[k])}.`;
  }
  return `${far}: ${plural(ticks(period, k), "tick")}, gradient ${spoken(front.line[k])}; with period 1 ${spoken(beside.line[k])}. The input ${front.heard[k] ? "was heard" : "was not heard"}.`;
}
