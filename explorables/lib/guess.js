import { button } from "./controls.js";
import { html } from "./dom.js";

/**
 * Mark a choice by shape, words and color: `right` if it is the answer, `wrong` if it is the reader's
 * and not the answer. The words go into `outcome`, which stands beside or below the choice.
 */
export function markChoice(choice, outcome, { right, wrong }) {
  choice.classList.toggle("uf-right", right);
  choice.classList.toggle("uf-wrong", wrong);
  outcome.textContent = right ? "✓ the answer" : wrong ? "✗ your guess" : "";
}

/**
 * A prediction inside a figure: a question, its choices, and, once one is taken or the question is
 * skipped, the answer and why. `reveal()` then sets the figure to the state that shows it.
 */
export function guess({ question, choices, answer, why }, reveal) {
  const verdict = html("p", { role: "status" });
  const options = choices.map((choice) => {
    const outcome = html("span", { class: "uf-outcome" });
    const node = button(choice, () => take(choice));
    node.append(outcome);
    return { choice, node, outcome };
  });
  const take = (taken) => {
    for (const { choice, node, outcome } of options) {
      node.setAttribute("aria-pressed", choice === taken);
      const right = choice === answer;
      markChoice(node, outcome, { right, wrong: choice === taken && !right });
    }
    const judgement = taken === answer ? "Yes" : taken ? "Not quite" : "Answer";
    verdict.replaceChildren(html("b", {}, `${judgement}: ${answer}. `), why);
    reveal();
  };
  return html(
    "div",
    { class: "uf-guess", role: "group", "aria-label": "prediction" },
    html("p", {}, html("b", {}, "Predict. "), question),
    html(
      "div",
      { class: "uf-choices" },
      options,
      button("show me", () => take(null)),
    ),
    verdict,
  );
}
