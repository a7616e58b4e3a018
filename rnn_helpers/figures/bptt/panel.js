// The panel: the title of the step, a sentence, the equation and its numbers.
import { html } from "../lib/dom.js";
import { equation } from "../lib/linked.js";
import { short } from "./drawing.js";
import eq from "./equations.tex";
import { PARAMS, slopes, VERBS, WORDS } from "./math.js";

const up = (t) => `(${t})`;

const NUMBERS = {
  h: "10.8, 10.9",
  o: "10.10, 10.11",
  L: "10.14",
  sum: "10.13",
  dL: "10.17",
  do: "10.18",
  dlast: "10.19",
  da: "10.9",
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
    h: ["Forward: the sum ", ["a", t], " and the state ", ["h", t]],
    o: ["Forward: the output ", ["o", t]],
    L: ["Forward: the loss ", ["L", t]],
    do: ["Backward: the logits ", ["o", t]],
    dh: ["Backward: the state ", ["h", t]],
    da: ["Backward: the sum ", ["a", t]],
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
  const { step, T, x, y, run, back, every } = now;
  const { kind, t } = step;
  const verb = VERBS[y[0]];
  const word = t && WORDS[x[t - 1]];
  switch (kind) {
    case "start":
      return `The input is “${x.map((token) => WORDS[token]).join(" ")}”, and the right verb is “${verb}”. Nothing has been computed yet.`;
    case "h":
      return `Take half of the old state, add the number for “${word}”, and apply the tanh.`;
    case "o":
      return "The state is one logit, and minus the state, with a bias, the other. The softmax turns them into probabilities.";
    case "L":
      if (t)
        return `The right verb, “${verb}”, has probability ${short(run[t - 1].yhat[y[t - 1]])}. The loss is minus its logarithm.`;
      return "The total loss is the sum of the losses of all steps.";
    case "dL":
      return "The total loss is a sum, so its derivative with respect to each loss is 1.";
    case "do":
      return `On the logits, the gradient is the prediction minus the target. It is negative only for the right verb, “${verb}”.`;
    case "dh": {
      if (t === T) return "The last state feeds the two logits, with the weights 1 and −1.";
      if (every)
        return "The state feeds the next sum and its own output, so its gradient has two terms.";
      return `The state feeds only the next sum, through W. At the last state, the gradient was ${short(back.gradH[T - 1][0])}.`;
    }
    case "da":
      return "Multiply by the slope of the tanh, which is 1 minus the square of the state.";
    case "dW":
      return t === 1
        ? "The first copy of W multiplied the initial state, which is zero, so its share is zero."
        : "The number at the start of the arrow times the gradient at its end.";
    case "dU":
      return `Each word has its own number in U. Its arrow starts at a 1, so the number for “${WORDS[x[0]]}” gets the gradient ${short(back.gradA[0][0])}.`;
    case "dV":
      return every
        ? "Every step has a share: the state times the gradients on the logits."
        : "Only the last step has a loss, so only this step has a share: the state times the gradients on the logits.";
    case "db":
      return "The arrow of a bias starts at a 1, so its shares are the gradients on the sums.";
    case "dc":
      return "The arrows of these biases start at a 1, so the shares are the gradients on the logits.";
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
    html(
      "div",
      { class: "sums" },
      eq[name] && equation(eq[name]),
      html(
        "div",
        { class: "numbers" },
        arithmetic(now).map((line) => html("p", {}, line)),
      ),
    ),
  ];
}

const W = PARAMS.W[0][0];
/** A factor, in parentheses if it is negative. */
const factor = (value) => (value < 0 ? `(${short(value)})` : short(value));

/** The computation of a step, by its kind: a list of lines. */
const ARITHMETIC = {
  h: ({ here, x, t }) => [
    `${W} · ${short(here.hPrev[0])} + ${short(PARAMS.U[0][x[t - 1]])} = ${short(here.a[0])}`,
    `tanh ${short(here.a[0])} = ${short(here.h[0])}`,
  ],
  o: ({ here }) => [
    `logits ${here.o.map((value) => short(value)).join(" and ")}`,
    `probabilities ${here.yhat.map((value) => short(value)).join(" and ")}`,
  ],
  L: (now) => (now.t ? lossOfStep(now) : wholeLoss(now)),
  do: ({ here, t, y, back }) =>
    here.yhat.map(
      (p, i) =>
        `${VERBS[i]}: ${short(p)} − ${Number(i === y[t - 1])} = ${short(back.gradO[t - 1][i])}`,
    ),
  dh: (now) => [now.t === now.T ? fromOutput(now) : fromNext(now)],
  da: ({ run, t, back }) => [
    `1 − ${factor(run[t - 1].h[0])}² = ${short(slopes(run)[t - 1])}`,
    `${short(slopes(run)[t - 1])} · ${short(back.gradH[t - 1][0])} = ${short(back.gradA[t - 1][0])}`,
  ],
  dW: ({ here, t, back }) => [
    `${short(here.hPrev[0])} · ${short(back.gradA[t - 1][0])} = ${short(back.copies.W[t - 1][0][0])}`,
  ],
  dU: ({ back, x }) => x.map((token) => `${WORDS[token]}: ${short(back.grads.U[0][token])}`),
  dV: ({ back }) => VERBS.map((verb, i) => `${verb}: ${short(back.grads.V[i][0])}`),
  db: ({ back }) => [`sum of the shares: ${short(back.grads.b[0])}`],
  dc: ({ back }) => VERBS.map((verb, i) => `${verb}: ${short(back.grads.c[i])}`),
};

function arithmetic(now) {
  const { kind, t } = now.step;
  return ARITHMETIC[kind]?.({ ...now, t, here: now.run[t - 1] }) ?? [];
}

const lossOfStep = ({ here, t, y, loss }) => [
  `−log ${short(here.yhat[y[t - 1]])} = ${short(loss.each[t - 1])}`,
];

const wholeLoss = ({ loss }) => [
  `${loss.each.map((value) => short(value)).join(" + ")} = ${short(loss.total)}`,
];

/** The gradient that a state gets from its own output. */
const own = (gradO) => `1 · ${factor(gradO[0])} + (−1) · ${factor(gradO[1])}`;

const fromOutput = ({ t, back }) => `${own(back.gradO[t - 1])} = ${short(back.gradH[t - 1][0])}`;

const fromNext = ({ t, back, every }) => {
  const more = every ? ` + ${short(back.own[t - 1][0])}` : "";
  return `${W} · ${short(back.gradA[t][0])}${more} = ${short(back.gradH[t - 1][0])}`;
};
