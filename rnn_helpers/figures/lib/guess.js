import { button } from "./controls.js";
import { html } from "./dom.js";

/**
 * A prediction inside a figure: a question with choices. Once the reader has chosen one or skipped the
 * question, the box shows the answer and the reason; `data-mark` marks the answer and the reader's
 * choice, and `reveal()` sets the figure to the state that shows the answer.
 */
export function guess({ question, choices, answer, why }, reveal) {
  const verdict = html("p", { role: "status" });
  const options = [...choices, "show me"].map((choice) =>
    button(choice, ({ target }) => {
      options.forEach((option, i) => {
        const [own, guess] = [option === target, choices[i]];
        option.setAttribute("aria-pressed", own);
        option.dataset.mark = guess === answer ? "right" : own && guess ? "wrong" : "none";
      });
      const judgement =
        choice === answer ? "Yes" : choices.includes(choice) ? "Not quite" : "Answer";
      verdict.replaceChildren(html("b", {}, `${judgement}: ${answer}. `), why);
      reveal();
    }),
  );
  return html(
    "div",
    { class: "uf-guess", role: "group", "aria-label": "prediction" },
    html("p", {}, html("b", {}, "Predict. "), question),
    html("div", { class: "uf-choices" }, options),
    verdict,
  );
}
