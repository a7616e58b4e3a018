import { controls, transport } from "../lib/controls.js";
import { html } from "../lib/dom.js";
import { figure, stage } from "../lib/figure.js";
import { linked } from "../lib/linked.js";
import { rounded } from "../lib/scales.js";
import { defaults, fold, presets } from "../lib/stage.js";
import { inline } from "../lib/words.js";
import { bars } from "./bars.js";
import { compute, PAIRS } from "./math.js";
import { meta } from "./meta.js";
import { plane } from "./plane.js";

const PRESETS = {
  "three directions": {},
  "right angles": { a2: 90, a3: 270 },
  "the first key again": { a2: 90, a3: 0, v3: 3 },
  "close keys": { a2: 20, a3: 40 },
};

export const render = figure("matrix", meta, ({ model, el, spec, control }) => {
  const [space, reads] = [plane(model), bars(model)];
  const parts = [space, reads].map((view, i) =>
    html("div", { class: `part ${["space", "reads"][i]}` }, view.node),
  );
  const both = stage(parts);
  const verdict = html("p", { class: "verdict" });
  const time = transport(model, "t", { ...spec.t, text: (t) => `${t} written` });
  const keys = PAIRS.flatMap((i) => [`a${i}`, `v${i}`]);
  const first = Object.fromEntries(keys.map((key) => [key, spec[key].default]));
  const examples = Object.fromEntries(
    Object.entries(PRESETS).map(([name, state]) => [name, { ...first, ...state }]),
  );
  // The prediction is about the first two pairs as they are at the start.
  const predicted = ["a1", "a2", "v1", "v2", "eta"];
  const asks = (state) => predicted.every((key) => state[key] === spec[key].default);
  return {
    parts: [
      both,
      verdict,
      [time, "rule", "eta"],
      presets(model, "examples", examples),
      fold("Set by number", controls(keys.map((key) => control(key)))),
    ],
    reveal: { ...defaults(spec), t: 2 },
    follow: [time, ...space.held, ...reads.held, linked(el)],
    update(state, size) {
      const now = { ...state, ...compute(state) };
      const { wide, side, rest } = layout(size);
      both.dataset.form = wide ? "row" : "column";
      parts[0].style.width = `${side}px`;
      parts[1].style.width = `${rest}px`;
      space.update(now, side, size.em);
      reads.update(now, rest, size.em, wide ? side : Infinity);
      verdict.innerHTML = inline(judge(now));
      const guess = el.querySelector(".uf-guess");
      if (guess) guess.hidden = !asks(state);
      return verdict.textContent;
    },
  };
});

/** The widths of the plane and of the bars, which are beside each other if there is room. */
function layout({ width, em, room }) {
  const gap = 1.6 * em;
  const wide = width >= 30 * em;
  const most = room < Infinity ? (room - 9) * em : 20 * em;
  const side = Math.floor(wide ? Math.min(0.5 * (width - gap), most) : Math.min(width, 19 * em));
  const rest = Math.floor(wide ? Math.min(width - side - gap, 26 * em) : width);
  return { wide, side, rest };
}

/** Describe how the last pair changed its own reading, and what that means for the others. */
function judge({ t, last, before, pairs, rule, eta }) {
  if (!t) return "Nothing is written yet: the arrow has the length 0, and every key returns 0.";
  const { i, value, read } = pairs[last];
  const missing = value - before;
  const key = `*k*_{${i}}`;
  const did =
    rule === "delta"
      ? `Pair ${i}: ${key} returned ${rounded(before)}, so the error was ${rounded(missing)}. The arrow moved along ${key} by *η* times this error, and now ${key} returns ${rounded(read)}.`
      : `Pair ${i}: the arrow moved along ${key} by *η* times its value, ${rounded(value)}. Before, ${key} returned ${rounded(before)}; now it returns ${rounded(read)}.`;
  return `${did} ${lesson(rule, eta, t)}`;
}

/** The sentence with which the words for a rule end. */
function lesson(rule, eta, t) {
  if (eta === 0) return "With *η* = 0 nothing is written.";
  if (t === 1)
    return "The readings of all keys that aren't at right angles to this one have changed, too.";
  if (rule === "sum")
    return "Each reading is a mixture: the values of all pairs, weighted by how similar their keys are.";
  if (eta === 1)
    return "The newest pair is right, and older ones pay for it, unless their keys are at right angles to the new one.";
  return `The newest pair isn't quite right: ${eta < 1 ? "a part of its error is left" : "the correction is larger than the error"}.`;
}
