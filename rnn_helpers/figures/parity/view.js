import { html, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure } from "../lib/figure.js";
import { counted, format, linear } from "../lib/scales.js";
import { gap, KEEP, values, WAYS } from "./math.js";
import { meta } from "./meta.js";

const NAMES = {
  flip: ["a loop that may flip", "at each mark: times −1"],
  shrink: ["a loop with a positive factor", `at each mark: times ${KEEP}, plus ${format(1 - KEEP, 1)}`],
  average: ["an average over all words", "a mark counts 1, the first word 0"],
}; // biome-ignore format: one line each

export const render = figure("parity", meta, () => {
  const rows = Object.keys(WAYS).map((way) => {
    const area = areaOf(NAMES[way][0]);
    const apart = html("p", { class: "apart" });
    const head = html("p", {}, html("b", {}, NAMES[way][0]), " ", html("span", {}, NAMES[way][1]));
    return { way, area, apart, node: html("div", { class: `way ${way}` }, head, area, apart) };
  });
  const key = html(
    "p",
    { class: "key" },
    html("i", { class: "odd" }),
    " after an odd number of marks: inside ",
    html("i", { class: "even" }),
    " after an even number: outside",
  );
  return {
    parts: [...rows, key, ["n"]],
    watch: rows[0].area.node,
    reveal: { n: 40 },
    update({ n }, size) {
      for (const { way, area, apart } of rows) {
        draw(area, way, n, size);
        redraw(apart, "last two ", html("b", {}, apartOf(way, n)), " apart");
      }
      const gaps = rows.map(({ way }) => `${NAMES[way][0]}, ${apartOf(way, n)}`);
      return `After ${counted(n, "mark")}, the last two values are apart by: ${gaps.join("; ")}.`;
    },
  };
});

const apartOf = (way, n) =>
  gap(way, n) < 0.001 ? "less than 0.001" : format(gap(way, n), way === "flip" ? 0 : 3);

function draw(area, way, n, { width, em }) {
  const low = way === "flip" ? -1 : 0;
  const y = 0.8 * em;
  const x = linear([low, 1], [1.2 * em, width - 1.2 * em]);
  const at = { font: 0.8 * em };
  area.draw(
    { width },
    { height: 2.7 * em },
    svg("path", { class: "axis", d: `M${x(low)} ${y}H${x(1)}` }),
    [low, ...(low ? [0] : []), 1].map((v) =>
      text(at, x(v), y + 1.3 * em, { class: "tick", "text-anchor": "middle" }, format(v, 0)),
    ),
    values(way, n).map((value, k) =>
      svg("circle", {
        class: `${k % 2 ? "odd" : "even"} ${k === n ? "last" : ""}`,
        ...{ cx: x(value), cy: y, r: 0.45 * em },
      }),
    ),
  );
}
