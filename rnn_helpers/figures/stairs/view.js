import { frame, rule, ticksX, ticksY, title } from "../lib/chart.js";
import { button, controls } from "../lib/controls.js";
import { html, pointIn, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure } from "../lib/figure.js";
import { said } from "../lib/linked.js";
import { roving } from "../lib/roving.js";
import { clamp, counted, linear, ticks } from "../lib/scales.js";
import { point, rect } from "../lib/shapes.js";
import { groups, JUMP, pathOf, rankOf, W } from "./math.js";
import { meta } from "./meta.js";

/** A group with more paths than this is drawn as one block. */
const MOST = 1500;
/** How far the staircase reaches below its lowest step, in ems. */
const BASE = 1.35;
const LONG = 12; // steps from which the reader can't be expected to find all paths

export const render = figure("stairs", meta, ({ model, el, save, control, again }) => {
  const walker = walking(model);
  const area = areaOf("The staircase and, below it, a tile for each path up");
  const readout = html("div", { class: "readout" });
  const go = (length) => {
    walker.move(length);
    again();
  };
  const single = button("one step", () => go(1));
  const jump = button("", () => go(model.get("d")));
  const restart = button("start again", () => {
    walker.restart();
    again();
  });
  const other = button("another of these paths", () => {
    walker.next();
    again();
  });
  const count = button("", () => save({ all: !model.get("all") }));
  let at;
  area.drawing.addEventListener("click", (event) => {
    if (model.get("all") || event.target.closest("[data-node]")) return;
    const { x, y } = pointIn(area.drawing, event);
    if (y > at.foot + at.em) return;
    const length = Math.round(at.step.invert(x)) - walker.height();
    if (length === 1 || length === model.get("d")) go(length);
  });
  roving(area.plot, (jumps) => {
    if (Number(jumps) !== model.get("jumps")) save({ jumps: Number(jumps) });
  });
  return {
    parts: [
      area,
      readout,
      controls(single, jump, restart, other, count),
      [control("k"), control("d")],
    ],
    reveal: model.get("k") > LONG && { k: 30, d: 5, jumps: 5, all: true },
    update(state, size) {
      const now = walker.follow(state);
      at = scales(now, size);
      area.draw(size, at, staircase(now, at), chart(now, at));
      redraw(readout, words(now));
      jump.textContent = `jump ${state.d}`;
      const top = now.height === state.k;
      el.classList.toggle("is-other", state.k !== 30 || state.d !== 5); // no prediction for it
      single.disabled = !top && now.height + 1 > state.k;
      jump.disabled = !top && now.height + state.d > state.k;
      for (const node of [single, jump, restart]) node.classList.toggle("off", state.all);
      restart.classList.toggle("off", state.all || top || !now.height);
      other.classList.toggle("off", !state.all || now.groups[now.jumps].count === 1);
      count.textContent = state.all ? "walk again" : "count all paths";
      return said(readout);
    },
  };
});

/** The path that the reader is walking, and the paths found so far. */
function walking(model) {
  let [staircase, group] = ["", null]; // the ones that `moves` belong to
  let [moves, found, rank] = [[], new Map(), 0];
  let news = "";
  const jumpsOf = (way) => way.filter((move) => move > 1).length;
  const height = () => moves.reduce((sum, move) => sum + move, 0);
  const keep = () => {
    const key = moves.join();
    news = found.has(key) ? "again" : "new";
    if (news === "new") found.set(key, moves);
  };
  return {
    height: () => (height() === model.get("k") ? 0 : height()),
    move(length) {
      const k = model.get("k");
      if (height() === k) moves = [];
      if (height() + length > k) return;
      moves = [...moves, length];
      news = "";
      if (height() < k) return;
      keep();
      group = jumpsOf(moves);
      model.set("jumps", group);
      model.save_changes();
    },
    restart() {
      [moves, news] = [[], ""];
    },
    next() {
      const { count } = groups(model.get("k"), model.get("d"))[group];
      rank = (rank + Math.max(1, Math.round(0.618 * count))) % count;
      moves = pathOf(model.get("k"), model.get("d"), group, rank);
    },
    follow(state) {
      const { k, d, all } = state;
      const counted_ = groups(k, d);
      const jumps = clamp(state.jumps, 0, counted_.length - 1);
      const first = () => {
        const { count } = counted_[jumps];
        rank = Math.floor(0.382 * count);
        moves = pathOf(k, d, jumps, rank);
      };
      if (staircase !== `${k} ${d}`) {
        [staircase, group, found] = [`${k} ${d}`, jumps, new Map()];
        first();
        keep();
        news = "";
      } else if (all && (group !== jumps || height() < k)) {
        group = jumps;
        first();
      }
      rank = height() === k ? rankOf(moves, d) : 0;
      const ways = [...found.values()];
      const mine = (way) => jumpsOf(way) === jumps;
      return {
        ...{ ...state, jumps, moves, news, rank, found: ways, groups: counted_ },
        height: height(),
        // the place of the path among the tiles of its column
        tile: all ? rank : ways.filter(mine).findIndex((way) => way.join() === moves.join()),
        of: (group) =>
          all ? group.count : ways.filter((way) => jumpsOf(way) === group.jumps).length,
      };
    },
  };
}

// ---- the drawing

function scales({ k, groups }, { width, em, room }) {
  const narrow = width < 30 * em && room === Infinity;
  const slide = room < Infinity;
  const font = (narrow ? 0.8 : 0.9) * em;
  const free = slide ? room - 7.4 : narrow ? 25 : 27;
  // On a slide, the chart is beside the staircase.
  const end = (slide ? 0.47 : 1) * width - 0.4 * em;
  const step = linear([-0.5, k + 0.5], [0.4 * em, end]);
  const rise = Math.min((slide ? 0.6 : 0.28) * free, (slide ? 1.6 : 0.55) * k + 2.2) * em;
  const head = (k > LONG ? 1.6 : 2.4) * em;
  const foot = slide ? (free - 3.2) * em : head + rise;
  const top = slide ? 1.9 * em : foot + 4.2 * em;
  const bottom = (free - 2.7) * em;
  const [left, right] = [(slide ? end + 1.2 * em : 0) + 3.4 * font, width - 0.5 * em];
  const most = Math.max(...groups.map(({ together }) => together));
  const pitch = (right - left) / groups.length;
  return {
    ...{ narrow, em, font, step, foot, left, right, top, bottom, pitch, slide },
    up: linear([0, k], [foot, foot - rise]),
    column: Math.min(0.8 * pitch, 5.5 * em),
    x: linear([-0.5, groups.length - 0.5], [left, right]),
    y: linear([0, 1.08 * most], [bottom, top]),
    marks: ticks(0, 1.08 * most, slide ? 3 : 5),
    height: bottom + 2.7 * em,
    above: 0.85,
  };
}

/** The staircase, the path as arcs from step to step, and the steps that can be reached next. */
function staircase({ k, d, moves, height, all }, at) {
  const { em, step, up, foot } = at;
  const half = (step(1) - step(0)) / 2;
  let outline = `M${point(step(0) - half, foot + BASE * em)}V${up(0)}`;
  for (let i = 0; i <= k; i++)
    outline += `H${(step(i) + half).toFixed(1)}${i < k ? `V${up(i + 1).toFixed(1)}` : ""}`;
  outline += `V${(foot + BASE * em).toFixed(1)}Z`;
  let here = 0;
  const arcs = moves.map((move) => {
    const [x0, y0, x1, y1] = [step(here), up(here), step(here + move), up(here + move)];
    here += move;
    const lift = Math.min(1.1 * half * Math.sqrt(move), 1.9 * em) + 0.15 * em;
    const d_ = `M${point(x0, y0)}Q${point((x0 + x1) / 2, Math.min(y0, y1) - lift)} ${point(x1, y1)}`;
    return svg("path", { class: move === 1 ? "hop" : "hop long", d: d_ });
  });
  const next = all
    ? []
    : [1, d].map((move) => (height === k ? 0 : height) + move).filter((i) => i <= k);
  const every = k > LONG ? 5 : 1;
  const names = Array.from({ length: k + 1 }, (_, i) => i).filter(
    (i) => i % every === 0 || i === k,
  );
  const r = Math.min(0.55 * half, 0.34 * em);
  return [
    svg("path", { class: "stairs", d: outline }),
    next.map((i) =>
      rect(step(i) - half, up(i), 2 * half, foot + BASE * em - up(i), { class: "next" }),
    ),
    names.map((i) =>
      text(
        at,
        i === k && k > LONG ? step(i) + half - 2 : step(i),
        foot + 0.72 * em,
        { class: i === k && k > LONG ? "number end" : "number" },
        String(i),
      ),
    ),
    arcs,
    stops(moves).map((i) => svg("circle", { class: "stop", cx: step(i), cy: up(i), r: 0.6 * r })),
    svg("circle", { class: "here", cx: step(here), cy: up(here), r }),
  ];
}

/** The steps on which a path sets foot. */
function stops(moves) {
  let here = 0;
  return [0, ...moves.map((move) => (here += move))];
}

/** The tiles, in a column for each number of jumps. */
function chart(now, at) {
  const { groups, d } = now;
  const { em, x, y, pitch, bottom, font, narrow } = at;
  const room = pitch > 4.2 * font;
  const plain = groups.length > 9 || narrow;
  return [
    frame(at),
    rule(at, at.marks.slice(1), "grid"),
    ticksY(at, at.marks, (value) => String(value)),
    groups.map((group, i) => column(now, group, i, at)),
    groups.map((group, i) => {
      const n = now.of(group);
      const height = Math.min(y(n * group.each), bottom) - 0.75 * em;
      const number = n.toLocaleString("en-US");
      const fitting = [n === 1 ? "1 path" : `${number} paths`, number].find(
        (word, long) => (long || !plain) && pitch > 0.62 * font * word.length,
      );
      return n > 0 && fitting && text(at, x(i), height, { class: "count" }, fitting);
    }),
    ticksX(
      at,
      groups.map((_, i) => i).filter((i) => pitch > 1.4 * em || i % 5 === 0),
      (i) =>
        room && !plain && i < 2 ? counted(i, "jump").replace("0 jumps", "no jump") : String(i),
    ),
    text(
      at,
      (at.left + at.right) / 2,
      bottom + 2.1 * em,
      { class: "axis" },
      `number of jumps of ${d}`,
    ),
    title(at, "gradient that these paths bring back"),
  ];
}

function column(now, group, i, at) {
  const { jumps, tile, all } = now;
  const { x, column, bottom, top } = at;
  const n = now.of(group);
  const chosen = i === jumps && (all || n > 0);
  const left = x(i) - column / 2;
  return svg(
    "g",
    {
      class: chosen ? "column chosen" : "column",
      ...(all && {
        role: "button",
        "data-node": i,
        tabindex: i === jumps ? 0 : -1,
        "aria-pressed": String(i === jumps),
        "aria-label": `${counted(group.count, "path")} with ${counted(group.jumps, "jump")}`,
      }),
    },
    all && rect(left - 3, top, column + 6, bottom - top, { class: "uf-ring", rx: 3 }),
    n > 0 && svg("path", { class: "tile", d: tiles(n, group, left, at) }),
    chosen && tile >= 0 && svg("path", { class: "tile mine", d: one(tile, group, left, at) }),
  );
}

/** How the tiles of a group lie: their number in a row and their size. */
function laid({ each, count }, { y, column, bottom }) {
  const height = bottom - y(each); // of a tile that fills the row
  const across = clamp(
    Math.round(Math.sqrt(column / Math.max(height, 1e-9))),
    1,
    Math.max(1, count),
  );
  return { across, width: column / across, height: height * across };
}

function one(index, group, left, at) {
  const { across, width, height } = laid(group, at);
  const [row, place] = [Math.floor(index / across), index % across];
  const gap = Math.min(0.16 * Math.min(width, height), 2.4);
  const [x, y] = [left + place * width, at.bottom - (row + 1) * height];
  return `M${(x + gap / 2).toFixed(2)} ${(y + gap / 2).toFixed(2)}h${(width - gap).toFixed(2)}v${(height - gap).toFixed(2)}h${(gap - width).toFixed(2)}z`;
}

function tiles(n, group, left, at) {
  const { bottom, y, column } = at;
  const { width, height } = laid(group, at);
  if (n > MOST || Math.min(width, height) < 1.3) {
    const high = bottom - y(n * group.each);
    return `M${point(left, bottom)}v${(-high).toFixed(2)}h${column.toFixed(1)}v${high.toFixed(2)}z`;
  }
  return Array.from({ length: n }, (_, i) => one(i, group, left, at)).join("");
}

// ---- the words

/** A number with up to three digits. */
function amount(value) {
  const exact = Number(value.toPrecision(4)); // such as 0.5225
  if (Math.abs(value - exact) < 1e-9 && value > 0.1) return String(exact);
  if (value >= 1e-4) return String(Number(value.toPrecision(3)));
  const [digits, power] = value.toExponential(1).split("e");
  return [`${digits}·10`, html("sup", {}, power.replace("-", "−"))];
}

const power = (weight, n) =>
  n ? [`${weight}`, n > 1 && html("sup", {}, String(n))].filter(Boolean) : [];

function words(now) {
  const { k, d, all, jumps, moves, height, news, found, groups: each } = now;
  const group = each[jumps];
  const total = each.reduce((sum, { count }) => sum + count, 0);
  const sum = each.reduce((so, { together }) => so + together, 0);
  const kinds = (n, singles) =>
    [n && counted(n, "jump"), singles && counted(singles, "single step")]
      .filter(Boolean)
      .join(" and ");
  const product = ({ singles, jumps: n }) => {
    const parts = [power(JUMP, n), power(W, singles)].filter((part) => part.length);
    return parts.flatMap((part, i) => (i ? [" · ", ...part] : part));
  };
  const ofAll = (n) =>
    n === 1
      ? ["There is no other path."]
      : [
          `All ${n.toLocaleString("en-US")} paths together bring back `,
          html("b", {}, amount(sum)),
          " of the gradient.",
        ];
  if (all) {
    const many = html("b", {}, `${group.count.toLocaleString("en-US")} paths`);
    const with_ = ` with ${kinds(group.jumps, group.singles)}`;
    const worth = [...product(group), " = ", amount(group.each)];
    return [
      html(
        "p",
        {},
        group.count === 1
          ? ["The only path", with_, " brings back ", worth, "."]
          : [
              ...["The ", many, with_, " bring back ", worth, " each, which is "],
              ...[html("b", {}, amount(group.together)), " together."],
            ],
      ),
      html("p", {}, ofAll(total)),
    ];
  }
  if (height < k) {
    return [
      html("p", {}, `You are on step ${height} of ${k}.`),
      html("p", { class: "faint" }, soFar(found)),
    ];
  }
  const n = moves.filter((move) => move > 1).length;
  const begins = {
    new: "A new path: it has ",
    again: "Found before: it has ",
    "": "This path has ",
  };
  const ended = found.length === total;
  return [
    html(
      "p",
      {},
      ...[begins[news], kinds(n, k - n * d), " and brings back ", product(each[n])],
      ...[" = ", amount(each[n].each), "."],
    ),
    html("p", { class: ended ? "" : "faint" }, ended ? ofAll(total) : soFar(found)),
  ];
}

const soFar = (found) => `${counted(found.length, "path")} found so far.`;
