import { isShortcut } from "./handles.js";

const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/**
 * Give the nodes (`[data-node]`) of a drawing one tab stop: an arrow key moves to the nearest node in
 * its direction. `choose(id)` is called for a node that is reached or clicked. It may redraw everything,
 * because the focus returns to the node with this id.
 */
export function roving(root, choose) {
  const centre = (node) => {
    const box = node.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const go = (node) => {
    choose(node.dataset.node);
    root.querySelector(`[data-node="${node.dataset.node}"]`)?.focus({ preventScroll: true });
  };
  const nodeOf = (event) => event.target.closest("[data-node]");
  root.addEventListener("click", (event) => nodeOf(event) && go(nodeOf(event)));
  root.addEventListener("keydown", (event) => {
    const from = nodeOf(event);
    const way = WAYS[event.key];
    if (!from || isShortcut(event) || !(way || event.key === "Enter" || event.key === " ")) return;
    event.preventDefault();
    event.stopPropagation();
    if (!way) return go(from);
    const [x, y] = centre(from);
    const cost = (node) => {
      const [dx, dy] = centre(node).map((value, i) => value - [x, y][i]);
      const along = dx * way[0] + dy * way[1];
      return along > 4 ? along + 3 * Math.abs(dx * way[1] + dy * way[0]) : Infinity;
    };
    const costs = [...root.querySelectorAll("[data-node]")].map((node) => [cost(node), node]);
    const [least, nearest] = costs.reduce((p, q) => (q[0] < p[0] ? q : p));
    if (least < Infinity) go(nearest);
  });
}
