// The parts of a box with a question: its words, and rows of choices.
import { html, uniqueId } from "./dom.js";
import { inline } from "./words.js";

/** An element whose text may contain code and emphasis. */
export function words(tag, text, attributes = {}) {
  const node = html(tag, attributes);
  node.innerHTML = inline(text);
  return node;
}

/** The heading of a box and its question. The question's `id` labels the choices or the text field. */
export const asking = (kicker, question, id) => [
  html(
    "p",
    { class: "kicker", "aria-hidden": question ? "true" : null, id: question ? null : id },
    kicker,
  ),
  question && words("p", question, { class: "asked", id }),
];

/** Rows of texts, of which the reader chooses one, or several if `type` is "checkbox". */
export function rows(id, choices, type = "radio", take = () => {}) {
  const name = uniqueId("choice");
  const all = choices.map((text) => {
    const input = html("input", { type, name, onchange: () => take(text) });
    const row = html("label", { class: "choice" }, input, words("span", text));
    return { text, input, row };
  });
  const values = () => all.filter(({ input }) => input.checked).map(({ text }) => text);
  return {
    node: html(
      "div",
      {
        class: "choices",
        role: type === "radio" ? "radiogroup" : "group",
        "aria-labelledby": id,
      },
      all.map(({ row }) => row),
    ),
    values,
    typed: values,
    clear: () => all.forEach(({ input }) => (input.checked = false)),
    fill: (texts) => all.forEach(({ input, text }) => (input.checked = texts.includes(text))),
    focus: () => all[0].input.focus(),
    /** Mark the `right` texts and the wrong choices, and allow no further choice; null removes the marks. */
    mark(right) {
      for (const { text, input, row } of all) {
        const wrong = right && input.checked ? "wrong" : "none";
        row.dataset.mark = right?.includes(text) ? "right" : wrong;
        input.disabled = right !== null;
      }
    },
  };
}
