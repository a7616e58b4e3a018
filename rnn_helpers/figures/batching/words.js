// The words about an arrangement, and about a sentence step by step.
import { html } from "../lib/dom.js";
import { format, percent } from "../lib/scales.js";
import { lengths, losses, MANY, sentences, WORDS } from "./math.js";

/** For each order, the label of its button and the description of the result. */
export const ACTIONS = {
  given: ["as in the text", "in the text’s order"],
  random: ["shuffle sentences", "shuffled"],
  sorted: ["sort by length", "sorted by length"],
  groups: ["sort, shuffle minibatches", "sorted, minibatches shuffled"],
};

const bold = (kind, ...words) => html("b", { class: kind }, ...words);

/** The chosen sentence's place in its minibatch, and its padding. */
export function sentenceTitle({ sentence, groups, group, missing }) {
  return [
    bold("", `Row ${groups[group].indexOf(sentence - 1) + 1} of minibatch ${group + 1}: `),
    `${lengths[sentence - 1]} steps, `,
    missing ? bold("pad", `and ${missing} of padding`) : "and no padding: it is the longest",
  ];
}

/** The inputs and targets of a sentence's steps, the mask, and the loss of each step. */
export function sentenceRows(now) {
  const { mask, missing } = now;
  const i = now.sentence - 1;
  const { words, pad } = losses(i, now, mask);
  const special = (word) => (/^<.*>$/.test(word) ? { class: "special" } : {});
  const cells = (list) => list.map((word) => html("td", special(word), word));
  const row = (name, list, last) =>
    html(
      "tr",
      {},
      html("th", { scope: "row" }, name),
      cells(list),
      missing > 0 && html("td", { class: "pads uf-fill" }, last),
    );
  const many = missing > 1 ? ` × ${missing}` : "";
  const cost = mask ? "0" : `${format(pad, 1)}${missing > 1 ? " each" : ""}`;
  return [
    row("reads", ["<s>", ...sentences[i]], `<pad>${many}`),
    row("predicts", [...sentences[i], "</s>"], `<pad>${many}`),
    row(
      "mask",
      words.map(() => "1"),
      mask ? "0" : "1",
    ),
    row(
      "bits",
      words.map((bits) => format(bits, 1)),
      cost,
    ),
  ];
}

/** The padding of an arrangement, its number of steps, its loss, and the weights of its words. */
export const arrangementWords = (now) =>
  [paddingWords(now), stepsWords(now), lossWords(now), weightWords(now)].map((line) =>
    html("p", {}, line),
  );

function paddingWords({ padding, pads, steps, hand, order, size }) {
  const how = hand ? "arranged by hand" : `${ACTIONS[order][1]}, ${size} at a time`;
  return [
    bold("big", "Padding fills ", bold("pad", percent(padding))),
    `: ${pads} of ${steps} steps, ${how}.`,
  ];
}

function stepsWords({ groups, turns }) {
  if (groups.length === MANY) return `One sentence after another takes all ${turns} steps in turn.`;
  return [
    "It takes ",
    bold("", `${turns} steps`),
    ` one after another, instead of ${WORDS} sentence by sentence.`,
  ];
}

function lossWords({ mask, masked, unmasked, parts }) {
  const known = "If a model knows only the frequencies, the loss is ";
  if (mask) return [known, bold("loss", `${format(masked, 2)} bits per word`), ", in any order."];
  const [words, padding] = parts.map((bits) => format(bits, 2));
  return [
    known,
    bold("loss", `${format(unmasked, 2)} bits per step`),
    `, which looks better than ${format(masked, 2)} with the mask. But a word costs `,
    bold("", words),
    `, and only the padding is cheap, ${padding}.`,
  ];
}

function weightWords({ batches }) {
  if (batches.length === 1) return "All in one minibatch: each word counts the same.";
  const weights = batches.map(({ weight }) => weight);
  const [least, most] = [Math.min(...weights), Math.max(...weights)];
  const [light, heavy] = [least, most].map((weight) => weights.indexOf(weight) + 1);
  return `Each minibatch counts the same, so a word counts from ${format(least, 1)} times the average (minibatch ${light}) to ${format(most, 1)} times (${heavy}).`;
}
