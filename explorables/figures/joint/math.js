// Who hears whom in a sequence of symbols, with the states and without them, and how many numbers
// it takes to say how. No DOM here.

/** Nodes are written as `h3`, `y3`. */
export const kind = (node) => node[0];
export const step = (node) => Number(node.slice(1));

/** Figure 10.8: a state is told of the one before and of the symbol before, a symbol of its state. */
function withStates(tau) {
  const arrows = [];
  for (let t = 1; t <= tau; t++) {
    if (t > 1) arrows.push([`h${t - 1}`, `h${t}`], [`y${t - 1}`, `h${t}`]);
    arrows.push([`h${t}`, `y${t}`]);
  }
  return arrows;
}

/** Without one state, which is a function of its parents: who heard it hears them. */
function sumOut(arrows, gone) {
  const heard = arrows.filter(([, to]) => to === gone).map(([from]) => from);
  const told = arrows.filter(([from]) => from === gone).map(([, to]) => to);
  const left = arrows.filter((arrow) => !arrow.includes(gone));
  const known = new Set(left.map(String));
  const fresh = told
    .flatMap((to) => heard.map((from) => [from, to]))
    .filter((arrow) => !known.has(String(arrow)));
  return { arrows: [...left, ...fresh], fresh, heard, told };
}

/** Figure 10.8 without its first states, and what the last of these has left behind. */
export function graph(tau, summed) {
  let left = { arrows: withStates(tau), fresh: [], heard: [], told: [] };
  const gone = Math.min(summed, tau);
  for (let t = 1; t <= gone; t++) left = sumOut(left.arrows, `h${t}`);
  return { ...left, gone };
}

/** Numbers in a table of all sequences: one for each but the last. */
export const tableNumbers = (k, tau) => k ** tau - 1;

/** Numbers in a table of one symbol, for each of all that may stand before it. */
export const rowNumbers = (k, t) => k ** (t - 1) * (k - 1);

/** Numbers in a network, U, W, V, b and c, for sequences of every length. */
export const networkNumbers = (k, units) => units * (k + units + 1) + k * (units + 1);
