// The plane of states: the circle of all starts of length 1, its image under W^t, and the path of
// the state.
import { drawingOf, set, setSize, svg } from "../../lib/dom.js";
import { draggable, keySlider, knob } from "../../lib/handles.js";
import { CIRCLE, widest } from "../../lib/planar.js";
import { clamp, format } from "../../lib/scales.js";
import { arrow, place, point } from "../../lib/shapes.js";
import { size } from "../../lib/vectors.js";
import { shares } from "./math.js";
import { TERMS } from "./spectrum.js";

/** The window has room for at least this many steps, even at time 0. */
const AHEAD = 20;
/** Number of earlier ellipses that stay visible as faint lines. */
const GHOSTS = 8;

export function plane(model) {
  const it = parts();
  const { node, from, here, names, unit, most } = it;
  let box;
  const follow = holdStart(model, it, () => box);

  function resize(width, height, em) {
    box = { width, height, em };
    setSize(node, width, height);
    set(it.axes, { d: `M0 ${height / 2}H${width}M${width / 2} 0V${height}` });
    for (const name of [from, here, ...names]) name.resize(em);
    for (const word of [unit, most]) set(word, { "font-size": 0.9 * em });
  }

  function update(now) {
    const view = viewOf(now, box);
    const { X, Y, k } = view;
    drawEllipses(it, now, view);
    drawWay(it, now, view);
    drawModes(it, now, view);
    drawState(it, now, view);
    drawStart(it, now, view);
    drawWidest(it, now, view);
    set(unit, {
      x: X(-1) - 0.3 * box.em,
      y: Y(0) + box.em,
      visibility: k > 1.1 * box.em ? null : "hidden",
    });
    set(node, {
      "aria-label":
        `The plane of states. From a start of length 1, the state at step ${now.t} has length ${format(size(now.path[now.t]))}, ` +
        `and the longest possible state has length ${format(now.norms[now.t])}.`,
    });
    follow();
  }
  return { node, resize, update };
}

/** The elements of the drawing, from back to front. */
function parts() {
  const part = (tag, name, more) => svg(tag, { class: name, ...more });
  const it = {
    axes: part("path", "axis"),
    starts: part("circle", "starts"),
    ghosts: part("path", "ghosts"),
    image: part("path", "image", { "data-term": "W" }),
    lines: TERMS.map((term, i) => part("path", `mode m${i + 1}`, { "data-term": term })),
    names: TERMS.map((term, i) => label("q", "₁₂"[i], { "data-term": term, class: "eigen" })),
    ahead: part("path", "way ahead"),
    way: part("path", "way"),
    steps: part("path", "steps"),
    best: part("path", "best"),
    stem: part("path", "stem"),
    arrows: TERMS.map((term, i) => arrow(`share m${i + 1}`, { "data-term": term })),
    state: arrow("state", { "data-term": "h" }),
    unit: svg("text", { class: "quiet", "text-anchor": "end" }, "1"),
    most: svg("text", { class: "quiet" }, "grows most"),
    here: label("h", "", { "data-term": "h", class: "state" }),
    from: label("h", "(0)", { class: "state" }),
    handle: knob({ "data-term": "h" }),
  };
  return { ...it, node: drawingOf(null, Object.values(it)) };
}

/** Let the reader drag the start. Returns a function that updates the handle after other changes. */
function holdStart(model, { node, handle }, box) {
  const turn = (angle) => model.set("angle", ((Math.round(angle) % 360) + 360) % 360);
  draggable(handle, {
    surface: node,
    move({ x, y }) {
      const { width, height } = box();
      turn((Math.atan2(height / 2 - y, x - width / 2) * 180) / Math.PI);
    },
    end: () => model.save_changes(),
  });
  return keySlider(handle, {
    label: "direction of the start",
    min: 0,
    max: 360,
    step: 5,
    get: () => model.get("angle"),
    change: (angle) => model.set("angle", angle),
    text: (angle) => `${format(angle, 0)} degrees`,
  });
}

/** The scales of the plane, with `k` pixels for a length of 1. */
function viewOf(now, box) {
  const k = zoom(now, box);
  const X = (x) => box.width / 2 + k * x;
  const Y = (y) => box.height / 2 - k * y;
  return { ...box, box, k, X, Y, at: ([x, y]) => point(X(x), Y(y)) };
}

/** Draw the circle of all starts and its images. */
function drawEllipses({ starts, image, ghosts }, { powers, t }, { k, X, Y, at }) {
  const made = (s) => ellipse(([x, y]) => at(multiply(powers[s], x, y)));
  const since = Math.max(1, t - GHOSTS);
  const before = Array.from({ length: Math.max(t - since, 0) }, (_, i) => made(since + i));
  set(starts, { cx: X(0), cy: Y(0), r: k });
  set(image, { d: made(t) });
  set(ghosts, { d: before.join("") });
}

/** Draw the path of the state up to the point where it leaves the window. */
function drawWay({ ahead, way, steps }, { path, t }, { width, height, em, k, at }) {
  const fits = ([x, y]) => k * Math.abs(x) <= width / 2 + 1 && k * Math.abs(y) <= height / 2 + 1;
  const leaves = path.findIndex((h) => !fits(h));
  const seen = leaves < 0 ? path : path.slice(0, leaves);
  set(ahead, {
    d: `M${seen.slice(t).map(at).join("L")}`,
    visibility: seen.length > t ? null : "hidden",
  });
  const done = seen.slice(0, t + 1);
  set(way, { d: `M${done.map(at).join("L")}` });
  set(steps, {
    d: seen.map((h) => `M${at(h)}h0`).join(""),
    "stroke-width": clamp(0.08 * k, 0.15 * em, 0.27 * em),
  });
}

/** Draw the lines of real eigenvectors, or the ellipse along which a complex pair rotates the state. */
function drawModes({ lines, names }, now, { box, X, Y, k, at }) {
  const { modes, paired, path, t, W, eigenvalues } = now;
  const { width, height, em } = box;
  const vectors = modes?.vectors ?? (paired ? [] : [[[1], [0]]]);
  lines.forEach((line, i) => {
    if (paired || !vectors[i]) {
      names[i].place(0, 0, box, false);
      set(line, { d: paired && i === 0 ? own(W, eigenvalues[0][1], path[t], at) : "M0 0" });
      return;
    }
    const [[x], [y]] = vectors[i];
    // Extend the line to the edges of the box.
    const far = Math.min(
      width / 2 / (Math.abs(x) * k || 1e-9),
      height / 2 / (Math.abs(y) * k || 1e-9),
    );
    set(line, { d: `M${at([x * far, y * far])}L${at([-x * far, -y * far])}` });
    const near = far - em / k;
    const aside = Math.abs(y) > Math.abs(x) ? [em, 0.3 * em] : [0, (x < 0 ? -0.5 : 1.05) * em];
    names[i].place(X(near * x) + aside[0], Y(near * y) + aside[1], box, true);
  });
}

/** Draw the state and, if they are shown, its modes. */
function drawState({ arrows, state, here }, now, { box, X, Y, k }) {
  const { path, t, modes } = now;
  const { em } = box;
  const spot = ([x, y]) => [X(x), Y(y)];
  const [origin, end] = [[0, 0], path[t]].map(spot);
  const parts = modes && now.summed && !now.paired ? shares(modes, t) : null;
  const corner = parts && spot(parts[0].map(([re]) => re));
  arrows[0].update(parts && [origin, corner], em);
  arrows[1].update(parts && [corner, end], em);
  state.update([origin, end], em);
  here.write(`(${t})`);
  const beside = (path[t][1] < 0 ? 1.1 : -0.55) * em;
  here.place(end[0], end[1] + beside, box, t > 0 && k * size(path[t]) > 1.6 * em);
}

/** Draw the handle of the start. If the circle is too small to grab, the handle is outside of it. */
function drawStart({ stem, handle, from }, { h0 }, { box, X, Y, k }) {
  const { em } = box;
  const reach = Math.max(1, (1.3 * em) / k);
  const [x, y] = [X(reach * h0[0]), Y(reach * h0[1])];
  set(stem, { d: `M${X(0)} ${Y(0)}L${x} ${y}` });
  place(handle, x, y);
  from.place(x + 1.6 * em * h0[0], y - 1.2 * em * h0[1] + 0.35 * em, box, true);
}

/** Mark the two starts that W^t stretches most, and label the one away from the state's start. */
function drawWidest({ best, most }, { powers, t, h0, longer }, { width, height, em, k, at }) {
  const top = widest(powers[t]);
  const side = top[0] * h0[0] + top[1] * h0[1] > 0 ? -1 : 1;
  const out = (sign, d) => top.map((value) => sign * value * (1 + (d * em) / k));
  const tick = (sign) => `M${at(out(sign, -0.3))}L${at(out(sign, 0.3))}`;
  const ticked = longer > 1.01 && k > 1.2 * em;
  set(best, { d: tick(1) + tick(-1), visibility: ticked ? null : "hidden" });
  const [x, y] = out(side, 0.6).map((value) => value * k);
  const right = side * top[0] >= 0;
  const named = ticked && k > 3 * em && width / 2 - Math.abs(x) > 9 * em;
  set(most, {
    x: named ? (width / 2 + x + (right ? 0.35 : -0.35) * em).toFixed(1) : width / 2,
    y: (height / 2 - y + (Math.abs(y) < em ? -0.5 : 0.35) * em).toFixed(1),
    "text-anchor": right ? "start" : "end",
    visibility: named ? null : "hidden",
  });
}

const multiply = ([[a, b], [c, d]], x, y) => [a * x + b * y, c * x + d * y];

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

const ellipse = (at) => `M${CIRCLE.map(at).join("L")}Z`;

/** Half-axes of the ellipse through h along which W rotates. Each step scales the ellipse by |λ|. */
function axesOf([[, beta]], b, [x, y]) {
  const scale = Math.hypot(x / beta, y / b);
  return [scale * beta, scale * Math.abs(b)];
}
const own = (W, b, h, at) => {
  const [p, q] = axesOf(W, b, h);
  return ellipse(([x, y]) => at([p * x, q * y]));
};

/** A letter with a superscript or a subscript, which stays inside the box. */
function label(letter, sign, attributes) {
  const above = svg("tspan", {}, sign);
  const bold = svg("tspan", { "font-style": "italic", "font-weight": 700 }, letter);
  const node = svg("text", { "text-anchor": "middle", ...attributes }, bold, above);
  return Object.assign(node, {
    resize(em) {
      set(node, { "font-size": em });
      if (/^\(|^$/.test(sign)) set(above, { dy: -0.4 * em, "font-size": 0.78 * em });
    },
    write: (text) => (above.textContent = text),
    place(x, y, { width, height, em }, shown) {
      const inside = (value, low, high) => clamp(value, low, high).toFixed(1);
      set(node, {
        visibility: shown ? null : "hidden",
        x: inside(x, em, width - em),
        y: inside(y, em, height - 0.3 * em),
      });
    },
  });
}
