// A tree drawn as brackets over the row of its leaves. A node is above its gap, at its height above the
// deepest of its leaves, and an elbow leads to each child.
import { svg } from "./dom.js";
import { byId } from "./trees.js";

/** The position of a node or a leaf. `x(place)` is that of a leaf, and a gap is halfway between two leaves. */
export const spot = ({ gap, first, height }, { x, base, row }) => [
  x(gap ? gap - 0.5 : first),
  base - height * row,
];

function elbow([x0, y0], [x1, y1]) {
  const r = Math.min(6, Math.abs(x1 - x0), Math.abs(y1 - y0));
  const turn = x1 - Math.sign(x1 - x0) * r;
  const at = (...numbers) => numbers.map((value) => value.toFixed(1)).join(" ");
  return `M${at(x0, y0)}L${at(turn, y0)}Q${at(x1, y0, x1, y0 + r)}L${at(x1, y1)}`;
}

/**
 * The elbows of a tree, with the class `left` or `right`. Those on the path `way` (a list of ids) are on
 * top. `terms` names the term of an equation that lights up with each side.
 */
export function branches(nodes, at, way = [], terms = {}) {
  const all = byId(nodes);
  const drawn = nodes.flatMap((node) =>
    ["left", "right"]
      .filter((side) => node[side])
      .map((side) => {
        const child = all.get(node[side]);
        const lit = way.includes(node.id) && way.includes(child.id);
        return [
          lit,
          svg("path", {
            class: `branch ${side}${lit ? " lit" : ""}`,
            d: elbow(spot(node, at), spot(child, at)),
            "data-term": terms[side] ?? null,
          }),
        ];
      }),
  );
  return drawn.sort(([one], [other]) => one - other).map(([, part]) => part);
}
