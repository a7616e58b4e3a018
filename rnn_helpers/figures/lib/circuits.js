// Section 10.1 as an algorithm, step for step as rnn_helpers/circuits.py does it (a test compares
// the two on random circuits). A circuit is the JSON of `Circuit.to_dict()`. No DOM here.

/** Sort the nodes so that each follows its sources of the same step; throw on a cycle without delay. */
export function order({ nodes, edges }) {
  const seen = new Map();
  const info = (name) => {
    if (!seen.has(name)) seen.set(name, { waits: 0, feeds: [] });
    return seen.get(name);
  };
  for (const name of nodes) {
    info(name);
    for (const { source, target, delay } of edges) {
      if (target !== name || delay > 0) continue;
      info(source).feeds.push(name);
      info(name).waits += 1;
    }
  }
  const sorted = [];
  let ready = [...seen.keys()].filter((name) => seen.get(name).waits === 0);
  while (ready.length) {
    sorted.push(...ready);
    ready = ready
      .flatMap((name) => seen.get(name).feeds)
      .filter((name) => --seen.get(name).waits === 0);
  }
  if (sorted.length < seen.size) throw new Error("the edges without delay form a cycle");
  return sorted;
}

/**
 * Unfold a circuit over T steps. `nodes` are `[name, t]`: first the initial ones (t < 1), on which the
 * first steps depend, then those with t = 1..T. `edges` have such nodes as source and target.
 */
export function unfold(circuit, T) {
  const { nodes, edges, last = [] } = circuit;
  const names = order(circuit);
  const steps = [];
  for (let t = 1; t <= T; t++) {
    for (const name of names) if (t === T || !last.includes(name)) steps.push([name, t]);
  }
  const arrows = steps.flatMap(([name, t]) =>
    edges
      .filter(({ target }) => target === name)
      .map(({ source, parameter, delay }) => ({
        source: [source, t - delay],
        target: [name, t],
        parameter,
      })),
  );
  const before = new Map(
    arrows.filter(({ source }) => source[1] < 1).map(({ source }) => [source.join(), source]),
  );
  const initial = [...before.values()].sort(
    (a, b) => a[1] - b[1] || nodes.indexOf(a[0]) - nodes.indexOf(b[0]),
  );
  return { nodes: [...initial, ...steps], edges: arrows, initial };
}

/** The nodes of a shortest path from one node to another, both included, or null if there is none. */
export function way(arrows, from, to) {
  const before = new Map([[from, null]]);
  for (const node of before.keys()) {
    // a loop over a map also visits the entries added on the way
    for (const [start, end] of arrows) {
      if (start === node && !before.has(end)) before.set(end, node);
    }
  }
  if (!before.has(to)) return null;
  const nodes = [];
  for (let node = to; node; node = before.get(node)) nodes.unshift(node);
  return nodes;
}
