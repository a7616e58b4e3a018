// The panel: the title of the step, a sentence, the equation and its numbers.
import { html } from "../lib/dom.js";
import { equation } from "../lib/linked.js";
import { rounded } from "../lib/scales.js";
import { times, transpose } from "../lib/vectors.js";
import eq from "./equations.tex";
import { asMatrix, PARAMS, size, slope, sum, VERBS, WORDS } from "./math.js";

const up = (t) => `(${t})`;

const NUMBERS = {
  h: "10.8, 10.9",
  o: "10.10, 10.11",
  L: "10.14",
  sum: "10.13",
  dL: "10.17",
  do: "10.18",
  dlast: "10.19",
  dh: "10.21",
  dW: "10.26",
  dU: "10.28",
  dV: "10.24",
  db: "10.23",
  dc: "10.22",
};

/** The title of a step, as a list of words and of `[symbol, t]` pairs. */
export function title({ kind, t }) {
  if (kind === "start") return ["Before the first step"];
  if (kind === "L" && !t) return ["Forward: the total loss"];
  if (kind === "dL") return ["Backward: from the total to each loss"];
  if (t === 0) return ["The gradient of ", [kind[1]]];
  return {
    h: ["Forward: the state ", ["h", t]],
    o: ["Forward: the output ", ["o", t]],
    L: ["Forward: the loss ", ["L", t]],
    do: ["Backward: the output ", ["o", t]],
    dh: ["Backward: the state ", ["h", t]],
    dW: ["The share of ", ["W", t]],
  }[kind];
}
export const plain = (parts) =>
  parts.map((part) => (Array.isArray(part) ? part.join("") : part)).join("");
const rich = (parts) =>
  parts.map((part) =>
    Array.isArray(part)
      ? html(
          "span",
          { class: "sign" },
          html("i", {}, part[0]),
          part[1] && html("sup", {}, up(part[1])),
        )
      : part,
  );

/** What happens at this step, in words. */
export function words(now) {
  const { step, T, x, y, run, back, mask } = now;
  const { kind, t } = step;
  const verb = VERBS[y[0]];
  const norm = (v) => rounded(size(v));
  switch (kind) {
    case "start":
      return `The input is “${x.map((token) => WORDS[token]).join(" ")}”, and the right verb is “${verb}”. Nothing has been computed yet.`;
    case "h":
      return `Multiply the word “${WORDS[x[t - 1]]}” by U and the previous state by W, add the bias, and apply tanh.`;
    case "o":
      return "Compute a logit for each verb. The softmax turns the logits into probabilities.";
    case "L":
      if (t)
        return `The right verb, “${verb}”, has probability ${rounded(run[t - 1].yhat[y[t - 1]])}. The loss is minus its logarithm.`;
      return mask.every(Boolean)
        ? "The total loss is the sum of the losses of all steps."
        : "Only the last step has a loss, so this is the total loss.";
    case "dL":
      return "The total loss is a sum, so its derivative with respect to each loss is 1.";
    case "do":
      return `The gradient is prediction minus target. It is negative only for the right verb, “${verb}”.`;
    case "dh": {
      if (t === T) return "The last state feeds only its own output.";
      if (mask[t - 1])
        return `The state feeds the next state and its own output, so its gradient has two terms. The norm of their sum is ${norm(back.gradH[t - 1])}.`;
      return `The state feeds only the next state. Its gradient has norm ${norm(back.gradH[t - 1])}; at the last state, the norm was ${norm(back.gradH[T - 1])}.`;
    }
    case "dW":
      return t === 1
        ? "The first copy of W multiplied the initial state, which is zero, so its share is zero."
        : "The share is the gradient inside the tanh times the previous state, as an outer product.";
    case "dU":
      return `Each word has its own column of U. The column of “${WORDS[x[0]]}” gets its gradient at step 1, so U learns from the first word.`;
    case "dV":
      return mask.every(Boolean)
        ? "Every step has a share."
        : "Only the last step has a loss, so only this step has a share.";
    case "db":
      return "The sum of the gradients inside the tanh, over all steps.";
    case "dc":
      return "The sum of the gradients on the logits, over all steps.";
  }
}

export function explanation(now) {
  const { step, T } = now;
  const { kind, t } = step;
  const name = kind === "dh" && t === T ? "dlast" : kind === "L" && !t ? "sum" : kind;
  return [
    html(
      "p",
      { class: "title" },
      html("span", {}, rich(title(step))),
      NUMBERS[name] && html("span", { class: "number" }, `(G ${NUMBERS[name]})`),
    ),
    html("p", { class: "words" }, words(now)),
    eq[name] && equation(eq[name]),
    line(arithmetic(now), { o: 3, do: 3, L: 1, dV: 3, dc: 3 }[kind]),
  ];
}

/** A matrix or vector with its name below it. */
function block(value, name, term) {
  const matrix = asMatrix(value);
  return html(
    "span",
    { class: "block", "data-term": term },
    html(
      "span",
      { class: "holder" },
      html(
        "span",
        {
          class: "matrix",
          role: "img",
          "aria-label": matrix
            .map((row) => row.map((value) => rounded(value)).join(" "))
            .join("; "),
          style: `grid-template-columns:repeat(${matrix[0].length},auto)`,
        },
        matrix.flat().map((entry) => html("span", {}, rounded(entry))),
      ),
    ),
    html("span", { class: "name" }, name),
  );
}
const op = (text) => html("span", { class: "op holder" }, text);
const line = (parts, rows = 2) =>
  html("div", { class: "numbers", style: `--rows:${rows}` }, terms(parts).map(term));
const term = (parts) => html("span", { class: "term" }, parts);

/** Group each operator with the part after it, so that lines break before operators only. */
const terms = (parts) =>
  parts.reduce((list, part) => {
    const last = list.at(-1);
    if (last?.at(-1).classList.contains("op")) last.push(part);
    else list.push([part]);
    return list;
  }, []);
const named = (symbol, t, after) => [
  html("span", { class: "sign" }, html("i", {}, symbol), t !== undefined && html("sup", {}, up(t))),
  after,
];
const nabla = (symbol, t) => ["∇", ...named(symbol, t)];
const diagonal = (v) => v.map((value, i) => v.map((_, j) => (i === j ? value : 0)));
const turned = (symbol) =>
  html("span", { class: "sign" }, html("i", {}, symbol), html("sup", {}, "⊤"));

/** The computation of a step, by its kind. */
const ARITHMETIC = {
  h: ({ here, t }) => [
    block(PARAMS.b, named("b"), "b"),
    op("+"),
    block(times(PARAMS.W, here.hPrev), named("W", undefined, named("h", t - 1)), "W"),
    op("+"),
    block(times(PARAMS.U, here.x), named("U", undefined, named("x", t)), "U"),
    op("="),
    block(here.a, named("a", t), "a"),
    op("→"),
    block(here.h, named("h", t), "h"),
  ],
  o: ({ here, t }) => [
    block(PARAMS.c, named("c"), "c"),
    op("+"),
    block(times(PARAMS.V, here.h), named("V", undefined, named("h", t)), "V"),
    op("="),
    block(here.o, named("o", t), "o"),
    op("→"),
    block(here.yhat, named("ŷ", t), "y"),
  ],
  L: (now) => (now.t ? lossOfStep(now) : wholeLoss(now)),
  do: ({ here, t, y, back }) => [
    block(here.yhat, named("ŷ", t), "y"),
    op("−"),
    block(
      here.yhat.map((_, j) => Number(j === y[t - 1])),
      ["1", named("y", t)],
      "target",
    ),
    op("="),
    block(back.gradO[t - 1], nabla("o", t), "o"),
  ],
  dh: (now) => [
    ...(now.t === now.T ? fromOutput(now) : fromNext(now)),
    op("="),
    block(now.back.gradH[now.t - 1], nabla("h", now.t), "h"),
  ],
  dW: ({ here, t, back }) => [
    block(back.gradA[t - 1], nabla("a", t), "a"),
    op("·"),
    block([here.hPrev], [...named("h", t - 1), html("sup", {}, "⊤")], "before"),
    op("="),
    block(back.copies.W[t - 1], ["∇", ...named("W", t)], "h"),
    op("sum"),
    block(sum(back.copies.W.slice(t - 1)), nabla("W"), "sum"),
  ],
  dU: ({ back, x }) => [table(back.grads.U, x)],
  ...Object.fromEntries(
    ["V", "b", "c"].map((name) => [
      `d${name}`,
      ({ back }) => [block(back.grads[name], nabla(name), "sum")],
    ]),
  ),
};

function arithmetic(now) {
  const { kind, t } = now.step;
  return ARITHMETIC[kind]?.({ ...now, t, here: now.run[t - 1] }) ?? [];
}

const lossOfStep = ({ here, t, y, loss }) => [
  op(`−log ${rounded(here.yhat[y[t - 1]])} =`),
  block([loss.each[t - 1]], named("L", t), "L"),
];

const wholeLoss = ({ loss, mask }) => [
  ...loss.each
    .flatMap((value, j) => (mask[j] ? [op("+"), block([value], named("L", j + 1), "L")] : []))
    .slice(1),
  op("="),
  block([loss.total], named("L"), "total"),
];

/** The gradient on the last state: it comes from the output alone. */
const fromOutput = ({ t, back }) => [
  block(transpose(PARAMS.V), turned("V"), "V"),
  op("·"),
  block(back.gradO[t - 1], nabla("o", t), "V"),
];

const fromNext = ({ t, run, back }) => [
  block(transpose(PARAMS.W), turned("W"), "W"),
  op("·"),
  block(diagonal(slope(run[t].h)), "slopes of tanh", "slope"),
  op("·"),
  block(back.gradH[t], nabla("h", t + 1), "next"),
  op("+"),
  block(back.own[t - 1], [turned("V"), "∇", ...named("o", t)], "V"),
];

/** The gradient of U, with a word above each column. */
const table = (matrix, x) =>
  html(
    "table",
    { "data-term": "sum" },
    html(
      "tr",
      {},
      WORDS.map((word, j) =>
        html("th", { scope: "col", class: x.includes(j) ? "" : "absent" }, word),
      ),
    ),
    matrix.map((row) =>
      html(
        "tr",
        {},
        row.map((value, j) => html("td", { class: x.includes(j) ? "" : "absent" }, rounded(value))),
      ),
    ),
  );
