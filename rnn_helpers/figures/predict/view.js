import { asking, words } from "../lib/asked.js";
import { button } from "../lib/controls.js";
import { html, uniqueId } from "../lib/dom.js";
import { live } from "../lib/linked.js";
import { settings } from "../lib/stage.js";
import { INPUTS } from "./inputs.js";
import { meta } from "./meta.js";
import { spell, verdict } from "./math.js";

/** How to answer, for screen readers, which read the question by themselves. */
const WAYS = {
  choice: ({ choices }) => `There are ${choices.length} answers to choose from.`,
  number: () => "Its answer is a number, which you can type.",
  drag: ({ min, max, unit }) =>
    `Its answer is a number from ${spell(min)} to ${spell(max, unit)}, on a line.`,
};
const PRAISE = { exact: "Yes.", close: "Close.", far: "Not quite." };

export function render({ model, el }) {
  const asked = { ...settings(model, meta.controls), id: uniqueId("question") };
  let state = { guess: null, revealed: false };
  const update = (change) => {
    state = { ...state, ...change };
    const { guess, revealed } = state;
    go.textContent = guess === null ? "Show the answer without guessing" : "Reveal";
    go.classList.toggle("uf-primary", guess !== null);
    go.hidden = revealed;
    again.hidden = result.hidden = !revealed;
    el.classList.toggle("is-revealed", revealed);
    input.update(state);
    if (revealed) result.replaceChildren(...answerWords(asked, guess));
  };
  const reveal = () => {
    update({ revealed: true });
    result.focus({ preventScroll: true });
  };
  const go = button("", reveal);
  const again = button("Guess again", () => {
    input.clear();
    update({ guess: null, revealed: false });
    input.focus();
  });
  const result = html("div", { class: "answered", tabindex: -1 });
  const input = INPUTS[asked.kind](asked, (guess) => update({ guess }), reveal);
  el.classList.add("fig-predict", "uf-asking");
  const status = live();
  status.announce(`A question is asked. ${WAYS[asked.kind](asked)}`);
  el.append(
    ...asking("Predict", asked.question, asked.id),
    input.node,
    html("div", { class: "uf-controls" }, go, again),
    result,
    status,
  );
  update();
  return () => input.cleanup?.();
}

/** What a guess was worth, the answer, and why. */
function answerWords(asked, guess) {
  const { answer, unit, why } = asked;
  const praise = guess === null ? "" : html("b", {}, `${PRAISE[verdict(guess, answer, asked)]} `);
  const right = words("strong", spell(answer, unit));
  return [
    html("p", { class: "verdict" }, praise, "The answer: ", right, "."),
    words("p", why, { class: "why" }),
  ];
}
