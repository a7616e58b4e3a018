// The three lines of arithmetic under one weight. Each of their numbers can be asked where it comes
// from: it says so, and what it is made of is marked in the lines and in the drawing.
import { html, set } from "../../lib/dom.js";
import { roving } from "../../lib/roving.js";
import { format } from "../../lib/scales.js";
import { sum } from "../../lib/vectors.js";
import { END, OUTPUT, sums } from "./math.js";

const FEW = 4;
export const symbol = (k) => (k === END ? "end" : OUTPUT[k]);
export const seen = (letter) => (letter === " " ? "␣" : letter);
const two = (value) => format(value, 2);
const three = (value) => format(value, 3);
const sharply = ({ sharpness }) => (sharpness === 1 ? "" : `${format(sharpness, 1)} × `);

// Places of the drawing: a column, of which 0 holds what was written, a row, of which 0 holds what
// was read, and, if it is more than one, how many columns.
const letter = ({ k }) => [k, 0];
const cell = ({ k, t }) => [k, t];
const row = ({ t, letters }) => [1, t, letters.length];

/** One of the largest products that a score is the sum of. */
const product = (place) => ({
  value: ({ products, largest }) => two(products[largest[place]]),
  places: ({ t, ...now }) => [letter(now), ...(t > 1 ? [[0, t - 1]] : [])],
  says: ({ at, held, asked, largest }) => {
    const i = largest[place];
    return `Number ${i + 1} of the ${held.length} that are held at ${at}, ${two(held[i])}, times number ${i + 1} of Q times the state before, ${two(asked[i])}. Three products are shown: the largest.`;
  },
});
const score = {
  value: ({ score }) => two(score),
  of: ["first", "second", "third", "others"],
  places: (now) => [cell(now)],
  says: ({ at, held }) =>
    `The sum of ${held.length} products, one for each number that is held at ${at}. It says how well they fit what the state before asks for.`,
};
const weight = {
  value: ({ weight }) => three(weight),
  of: ["power", "whole"],
  places: (now) => [cell(now)],
  says: ({ power, whole, weight }) =>
    `${three(power)} over ${three(whole)} is ${three(weight)}: the darkness of the cell. Over its row the weights add up to 1.`,
};

/** Of each number: its value, the numbers `of` which it is made, its `places`, and what it `says`. */
const NUMBERS = {
  first: product(0),
  second: product(1),
  third: product(2),
  others: {
    value: ({ score, products, largest }) => two(score - sum(largest.map((i) => products[i]))),
    places: product(0).places,
    says: ({ at, held, largest }) =>
      `The other ${held.length - largest.length} products together, each of a number that is held at ${at} and one of Q times the state before.`,
  },
  score,
  sharp: {
    value: ({ sharpness }) => (sharpness === 1 ? "" : format(sharpness, 1)),
    places: (now) => [row(now)],
    says: () => "The sharpness, which is set beneath: all scores of a row are multiplied with it.",
  },
  level: { ...score, of: ["score"] },
  top: {
    value: ({ top }) => two(top),
    places: ({ t, best }) => [[best + 1, t]],
    says: ({ letters, best }) =>
      `The largest score of this row, at “${seen(letters[best])}”. To take it off every score changes no weight, and no power gets too large.`,
  },
  power: {
    value: ({ power }) => three(power),
    of: ["sharp", "level", "top"],
    places: ({ best, ...now }) => [cell(now), [best + 1, now.t]],
    says: ({ score, top, power, ...now }) =>
      `${two(score)} less ${two(top)} is ${two(score - top)}, and e to the ${sharply(now)}${two(score - top)} is ${three(power)}.`,
  },
  whole: {
    value: ({ whole }) => three(whole),
    of: ["power"],
    places: (now) => [row(now)],
    says: (now) => `Each character of the row has its power: ${largest(now, now.powers)}.`,
  },
  weight,
  share: { ...weight, of: ["weight"] },
  held: {
    value: ({ held }) => three(held[0]),
    places: (now) => [letter(now)],
    says: ({ at, held }) =>
      `The first of the ${held.length} numbers that are held at ${at}: ${held.length / 2} by the reader from the left, ${held.length / 2} by the reader from the right.`,
  },
  term: {
    value: ({ terms, k }) => three(terms[k - 1]),
    of: ["share", "held"],
    places: (now) => [letter(now), cell(now)],
    says: ({ at, weight, held }) =>
      `${three(weight)} × ${three(held[0])}: weight times first number. This much ${at} adds to the average.`,
  },
  rest: {
    value: ({ terms, k, letters }) => (letters.length > 1 ? three(sum(terms) - terms[k - 1]) : ""),
    places: ({ t, k, letters }) =>
      [
        [1, t, k - 1],
        [k + 1, t, letters.length - k],
      ].filter(([, , many]) => many),
    says: (now) =>
      `Weight times first number of every other character: ${largest(now, now.terms, false)}.`,
  },
  told: {
    value: ({ told }) => three(told),
    of: ["term", "rest"],
    places: ({ t }) => [[0, t]],
    says: ({ held, step }) =>
      `The first of ${held.length} numbers that the writer hears, all made with the same weights. Of them, of the symbol before and of its state it makes “${symbol(step.symbol)}”.`,
  },
};

/** The lines: a name, words, and the names of their numbers, each with the words behind it. */
const LINES = [
  [
    "Score",
    ({ at, step }) => ` of ${at}, to write “${symbol(step.symbol)}”: `,
    ["first", " + "],
    ["second", " + "],
    ["third", " + "],
    ["others", " = "],
    ["score"],
  ],
  [
    "Softmax",
    " e to the ",
    ["sharp", " × ("],
    ["level", " − "],
    ["top"],
    ({ sharpness }) => (sharpness === 1 ? " is " : ") is "),
    ["power"],
    " which over the sum ",
    ["whole"],
    " is the weight ",
    ["weight"],
  ],
  [
    "Average",
    ", its first number: ",
    ["share", " × "],
    ["held", " = "],
    ["term"],
    ({ letters }) => (letters.length > 1 ? " and the others’ " : " = "),
    ["rest", " make "],
    ["told"],
  ],
];

/** The lines; `mark` hears of the places of the number that is asked for. */
export function arithmetic(mark) {
  const numbers = {};
  const words = [];
  const said = (word) => {
    const node = html("span");
    words.push([node, word]);
    return node;
  };
  const lines = LINES.map(([title, ...line]) => [
    html("b", {}, title),
    line.map((part) => {
      if (!Array.isArray(part)) return said(part);
      const [name, after] = part;
      numbers[name] = html("button", { type: "button", class: "number", tabindex: -1 });
      return [numbers[name], after && said((now) => NUMBERS[name].value(now) && after)];
    }),
  ]);
  const answer = html("p", { class: "answer", role: "status" });
  const node = html(
    "div",
    { class: "sums" },
    lines.map((line) => html("p", {}, line)),
  );
  let asked = null;
  let last = null;
  roving(node, (name) => {
    asked = asked === name ? null : name;
    show(last);
  });

  function show(now) {
    last = now;
    set(node, { hidden: !now.step });
    answer.textContent = "";
    if (!now.step) return mark([]);
    const made = { ...now, ...sums(now), at: `“${seen(now.letters[now.k - 1])}”` };
    for (const [span, word] of words)
      span.textContent = typeof word === "function" ? word(made) : word;
    if (asked && !NUMBERS[asked].value(made)) asked = null;
    for (const [name, number] of Object.entries(numbers)) {
      const value = NUMBERS[name].value(made);
      number.textContent = value;
      set(number, {
        hidden: !value,
        "data-node": value ? name : null,
        tabindex: name === (asked ?? "first") ? 0 : -1,
        "aria-expanded": String(name === asked),
        "data-part": asked !== null && Boolean(NUMBERS[asked].of?.includes(name)),
      });
    }
    if (asked) answer.textContent = NUMBERS[asked].says(made);
    mark(asked ? NUMBERS[asked].places(made) : []);
  }
  return { node, answer, show };
}

/** Some numbers, each with its character: the chosen one, the largest few, and the rest as one. */
function largest({ letters, k }, values, chosen = true) {
  const others = values.map((_, i) => i).filter((i) => i !== k - 1);
  others.sort((i, j) => Math.abs(values[j]) - Math.abs(values[i]));
  const shown = [...(chosen ? [k - 1] : []), ...others.splice(0, FEW - 1)];
  const told = shown.map((i) => `“${seen(letters[i])}” ${three(values[i])}`);
  const rest = sum(others.map((i) => values[i]));
  if (others.length) told.push(`the other ${others.length} together ${three(rest)}`);
  return told.join(", ");
}
