// The words below a chart: what its bars are, and a chosen estimate as a sentence.
import { html, redraw, set } from "../lib/dom.js";

/** How the bounds are drawn, and what they are. */
const bounds = ({ dots, spread }, shape) =>
  dots ? `Each dot is one ${dots}.` : spread && `${shape}: ${spread}.`;

export function toldLine(data, shape, how) {
  const said = html("p", { class: "said" });
  const rest = html(
    "p",
    { class: "rest" },
    bounds(data, shape),
    html("span", { class: "hint" }, ` ${how}`),
  );
  const node = html("div", { class: "told" }, rest);
  return {
    node,
    /** Reserve the height of the longest sentence, so that nothing moves when it is shown. */
    fit(sentences, { width, em }) {
      const longest = Math.max(...sentences.map(({ length }) => length));
      set(node, { style: `--lines:${Math.ceil((0.47 * longest * em) / width)}` });
    },
    /** Show a sentence in place of the other words, or in another element. */
    tell(text, place = node) {
      redraw(said, text);
      said.remove();
      redraw(node, (!text || place !== node) && rest);
      if (text) place.append(said);
    },
  };
}
