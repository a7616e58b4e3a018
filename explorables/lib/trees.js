// Binary trees over a row of leaves, as rnn_helpers has them: a leaf is its place, a node the list of
// its two children, [[0, 1], 2]. Between two neighbours in the row stands exactly one node, the one
// that joins what is left of that gap to what is right of it; so a gap is a node's name. No DOM here.

/** One leaf after the other: [[[0, 1], 2], 3]. */
export const chain = (n) =>
  Array.from({ length: n }, (_, i) => i).reduce((tree, leaf) => [tree, leaf]);

/** Halves of halves, the larger one first: [[0, 1], 2]. */
export function balanced(n, first = 0) {
  if (n < 2) return first;
  const left = Math.ceil(n / 2);
  return [balanced(left, first), balanced(n - left, first + left)];
}

/**
 * The nodes of a tree, leaves too, each after its children: its `id` (x and its place, or h and its
 * gap), the leaves beneath it from `first` to before `end`, its `height` above the deepest of them,
 * its `depth` below the top, and the ids of `left`, `right` and `up`.
 */
export function nodesOf(tree) {
  const found = [];
  function visit(branch, depth) {
    if (!Array.isArray(branch)) {
      found.push({ id: `x${branch}`, first: branch, end: branch + 1, height: 0, depth });
      return found.at(-1);
    }
    const [left, right] = branch.map((child) => visit(child, depth + 1));
    const node = {
      ...{ id: `h${right.first}`, gap: right.first, first: left.first, end: right.end },
      ...{ height: 1 + Math.max(left.height, right.height), depth, left: left.id, right: right.id },
    };
    left.up = right.up = node.id;
    found.push(node);
    return node;
  }
  visit(tree, 0);
  return found;
}

/** Nodes of a tree by their ids. */
export const byId = (nodes) => new Map(nodes.map((node) => [node.id, node]));

/** From one leaf up and down to another: the ids on the way, both ends included. */
export function way(nodes, from, to) {
  const all = byId(nodes);
  const upwards = (leaf) => {
    const ids = [];
    for (let id = `x${leaf}`; id; id = all.get(id).up) ids.push(id);
    return ids;
  };
  const [rise, fall] = [upwards(from), upwards(to)];
  const top = rise.find((id) => fall.includes(id));
  return [
    ...rise.slice(0, rise.indexOf(top) + 1),
    ...fall.slice(0, fall.indexOf(top)).toReversed(),
  ];
}

/** The tree whose nodes join in the order of their levels: the highest gap comes last, the top. */
export function fromLevels(levels, first = 0) {
  if (!levels.length) return first;
  const at = levels.lastIndexOf(Math.max(...levels));
  return [fromLevels(levels.slice(0, at), first), fromLevels(levels.slice(at + 1), first + at + 1)];
}

/** Heights of a tree's nodes, gap after gap. */
export const levelsOf = (tree) =>
  nodesOf(tree)
    .filter(({ gap }) => gap)
    .sort((p, q) => p.gap - q.gap)
    .map(({ height }) => height);

/** The tree after the node of a gap was taken to another level and all others stayed at theirs. */
export const moved = (levels, gap, level) => fromLevels(levels.with(gap - 1, level));

/** A tree in words: (the keys) (to town), without the brackets around all of it. */
export function bracketed(tree, words, top = true) {
  if (!Array.isArray(tree)) return words[tree];
  const inside = tree.map((child) => bracketed(child, words, false)).join(" ");
  return top ? inside : `(${inside})`;
}
