// The magnitudes of the eigenvalues of W, which Omega doesn't control.
import { redraw, set, setSize, svg, text } from "../lib/dom.js";
import { format, linear } from "../lib/scales.js";

const TOP = 2;

/** The magnitudes on a line from 0 to 2. */
export function strip() {
  const node = svg("svg", { class: "uf-drawing", role: "img" });
  function update({ radii }, { width: most, em }) {
    const width = Math.floor(Math.min(most, 16 * em));
    const x = linear([0, TOP], [0.9 * em, width - 0.9 * em]);
    const r = 0.38 * em;
    setSize(node, width, 2.4 * em);
    redraw(
      node,
      svg("path", { class: "axis", d: `M${x(0)} ${0.7 * em}H${x(TOP)}` }),
      svg("path", { class: "one", d: `M${x(1)} 0.1V${1.3 * em}` }),
      [0, 1, TOP].map((v) => text({ font: 0.9 * em }, x(v), 1.9 * em, { class: "tick" }, v)),
      radii.map((radius, i) => {
        const px = x(Math.min(radius, TOP + 0.1)).toFixed(1);
        const d = `M${px} ${0.7 * em - r}l${r} ${r}l${-r} ${r}l${-r} ${-r}Z`;
        return svg("path", { class: `lambda l${i}`, d });
      }),
    );
    set(node, {
      "aria-label": `The eigenvalues of W have the magnitudes ${radii.map((r) => format(r)).join(" and ")}.`,
    });
  }
  return { node, update };
}
