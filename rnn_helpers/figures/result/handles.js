// Handles with which a reader guesses estimates of a line, and fields for the same numbers.
import { cursor, line } from "../lib/chart.js";
import { html, set, svg } from "../lib/dom.js";
import { draggable, keySlider, knob } from "../lib/handles.js";
import { clamp } from "../lib/scales.js";
import { MARKS, place } from "../lib/shapes.js";
import { guessField } from "./field.js";
import { scaleOf, snap, spelled } from "./math.js";

const END = 100; // of the axis, in steps of the keyboard

export function handles(part, guessing) {
  const asked = guessing.asked.filter((one) => one.part.title === part.title);
  const along = scaleOf(part, [0, END]);
  const node = svg("g", { class: "handles" });
  let at = null;
  const all = asked.map(({ key, name, point }) => {
    const own = knob({});
    const label = `your guess for ${name}, ${part.x} ${spelled(point.x)}`;
    const typing = { key, label, point, part, guessing, follow };
    const { field, unit, words, take, refresh } = guessField(typing);
    const put = (value) => take(snap(value, point, part));
    const update = keySlider(own, {
      label,
      ...{ min: 0, max: END, step: point.count ? END / point.count[1] : 1 },
      get: () => (guessing.made.has(key) ? along(guessing.made.get(key)) : END / 2),
      change: (value) => put(along.invert(value)),
      text: words,
    });
    draggable(own, {
      surface: node,
      move: ({ y }) => put(at.y.invert(clamp(y, at.top, at.bottom))),
    });
    function follow(guess) {
      own.classList.toggle("is-empty", guess === undefined);
      if (at)
        place(own, at.x(point.x), guess === undefined ? (at.top + at.bottom) / 2 : at.y(guess));
      update();
    }
    node.append(own);
    return { key, point, unit, field, refresh };
  });
  return {
    node,
    /** The fields, with the values of x. */
    fields: () =>
      all.map(({ point, unit, field }) =>
        html("label", {}, `at ${spelled(point.x)}: `, field, ` ${unit}`),
      ),
    /** The places of the handles, or later the guesses beside the result. */
    picture(at) {
      if (!guessing.open) return asked.map(({ point }) => cursor(at, point.x, "asked-at"));
      const made = asked.filter(({ key }) => guessing.made.has(key));
      const points = made.map(({ key, point }) => [point.x, guessing.made.get(key)]);
      return [
        made.map(({ key, point }) =>
          svg("path", {
            class: "gap",
            d: `M${at.x(point.x)} ${at.y(guessing.made.get(key))}V${at.y(point.value)}`,
          }),
        ),
        line(at, points, "guess-line"),
        points.map(([x, y]) =>
          place(svg("path", { class: "guess", d: MARKS.diamond }), at.x(x), at.y(y), 0.4 * at.em),
        ),
      ];
    },
    draw(next) {
      at = next;
      set(node, { visibility: guessing.open ? "hidden" : null });
      for (const one of all) {
        if (!guessing.made.has(one.key)) one.field.value = "";
        one.refresh();
      }
    },
  };
}
