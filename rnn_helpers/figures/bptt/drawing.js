// The drawing: the unfolded network with its numbers, and a tile for each copy of a parameter.
import { italic, svg, text } from "../lib/dom.js";
import { rounded } from "../lib/scales.js";
import { rect } from "../lib/shapes.js";
import { asMatrix, size, sum, VERBS, WORDS } from "./math.js";

const RADIUS = { L: 0.2, o: 0.3, h: 0.9, x: 0.1 };

export function drawing(now, { width, em }) {
  const at = layout(now, width, em);
  // The tiles show W until the steps of the other parameters.
  const parameter = { dU: "U", dV: "V", db: "b", dc: "c" }[now.step.id] ?? "W";
  return svg(
    "svg",
    {
      class: "uf-drawing",
      viewBox: `0 0 ${width} ${at.tail.y + at.tile + 0.15 * em}`,
      role: "group",
      "aria-label":
        "The unfolded network. Arrow keys move from node to node and show its computation.",
    },
    edges(now, at),
    bus(now, at),
    boxes(now, at),
    tiles(now, at, parameter),
    rows(now, at, parameter),
    columnNames(at),
  );
}

/** The positions of all parts. A narrow figure has no column for the total loss. */
function layout({ T }, width, em) {
  const narrow = width < 20 * em;
  const font = (narrow ? 0.78 : 0.92) * em;
  const line = (narrow ? 1.1 : 1.17) * em;
  const margin = (narrow ? 1.7 : 2.3) * em;
  const pitch = (width - margin) / (narrow ? T : T + 1);
  const wide = Math.min(pitch - (narrow ? 0.55 : 0.68) * em, 3.4 * em);
  const column = (t) => margin + (t - 0.5) * pitch;
  const heights = { L: 1.5 * em, o: 3 * line + 0.25 * em, h: 2 * line + 0.25 * em, x: 1.4 * em };
  const tops = { L: 0.7 * em };
  tops.o = tops.L + heights.L + 0.9 * em;
  tops.h = tops.o + heights.o + em;
  tops.x = tops.h + heights.h + 0.85 * em;
  const tile = 2.15 * em;
  tops.tile = tops.x + heights.x + 0.8 * em;
  const tail = {
    x: narrow ? column(T) : column(T + 1),
    y: tops.tile + (narrow ? tile + 0.8 * em : 0),
  };
  const middle = (name) => tops[name] + heights[name] / 2;
  return { T, narrow, em, font, line, wide, column, heights, tops, tile, tail, middle };
}

/** Return whether the current step is one of these. */
const active = ({ step }, ...ids) => ids.includes(step.id);

/** Draw the network's edges: thin, and wider in the gradient's color where it has come back. */
function edges(now, { em, column, wide, tops, heights, middle }) {
  const { run, mask, back, done } = now;
  const all = run.flatMap((_, index) => {
    const t = index + 1;
    const [cx, left] = [column(t), column(t) - wide / 2];
    const before = t > 1 ? column(t - 1) + wide / 2 : left - 0.75 * em;
    return [
      edge(em, [cx, tops.x], [cx, tops.h + heights.h], {
        term: "U",
        on: active(now, `h${t}`, "dU"),
      }),
      edge(em, [before, middle("h")], [left, middle("h")], {
        term: "W",
        on: active(now, `h${t}`, `dh${t - 1}`, `dW${t}`),
        gradient: t > 1 && done(`dh${t - 1}`) && size(back.chain[index - 1]),
      }),
      mask[index] &&
        edge(em, [cx, tops.h], [cx, tops.o + heights.o], {
          term: "V",
          on: active(now, `o${t}`, `dh${t}`, "dV"),
          gradient: done(`dh${t}`) && size(back.own[index]),
        }),
      mask[index] &&
        edge(em, [cx, tops.o], [cx, tops.L + heights.L], {
          term: "y",
          on: active(now, `L${t}`, `do${t}`),
          gradient: done(`do${t}`) && size(back.gradO[index]),
        }),
    ];
  });
  return all.filter(Boolean);
}

function edge(em, start, end, { term, on, gradient }) {
  const [from, to] = gradient ? [end, start] : [start, end];
  const weight = gradient ? Math.min(1.2 + 3.2 * gradient, 8) : on ? 2.6 : 1.2;
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const head = Math.min((0.28 + weight * 0.045) * em, 0.6 * length);
  const [bx, by] = [to[0] - ux * head, to[1] - uy * head];
  const wing = head * 0.62;
  const name = `edge ${on ? "on" : ""} ${gradient ? "gradient" : ""} ${term}`;
  return svg(
    "g",
    { class: name, "data-term": on ? term : null },
    svg("line", { x1: from[0], y1: from[1], x2: bx, y2: by, "stroke-width": (weight * em) / 16 }),
    svg("path", {
      d: `M${to}L${[bx - uy * wing, by + ux * wing]}L${[bx + uy * wing, by - ux * wing]}Z`,
    }),
  );
}

/** Draw the line from the losses of the steps to the total loss. */
function bus(now, { T, narrow, em, column, tops }) {
  if (narrow) return null;
  const parts = now.run.map((_, i) =>
    now.mask[i] ? `M${column(i + 1)} ${tops.L}V${0.15 * em}H${column(T + 1)}V${tops.L}` : "",
  );
  const name = `bus ${active(now, "L", "dL") ? "on" : ""} ${now.done("dL") ? "gradient" : ""}`;
  return svg("path", { class: name, d: parts.join("") });
}

function boxes(now, at) {
  const { T, run, loss, back, mask, y, done } = now;
  const has = (id, value) => (done(id) ? value : undefined);
  const steps = run.flatMap(({ h, yhat }, index) => {
    const t = index + 1;
    const ghost = !mask[index];
    return [
      box(now, at, "x", t, { term: "U", value: [] }),
      box(now, at, "h", t, {
        id: `h${t}`,
        term: "h",
        value: has(`h${t}`, h),
        gradient: has(`dh${t}`, back.gradH[index]),
        words: `state ${t}`,
      }),
      box(now, at, "o", t, {
        id: `o${t}`,
        term: "o",
        ghost,
        target: y[index],
        words: `output ${t}`,
        value: has(`o${t}`, yhat),
        gradient: has(`do${t}`, back.gradO[index]),
      }),
      box(now, at, "L", t, {
        id: `L${t}`,
        term: "L",
        ghost,
        words: `loss ${t}`,
        value: has(`L${t}`, [loss.each[index]]),
        gradient: ghost ? undefined : has("dL", [1]),
      }),
    ];
  });
  const total = { id: "L", term: "total", value: has("L", [loss.total]), words: "total loss" };
  return [steps, !at.narrow && box(now, at, "L", T + 1, total)];
}

/** Draw a node with its values or, once it has come back, with its gradient. */
function box(now, at, name, t, spec) {
  const { value, gradient, target, id, term, ghost } = spec;
  const { em, font, line, wide } = at;
  const [cx, top, high] = [at.column(t), at.tops[name], at.heights[name]];
  const shown = gradient ?? value;
  const on = active(now, id, `d${id}`, ...(name === "L" && t <= now.T ? ["dL", "L"] : []));
  const button = nodeButton(now, name, t, spec, on);
  const lines =
    (name === "x" ? [WORDS[now.x[t - 1]]] : shown?.map((value) => rounded(value))) ?? [];
  const empty = !shown && name !== "x";
  const classes = [
    "box",
    name,
    on && "on",
    ghost && "ghost",
    gradient && "gradient",
    empty && "empty",
  ];
  const rx = RADIUS[name] * em;
  return svg(
    "g",
    {
      class: classes.filter(Boolean).join(" "),
      "data-term": on || name === "x" ? term : null,
      ...button,
    },
    rect(cx - wide / 2, top, wide, high, { rx }),
    lines.map((words, i) =>
      text(
        at,
        cx,
        top + high / 2 + (i - (lines.length - 1) / 2) * line,
        {
          "font-size": name === "x" ? Math.min(font, (1.75 * wide) / words.length) : font,
          class: target === i ? "target" : "",
        },
        words,
      ),
    ),
    target !== undefined &&
      shown &&
      svg("path", {
        class: "diamond",
        d: diamond(cx + wide / 2 + 0.34 * em, top + high / 2 + (target - 1) * line, 0.3 * em),
      }),
    gradient &&
      svg(
        "text",
        {
          x: cx - wide / 2 + 0.05 * em,
          y: top + 0.1 * em,
          class: "nabla",
          "font-size": 0.98 * font,
        },
        "∇",
      ),
    button && rect(cx - wide / 2 - 3, top - 3, wide + 6, high + 6, { class: "uf-ring", rx }),
  );
}

/** Return the attributes that make a node a button to its step; null if it has no step. */
function nodeButton({ T, done }, name, t, { id, ghost, value, gradient, words }, on) {
  if (ghost || !id) return null;
  const step = done("dL") && id !== "L" ? (name === "L" ? "dL" : `d${id}`) : id;
  // On the way back, all losses belong to one step, so only the last one is a button.
  if (step === "dL" && t !== T) return null;
  const list = (values) => values.map((value) => rounded(value)).join(", ");
  return {
    role: "button",
    tabindex: -1,
    "data-node": step,
    "aria-pressed": String(on),
    "aria-label": `${words}: ${value ? list(value) : "not computed yet"}${gradient ? `; gradient ${list(gradient)}` : ""}`,
  };
}

const diamond = (x, y, r) => `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z`;

/** Draw the shares of a parameter's copies, and their sum. */
function tiles(now, at, parameter) {
  const { T, run, back, done } = now;
  const { narrow, em, column, tops, tile, tail } = at;
  const shares = back.copies[parameter].map(asMatrix);
  const ofW = parameter === "W";
  const ready = (i) => !ofW || done(`dW${i + 1}`);
  const known = shares.filter((_, i) => ready(i));
  const limit = Math.max(...[...shares, sum(shares)].flat(2).map(Math.abs));
  const box = { ...at, limit, rows: shares[0].length, columns: shares[0][0].length };
  const copies = shares.map((matrix, i) => {
    const shown = ready(i) ? matrix : null;
    const id = `dW${i + 1}`;
    const on = ofW && active(now, id);
    const values = shown
      ? `: ${shown
          .flat()
          .map((value) => rounded(value))
          .join(", ")}`
      : ", not computed yet";
    const button = ofW &&
      done("dL") && {
        role: "button",
        tabindex: -1,
        "data-node": id,
        "aria-pressed": String(on),
        "aria-label": `share of copy ${i + 1} of W${values}`,
      };
    return matrixTile(box, column(i + 1), tops.tile, shown, on ? "on" : "", button);
  });
  const total = known.length ? sum(known) : null;
  const whole = matrixTile(box, tail.x, tail.y, total, ofW ? "sum" : "on sum", {
    "data-term": "sum",
  });
  const plus = run.slice(1).map((_, i) => [(column(i + 1) + column(i + 2)) / 2, tops.tile, "+"]);
  const equals = narrow
    ? [tail.x - 2.1 * em, tail.y, "="]
    : [(column(T) + column(T + 1)) / 2, tops.tile, "="];
  const signs = [...plus, equals].map(([x, y, sign]) =>
    text(at, x, y + tile / 2, { class: "muted" }, sign),
  );
  return [copies, whole, signs];
}

/** Draw a matrix as squares, with areas proportional to the entries. */
function matrixTile({ em, tile, wide, limit, rows, columns }, cx, top, matrix, kind, attributes) {
  const cell = Math.min(tile / rows, Math.min(wide, 1.1 * tile) / columns);
  const [w, h] = [cell * columns, cell * rows];
  const [left, start] = [cx - w / 2, top + (tile - h) / 2];
  const square = (value, i, j) => {
    const side = cell * 0.92 * Math.sqrt(Math.abs(value) / limit);
    if (side <= 0.6) return null;
    const inset = value < 0 ? 0.05 * em : 0;
    const [x, y] = [left + (j + 0.5) * cell - side / 2, start + (i + 0.5) * cell - side / 2];
    const inner = Math.max(side - 2 * inset, 1);
    const name = value < 0 ? "minus" : "plus";
    return rect(x + inset, y + inset, inner, inner, { class: name, "stroke-width": 0.1 * em });
  };
  const around = (by, name) =>
    rect(left - by, start - by, w + 2 * by, h + 2 * by, { rx: 3, class: name });
  return svg(
    "g",
    { class: `tile ${kind} ${matrix ? "" : "empty"}`, ...attributes },
    around(2, "frame"),
    (matrix ?? []).map((row, i) => row.map((value, j) => square(value, i, j))),
    attributes?.role && around(5, "uf-ring"),
  );
}

/** Label the rows on the left. */
function rows({ y }, at, parameter) {
  const { em, line, middle, tops, tile } = at;
  const label = (words, height, name) => text(at, 0, height, { class: `row ${name}` }, words);
  return [
    label(italic("L"), middle("L"), "L"),
    VERBS.map((verb, i) => label(verb, middle("o") + (i - 1) * line, i === y[0] ? "target" : "o")),
    [1, 2].map((i) => label(indexed("h", i, 0.75 * em), middle("h") + (i - 1.5) * line, "h")),
    label(italic("x"), middle("x"), "x"),
    label(["∇", italic(parameter)], tops.tile + tile / 2, "gradient"),
  ];
}

const indexed = (name, i, size) => [
  italic(name),
  svg("tspan", { dy: 0.25 * size, "font-size": size }, i),
];

/** Label the column of the total loss. */
function columnNames({ T, narrow, em, font, column, tops, heights }) {
  if (narrow) return null;
  const label = (y, name, ...words) =>
    svg("text", { x: column(T + 1), y, "font-size": font, class: name }, words);
  return [
    label(tops.L + heights.L + 1.05 * font, "total", "total ", italic("L")),
    label(tops.tile - 0.35 * em, "gradient", "sum"),
  ];
}
