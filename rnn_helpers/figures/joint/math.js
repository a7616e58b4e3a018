// The graph of a sequence of symbols, with hidden states and after summing them out, and the number of
// parameters that each model needs. No DOM here.

/** Nodes are written as `h3`, `y3`. */
export const kind = (node) => node[0];
export const step = (node) => Number(node.slice(1));

/** Figure 10.8: a state depends on the previous state and the previous symbol, and a symbol on its state. */
function withStates(tau) {
  const arrows = [];
  for (let t = 1; t <= tau; t++) {
    if (t > 1) arrows.push([`h${t - 1}`, `h${t}`], [`y${t - 1}`, `h${t}`]);
    arrows.push([`h${t}`, `y${t}`]);
  }
  return arrows;
}

/** Remove a state. It is a function of its parents, so the nodes that depended on it now depend on them. */
function sumOut(arrows, gone) {
  const parents = arrows.filter(([, to]) => to === gone).map(([from]) => from);
  const children = arrows.filter(([from]) => from === gone).map(([, to]) => to);
  const left = arrows.filter((arrow) => !arrow.includes(gone));
  const known = new Set(left.map(String));
  const fresh = children
    .flatMap((to) => parents.map((from) => [from, to]))
    .filter((arrow) => !known.has(String(arrow)));
  return { arrows: [...left, ...fresh], fresh, parents };
}

/** Figure 10.8 without its first states. `fresh` and `parents` belong to the state that was removed last. */
export function graph(tau, summed) {
  let left = { arrows: withStates(tau), fresh: [], parents: [] };
  const gone = Math.min(summed, tau);
  for (let t = 1; t <= gone; t++) left = sumOut(left.arrows, `h${t}`);
  return { ...left, gone };
}

/** The numbers in a table of all sequences: one for each but the last, because probabilities sum to 1. */
export const tableNumbers = (k, tau) => k ** tau - 1;

/** The numbers in a table of one symbol, for every combination of the symbols before it. */
export const rowNumbers = (k, t) => k ** (t - 1) * (k - 1);

/** The numbers in a network (U, W, V, b and c), whatever the length of the sequences. */
export const networkNumbers = (k, units) => units * (k + units + 1) + k * (units + 1);
