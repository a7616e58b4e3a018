// What an experiment found: estimates by category, or over x. If it asks, the reader guesses first.
import { asking, words } from "../lib/asked.js";
import { button } from "../lib/controls.js";
import { html, redraw } from "../lib/dom.js";
import { figure } from "../lib/figure.js";
import { settings } from "../lib/stage.js";
import { description, guessed, judge, parts, short } from "./math.js";
import { meta } from "./meta.js";
import { panelChart } from "./panels.js";
import { rowChart } from "./rows.js";

const PRAISE = { inside: "Yes.", close: "Close.", far: "That is a surprise." };
/** Ems of a slide that the words above the chart take. The title of the slide asks. */
const ABOVE = 2.3;
const HOW = ["Drag the marker to where you expect it", ", or type a number", "."];

export const render = figure("result", meta, ({ model, el, spec, again }) => {
  const data = settings(model, spec);
  const guessing = guesses(data);
  const chart = (data.rows.length ? rowChart : panelChart)(data, guessing);
  if (!data.ask) {
    return {
      parts: [chart],
      watch: chart.node,
      update(_, size) {
        chart.draw(size);
        return description(data);
      },
    };
  }
  el.classList.add("uf-asking");
  const heading = html("div", { class: "heading", tabindex: -1 });
  const show = (open) => {
    if (open === guessing.open) return;
    guessing.open = open;
    if (!open) guessing.made.clear();
    again();
  };
  // One button for both, because the host keeps a pressed control in its place.
  const turn = button("", () => {
    show(!guessing.open);
    (guessing.open ? heading : chart).focus({ preventScroll: true });
  });
  // In a deck, a step shows the result. It leaves the focus to the slides.
  el.addEventListener("tell", ({ detail }) => show(detail));
  guessing.follow = () => {
    const { asked, made, open } = guessing;
    const unseen = made.size ? "Show the result" : "Show the result without guessing";
    turn.textContent = open ? "Guess again" : unseen;
    turn.classList.toggle("uf-primary", !open && made.size === asked.length);
  };
  return {
    parts: [heading, chart, [turn]],
    watch: chart.node,
    follow: [() => guessing.follow()],
    update(_, size) {
      const { open } = guessing;
      el.classList.toggle("is-told", open);
      redraw(heading, asking("Predict", data.ask.question), open ? answer(data, guessing) : how());
      chart.draw({ ...size, room: size.room - ABOVE });
      return open ? description(data) : `A prediction. ${data.ask.question} ${HOW.join("")}`;
    },
  };
});

/**
 * The guesses: which estimates are `asked`, each with its key, its name, the estimate (`point`) and its
 * panel (`part`); the values that are `made`, by key; and whether the result is `open`.
 */
function guesses(data) {
  const { labels = [], x = [] } = data.ask ?? {};
  const asked = parts(data).flatMap((part) =>
    part.points
      .filter(([name, point]) => labels.includes(name) && (data.rows.length || x.includes(point.x)))
      .map(([name, point]) => ({ key: data.rows.length ? name : point.x, name, point, part })),
  );
  const made = new Map();
  return {
    ...{ asked, made, labels, open: !data.ask, follow() {} },
    take(key, value) {
      if (Number.isFinite(value)) made.set(key, value);
      else made.delete(key);
      this.follow();
    },
  };
}

/** How to guess. A slide has no room for fields. */
function how() {
  const [drag, type, end] = HOW;
  return html("p", { class: "how" }, drag, html("span", { class: "typing" }, type), end);
}

/** What the guesses were worth, and why the result is as it is. */
const answer = (data, guessing) => [
  worth(data, guessing),
  data.ask.why && words("p", data.ask.why, { class: "why" }),
];

function worth({ spread }, { asked, made }) {
  const all = asked.filter(({ key }) => made.has(key));
  if (!all.length) return html("p", { class: "worth" }, "Here is the result.");
  const verdicts = all.map(({ key, point, part }) =>
    judge(made.get(key), point, { ...part, open: true }),
  );
  if (all.length > 1) {
    const near = verdicts.filter((verdict) => verdict !== "far").length;
    const bounds = spread ? `the ${spread}` : "the result";
    const words = `${near} of your ${all.length} guesses ${near === 1 ? "is" : "are"} in or close to ${bounds}.`;
    return html("p", { class: "worth" }, words);
  }
  const [{ key, point, part }] = all;
  const mine = short(guessed(made.get(key), point), part);
  const words = ` You expected ${mine}; it is ${short(point, part)}.`;
  return html("p", { class: "worth" }, html("b", {}, PRAISE[verdicts[0]]), words);
}
