// The plane of keys, in which the memory is an arrow.
import { setAll } from "../../lib/controls.js";
import { drawingOf, italic, set, setSize, svg, text } from "../../lib/dom.js";
import { draggable, keySlider, knob } from "../../lib/handles.js";
import { clamp, format } from "../../lib/scales.js";
import { arrow, path, place } from "../../lib/shapes.js";
import { size } from "../../lib/vectors.js";
import { PAIRS } from "./math.js";

export function plane(model) {
  const part = (tag, name) => svg(tag, { class: name });
  const circle = part("circle", "circle");
  const axes = part("path", "axis");
  const lines = PAIRS.map(() => part("path", "line"));
  const rays = PAIRS.map(() => part("path", "ray"));
  const foot = part("path", "foot");
  const trail = part("path", "trail");
  const step = arrow("step");
  const memory = arrow("memory");
  const names = part("g", "names");
  const ground = svg("g", { role: "img" }, axes, circle, lines, rays, foot, trail, step, memory);
  const knobs = PAIRS.map((i) => knob({ class: `key k${i}` }));
  const node = drawingOf("The plane of keys", ground, names, knobs);
  let box;
  const turn = (i, angle) => setAll(model, { [`a${i}`]: ((Math.round(angle) % 360) + 360) % 360 });
  const follow = PAIRS.map((i, n) => {
    draggable(knobs[n], {
      surface: node,
      move: ({ x, y }) => turn(i, (Math.atan2(box.side / 2 - y, x - box.side / 2) * 180) / Math.PI),
    });
    return keySlider(knobs[n], {
      label: `key ${i}`,
      min: 0,
      max: 359,
      step: 5,
      get: () => model.get(`a${i}`),
      change: (angle) => turn(i, angle),
      text: (angle) => `${format(angle, 0)} degrees`,
    });
  });

  function resize(side, em) {
    box = { side, em };
    setSize(node, side, side);
    set(axes, { d: `M0 ${side / 2}H${side}M${side / 2} 0V${side}` });
  }

  function update({ all, M, pairs, last, next, t }) {
    const { side, em } = box;
    const reach = Math.max(1.05, ...all.slice(0, t + 1).map(size));
    const k = (side / 2 - 1.6 * em) / reach;
    const at = ([x, y]) => [side / 2 + k * x, side / 2 - k * y];
    set(circle, { cx: side / 2, cy: side / 2, r: k });
    pairs.forEach(({ key, value }, n) => {
      const line = endsOf(key, value, (side / 2 - 0.6 * em) / k).map(at);
      set(lines[n], {
        d: path(line),
        "data-is": n === last ? "last" : n === next ? "next" : "other",
      });
      set(rays[n], { d: path([at([0, 0]), at(key)]) });
    });
    set(foot, { d: last === null ? "" : path([at(M), at(along(M, pairs[last].key))]) });
    set(trail, { d: path(all.slice(0, t + 1).map(at)) });
    step.update(t ? [at(all[t - 1]), at(M)] : null, em);
    memory.update(size(M) > 1e-9 ? [at([0, 0]), at(M)] : null, em);
    drawNames(names, { pairs, M, at, k, box });
    pairs.forEach(({ key }, n) => place(knobs[n], ...at(key)));
    for (const refresh of follow) refresh();
    set(ground, {
      "aria-label": `The memory is the arrow (${M.map((entry) => format(entry)).join(", ")}).`,
    });
  }
  return { node, resize, update };
}

/** Return the ends of the line on which a key returns its value, within a circle. */
function endsOf(key, value, reach) {
  const half = Math.sqrt(Math.max(reach ** 2 - value ** 2, 0));
  return [half, -half].map((h) => [value * key[0] - h * key[1], value * key[1] + h * key[0]]);
}

/** Draw the part of the memory along a key. */
const along = (M, key) => key.map((entry) => entry * (M[0] * key[0] + M[1] * key[1]));

/** Draw the names of keys and memory, and the values at the ends of their lines without keys. */
function drawNames(names, { pairs, M, at, k, box }) {
  const { side, em } = box;
  const inside = (x) => clamp(x, 0.8 * em, side - 0.8 * em);
  const word = (name, [x, y], ...words) =>
    text(
      { font: 0.95 * em },
      inside(x),
      inside(y),
      { class: name, "text-anchor": "middle" },
      words,
    );
  const beyond = (v, d) => at(v.map((entry) => entry * (1 + (d * em) / (k * size(v)))));
  const keys = pairs.map(({ key }) => at(key));
  const room = ([x, y]) => Math.min(...keys.map(([p, q]) => Math.hypot(x - p, y - q)));
  const free = (key, value) => {
    const [one, other] = endsOf(key, value, (side / 2 - 1.4 * em) / k).map(at);
    return room(one) > room(other) ? one : other;
  };
  names.replaceChildren(
    ...pairs.map(({ key, value }) => word("value", free(key, value), format(value))),
    ...pairs.map(({ i, key }) => word("key", beyond(key, 1.35), italic("k"), "₁₂₃"[i - 1])),
    ...(k * size(M) > 2.4 * em ? [word("memory", beside(M, at, em), italic("M"))] : []),
  );
}

/** Return a place beside the middle of the arrow. */
function beside(M, at, em) {
  const [x, y] = at(M.map((entry) => 0.55 * entry));
  const length = size(M);
  return [x + (0.9 * em * M[1]) / length, y + (0.9 * em * M[0]) / length];
}
