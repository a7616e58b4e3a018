import { transport } from "../lib/controls.js";
import { html, set } from "../lib/dom.js";
import { figure } from "../lib/figure.js";
import { paper } from "../lib/paper.js";
import { remembered } from "../lib/remembered.js";
import { meta } from "./meta.js";
import { LETTERS, run, TEXT, wrong, Y } from "./math.js";

const KINDS = [
  { own: false, color: "target", input: "the true letter" },
  { own: true, color: "output", input: "its own letter" },
];
/** The ends of the parts that stay in one row. */
const ENDS = ["wall, ", "fall. ", "horses and ", "men ", "again.\n"].map(
  (end) => TEXT.indexOf(end) + end.length,
);
/** The letters that would be invisible. */
const VISIBLE = { " ": "␣", "\n": "↵" };

export const render = figure("rhyme", meta, ({ model, spec, save, again }) => {
  const texts = KINDS.map(written);
  const area = html(
    "div",
    {
      class: "area",
      onclick: ({ target }) => {
        const slip = Number(target.closest("[data-letter]")?.dataset.letter);
        if (slip <= spec.slip.max) save({ slip, t: Math.max(slip, model.get("t")) });
      },
    },
    texts,
  );
  const time = transport(model, "t", {
    ...spec.t,
    interval: 60,
    text: (t) => `letter ${t}`,
  });
  const print = paper(again);
  const runs = remembered((slip, training) => KINDS.map(({ own }) => run(slip, own, training)));
  const compares = model.get("training") === "practice"; // the second view compares two networks
  return {
    parts: [compares && ["training"], area, [time, "slip"]],
    reveal: !compares && { slip: spec.slip.default, t: spec.t.max },
    follow: [time, print],
    update({ slip, t: asked, training }) {
      const t = print.on() && asked === spec.t.default ? spec.t.max : asked;
      const all = runs(slip, training);
      texts.forEach((text, k) => text.update(all[k], slip, t));
      return spoken(all, slip, t);
    },
  };
});

/** A text with its heading, and a place for each letter. */
function written({ color, input }) {
  const places = Y.map((_, i) => html("span", { "data-letter": i + 1 }));
  const rows = ENDS.map((end, i) =>
    html("span", { class: "part" }, places.slice(ENDS[i - 1] ?? 0, end)),
  );
  const count = html("span", { class: "count" });
  return {
    node: html(
      "div",
      {},
      html(
        "p",
        { class: "heading" },
        html("span", {}, "Next input: ", html("b", { class: color }, input)),
        count,
      ),
      html("p", { class: "text", dir: "ltr", translate: "no" }, rows),
    ),
    update(steps, slip, t) {
      places.forEach((place, i) => {
        const { token } = steps[i];
        const marked = i >= t ? null : i + 1 === slip ? "slip" : token !== Y[i] ? "wrong" : null;
        const letter = i < t ? LETTERS[token] : " ";
        place.textContent =
          (marked || letter === "\n") && VISIBLE[letter] ? VISIBLE[letter] : letter;
        set(place, { class: marked });
      });
      count.textContent = counted(steps, slip, t);
    },
  };
}

// ---- the words

function counted(steps, slip, t) {
  const when = slip ? "After the slip" : "No slip";
  return `${when}: ${t > slip ? `${wrong(steps, slip, t)} of ${t - slip} wrong` : "nothing yet"}`;
}

function spoken(all, slip, t) {
  const begin = slip ? `The network makes a slip at letter ${slip}` : "The network makes no slip";
  if (t <= slip)
    return `${begin}. Both texts end at letter ${t}, and nothing follows the slip yet.`;
  const [forced, free] = all.map((steps) => wrong(steps, slip, t));
  return (
    `${begin}. Up to letter ${t}, the number of wrong letters${slip ? " after it" : ""} is ${forced} ` +
    `if each input is the true letter, and ${free} if it is the network’s own letter.`
  );
}
