import { html, svg } from "../lib/dom.js";
import { MARKS, swatch } from "../lib/shapes.js";
import { inline } from "../lib/words.js";

/** The names of curves, their shapes, and their values at the cursor. */
export const legend = (curves, values) =>
  curves.map(({ name, mark, text }, i) => {
    const words = html("span", { class: "name" });
    words.innerHTML = inline(text);
    return html(
      "span",
      { class: `item ${name}`, "data-term": name },
      swatch(
        30,
        12,
        svg("path", { class: `curve ${name}`, d: "M0 6H30" }),
        mark &&
          svg("path", {
            class: `mark ${name}`,
            d: MARKS[mark],
            transform: "translate(15 6) scale(4.4)",
          }),
      ),
      html("b", { class: "value" }, values[i]),
      words,
    );
  });
