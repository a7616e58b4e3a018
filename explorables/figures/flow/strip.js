// The magnitudes of the eigenvalues of W, which Omega doesn't control.
import { set, setSize, svg, text } from "../../lib/dom.js";
import { format, linear } from "../../lib/scales.js";

/** The magnitudes on a line from 0 to 2. */
export function strip() {
  const ground = svg("g");
  const marks = [0, 1].map((i) => svg("path", { class: `lambda l${i}` }));
  const node = svg("svg", { class: "uf-drawing", role: "img" }, ground, marks);
  let x, em;
  const TOP = 2;
  function resize(width, height, font) {
    em = font;
    x = linear([0, TOP], [0.9 * em, width - 0.9 * em]);
    const at = { font: 0.9 * em };
    setSize(node, width, height);
    ground.replaceChildren(
      svg("path", { class: "axis", d: `M${x(0)} ${0.7 * em}H${x(TOP)}` }),
      svg("path", { class: "one", d: `M${x(1)} 0.1V${1.3 * em}` }),
      ...[0, 1, TOP].map((value) => text(at, x(value), 1.9 * em, { class: "tick" }, value)),
    );
  }
  function update({ radii }) {
    radii.forEach((radius, i) => {
      const r = 0.38 * em;
      const px = x(Math.min(radius, TOP + 0.1));
      set(marks[i], { d: `M${px.toFixed(1)} ${0.7 * em - r}l${r} ${r}l${-r} ${r}l${-r} ${-r}Z` });
    });
    set(node, {
      "aria-label": `The eigenvalues of W have the magnitudes ${radii.map((r) => format(r)).join(" and ")}.`,
    });
  }
  return { node, resize, update };
}
