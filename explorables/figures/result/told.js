// The line that says a chosen estimate as a sentence, and what the bars are.
import { html, redraw, set } from "../../lib/dom.js";

/** How the bounds are drawn, and what they are. */
const bounds = (data, shape) =>
  data.dots ? `Each dot is one ${data.dots}.` : data.spread && `${shape}: ${data.spread}.`;

/** `tell(text)` shows a sentence, or without one what the bars are and how to choose. */
export function toldLine(data, shape, how) {
  const node = html("p", { class: "told" });
  return {
    node,
    /** Reserve the height of the longest sentence, so that nothing moves when it is shown. */
    fit(sentences, { width, em }) {
      const longest = Math.max(...sentences.map(({ length }) => length));
      set(node, { style: `--lines:${Math.ceil((0.5 * longest * em) / width)}` });
    },
    tell(text) {
      node.classList.toggle("is-rest", !text);
      redraw(node, text || [bounds(data, shape), html("span", { class: "hint" }, ` ${how}`)]);
    },
  };
}
