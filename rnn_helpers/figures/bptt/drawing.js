// The drawing: the unfolded network with its numbers and their gradients, and the shares of a parameter.
import { italic, svg, text } from "../lib/dom.js";
import { rounded } from "../lib/scales.js";
import { rect } from "../lib/shapes.js";
import { PARAMS, size, slopes, sum, VERBS, WORDS } from "./math.js";

const RADIUS = { L: 0.2, o: 0.3, h: 0.9, a: 0.3, x: 0.1 };
const W = PARAMS.W[0][0];

/** A number with up to four decimals, or three in a narrow drawing. */
export const short = (value, digits = 4) => rounded(value, digits).replace(/\.?0+$/, "");

export function drawing(now, { width, em, room }) {
  const at = layout(now, width, em, Number.isFinite(room));
  // The last row has the shares of W until the steps of the other parameters.
  const parameter = { dU: "U", dV: "V", db: "b", dc: "c" }[now.step.id] ?? "W";
  return svg(
    "svg",
    {
      class: "uf-drawing",
      viewBox: `0 0 ${width} ${at.height}`,
      role: "group",
      "aria-label":
        "The unfolded network. Arrow keys move from node to node and show its computation.",
    },
    edges(now, at),
    boxes(now, at),
    shares(now, at, parameter),
    rows(at, parameter),
  );
}

/** The positions of all parts. A narrow drawing has shorter labels and numbers. */
function layout({ T, mask }, width, em, slide) {
  const narrow = width < 30 * em;
  const font = (narrow ? 0.78 : 0.92) * em;
  const line = (narrow ? 1.12 : 1.25) * font;
  // Left of the first box are the labels and the initial state, right of the last one is the sum.
  const margin = (narrow ? 3.7 : 8.4) * em;
  const tail = narrow ? 2 : 5 * em;
  const gapOf = narrow ? 0.7 : 1.7;
  const share = (width - margin - tail - (T - 1) * gapOf * em) / T; // of a column, without its gap
  // Without space beside a number, the gradient is below it.
  const stacked = share < 6.4 * font;
  const wide = Math.min(share, (stacked ? 4.6 : 7.4) * em);
  const pitch = (width - margin - tail - wide) / (T - 1);
  const column = (t) => margin + wide / 2 + (t - 1) * pitch;
  const tile = (stacked ? 2 : 1) * line + 0.35 * em;
  const gap = (slide ? 0.75 : 1) * em;
  const heights = { L: tile, o: 2 * tile, h: tile, a: tile, x: line + 0.3 * em };
  const tops = { L: 0.2 * em };
  tops.o = tops.L + heights.L + gap;
  tops.h = tops.o + heights.o + gap;
  tops.a = tops.h + heights.h + (slide ? 1 : 1.35) * em;
  tops.x = tops.a + heights.a + (slide ? 1 : 1.25) * em;
  tops.share = tops.x + heights.x + (slide ? 0.5 : 0.9) * em;
  const height = tops.share + (narrow ? 2.7 : 1.4) * 1.3 * font;
  const middle = (name) => tops[name] + heights[name] / 2;
  return {
    ...{
      T,
      mask,
      narrow,
      stacked,
      em,
      font,
      line,
      wide,
      column,
      heights,
      tops,
      middle,
      height,
      tile,
    },
    digits: narrow ? 3 : 4,
    roomy: pitch - wide > 4 * em, // for a label on an arrow of W
    labeled: pitch > 4 * em, // whether the other arrows have labels
    start: margin - (narrow ? 1.5 : 2.3) * em, // of the initial state
  };
}

/** Return whether the current step is one of these. */
const active = ({ step }, ...ids) => ids.includes(step.id);

/** Draw the network's edges: thin, and wider in the gradient's color where it has come back. */
function edges(now, at) {
  const { run, mask, back, done } = now;
  const { em, column, wide, tops, heights, middle, start, narrow } = at;
  const slope = slopes(run);
  const label = (x, y, words, name) =>
    at.labeled && text({ font: 0.9 * at.font }, x, y, { class: name }, words);
  return run.flatMap((_, index) => {
    const t = index + 1;
    const [cx, left] = [column(t), column(t) - wide / 2];
    const before = t > 1 ? column(t - 1) + wide / 2 : start + 0.7 * em;
    const word = PARAMS.U[0][now.x[index]];
    const drop = (tops.a + heights.a / 2 - middle("h")) / 2 + middle("h");
    return [
      edge(em, [cx, tops.x], [cx, tops.a + heights.a], {
        term: "U",
        on: active(now, `h${t}`, "dU"),
        gradient: now.step.id === "dU" && size(back.gradA[index]),
      }),
      label(
        cx + 0.35 * em,
        (tops.x + tops.a + heights.a) / 2,
        `${narrow ? "" : "+ "}${short(word, at.digits)}`,
        "along U",
      ),
      edge(em, [before, middle("h")], [left, middle("a")], {
        term: "W",
        on: active(now, `h${t}`, `dh${t - 1}`, `dW${t}`),
        gradient: t > 1 && done(`dh${t - 1}`) && size(back.chain[index - 1]),
      }),
      at.roomy &&
        t > 1 &&
        label((before + left) / 2 + 0.25 * em, drop - 0.75 * em, `× ${W}`, "along W"),
      edge(em, [cx, tops.a], [cx, tops.h + heights.h], {
        term: "slope",
        on: active(now, `h${t}`, `da${t}`),
        gradient: done(`da${t}`) && size(back.gradA[index]),
      }),
      label(
        cx + 0.35 * em,
        (tops.a + tops.h + heights.h) / 2,
        done(`da${t}`) ? `× ${short(slope[index], at.digits)}` : "tanh",
        `along ${done(`da${t}`) ? "back" : ""}`,
      ),
      mask[index] &&
        edge(em, [cx, tops.h], [cx, tops.o + heights.o], {
          term: "V",
          on: active(now, `o${t}`, `dh${t}`, "dV"),
          gradient: done(`dh${t}`) && size(back.own[index]),
        }),
      mask[index] && label(cx + 0.35 * em, (tops.h + tops.o + heights.o) / 2, "× 1, −1", "along V"),
      mask[index] &&
        edge(em, [cx, tops.o], [cx, tops.L + heights.L], {
          term: "y",
          on: active(now, `L${t}`, `do${t}`),
          gradient: done(`do${t}`) && size(back.gradO[index]),
        }),
    ].filter(Boolean);
  });
}

function edge(em, start, end, { term, on, gradient }) {
  const [from, to] = gradient ? [end, start] : [start, end];
  const weight = gradient ? Math.min(1.2 + 2.6 * gradient, 6) : on ? 2.6 : 1.2;
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

function boxes(now, at) {
  const { run, loss, back, mask, y, done } = now;
  const has = (id, value) => (done(id) ? value : undefined);
  const every = run.flatMap(({ a, h, yhat }, index) => {
    const t = index + 1;
    const ghost = !mask[index];
    return [
      box(now, at, "x", t, { term: "U" }),
      box(now, at, "a", t, {
        id: `a${t}`,
        forward: `h${t}`,
        term: "a",
        value: has(`h${t}`, a),
        gradient: has(`da${t}`, back.gradA[index]),
        words: `sum ${t}`,
      }),
      box(now, at, "h", t, {
        id: `h${t}`,
        term: "h",
        value: has(`h${t}`, h),
        gradient: has(`dh${t}`, back.gradH[index]),
        words: `state ${t}`,
      }),
      !ghost &&
        box(now, at, "o", t, {
          id: `o${t}`,
          term: "o",
          target: y[index],
          words: `output ${t}`,
          value: has(`o${t}`, yhat),
          gradient: has(`do${t}`, back.gradO[index]),
        }),
      !ghost &&
        box(now, at, "L", t, {
          id: `L${t}`,
          term: "L",
          words: `loss ${t}`,
          value: has(`L${t}`, [loss.each[index]]),
          gradient: has(now.every ? "dL" : `do${t}`, [1]),
        }),
    ].filter(Boolean);
  });
  return [initial(at), every];
}

/** Draw the initial state. */
function initial(at) {
  const { em, start, middle, tile } = at;
  const half = 0.7 * em;
  return svg(
    "g",
    { class: "box h initial" },
    rect(start - half, middle("h") - tile / 2, 2 * half, tile, { rx: half }),
    text(at, start, middle("h"), {}, "0"),
  );
}

/** Draw a node with its numbers and, once they have come back, with the gradient on each. */
function box(now, at, name, t, spec) {
  const { value, gradient, target, id, term } = spec;
  const { em, font, line, wide, stacked, tile } = at;
  const [cx, top, high] = [at.column(t), at.tops[name], at.heights[name]];
  const on = active(now, id, spec.forward, `d${id}`, ...(name === "L" ? ["dL", "L"] : []));
  const button = nodeButton(now, at, name, t, spec, on);
  const rx = RADIUS[name] * em;
  const written = (values, place, kind) =>
    values?.map((one, i) => {
      const y = top + (i + 0.5) * tile + (stacked ? (place * line) / 2 : 0);
      const x = stacked ? cx : cx + (place * wide) / 4;
      const words = kind === "text" ? one : short(one, at.digits);
      // The blank parts the numbers for somebody who reads them without seeing where they are.
      return [" ", text(at, x, y, { class: `${kind} ${target === i ? "target" : ""}` }, words)];
    });
  const word = WORDS[now.x[t - 1]];
  // A share is a product of two numbers.
  const factor =
    (name === "h" && active(now, `dW${t + 1}`)) || (name === "a" && active(now, `dW${t}`));
  const classes = [
    "box",
    name,
    on && "on",
    factor && "factor",
    gradient && "back",
    !value && name !== "x" && "empty",
  ];
  return svg(
    "g",
    {
      class: classes.filter(Boolean).join(" "),
      "data-term": on || name === "x" ? term : null,
      ...button,
    },
    rect(cx - wide / 2, top, wide, high, { rx }),
    name === "x" &&
      text(
        { font: Math.min(font, (1.75 * wide) / word.length) },
        cx,
        top + high / 2,
        { class: "word" },
        word,
      ),
    name !== "x" && divider(at, cx, top, high),
    gradient && tint(at, cx, top, gradient.length, rx),
    written(value, -1, "value"),
    written(gradient, 1, "nabla"),
    button && rect(cx - wide / 2 - 3, top - 3, wide + 6, high + 6, { class: "uf-ring", rx }),
  );
}

/** Mark the place of the gradients. */
const divider = ({ stacked, wide, tile }, cx, top, high) =>
  svg("path", {
    class: "divider",
    d: stacked
      ? Array.from(
          { length: Math.round(high / tile) },
          (_, i) => `M${cx - wide / 2} ${top + (i + 0.5) * tile}h${wide}`,
        ).join("")
      : `M${cx} ${top}v${high}`,
  });

/** The ground behind gradients: the right half of a box, or the lower half of each number's place. */
function tint({ wide, stacked, tile }, cx, top, count, rx) {
  const r = Math.min(rx, tile / 2);
  if (!stacked) {
    const [right, bottom] = [cx + wide / 2, top + count * tile];
    const d = `M${cx} ${top}H${right - r}Q${right} ${top} ${right} ${top + r}V${bottom - r}Q${right} ${bottom} ${right - r} ${bottom}H${cx}Z`;
    return svg("path", { class: "tint", d });
  }
  return Array.from({ length: count }, (_, i) =>
    rect(cx - wide / 2 + 1.5, top + (i + 0.5) * tile, wide - 3, tile / 2 - 1.5, {
      class: "tint",
      rx: Math.min(rx, tile / 4),
    }),
  );
}

/** Return the attributes that make a node a button to its step; null if it has no step. */
function nodeButton(
  { T, done, every },
  { digits },
  name,
  t,
  { id, forward, value, gradient, words },
  on,
) {
  if (!id) return null;
  const backward = done(every ? "dL" : `do${T}`);
  const step = backward ? (name === "L" ? (every ? "dL" : `do${t}`) : `d${id}`) : (forward ?? id);
  // On the way back, all losses belong to one step, and without one the loss belongs to its output.
  if (name === "L" && backward && (!every || t !== T)) return null;
  // A sum and its state are computed in one step.
  if (name === "a" && !backward) return null;
  const list = (values) => values.map((one) => short(one, digits)).join(", ");
  return {
    role: "button",
    tabindex: -1,
    "data-node": step,
    "aria-pressed": String(on),
    "aria-label": `${words}: ${value ? list(value) : "not computed yet"}${gradient ? `; gradient ${list(gradient)}` : ""}`,
  };
}

/** Write the shares of a parameter's copies, and their sum. */
function shares(now, at, parameter) {
  const { T, run, back, done } = now;
  const { em, font, line, narrow, column, tops, wide } = at;
  const copies = back.copies[parameter];
  const ofW = parameter === "W";
  const ready = (i) => !ofW || done(`dW${i + 1}`);
  const entries = (one) => {
    const list = [one].flat(2);
    // The share of U has one entry that isn't zero: that of the step's word.
    return parameter === "U" ? [list.find(Boolean) ?? 0] : list;
  };
  const y = tops.share + 0.8 * font;
  const number = (one) =>
    entries(one)
      .map((value) => short(value, at.digits))
      .join(", ");
  const pair = parameter !== "U" && copies[0].flat().length > 1;
  const plain = narrow && pair ? { font: 0.78 * font } : at;
  const begun = run.some((_, i) => ready(i));
  const known = copies.filter((_, i) => ready(i));
  const parts = copies.map((one, i) => {
    if (!ready(i)) return null;
    const id = `dW${i + 1}`;
    const button = ofW && {
      role: "button",
      tabindex: -1,
      "data-node": id,
      "aria-pressed": String(active(now, id)),
      "aria-label": `share of copy ${i + 1} of W: ${number(one)}`,
    };
    return svg(
      "g",
      { class: `share ${active(now, id) ? "on" : ""}`, ...button },
      text(plain, column(i + 1), y, {}, number(one)),
      button &&
        rect(column(i + 1) - wide / 2, y - 0.8 * em, wide, 1.6 * em, { class: "uf-ring", rx: 4 }),
    );
  });
  const plus = run
    .slice(1)
    .map((_, i) =>
      text(at, (column(i + 1) + column(i + 2)) / 2, y, { class: "muted" }, begun ? "+" : ""),
    );
  const total =
    begun &&
    parameter !== "U" &&
    text(
      pair && !narrow ? { font: 0.85 * font } : at,
      narrow ? column(T) + wide / 2 : column(T) + wide / 2 + (pair ? 0 : 0.7) * em,
      narrow ? y + 1.25 * line : y,
      { class: `total ${narrow ? "end" : "start"}` },
      `= ${number(sum(known))}`,
    );
  return [parts.filter(Boolean), plus, total];
}

/** Label the rows on the left. */
function rows(at, parameter) {
  const { tops, middle, narrow, tile, font } = at;
  const label = (words, y, name) => text(at, 0, y, { class: `row ${name}` }, words);
  const long = (name, symbol) => (narrow ? italic(symbol) : [name, " ", italic(symbol)]);
  return [
    label(long("loss", "L"), middle("L"), "L"),
    VERBS.map((verb, i) => label(verb, tops.o + (i + 0.5) * tile, i === 1 ? "target" : "o")),
    label(long("state", "h"), middle("h"), "h"),
    label(long("sum", "a"), middle("a"), "h"),
    !narrow && label("word", middle("x"), "x"),
    label(
      narrow ? ["∇", italic(parameter)] : ["shares of ", italic(parameter)],
      tops.share + 0.8 * font,
      "gradient",
    ),
  ];
}
