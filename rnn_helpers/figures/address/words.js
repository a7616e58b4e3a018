// The sentences below the drawing, for each part of the figure.
import { html } from "../lib/dom.js";
import { percent, rounded } from "../lib/scales.js";
import { argmax } from "../lib/vectors.js";
import { textOf } from "./math.js";

const quoted = (text) => `“${text.replace(/^ | $/g, "␣")}”`;
const strong = (text) => html("b", {}, text);

const three = (value) => rounded(value, 3);

export const shiftWords = (shift) =>
  shift === 0
    ? "none"
    : `${percent(Math.abs(shift))} to the ${shift > 0 ? "next" : "previous"} cell`;

/** Return the sentences for a state. */
export const words = (now) => SENTENCES[now.part](now);

const SENTENCES = {
  find: ({ cells, weights }) => {
    const most = argmax(weights);
    return [
      `${quoted(cells[most].text)} has the largest share of the reading: `,
      strong(rounded(weights[most])),
      equals(weights, most),
      ".",
    ];
  },
  content: ({ cells, alike, scores, found, beta, j }) => {
    const best = argmax(found);
    const e = three(Math.exp(scores[j] - scores[best]));
    return [
      `${quoted(cells[j].text)}: cosine ${rounded(alike[j])} × sharpness ${beta} = score ${rounded(scores[j])}. e to the (score − largest score) = ${e}. Divided by the sum, ${three(1 / found[best])}, it gives the weight `,
      strong(three(found[j])),
      equals(found, j),
      ".",
    ];
  },
  place: ({ cells, weights, found, shift }) => {
    const [most, best] = [argmax(weights), argmax(found)];
    return [
      `Content finds ${quoted(cells[best].text)}. `,
      shift ? `After the shift, ${quoted(cells[most].text)} has` : "It has",
      " the largest weight, ",
      strong(rounded(weights[most])),
      ".",
    ];
  },
};

/** Say how many other cells have the same weight. */
function equals(weights, i) {
  const same = weights.filter((weight) => Math.abs(weights[i] - weight) < 1e-9).length - 1;
  return same > 0 && weights[i] > 5e-4 ? `, the same as ${same} other${same > 1 ? "s" : ""}` : "";
}

/** List the keys and the last reading, in order. */
export function sung({ keys, read, t }) {
  const all = t ? [...keys, textOf(read)] : [];
  return all.flatMap((key, i) => [
    i ? " → " : "",
    html("span", { class: i ? "memory" : "input" }, key || "(nothing)"),
  ]);
}

/** Describe a state to someone who can't see it. */
export function spoken({ cells, weights, read, part, j, key }) {
  const most = argmax(weights);
  const selected =
    part === "content"
      ? `Cell ${j + 1} of ${cells.length}, ${quoted(cells[j].text)}, has weight ${three(weights[j])}. `
      : "";
  return `${selected}With the key ${key || "nothing"}, the largest weight is ${three(weights[most])}, at ${quoted(cells[most].text)}. The reading is ${textOf(read) || "empty"}.`;
}
