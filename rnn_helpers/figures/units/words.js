// The words about a cell of the map, the next character, and the units that follow a feature best.
import { html } from "../lib/dom.js";
import { percent, rounded } from "../lib/scales.js";
import { ALPHABET, FEATURES, likeliest, MEASURED, ranked } from "./math.js";

const SEEN = { " ": "␣", "\n": "⏎" };
export const isBlank = (token) => ALPHABET[token] in SEEN;
export const seen = (token) => SEEN[ALPHABET[token]] ?? ALPHABET[token];
const CALLED = { " ": "a space", "\n": "the end of a line" };
const called = (token) => CALLED[ALPHABET[token]] ?? `“${ALPHABET[token]}”`;

/** Describe a cell of the map to a screen reader. */
export const spokenCell = ({ steps }, { t, unit }) =>
  `unit ${unit} after ${called(steps[t - 1].token)}, character ${t} of ${steps.length}: ${rounded(steps[t - 1].units[unit - 1])}`;

/** Describe a cell of the map, and the feature at its character. */
export function cellWords(now, { t, unit }) {
  const { units, token } = now.steps[t - 1];
  return html(
    "p",
    {},
    html("b", {}, `Unit ${unit}`),
    " is ",
    html("b", { class: now.net === "lstm" ? "memory" : "state" }, rounded(units[unit - 1])),
    ` after ${called(token)}. `,
    html("span", { class: "target" }, standing(now, t)),
  );
}

/** Return the value of the chosen feature at a character, in words. */
function standing({ follow, features }, t) {
  const value = features[follow][t - 1];
  if (follow === "line") return `The place in the line is ${value}.`;
  if (follow === "space") return value ? "It is a space." : "It is no space.";
  return `It is ${value ? "" : "not "}${FEATURES[follow].says}.`;
}

/** Show the `count` most likely characters after t, and the actual next one. */
export function nextWords({ steps }, t, count) {
  const { yhat } = steps[t - 1];
  const came = steps[t]?.token;
  const most = likeliest(yhat, count);
  if (came !== undefined && !most.includes(came)) most[most.length - 1] = came;
  const before = steps.slice(Math.max(t - 8, 0), t).map(({ token }) => seen(token));
  return [
    html("p", { class: "title" }, "Next, after ", html("code", {}, before.join(""))),
    ...most.map((token) => guessed(token, yhat[token], token === came)),
  ];
}

const guessed = (token, share, came) =>
  html(
    "div",
    { class: "guessed" },
    html("code", {}, seen(token)),
    html(
      "span",
      { class: "track uf-fill" },
      html("span", { class: "filled uf-fill", style: `width:${(100 * share).toFixed(1)}%` }),
    ),
    html("span", { class: "share" }, percent(share, share < 0.0995 ? 1 : 0)),
    html("span", { class: "came", title: came ? "what did come" : null }, came ? "◆" : ""),
  );

/** Make a button for each of the units that follow the feature best in this text. */
export function followers({ rs, follow, unit, net, features }, choose) {
  const constant = features[follow].every((value, _, all) => value === all[0]);
  const elsewhere = MEASURED[net][follow];
  const { says } = FEATURES[follow];
  const rank = (i, k) =>
    html(
      "button",
      {
        type: "button",
        class: "uf-button",
        "data-rank": k,
        "aria-pressed": String(i + 1 === unit),
        onclick: () => choose(i + 1),
      },
      html("b", {}, `unit ${i + 1}`),
      ` r = ${constant ? "—" : rounded(rs[i])}`,
      html("span", { class: "muted" }, ` unseen ${rounded(elsewhere[i])}`),
    );
  const title = constant
    ? `Nothing to follow in this text: ${says} never changes.`
    : ["Which units follow ", html("span", { class: "target" }, says), " best?"];
  return [
    html("p", { class: "title" }, title),
    html(
      "div",
      { class: "ranks", role: "group", "aria-label": "units that follow best" },
      ranked(constant ? elsewhere : rs)
        .slice(0, 3)
        .map(rank),
    ),
    html("p", { class: "muted key" }, "Bars: |r| in this text. Lines: in unseen code."),
  ];
}
