// Automata drawn: states as circles, transitions as arrows. Places are in ems of the drawing.
import { svg, text } from "../lib/dom.js";
import { rect } from "../lib/shapes.js";

const unit = ([x, y]) => {
  const length = Math.hypot(x, y) || 1;
  return [x / length, y / length];
};

/** An arrow from one circle to another, bent to its left so that the way back has room. */
function arc([x0, y0], [x1, y1], radius, bend) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const control = [(x0 + x1) / 2 + bend * dy, (y0 + y1) / 2 - bend * dx];
  const out = unit([control[0] - x0, control[1] - y0]);
  const into = unit([x1 - control[0], y1 - control[1]]);
  return {
    from: [x0 + radius * out[0], y0 + radius * out[1]],
    control,
    to: [x1 - radius * into[0], y1 - radius * into[1]],
    into,
    label: [(x0 + x1) / 2 + 0.5 * bend * dy, (y0 + y1) / 2 - 0.5 * bend * dx],
  };
}

/** An arrow from a circle back to itself, on the side of `away`. */
function loop([x, y], radius, away) {
  const [ux, uy] = unit(away);
  const turn = (angle, r) => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return [x + r * (ux * c - uy * s), y + r * (ux * s + uy * c)];
  };
  const [from, to] = [turn(-0.6, radius), turn(0.6, radius)];
  const [out, back] = [turn(-0.7, 2.2 * radius), turn(0.7, 2.2 * radius)];
  return {
    from,
    out,
    back,
    to,
    into: unit([to[0] - back[0], to[1] - back[1]]),
    label: turn(0, 2.3 * radius + 0.15),
  };
}

const point = ([x, y], em) => `${(x * em).toFixed(1)} ${(y * em).toFixed(1)}`;

function shape(ends, em, width, name) {
  const { from, control, out, back, to, into } = ends;
  const tip = name !== "may" && Math.min(0.45 + width, 0.8);
  const end = tip ? [to[0] - 0.7 * tip * into[0], to[1] - 0.7 * tip * into[1]] : to;
  const way = control
    ? `Q${point(control, em)} ${point(end, em)}`
    : `C${point(out, em)} ${point(back, em)} ${point(end, em)}`;
  const wing = (side) =>
    point(
      [
        to[0] - tip * into[0] - side * 0.35 * tip * into[1],
        to[1] - tip * into[1] + side * 0.35 * tip * into[0],
      ],
      em,
    );
  return [
    svg("path", {
      class: `way ${name}`,
      d: `M${point(from, em)}${way}`,
      "stroke-width": (width * em).toFixed(2),
    }),
    tip && svg("path", { class: `tip ${name}`, d: `M${point(to, em)}L${wing(1)}L${wing(-1)}Z` }),
  ];
}

/** The arrows, each with the symbols that lead from its first state to its second. */
function arrows(machine) {
  const found = new Map();
  machine.following.forEach((row, from) =>
    row.forEach((to, s) => {
      if (to < 0) return;
      const key = `${from} ${to}`;
      if (!found.has(key)) found.set(key, { from, to, symbols: [], p: 0 });
      found.get(key).symbols.push(machine.alphabet[s]);
      found.get(key).p += machine.weights[from][s];
    }),
  );
  return [...found.values()];
}

/**
 * Draw an automaton. Each of `places` has a state's `place` in ems, its `label`, and the side for its
 * `loop`. What is highlighted: the state `at`, the transitions from there, and the transition that
 * led there from the state `before`. With `weights`, a likely transition is wider than others. With
 * `words`, each arrow has its symbols beside it.
 */
export function drawn(
  machine,
  places,
  { em, font, radius, at, before, refused, words, bend, weights },
) {
  const order = { may: 0, out: 1, came: 2 };
  const all = arrows(machine)
    .map(({ from, to, symbols, p }) => {
      const name = from === before && to === at ? "came" : from === at ? "out" : "may";
      const ends =
        from === to
          ? loop(places[from].place, radius, places[from].loop)
          : arc(places[from].place, places[to].place, radius, bend);
      const width =
        name === "came" ? 0.17 : name === "out" ? (weights ? 0.05 + 0.3 * p : 0.1) : 0.06;
      return { name, ends, width, symbols };
    })
    .sort((p, q) => order[p.name] - order[q.name]);
  const type = { font };
  return [
    all.map(({ name, ends, width }) => shape(ends, em, width, name)),
    words &&
      all.map(({ ends, symbols, name }) =>
        text(
          type,
          ends.label[0] * em,
          ends.label[1] * em,
          { class: `symbols ${name}` },
          symbols.join(" "),
        ),
      ),
    places.map(({ place: [x, y], label }, q) => {
      const here = q === at;
      // A long name makes the circle wider.
      const half = Math.max(radius, label.length > 2 ? 0.26 * label.length * (font / em) + 0.2 : 0);
      const circle = (r, name) => {
        const [rx, ry] = [half + r - radius, r].map((length) => length * em);
        return rect(x * em - rx, y * em - ry, 2 * rx, 2 * ry, { class: name, rx: ry });
      };
      return svg(
        "g",
        { class: `state ${here ? "here" : ""} ${here && refused ? "refused" : ""}` },
        circle(radius, "round"),
        machine.stop[q] && circle(radius - 0.13, "stop"),
        text(type, x * em, y * em, {}, label),
      );
    }),
  ];
}
