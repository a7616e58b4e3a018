// A row for each sentence, in minibatches. The padding is hatched.
import { cursor, ticksX } from "../lib/chart.js";
import { drawingOf, set, setSize, svg, text, uniqueId } from "../lib/dom.js";
import { knob } from "../lib/handles.js";
import { linear, percent } from "../lib/scales.js";
import { cutsOf, lengths, MANY, sentences } from "./math.js";

/** With more cuts than these, none has a handle, because fingers couldn't tell the handles apart. */
const CUTS = 15;
const LONGEST = Math.max(...lengths);

const px = (value) => value.toFixed(1);

/** The edges of the drawing, and the scale of the steps. */
export function layout({ width, em, room }) {
  const narrow = width < 32 * em;
  const font = Math.max((room < Infinity ? 0.9 : narrow ? 0.8 : 0.85) * em, 12);
  const top = 1.5 * em;
  const bottom = top + (room === Infinity ? 24.6 * em : (room - 10.2) * em);
  const [left, right] = [1.6 * em, width - (1.7 * em + (narrow ? 2.9 : 6.2) * font)];
  const x = linear([0, LONGEST], [left, right]);
  return { narrow, font, em, width, top, bottom, left, right, x };
}

/** The positions of an arrangement's rows in this layout, and functions from a height to a row. */
export function rowLayout({ groups, places }, { top, bottom, em }) {
  const gap = Math.min(0.5 * em, (0.3 * (bottom - top)) / groups.length);
  const high = (bottom - top - gap * (groups.length - 1)) / MANY;
  const cuts = cutsOf(groups);
  const y = (row) => top + row * high + gap * cuts.filter((cut) => cut <= row).length;
  const starts = [0, ...cuts].map(y);
  const ends = [...cuts, MANY].map((cut) => y(cut - 1) + high);
  const middles = places.map((_, row) => y(row) + high / 2);
  const distance = (row, py) => Math.abs(middles[row] - py);
  return {
    ...{ gap, high, cuts, y, starts, ends },
    /** The row whose middle is nearest. */
    row: (py) =>
      middles.reduce((best, _, row) => (distance(row, py) < distance(best, py) ? row : best), 0),
    /** How many rows begin above. */
    between: (py) => middles.filter((middle) => middle < py).length,
  };
}

export function rowsDrawing() {
  const hatch = uniqueId("hatch");
  const stripes = svg("path", { class: "stripe" });
  const pattern = svg("pattern", { id: hatch, patternUnits: "userSpaceOnUse" }, stripes);
  const [ground, labels] = [svg("g"), svg("g")];
  const blocks = svg("path", { class: "blocks", fill: `url(#${hatch})` });
  const rows = sentences.map((_, i) =>
    svg(
      "g",
      { class: "strip", role: "button", "data-node": i + 1 },
      svg("rect", { class: "hit" }),
      svg("rect", { class: "bar" }),
    ),
  );
  const handle = svg(
    "g",
    { class: "handle" },
    svg("rect", { class: "hold" }),
    svg("rect", { class: "outline" }),
    knob({}),
  );
  const cuts = Array.from({ length: CUTS }, () =>
    svg(
      "g",
      { class: "handle cut" },
      svg("path", { class: "line" }),
      svg("rect", { class: "uf-ring" }),
      svg("path", { class: "grip" }),
      svg("path", { class: "along" }),
    ),
  );
  const node = drawingOf(
    "A row for each sentence, in minibatches; what is hatched is padding",
    svg("defs", {}, pattern),
    ground,
    blocks,
    svg("g", {}, rows),
    labels,
    cuts,
    handle,
  );
  return {
    node,
    handle,
    cuts,
    resize(at) {
      setSize(node, at.width, at.bottom);
      const { em } = at;
      set(pattern, { width: 0.4 * em, height: 0.4 * em });
      set(stripes, {
        d: `M${-0.1 * em} ${0.1 * em}l${0.2 * em} ${-0.2 * em}M0 ${0.4 * em}l${0.4 * em} ${-0.4 * em}M${0.3 * em} ${0.5 * em}l${0.2 * em} ${-0.2 * em}`,
      });
      ground.replaceChildren(...grid(at));
    },
    draw(now, at) {
      node.classList.toggle("counted", !now.mask);
      now.places.forEach((sentence, row) => drawRow(rows[sentence], sentence, row, now, at));
      set(blocks, { d: blocksPath(now, at) });
      labels.replaceChildren(...batchLabels(now, at));
      drawHandle(handle, now, at);
      cuts.forEach((cut, k) => drawCut(cut, k, at));
    },
  };
}

/** Lines at round numbers of steps. */
const grid = (at) =>
  at.x
    .ticks(at.narrow ? 4 : 5)
    .flatMap((t) => [
      cursor(at, t, "grid"),
      ...ticksX({ ...at, bottom: 0, below: 0.6 }, [t], () => t || "steps"),
    ]);

function drawRow(node, sentence, row, { chosen }, { left, right, x, rows }) {
  const height = px(rows.high);
  node.style.transform = `translate(0px, ${px(rows.y(row))}px)`;
  set(node, {
    tabindex: row === chosen ? 0 : -1,
    "aria-label": `row ${row + 1}, ${lengths[sentence]} steps`,
  });
  const [hit, bar] = node.children;
  set(hit, { x: px(left), width: px(right - left), height });
  set(bar, {
    x: px(left),
    width: px(x(lengths[sentence]) - left),
    height,
    "stroke-width": px(0.16 * rows.high),
  });
}

/** A box for each minibatch, as long as its longest sentence. */
const blocksPath = ({ batches }, { left, x, rows: { starts, ends } }) =>
  batches
    .map(({ T }, g) => `M${px(left)} ${px(starts[g])}H${px(x(T))}V${px(ends[g])}H${px(left)}z`)
    .join("");

/** The share of padding in each minibatch, where there is room for it. */
function batchLabels({ batches }, at) {
  const { narrow, em, font, width } = at;
  const { starts, ends } = at.rows;
  const labels = batches.flatMap(({ T, padding }, g) => {
    if (ends[g] - starts[g] < 1.05 * font) return [];
    const share = percent(padding);
    const words = narrow ? share : [`${T}, `, svg("tspan", { class: "share" }, share)];
    return [text(at, width, (starts[g] + ends[g]) / 2, { class: "end" }, words)];
  });
  if (!labels.length) return [];
  const heading = narrow ? "padding" : "steps, padding";
  return [...labels, text(at, width, 0.6 * em, { class: "tick end" }, heading)];
}

/** The handle of the chosen row, with an outline as long as its minibatch. */
function drawHandle(node, { chosen, batch }, { left, right, x, em, rows: { y, high } }) {
  const [hold, outline, grip] = node.children;
  set(node, { transform: `translate(0 ${px(y(chosen) + high / 2)})` });
  set(hold, { x: px(left), width: px(right - left), y: px(-high / 2), height: px(high) });
  set(outline, {
    x: px(left - 1),
    width: px(x(batch.T) - left + 2),
    y: px(-high / 2 - 1),
    height: px(high + 2),
    rx: 2,
  });
  set(grip, { transform: `translate(${px(0.8 * em)} 0)` });
}

/** The handle of cut k, hidden if there is no such cut or if there are too many. */
function drawCut(node, k, { left, right, em, rows: { y, cuts, gap } }) {
  const shown = cuts.length <= CUTS && k < cuts.length;
  node.style.display = shown ? "" : "none";
  set(node, { tabindex: shown ? 0 : -1 });
  if (!shown) return;
  const x = right + 0.85 * em;
  const [a, b] = [0.28 * em, 0.5 * em];
  const [line, ring, grip, along] = node.children;
  set(node, { transform: `translate(0 ${px(y(cuts[k]) - gap / 2)})` });
  for (const part of [line, along]) set(part, { d: `M${px(left)} 0H${px(x)}` });
  set(ring, { x: px(x - 12), y: -12, width: 24, height: 24, rx: 5 });
  set(grip, {
    d: `M${px(x)} ${px(-b)}l${px(a)} ${px(b)}l${px(-a)} ${px(b)}l${px(-a)} ${px(-b)}z`,
  });
}
