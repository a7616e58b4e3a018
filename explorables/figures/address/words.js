// What is said of the cell that is marked, of a shift, and of what was read one after another.
import { html } from "../../lib/dom.js";
import { format } from "../../lib/scales.js";
import { argmax } from "../../lib/vectors.js";
import { NOTE, textOf } from "./math.js";

const quoted = (text) => `“${text.replace(/^ | $/g, "␣")}”`;
const strong = (says, name) => html("b", { class: name }, says);

/** Not 3.2e-9 but 0.000: no number here is read to more places. */
const number = (value, digits) =>
  Math.abs(value) < 0.5 * 10 ** -digits ? (0).toFixed(digits) : format(value, digits);
const one = (value) => number(value, 1);
const two = (value) => number(value, 2);
const three = (value) => number(value, 3);

export const shiftWords = (shift) =>
  shift === 0
    ? "this one"
    : `${format(100 * Math.abs(shift), 0)} % to the one ${shift > 0 ? "after" : "before"}`;

/** The same, of all that is shown. */
export const words = (now) => SAID[now.shows](now).map((line) => html("p", {}, line));

const SAID = {
  weights: (now) => {
    const { cells, alike, scores, found, weights, beta, shift, j } = now;
    const best = argmax(found);
    const most = argmax(weights);
    return [
      [
        "Most is read of ",
        strong(quoted(cells[most].text)),
        ", with weight ",
        strong(three(weights[most]), "memory"),
        equals(weights, most),
        ".",
      ],
      [
        `Marked, ${quoted(cells[j].text)}: ${beta} times its cosine, ${two(alike[j])}, is ${one(scores[j])}. The best has ${one(scores[best])}, e to the difference is ${three(Math.exp(scores[j] - scores[best]))}; over the sum of all such, ${three(1 / found[best])}, the weight is `,
        strong(three(found[j]), "memory"),
        shift ? `; after the shift ${three(weights[j])}.` : ".",
      ],
    ];
  },
  gradient: ({ cells, found, onFound, mean, onScores, loss, j }) => {
    const sizes = onScores.map(Math.abs);
    const most = argmax(sizes);
    return [
      [
        "Wanted: ",
        strong(quoted(cells[j].text), "target"),
        `. The largest gradient is on the score of ${quoted(cells[most].text)}, `,
        strong(three(onScores[most]), "gradient"),
        `; its weight is ${three(found[most])}.`,
      ],
      [
        `The loss, half the squared difference from what is read, is ${three(loss)} a letter. On the score of the wanted cell: its weight, ${three(found[j])}, times what more of it would change, ${three(onFound[j])}, less the average, ${three(mean)}, is `,
        strong(three(onScores[j]), "gradient"),
        ".",
      ],
    ];
  },
  write: ({ cells, weights, width, j }) => {
    const own = weights.filter((weight) => weight < 0.1).length;
    return [
      [
        strong(quoted(NOTE.slice(0, width)), "input"),
        ` is written by the same weights. ${own} of ${cells.length} cells stay nine tenths their own.`,
      ],
      [
        `Marked, ${quoted(cells[j].text)}: by its weight, ${three(weights[j])}, it is erased, and the note added; `,
        strong(three(1 - weights[j]), "memory"),
        " of it is still its own.",
      ],
    ];
  },
};

/** How many cells share the largest weight. */
function equals(weights, most) {
  const same = weights.filter((weight) => weights[most] - weight < 1e-9).length;
  return same > 1 ? `, as of ${same - 1} other cells` : "";
}

/** What was the key, and what was read, one after another. */
export function sung({ keys, read, shows, t }) {
  if (shows === "write" && !t) return [];
  const all = t ? [...keys, textOf(read)] : [];
  return all.flatMap((key, i) => [
    i ? " → " : "",
    html("span", { class: i ? "memory" : "input" }, key || "(nothing)"),
  ]);
}

/** For who listens. */
export function spoken({ cells, weights, onScores, read, shows, j, key }) {
  const most = argmax(weights);
  const marked = `Cell ${j + 1} of ${cells.length}, ${quoted(cells[j].text)}: `;
  const value = {
    weights: () => `weight ${three(weights[j])}`,
    gradient: () => `wanted, gradient on its score ${three(onScores[j])}`,
    write: () => `${three(1 - weights[j])} still its own`,
  }[shows]();
  return `${marked}${value}. With the key ${key || "nothing"}, the largest weight is ${three(weights[most])}, at ${quoted(cells[most].text)}. Read: ${textOf(read) || "nothing"}.`;
}
