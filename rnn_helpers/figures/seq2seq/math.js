// An encoder and a decoder as a graph, and the lengths of its paths. This module doesn't use the DOM.
import { way } from "../lib/circuits.js";

export { way };

/**
 * Return the arrows of the graph. Nodes are named like `x3`, the third symbol of the source; `h3`, the
 * encoder's state after three symbols; `C`; `g2` and `y2`, the decoder's second state and symbol. The
 * last symbol is the end.
 */
export function graph({ n, T, door, backwards }) {
  const arrows = [];
  for (let j = 1; j <= n; j++) {
    if (j > 1) arrows.push([`h${j - 1}`, `h${j}`]);
    arrows.push([`x${readAt(j, n, backwards)}`, `h${j}`]);
  }
  arrows.push([`h${n}`, "C"]);
  for (let t = 1; t <= T + 1; t++) {
    if (t === 1 || door !== "start") arrows.push(["C", `g${t}`]);
    if (t > 1) arrows.push([`g${t - 1}`, `g${t}`], [`y${t - 1}`, `g${t}`]);
    arrows.push([`g${t}`, `y${t}`]);
  }
  return arrows;
}

/** Return the position in the source of the symbol at step j; it also maps positions to steps. */
export const readAt = (j, n, backwards) => (backwards ? n + 1 - j : j);

/** Return the number of arrows on the shortest path between each pair at the same position. */
export function distances(setting) {
  const arrows = graph(setting);
  const pairs = Math.min(setting.n, setting.T);
  return Array.from({ length: pairs }, (_, i) => way(arrows, `x${i + 1}`, `y${i + 1}`).length - 1);
}
