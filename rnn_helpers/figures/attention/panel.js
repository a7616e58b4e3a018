// The three lines of arithmetic for one weight. Below each number is its name. A click on a number
// explains it, and marks the numbers and the places in the drawing from which it is computed.
import { html, set } from "../lib/dom.js";
import { roving } from "../lib/roving.js";
import { format } from "../lib/scales.js";
import { sum } from "../lib/vectors.js";
import { END, OUTPUT, sums } from "./math.js";

const FEW = 4;
export const symbol = (k) => (k === END ? "end" : OUTPUT[k]);
export const seen = (letter) => (letter === " " ? "␣" : letter);
const two = (value) => format(value, 2);
const three = (value) => format(value, 3);
const sharply = ({ sharpness }) => (sharpness === 1 ? "" : `${format(sharpness, 1)} × `);

// Places in the drawing: a column (0 holds the output), a row (0 holds the input), and the number of
// columns if it is more than one.
const letter = ({ k }) => [k, 0];
const cell = ({ k, t }) => [k, t];
const row = ({ t, letters }) => [1, t, letters.length];

/** Describe one of the largest products in the sum that makes a score. */
const product = (place) => ({
  value: ({ products, largest }) => two(products[largest[place]]),
  name: ({ largest }) => entry(largest[place] + 1),
  places: ({ t, ...now }) => [letter(now), ...(t > 1 ? [[0, t - 1]] : [])],
  says: ({ at, note, query, largest }) => {
    const i = largest[place];
    return `Number ${i + 1} of the ${note.length} numbers in the annotation of ${at}, ${two(note[i])}, times number ${i + 1} of the query, ${two(query[i])}. The three largest of the ${note.length} products are shown.`;
  },
});
const entry = (i) => [
  html("i", {}, "a"),
  html("sub", {}, i),
  " × ",
  html("i", {}, "q"),
  html("sub", {}, i),
];
const score = {
  value: ({ score }) => two(score),
  name: "score",
  of: ["first", "second", "third", "others"],
  places: (now) => [cell(now)],
  says: ({ at, note }) =>
    `The sum of all ${note.length} products, which is the dot product of the annotation of ${at} and the query. It measures how well they fit.`,
};
const weight = {
  value: ({ weight }) => three(weight),
  name: "weight",
  of: ["power", "whole"],
  places: (now) => [cell(now)],
  says: ({ power, whole, weight }) =>
    `${three(power)} divided by ${three(whole)} is ${three(weight)}, the darkness of the cell. The weights of a row add up to 1.`,
};

/** Each number's value, its name, the numbers `of` which it is made, its places, and its explanation. */
const NUMBERS = {
  first: product(0),
  second: product(1),
  third: product(2),
  others: {
    value: ({ score, products, largest }) => two(score - sum(largest.map((i) => products[i]))),
    name: ({ products, largest }) => `the other ${products.length - largest.length} products`,
    places: product(0).places,
    says: ({ at, note, largest }) =>
      `The sum of the other ${note.length - largest.length} products, each of one number in the annotation of ${at} and the same number of the query.`,
  },
  score,
  sharp: {
    value: ({ sharpness }) => (sharpness === 1 ? "" : format(sharpness, 1)),
    name: "sharpness",
    places: (now) => [row(now)],
    says: () => "The sharpness, which you can set. It multiplies all scores of a row.",
  },
  level: { ...score, of: ["score"] },
  top: {
    value: ({ top }) => two(top),
    name: "largest score of the row",
    places: ({ t, best }) => [[best + 1, t]],
    says: ({ letters, best }) =>
      `The largest score of this row, at “${seen(letters[best])}”. Subtracting it from every score changes no weight, but it keeps the powers from getting too large.`,
  },
  power: {
    value: ({ power }) => three(power),
    name: "power",
    of: ["sharp", "level", "top"],
    places: ({ best, ...now }) => [cell(now), [best + 1, now.t]],
    says: ({ score, top, power, ...now }) =>
      `${two(score)} minus ${two(top)} is ${two(score - top)}, and e to the power ${sharply(now)}${two(score - top)} is ${three(power)}.`,
  },
  whole: {
    value: ({ whole }) => three(whole),
    name: ({ letters }) => `sum of ${letters.length} powers`,
    of: ["power"],
    places: (now) => [row(now)],
    says: (now) => `Each character of the row has a power: ${largest(now, now.powers)}.`,
  },
  weight,
  share: { ...weight, of: ["weight"] },
  note: {
    value: ({ note }) => three(note[0]),
    name: "first number of the annotation",
    places: (now) => [letter(now)],
    says: ({ at, note }) =>
      `The first of the ${note.length} numbers in the annotation of ${at}: ${note.length / 2} come from the network that reads from left to right, and ${note.length / 2} from the one that reads from right to left.`,
  },
  term: {
    value: ({ terms, k }) => three(terms[k - 1]),
    name: "product",
    of: ["share", "note"],
    places: (now) => [letter(now), cell(now)],
    says: ({ at, weight, note }) =>
      `${three(weight)} × ${three(note[0])}, the weight times the first number. ${at} adds this much to the average.`,
  },
  rest: {
    value: ({ terms, k, letters }) => (letters.length > 1 ? three(sum(terms) - terms[k - 1]) : ""),
    name: ({ letters }) => `the other ${letters.length - 1} characters`,
    places: ({ t, k, letters }) =>
      [
        [1, t, k - 1],
        [k + 1, t, letters.length - k],
      ].filter(([, , many]) => many),
    says: (now) =>
      `The weight times the first number, for every other character: ${largest(now, now.terms, false)}.`,
  },
  context: {
    value: ({ context }) => three(context),
    name: "first number of the context",
    of: ["term", "rest"],
    places: ({ t }) => [[0, t]],
    says: ({ note, step }) =>
      `The first of the ${note.length} numbers in the context, which are averages with the same weights. From the context, its state and the previous symbol, the decoder computes “${symbol(step.symbol)}”.`,
  },
};

/** The lines: a title, and then words and numbers in turn. */
const LINES = [
  [
    ({ at, step }) => ["Score", ` of ${at}, to write “${symbol(step.symbol)}”`],
    ...["first", "+", "second", "+", "third", "+", "others", "=", "score"],
  ],
  [
    () => ["Softmax"],
    "e to",
    "sharp",
    ({ sharpness }) => (sharpness === 1 ? "(" : "× ("),
    ...["level", "−", "top", ") is", "power", "over", "whole", "is", "weight"],
  ],
  [
    () => ["Average", ", its first number"],
    ...["share", "×", "note", "=", "term"],
    ({ letters }) => (letters.length > 1 ? "and" : "="),
    "rest",
    ({ letters }) => (letters.length > 1 ? "make" : ""),
    "context",
  ],
];

/** Make the lines. `mark` receives the places of the number that was clicked. */
export function arithmetic(mark) {
  const numbers = {};
  const words = [];
  const follow = (node, said) => {
    words.push([node, said]);
    return node;
  };
  const part = (named) => {
    if (!(named in NUMBERS)) return follow(html("span", {}), named);
    const value = html("span", { class: "value" });
    const { name } = NUMBERS[named];
    const node = html(
      "button",
      { type: "button", class: "number", tabindex: -1 },
      value,
      follow(html("small", { dir: "ltr" }), name),
    );
    numbers[named] = { node, value };
    return node;
  };
  const node = html(
    "div",
    { class: "sums" },
    LINES.map(([title, ...line]) => {
      const [name, more] = [html("b"), html("span")];
      words.push([name, (now) => title(now)[0]], [more, (now) => title(now)[1] ?? ""]);
      return html("p", {}, html("span", { class: "title" }, name, more), line.map(part));
    }),
  );
  const answer = html("p", { class: "answer", role: "status" });
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
    for (const [node, said] of words)
      node.replaceChildren(...[typeof said === "function" ? said(made) : said].flat());
    if (asked && !NUMBERS[asked].value(made)) asked = null;
    for (const [name, number] of Object.entries(numbers)) {
      const value = NUMBERS[name].value(made);
      number.value.textContent = value;
      set(number.node, {
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

/** Some values, each with its character: the chosen one, the largest few, and the sum of the rest. */
function largest({ letters, k }, values, chosen = true) {
  const others = values.map((_, i) => i).filter((i) => i !== k - 1);
  others.sort((i, j) => Math.abs(values[j]) - Math.abs(values[i]));
  const shown = [...(chosen ? [k - 1] : []), ...others.splice(0, FEW - 1)];
  const listed = shown.map((i) => `“${seen(letters[i])}” ${three(values[i])}`);
  const rest = sum(others.map((i) => values[i]));
  if (others.length) listed.push(`the other ${others.length} together ${three(rest)}`);
  return listed.join(", ");
}
