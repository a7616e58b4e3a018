// The circuits that the figure offers, the positions of their nodes, and the temperatures of the tea.
import CONSTANTS from "./constants.json";
import { order } from "../lib/circuits.js";

export { unfold } from "../lib/circuits.js";

const edge = (source, target, parameter = null, delay = 0) => ({
  source,
  target,
  parameter,
  delay,
});
const loss = [edge("o", "L"), edge("y", "L")];
const column = ["x", "h", "o", "L", "y"];
const deep = (recurrence, last = []) => ({
  nodes: column,
  edges: [edge("x", "h", "U"), recurrence, edge("h", "o", "V"), ...loss],
  last,
});

/** The networks of sections 10.1 and 10.2 that the figure offers, by number. */
export const FIGURES = {
  10.2: { nodes: ["x", "h"], edges: [edge("x", "h"), edge("h", "h", "f", 1)], last: [] },
  10.3: deep(edge("h", "h", "W", 1)),
  10.4: deep(edge("o", "h", "W", 1)),
  10.5: deep(edge("h", "h", "W", 1), ["o", "L", "y"]),
};

/** A cup of tea that moves to another room: its initial temperature, the weights, and names and temperatures of the rooms. */
const { START, WEIGHTS, ROOMS } = CONSTANTS;
export { ROOMS, WEIGHTS };

/** The loop that cools the tea: x is the temperature of the room, and h that of the tea. */
export const TEA = { nodes: ["x", "h"], edges: [edge("x", "h", "U"), edge("h", "h", "W", 1)] };

/** Return the temperature at each node of the tea's graph, by `name,step`. */
export function temperatures({ nodes, edges }) {
  const value = {};
  for (const [name, t] of nodes) {
    const into = edges.filter(({ target }) => target[0] === name && target[1] === t);
    value[[name, t]] =
      t < 1
        ? START
        : name === "x"
          ? ROOMS[t - 1][1]
          : into.reduce((sum, arrow) => sum + WEIGHTS[arrow.parameter] * value[arrow.source], 0);
  }
  return value;
}

/** Return the parameters of a circuit or of its graph, each once. Unfolding doesn't change them. */
export const parameters = ({ edges }) => [
  ...new Set(edges.map(({ parameter }) => parameter).filter((name) => name !== null)),
];

/** Return the edges of an unfolded graph that share a parameter. */
export const copies = (graph, parameter) =>
  graph.edges.filter((arrow) => arrow.parameter === parameter);

/**
 * Return the positions of a circuit's nodes, `{ name: [i, row] }`, as rnn_helpers/plots/layout.py
 * computes them. Inputs are at the bottom, and arrows lead upward. Nodes that share a row have
 * i = -1/2, 1/2 and so on.
 */
export function rows(circuit) {
  const { nodes, edges } = circuit;
  const within = edges.filter(({ delay }) => delay === 0);
  const needs = (name) =>
    within.filter(({ target }) => target === name).map(({ source }) => source);
  const feeds = (name) =>
    within.filter(({ source }) => source === name).map(({ target }) => target);
  const level = {};
  const sorted = order(circuit);
  for (const name of sorted)
    level[name] = 1 + Math.max(-1, ...needs(name).map((source) => level[source]));
  // An input that enters halfway, such as a target entering the loss, stands above the node that it
  // feeds. If there is no room, it stands beside the other sources of that node.
  for (const name of sorted) {
    if (!feeds(name).length || needs(name).length) continue;
    const first = Math.min(...feeds(name).map((target) => level[target]));
    if (first > 1) level[name] = Object.values(level).includes(first + 1) ? first - 1 : first + 1;
  }
  // A node with arrows from or to other steps has a row to itself, so that these arrows are straight.
  const crosses = new Set(
    edges.filter(({ delay }) => delay).flatMap(({ source, target }) => [source, target]),
  );
  const place = {};
  let row = 0;
  for (const at of [...new Set(Object.values(level))].sort((a, b) => a - b)) {
    const members = nodes.filter((name) => level[name] === at);
    const beside = members.filter((name) => !crosses.has(name));
    const alone = members.filter((name) => crosses.has(name));
    for (const group of [beside, ...alone.map((name) => [name])]) {
      group.forEach((name, i) => (place[name] = [i - (group.length - 1) / 2, row]));
      if (group.length) row += 1;
    }
  }
  return place;
}

/** Return whether a node is an input: no arrow leads to it. */
export const isGiven = ({ edges }, name) => edges.every(({ target }) => target !== name);

/**
 * Return the total width of `columns` columns in a drawing of `width`. Columns have their full size
 * `ideal` until they fill seven tenths of it. Each further one adds less, so that `most` columns still
 * fit. The width always increases with the number of columns, so that the edge can be dragged.
 */
export function breadth(columns, { width, ideal, most }) {
  const easy = Math.min((0.7 * width) / ideal, most);
  const extra = Math.min(ideal, (0.3 * width) / Math.max(most - easy, 1e-9));
  return Math.min(columns, easy) * ideal + Math.max(columns - easy, 0) * extra;
}
