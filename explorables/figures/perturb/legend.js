import { html, svg } from "../../lib/dom.js";
import { MARKS, swatch } from "../../lib/shapes.js";
import { inline } from "../../lib/words.js";

/** The curves' names, shapes and values at the cursor. */
export function legend(curves) {
  const items = curves.map(({ name, mark, text }) => {
    const words = html("span", { class: "name" });
    words.innerHTML = inline(text);
    const value = html("b", { class: "value" });
    const line = swatch(
      30,
      12,
      svg("path", { class: `curve ${name}`, d: "M0 6H30" }),
      mark &&
        svg("path", {
          class: `mark ${name}`,
          d: MARKS[mark],
          transform: "translate(15 6) scale(4.4)",
        }),
    );
    return {
      node: html("span", { class: `item ${name}`, "data-term": name }, line, value, words),
      value,
    };
  });
  return {
    node: html("div", { class: "legend" }, items),
    update: (values) =>
      items.forEach(({ value }, i) => value.replaceChildren(...[values[i]].flat())),
  };
}
