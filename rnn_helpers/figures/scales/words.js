// The figure's words and tables.
import { headRow, html, svg, tableRow } from "../lib/dom.js";
import { spokenLog } from "../lib/powers.js";
import { counted, format } from "../lib/scales.js";
import { swatch } from "../lib/shapes.js";
import { best, left, length, meeting, NOW, ticks, ways } from "./math.js";

/** Write a number with at most three decimals, without zeros at the end. */
export const number = (value) => String(Number(value.toFixed(3)));

const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";
/** Write a number with three digits or, if it is far from 1, with one or two and a power of ten. */
function amount(value) {
  if (value === 0) return "0";
  if (value >= 1e-4 && value < 1e5) return String(Number(value.toPrecision(3)));
  const far = value < 1e-9 || value >= 1e10;
  const [digits, exponent] = value.toExponential(far ? 0 : 1).split("e");
  const raise = [...exponent.replace("+", "")]
    .map((sign) => (sign === "-" ? "⁻" : SUPERSCRIPT[sign]))
    .join("");
  return `${digits}·10${raise}`;
}
const whole = (n) => (n < 1e6 ? n : amount(n));

const sign = (kind) => swatch(34, 12, svg("path", { class: `line ${kind}`, d: "M1 6H33" }));
const table = (caption, heads, rows) =>
  html(
    "table",
    {},
    html("caption", {}, caption),
    headRow(...heads),
    rows.map(([kind, ...cells]) => tableRow({ "data-term": kind || null }, ...cells)),
  );
const p = (...words) => html("p", {}, words);
const strong = (words) => html("b", {}, words);
const i = (word) => html("i", {}, word);
const sup = (word) => html("sup", {}, word);
const sub = (word) => html("sub", {}, word);
const stepsBack = (k) => `${counted(k, "step")} back`;

export const READOUT = {
  leak({ k, alpha, other, front, beside, limit }) {
    const row = (kind, name, a) => [
      kind,
      sign(kind),
      name,
      amount(1 - a),
      amount(a ** k),
      amount(left(a, k)),
    ];
    const [more, less] = front.line[k] >= beside.line[k] ? [alpha, other] : [other, alpha];
    const ratio = left(more, k) / left(less, k);
    const met = meeting(alpha, other);
    return [
      table(
        stepsBack(k),
        ["", i("α"), "takes in", "× keeps", "= holds"],
        [
          row("front", String(alpha), alpha),
          row("beside", String(other), other),
          limit && row("limit", `${k}/${k + 1}`, best(k)),
        ].filter(Boolean),
      ),
      p(
        ratio > 1.0000001
          ? [
              i("α"),
              ` = ${more} holds `,
              strong(Number.isFinite(ratio) ? `${amount(ratio)} times` : "all"),
              Number.isFinite(ratio) ? " as much of it." : " there is of it.",
            ]
          : "Both hold the same share.",
        limit && met ? ` The lines cross ${format(met, 1)} steps back.` : "",
        limit ? ` For this age, α = ${k}/${k + 1} holds most.` : "",
      ),
      p(
        "Time constants: ",
        strong(amount(length(alpha))),
        " and ",
        strong(amount(length(other))),
        " steps.",
      ),
    ];
  },
  skip({ k, w, skip, d, front, beside, limit }) {
    const all = ways(w, skip, d, k);
    const total = all.reduce((sum, { count }) => sum + count, 0);
    const most = all.reduce((a, b) => (b.together > a.together ? b : a), all[0]);
    const shown = [...new Set([all[0], most, all.at(-1)])].filter(Boolean);
    return [
      table(
        stepsBack(k),
        ["", "skips", "paths", "each", "together"],
        [
          ...shown.map((group) => [
            "",
            "",
            String(group.skips),
            whole(group.count),
            amount(group.each),
            amount(group.together),
          ]),
          ["front", sign("front"), "all", whole(total), "", amount(front.line[k])],
        ],
      ),
      p(
        html(
          "span",
          { "data-term": "beside" },
          sign("beside"),
          " ",
          i("w"),
          sup(k),
          " = ",
          amount(beside.line[k]),
        ),
        html(
          "span",
          { "data-term": "limit" },
          sign("limit"),
          " ",
          i("w"),
          sub(i("d")),
          sup(`${k}/${d}`),
          " = ",
          amount(limit[k]),
        ),
      ),
      p(
        verdict({
          k,
          w,
          skip,
          d,
          total,
          size: front.line[k],
          alone: all.length === 1 && !all[0].skips,
        }),
      ),
    ];
  },
  clock({ k, w, p: period, front, beside }) {
    const n = ticks(period, k);
    const then = NOW - k;
    const taken = (yes) => (yes ? "yes" : "no");
    return [
      table(
        stepsBack(k),
        ["", "period", "ticks", "gradient", "input taken in"],
        [
          [
            "front",
            sign("front"),
            String(period),
            String(n),
            amount(front.line[k]),
            taken(front.heard[k]),
          ],
          ["beside", sign("beside"), "1", String(k), amount(beside.line[k]), "yes"],
        ],
      ),
      p(
        "Each tick multiplies by ",
        i("w"),
        ` = ${amount(w)}; between ticks the state stays the same, so the factor is 1.`,
      ),
      p(
        front.heard[k]
          ? `Now is step ${NOW}. Step ${then} is a multiple of ${period}, so the unit takes in its input.`
          : `Now is step ${NOW}. Step ${then} isn’t a multiple of ${period}, so the unit never takes in its input.`,
      ),
    ];
  },
};

/** The two numbers of the skip's figure, without the paths that explain them. */
export const brief = ({ k, front, beside }) =>
  p(
    strong(`${stepsBack(k)}: `),
    ["front", "beside"].map((unit, i) =>
      html(
        "span",
        { "data-term": unit },
        sign(unit),
        ` ${amount((i ? beside : front).line[k])} of the gradient ${i ? "without" : "with"} skips`,
      ),
    ),
  );

function verdict({ k, w, skip, d, total, size, alone }) {
  if (w === 0 && skip === 0) return "There are no edges, so there is no path.";
  if (total === 0) {
    return `There is no path: ${k} isn’t a multiple of ${d}, and there are no short edges.`;
  }
  if (w === 0) return ["There is one path, so the exponent is divided by ", i("d"), "."];
  if (alone)
    return k < d ? `A skip of ${d} steps is too long.` : "There is one path, without a skip.";
  if (size <= 1) {
    return [
      "The gradients of all paths add up. Skips alone would divide the exponent by ",
      i("d"),
      ".",
    ];
  }
  return w <= 1 && skip <= 1
    ? "No single path grows, but the sum over all paths does."
    : "A path through weights above 1 grows, and longer spans have more paths.";
}

/** Describe the drawing and its numbers for screen readers. */
export function sentence({ kind, k, alpha, other, front, beside, w, skip, d, p: period }) {
  const far = stepsBack(k);
  const spoken = (value) =>
    value > 0 && (value < 1e-4 || value >= 1e5) ? spokenLog(Math.log10(value)) : amount(value);
  if (kind === "leak")
    return `At ${far}, α = ${alpha} holds ${spoken(front.line[k])}, and α = ${other} holds ${spoken(beside.line[k])}.`;
  if (kind === "skip") {
    const total = ways(w, skip, d, k).reduce((sum, { count }) => sum + count, 0);
    return `The gradient ${far} is ${spoken(front.line[k])} along ${counted(whole(total), "path")}; without skips it is ${spoken(beside.line[k])}.`;
  }
  return `The gradient ${far} is ${spoken(front.line[k])} after ${counted(ticks(period, k), "tick")}; with period 1 it is ${spoken(beside.line[k])}. The input ${front.heard[k] ? "was taken in" : "was not taken in"}.`;
}

/** Describe the drawing of each kind. */
export const OPENING = {
  leak: () => "Two leaky units forget an input.",
  skip: ({ d, skip, w }) =>
    `A gradient goes back along skips of ${d} steps with weight ${skip}, and along short edges with weight ${w}.`,
  clock: ({ p }) => `A gradient goes back through a unit that updates every ${counted(p, "step")}.`,
};
