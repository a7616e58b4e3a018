// Who hears what, and when: figure 10.11, a network that waits, and a convolution, as graphs. No DOM here.
import { upTo } from "../../lib/vectors.js";

export const LONGEST = 12;

/**
 * Arrows of a network over its steps. Nodes are `x3`, the third input; `h3` and `g3`, the states of
 * who reads from the left and from the right; `o3`, the third output. Who waits has states beyond
 * the last input, where there is silence.
 */
export function arrows({ listener, wait, width, steps }) {
  const times = upTo(steps);
  if (listener === "window") {
    const near = (t) => times.filter((s) => 2 * Math.abs(s - t) < width);
    return times.flatMap((t) => near(t).map((s) => [`x${s}`, `o${t}`]));
  }
  const late = listener === "one" ? wait : 0;
  const ahead = upTo(steps + late).flatMap((t) => [
    ...(t > 1 ? [[`h${t - 1}`, `h${t}`]] : []),
    ...(t <= steps ? [[`x${t}`, `h${t}`]] : []),
    ...(t > late ? [[`h${t}`, `o${t - late}`]] : []),
  ]);
  if (listener === "one") return ahead;
  const back = times.flatMap((t) => [
    ...(t < steps ? [[`g${t + 1}`, `g${t}`]] : []),
    [`x${t}`, `g${t}`],
    [`g${t}`, `o${t}`],
  ]);
  return [...ahead, ...back];
}

/** All nodes from which arrows lead to a node, and itself. */
export function above(all, node) {
  const found = new Set([node]);
  // a set that grows is gone through to its end
  for (const end of found) for (const [from, to] of all) if (to === end) found.add(from);
  return found;
}

/** The inputs that an output hears, by their numbers. */
export const heard = (setting, t) =>
  [...above(arrows(setting), `o${t}`)]
    .filter((node) => node[0] === "x")
    .map((node) => Number(node.slice(1)))
    .sort((p, q) => p - q);

/** The tick at which an output can be given: input t arrives at tick t, and silence after the last. */
export function ready({ listener, wait, width, steps }, t) {
  if (listener === "both") return steps;
  return listener === "one" ? t + wait : Math.min(t + (width - 1) / 2, steps);
}
