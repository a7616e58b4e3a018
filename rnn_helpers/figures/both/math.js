// Three graphs from inputs to outputs: a bidirectional network (figure 10.11), a network that waits some
// ticks, and a convolution. This module doesn't use the DOM.
import { upTo } from "../lib/vectors.js";

export const LONGEST = 12;

/**
 * Return the arrows of a network over its steps. Nodes are `x3`, the third input; `h3` and `g3`, the
 * states of the network that reads forward and of the one that reads backward; `o3`, the third output.
 * A network that waits has more states than inputs.
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

/** Return a node and all nodes from which arrows lead to it. */
export function above(all, node) {
  const found = new Set([node]);
  // The loop also visits the nodes that are added on the way.
  for (const end of found) for (const [from, to] of all) if (to === end) found.add(from);
  return found;
}

/** Return the numbers of the inputs on which an output depends. */
export const heard = (setting, t) =>
  [...above(arrows(setting), `o${t}`)]
    .filter((node) => node[0] === "x")
    .map((node) => Number(node.slice(1)))
    .sort((p, q) => p - q);

/** Return the tick at which an output can be given. Input t arrives at tick t. */
export function ready({ listener, wait, width, steps }, t) {
  if (listener === "both") return steps;
  return listener === "one" ? t + wait : Math.min(t + (width - 1) / 2, steps);
}

// ---- the masks of two Transformers

export const LETTERS = [..."bottle"];
export const MODELS = ["GPT", "BERT"];

/** Return the mask of a model, by rows: whether output t may use input s. */
export const mask = (model, steps) =>
  upTo(steps).map((t) => upTo(steps).map((s) => model === "BERT" || s <= t));

/** Return the tick at which an output can be computed if input t arrives at tick t. */
export const readyMasked = (model, steps, t) => mask(model, steps)[t - 1].lastIndexOf(true) + 1;
