// The panel: where we are, the equation, and its numbers.
import { html } from "../../lib/dom.js";
import { equation } from "../../lib/linked.js";
import { times, transpose } from "../../lib/vectors.js";
import eq from "./equations.tex";
import { asMatrix, PARAMS, size, slope, sum, two, VERBS, WORDS } from "./math.js";

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

/** What happens at a step, as a list of words and of `[symbol, t]` pairs. */
export function title({ kind, t }, T) {
  if (kind === "start") return ["Before the first word"];
  if (kind === "L" && !t) return ["The loss of the sentence"];
  if (kind === "dL") return ["Turn round: from the loss"];
  if (kind === "dW") return ["The share of ", ["W", t]];
  if (kind === "dh") return [t === T ? "Back to the last state " : "Back in time to ", ["h", t]];
  if (kind === "do") return ["Back to the output ", ["o", t]];
  if (kind[0] === "d") return ["The gradient of ", [kind[1]]];
  return {
    h: ["Forward: the state ", ["h", t]],
    o: ["Forward: the output ", ["o", t]],
    L: ["Forward: the loss ", ["L", t]],
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
  const { step, T, x, y, run, back, mask, loss } = now;
  const { kind, t } = step;
  const verb = VERBS[y[0]];
  const scored = mask[t - 1];
  const grown = (a) =>
    a >= 1
      ? `${a.toFixed(a < 9.95 ? 1 : 0)} times less than at the end`
      : `${(1 / a).toFixed(1)} times more than at the end`;
  switch (kind) {
    case "start":
      return `The net will read “${x.map((token) => WORDS[token]).join(" ")} …”. The verb that belongs there is “${verb}”.`;
    case "h":
      return `Read “${WORDS[x[t - 1]]}”, mix it with the state before, squash.`;
    case "o":
      return "Scores for the three verbs, made into probabilities.";
    case "L":
      return t
        ? `The right verb, “${verb}”, gets the probability ${two(run[t - 1].yhat[y[t - 1]])}. Minus its logarithm is the loss.`
        : "Add up the losses of all words that have one.";
    case "dL":
      return "L is a plain sum, so every loss in it counts once.";
    case "do":
      return `Raise “${verb}”, lower the others, each by how far its probability is off.`;
    case "dh": {
      if (t === T) return "The last state has one descendant, its own output.";
      const far = grown(size(back.gradH[T - 1]) / size(back.gradH[t - 1]));
      const length = `Size ${two(size(back.gradH[t - 1]))}`;
      if (scored) return `From two descendants, the next state and the output. ${length}.`;
      return `${t === 1 ? "The first word is reached." : "From the next state alone."} ${length}, ${far}.`;
    }
    case "dW":
      return t === 1
        ? "The copy used at step 1 multiplied h⁽⁰⁾ = 0, so its share is exactly zero."
        : `The copy of W used at step ${t} gets this share; the sum grows by it.`;
    case "dU":
      return `Each word owns a column. “${WORDS[x[0]]}” gets its own from step 1 alone: this is how the first word learns.`;
    case "dV":
      return loss.total && mask.every(Boolean)
        ? "Every step adds its share."
        : "Only the step with a loss has a share.";
    default:
      return "The same sum over steps, without a second factor.";
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
      html("span", {}, rich(title(step, T))),
      NUMBERS[name] && html("span", { class: "number" }, `(G ${NUMBERS[name]})`),
    ),
    html("p", { class: "words" }, words(now)),
    eq[name] ? equation(eq[name]) : "",
    line(arithmetic(now), { o: 3, do: 3, L: 1, dV: 3, dc: 3 }[kind]),
  ];
}

/** A matrix or vector with its name below. */
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
          "aria-label": matrix.map((row) => row.map(two).join(" ")).join("; "),
          style: `grid-template-columns:repeat(${matrix[0].length},auto)`,
        },
        matrix.flat().map((entry) => html("span", {}, two(entry))),
      ),
    ),
    html("span", { class: "name" }, name),
  );
}
const op = (text) => html("span", { class: "op holder" }, text);
const line = (parts, rows = 2) =>
  html("div", { class: "numbers", style: `--rows:${rows}` }, terms(parts).map(term));
const term = (parts) => html("span", { class: "term" }, parts);

/** Lines break before an operator, never after: each keeps to what follows it. */
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

/** What is computed where we are, by its kind. */
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
    block(back.gradA[t - 1], ["diag ∇", ...named("h", t)], "a"),
    op("·"),
    block([here.hPrev], [...named("h", t - 1), html("sup", {}, "⊤")], "before"),
    op("="),
    block(back.copies.W[t - 1], ["∇", ...named("W", t)], "h"),
    op("so far"),
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
  op(`−log ${two(here.yhat[y[t - 1]])} =`),
  block([loss.each[t - 1]], named("L", t), "L"),
];

const wholeLoss = ({ loss, mask }) => [
  ...loss.each
    .flatMap((value, j) => (mask[j] ? [op("+"), block([value], named("L", j + 1), "L")] : []))
    .slice(1),
  op("="),
  block([loss.total], named("L"), "total"),
];

/** At the last step the gradient of h comes from the output alone. */
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

/** The gradient of U with the word above each column. */
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
        row.map((value, j) => html("td", { class: x.includes(j) ? "" : "absent" }, two(value))),
      ),
    ),
  );
