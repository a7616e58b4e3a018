// The plane of states: the circle of all starts of length 1, its image under W^t, and the path of
// the state.
import { holdsAngle } from "../lib/controls.js";
import { drawingOf, redraw, set, setSize, svg } from "../lib/dom.js";
import { knob } from "../lib/handles.js";
import { apply, CIRCLE, widest } from "../lib/planar.js";
import { clamp, format } from "../lib/scales.js";
import { arrow, dots, path, place } from "../lib/shapes.js";
import { add, dot, size } from "../lib/vectors.js";
import { shares } from "./math.js";
import { TERMS } from "./spectrum.js";

/** The window has room for at least this many steps, even at time 0. */
const AHEAD = 20;
/** Number of earlier ellipses that stay visible as faint lines. */
const GHOSTS = 8;

export function plane(model) {
  const plot = svg("g");
  const handle = knob({ "data-term": "h" });
  const node = drawingOf(null, plot, handle);
  let at;
  const held = holdsAngle(handle, model, "angle", {
    ...{ surface: node, middle: () => at.middle },
    ...{ label: "direction of the start", step: 5, digits: 0 },
  });

  function update(now, [width, height], em) {
    at = scales(now, { width, height, em });
    const start = startOf(now, at);
    setSize(node, width, height);
    redraw(
      plot,
      ellipses(now, at),
      modes(now, at),
      way(now, at),
      longest(now, at),
      svg("path", { class: "stem", d: path([at.middle, start]) }),
      arrows(now, at),
      names(now, at, start),
    );
    place(handle, ...start);
    set(node, {
      "aria-label":
        `The plane of states. From a start of length 1, the state at step ${now.t} has length ${format(size(now.path[now.t]))}, ` +
        `and the longest possible state has length ${format(now.norms[now.t])}.`,
    });
  }
  return { node, held, update };
}

/** The scales of the plane, with `k` pixels for a length of 1. */
function scales(now, box) {
  const k = zoom(now, box);
  const middle = [box.width / 2, box.height / 2];
  return { ...box, k, middle, spot: ([x, y]) => [middle[0] + k * x, middle[1] - k * y] };
}

/** The place of the start's handle. If the circle is too small to grab, the handle is outside of it. */
const startOf = ({ h0 }, { em, k, spot }) =>
  spot(h0.map((entry) => entry * Math.max(1, (1.3 * em) / k)));

/** The axes, the circle of all starts and its images. */
function ellipses({ powers, t }, { width, height, k, middle: [cx, cy], spot }) {
  const image = (s) => ellipse((v) => spot(apply(powers[s], v)));
  const since = Math.max(1, t - GHOSTS);
  const before = Array.from({ length: Math.max(t - since, 0) }, (_, i) => image(since + i));
  return [
    svg("path", { class: "axis", d: `M0 ${cy}H${width}M${cx} 0V${height}` }),
    svg("circle", { class: "starts", cx, cy, r: k }),
    svg("path", { class: "ghosts", d: before.join("") }),
    svg("path", { class: "image", "data-term": "W", d: image(t) }),
  ];
}

const ellipse = (spot) => `${path(CIRCLE.map(spot))}Z`;

/** The lines of real eigenvectors, or the ellipse along which a complex pair rotates the state. */
function modes(now, at) {
  const { modes, paired, path: states, t, W, eigenvalues } = now;
  const { width, height, em, k, spot } = at;
  const line = (i, d) => svg("path", { class: `mode m${i + 1}`, "data-term": TERMS[i], d });
  if (paired) {
    const [p, q] = axesOf(W, eigenvalues[0][1], states[t]);
    return line(
      0,
      ellipse(([x, y]) => spot([p * x, q * y])),
    );
  }
  // A defective matrix has one eigenvector.
  const vectors = (modes?.vectors ?? [[[1], [0]]]).map(([[x], [y]]) => [x, y]);
  const far = vectors.map(([x, y]) =>
    Math.min(width / 2 / (Math.abs(x) * k || 1e-9), height / 2 / (Math.abs(y) * k || 1e-9)),
  );
  const along = (i, length) => spot(vectors[i].map((entry) => length * entry));
  return [
    vectors.map((_, i) => line(i, path([along(i, far[i]), along(i, -far[i])]))),
    vectors.map(([x, y], i) => {
      const near = along(i, far[i] - em / k);
      const aside = Math.abs(y) > Math.abs(x) ? [em, 0.3 * em] : [0, (x < 0 ? -0.5 : 1.05) * em];
      return name("q", "₁₂"[i], add(near, aside), at, { "data-term": TERMS[i], class: "eigen" });
    }),
  ];
}

/** The path of the state up to the point where it leaves the window. */
function way({ path: states, t }, { width, height, em, k, spot }) {
  const fits = ([x, y]) => k * Math.abs(x) <= width / 2 + 1 && k * Math.abs(y) <= height / 2 + 1;
  const leaves = states.findIndex((h) => !fits(h));
  const seen = (leaves < 0 ? states : states.slice(0, leaves)).map(spot);
  const wide = clamp(0.08 * k, 0.15 * em, 0.27 * em);
  return [
    seen.length > t && svg("path", { class: "way ahead", d: path(seen.slice(t)) }),
    svg("path", { class: "way", d: path(seen.slice(0, t + 1)) }),
    svg("path", { class: "steps", d: dots(seen), "stroke-width": wide }),
  ];
}

/** Whether the starts that W^t stretches most are marked. */
const isMarked = ({ longer }, { em, k }) => longer > 1.01 && k > 1.2 * em;

/** Marks at the two starts that W^t stretches most. */
function longest(now, at) {
  const top = widest(now.powers[now.t]);
  const out = (sign, d) => at.spot(top.map((value) => sign * value * (1 + (d * at.em) / at.k)));
  const tick = (sign) => path([out(sign, -0.3), out(sign, 0.3)]);
  return isMarked(now, at) && svg("path", { class: "best", d: tick(1) + tick(-1) });
}

/** The state and, if they are shown, its modes. */
function arrows({ path: states, t, modes, summed, paired }, { em, middle, spot }) {
  const parts = modes && summed && !paired ? shares(modes, t) : null;
  const corner = parts && spot(parts[0].map(([re]) => re));
  const end = spot(states[t]);
  const drawn = (name, term, ends) => {
    const one = arrow(name, { "data-term": term });
    one.update(ends, em);
    return one.node;
  };
  return [
    parts && drawn("share m1", TERMS[0], [middle, corner]),
    parts && drawn("share m2", TERMS[1], [corner, end]),
    drawn("state", "h", [middle, end]),
  ];
}

function names(now, at, start) {
  const { h0, path: states, t } = now;
  const { em, k, spot } = at;
  const [x, y] = spot([-1, 0]);
  const beside = [0, (states[t][1] < 0 ? 1.1 : -0.55) * em];
  const quiet = { class: "quiet", "font-size": 0.9 * em };
  return [
    k > 1.1 * em &&
      svg("text", { ...quiet, "text-anchor": "end", x: x - 0.3 * em, y: y + em }, "1"),
    isMarked(now, at) && nameOfLongest(now, at, quiet),
    t > 0 &&
      k * size(states[t]) > 1.6 * em &&
      name("h", `(${t})`, add(spot(states[t]), beside), at, { "data-term": "h", class: "state" }),
    name("h", "(0)", add(start, [1.6 * em * h0[0], (0.35 - 1.2 * h0[1]) * em]), at, {
      class: "state",
    }),
  ];
}

/** The name of the longest start that is away from the state's start, if there is room for it. */
function nameOfLongest({ powers, t, h0 }, { em, width, k, spot, middle }, look) {
  const top = widest(powers[t]);
  const side = dot(top, h0) > 0 ? -1 : 1;
  const [x, y] = spot(top.map((value) => side * value * (1 + (0.6 * em) / k)));
  if (k <= 3 * em || width / 2 - Math.abs(x - middle[0]) <= 9 * em) return null;
  const right = side * top[0] >= 0;
  const place = {
    x: (x + (right ? 0.35 : -0.35) * em).toFixed(1),
    y: (y + (Math.abs(y - middle[1]) < em ? -0.5 : 0.35) * em).toFixed(1),
  };
  return svg("text", { ...look, ...place, "text-anchor": right ? "start" : "end" }, "grows most");
}

/** Pixels for a length of 1, chosen so that all states up to some steps ahead fit. */
function zoom({ powers, t, modes, summed, paired, W, eigenvalues, path }, { width, height, em }) {
  let [wide, high] = [1, 1];
  const hold = (x, y) => {
    wide = Math.max(wide, Math.abs(x));
    high = Math.max(high, Math.abs(y));
  };
  for (const [top, bottom] of powers.slice(0, Math.max(t, AHEAD) + 1))
    hold(size(top), size(bottom));
  if (modes && summed && !paired)
    for (let s = 0; s <= Math.max(t, AHEAD); s++)
      for (const part of shares(modes, s)) hold(part[0][0], part[1][0]);
  if (paired) {
    const [a, b] = axesOf(W, eigenvalues[0][1], path[t]);
    hold(a, b);
  }
  const margin = 1.1 * em;
  return Math.min((width / 2 - margin) / wide, (height / 2 - margin) / high);
}

/** Half-axes of the ellipse through h along which W rotates. Each step scales the ellipse by |λ|. */
function axesOf([[, beta]], b, [x, y]) {
  const scale = Math.hypot(x / beta, y / b);
  return [scale * beta, scale * Math.abs(b)];
}
/** A letter with a subscript, or a superscript in parentheses, which stays inside the box. */
function name(letter, sign, [x, y], { width, height, em }, attributes) {
  const raised = sign.startsWith("(") ? { dy: -0.4 * em, "font-size": 0.78 * em } : {};
  return svg(
    "text",
    {
      ...{ "text-anchor": "middle", "font-size": em, ...attributes },
      x: clamp(x, em, width - em).toFixed(1),
      y: clamp(y, em, height - 0.3 * em).toFixed(1),
    },
    svg("tspan", { "font-style": "italic", "font-weight": 700 }, letter),
    svg("tspan", raised, sign),
  );
}
