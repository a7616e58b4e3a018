// One network that reads and one that writes, as a graph, and how far it is through it. No DOM here.
import { way } from "../../lib/circuits.js";

export { way };

/**
 * Figure 10.12. Nodes are written as `x3`, the third symbol of the source; `h3`, the reader's state
 * after three; `C`; `g2` and `y2`, the writer's second state and symbol, the last of which is the end.
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

/** The place in the source of what is read at step j, and the step at which a place is read. */
export const readAt = (j, n, backwards) => (backwards ? n + 1 - j : j);

/** For each pair of symbols at the same place, how many arrows the shortest way has. */
export function distances(setting) {
  const arrows = graph(setting);
  const pairs = Math.min(setting.n, setting.T);
  return Array.from({ length: pairs }, (_, i) => way(arrows, `x${i + 1}`, `y${i + 1}`).length - 1);
}
