// The sentences below the drawing, for each part of the figure.
import { html } from "../lib/dom.js";
import { percent, rounded } from "../lib/scales.js";
import { argmax, dot, size } from "../lib/vectors.js";
import { cleaned, LINES, pieces, textOf } from "./math.js";

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
  find: (now) => {
    const { cells, weights } = now;
    const most = argmax(weights);
    const next = argmax(weights.map((weight, i) => (i === most ? 0 : weight)));
    const same = equals(weights, most);
    return [
      `${quoted(cells[most].text)} has the largest share of the reading: `,
      strong(rounded(weights[most])),
      same,
      !same &&
        weights[next] > 0.05 &&
        `, then ${quoted(cells[next].text)}: ${rounded(weights[next])}`,
      surprise(now, most),
    ].filter(Boolean);
  },
  content: ({ key, cells, alike, scores, found, beta, j }) => {
    const best = argmax(found);
    const e = three(Math.exp(scores[j] - scores[best]));
    const k = pieces(key);
    const [product, long, short] = [dot(cells[j].pieces, k), size(cells[j].pieces), size(k)];
    return [
      `${quoted(cells[j].text)}: dot product ${rounded(product, 0)} / (length ${rounded(long, 1)} × ${rounded(short, 1)} of the key) = cosine ${rounded(alike[j])}. Times sharpness ${beta}, the score is ${rounded(scores[j])}. e to the (score − largest score) = ${e}. Divided by the sum, ${three(1 / found[best])}, it gives the weight `,
      strong(three(found[j])),
      equals(found, j),
      ".",
    ];
  },
  place: ({ cells, weights, found, moved, t, gate, gamma }) => {
    const [most, best] = [argmax(weights), argmax(found)];
    const read = t ? `Read ${t + 1}` : "First read";
    return [
      t && !gate
        ? `${read}: the gate is 0, so the head starts from its last place. `
        : `${read}: content finds ${quoted(cells[best].text)}. `,
      `In the end, ${quoted(cells[most].text)} has the largest weight, `,
      strong(rounded(weights[most])),
      gamma > 1 && ` (before sharpening, ${rounded(moved[most])})`,
      ".",
    ].filter(Boolean);
  },
};

/** Explain why a line that contains the typed text isn't the one with the largest share. */
function surprise({ key, cells, weights }, most) {
  const typed = cleaned(key).trim();
  const other = cells.findIndex(
    ({ text }, i) => i !== most && text.toLowerCase().includes(typed) && weights[i] < weights[most],
  );
  if (typed.length < 3 || other < 0 || cells.length > LINES.length) return ".";
  const [long, short] = [other, most].map((i) => size(cells[i].pieces));
  const why =
    long > short
      ? "because your letters are a smaller part of a longer line"
      : "because it has fewer of these letters and pairs in all";
  return `. ${quoted(cells[other].text)} contains your words, too, and gets ${rounded(weights[other])}, ${why}.`;
}

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
