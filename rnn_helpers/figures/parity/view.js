import { html, redraw, svg, text } from "../lib/dom.js";
import { areaOf, figure } from "../lib/figure.js";
import { counted, format, linear } from "../lib/scales.js";
import { gap, KEEP, values } from "./math.js";
import { meta } from "./meta.js";

const TEXTS = {
  marks: { loop: "flip", one: "mark", filled: "after an odd number of marks: inside", hollow: "after an even number: outside" },
  brackets: { loop: "count", one: "bracket", filled: "the depth now", hollow: "the depths before" },
}; // biome-ignore format: one line each
const NAMES = {
  flip: ["a loop that may flip", "times −1"],
  count: ["a loop that counts", "plus 1"],
  shrink: ["a loop with a factor between 0 and 1", `times ${KEEP}, plus ${format(1 - KEEP, 1)}`],
  average: ["an average over all words", "one more 1, after a first 0"],
};

export const render = figure("parity", meta, () => {
  const rows = [1, 2, 3].map((k) => {
    const area = areaOf(`line ${k}`);
    const [head, apart] = [html("p"), html("p", { class: "apart" })];
    return { area, head, apart, node: html("div", { class: "way" }, head, area, apart) };
  });
  const key = html("p", { class: "key" });
  return {
    parts: [...rows, key, ["read", "n"]],
    watch: rows[0].area.node,
    reveal: { read: "marks", n: 40 },
    update({ read, n }, size) {
      const { loop, one, filled, hollow } = TEXTS[read];
      const [odd, even] = ["odd", "even"].map((name) => html("i", { class: name }));
      redraw(key, odd, ` ${filled} `, even, ` ${hollow}`);
      const gaps = rows.map(({ area, head, apart }, k) => {
        const way = [loop, "shrink", "average"][k];
        const [name, rule] = NAMES[way];
        const distance = gap(way, n) < 0.001 ? "less than 0.001" : format(gap(way, n), k ? 3 : 0);
        redraw(head, html("b", {}, name), " ", html("span", {}, `at each ${one}: ${rule}`));
        redraw(apart, "last two ", html("b", {}, distance), " apart");
        draw(area, values(way, n), read === "marks", size);
        return `${name}, ${distance}`;
      });
      return `After ${counted(n, one)}, the last two values are apart by: ${gaps.join("; ")}.`;
    },
  };
});

function draw(area, found, marks, { width, em }) {
  const [low, high] = [Math.min(0, ...found), Math.max(1, ...found)];
  const y = 0.8 * em;
  const x = linear([low, high], [1.2 * em, width - 1.2 * em]);
  const r = Math.min(0.45 * em, (x(1) - x(0)) / 2);
  const n = found.length - 1;
  area.draw(
    { width },
    { height: 2.7 * em },
    svg("path", { class: "axis", d: `M${x(low)} ${y}H${x(high)}` }),
    [...new Set([low, 0, high])].map((v) =>
      text(
        { font: 0.8 * em },
        x(v),
        y + 1.3 * em,
        { class: "tick", "text-anchor": "middle" },
        format(v, 0),
      ),
    ),
    found.map((value, k) =>
      svg("circle", {
        class: `${(marks ? k % 2 : k === n) ? "odd" : "even"} ${k === n ? "last" : ""}`,
        ...{ cx: x(value), cy: y, r },
      }),
    ),
  );
}
