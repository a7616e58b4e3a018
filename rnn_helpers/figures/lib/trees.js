// Binary trees over a row of leaves, as in rnn_helpers: a leaf is its index, and a node is the list of
// its two children, as in [[0, 1], 2]. Each gap between two neighboring leaves belongs to exactly one
// node, which joins the two sides of the gap. So the gap identifies the node. No DOM here.

/** The tree that adds one leaf after another: [[[0, 1], 2], 3]. */
export const chain = (n) =>
  Array.from({ length: n }, (_, i) => i).reduce((tree, leaf) => [tree, leaf]);

/** The balanced tree; a larger half comes first: [[0, 1], 2]. */
export function balanced(n, first = 0) {
  if (n < 2) return first;
  const left = Math.ceil(n / 2);
  return [balanced(left, first), balanced(n - left, first + left)];
}

/**
 * List the nodes and leaves of a tree, each after its children. Each has an `id` (x and its index, or h
 * and its gap), the leaves below it from `first` up to but not including `end`, its `height` above the
 * deepest of them, its `depth` below the root, and the ids of its children and of its parent, `up`.
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

/** The ids on the path from one leaf to another, both ends included. */
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

/** The tree in which gaps are joined in the order of their levels; the highest is the root. */
export function fromLevels(levels, first = 0) {
  if (!levels.length) return first;
  const at = levels.lastIndexOf(Math.max(...levels));
  return [fromLevels(levels.slice(0, at), first), fromLevels(levels.slice(at + 1), first + at + 1)];
}

/** The heights of a tree's nodes, in the order of their gaps. */
export const levelsOf = (tree) =>
  nodesOf(tree)
    .filter(({ gap }) => gap)
    .sort((p, q) => p.gap - q.gap)
    .map(({ height }) => height);

/** The tree after moving the node of one gap to another level; all others keep theirs. */
export const moved = (levels, gap, level) => fromLevels(levels.with(gap - 1, level));

/** A tree in words, as in "(the keys) (to town)", without the outermost brackets. */
export function bracketed(tree, words, top = true) {
  if (!Array.isArray(tree)) return words[tree];
  const inside = tree.map((child) => bracketed(child, words, false)).join(" ");
  return top ? inside : `(${inside})`;
}
