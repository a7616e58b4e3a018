// The panel with the sum of the modes at the current time.
import { html, set } from "../lib/dom.js";
import { equation } from "../lib/linked.js";
import { format } from "../lib/scales.js";
import { size } from "../lib/vectors.js";
import { inline } from "../lib/words.js";
import { power, shares } from "./math.js";

const number = (value) => format(value, 3);
const vector = ([x, y]) => `(${number(x)}, ${number(y)})`;
const TERMS = ["one", "two", "h"];

/** A panel `{ node, update(now) }`. Only the changing parts are built again. */
export function arithmetic(eq) {
  const formulas = [equation(eq.real), equation(eq.pair)];
  const cells = TERMS.map(() => [0, 1, 2].map(() => html("td", {})));
  const table = html(
    "table",
    {},
    cells.map((row, i) => html("tr", { "data-term": TERMS[i] }, row)),
  );
  const words = html("p", {});
  const node = html("div", { class: "sum" }, formulas, table, words);

  return {
    node,
    update(now) {
      const { modes, paired, summed } = now;
      node.hidden = !summed;
      if (!summed) return;
      formulas[0].hidden = !modes || paired;
      formulas[1].hidden = !modes || !paired;
      table.hidden = !modes;
      set(words, { class: modes && "ratio" });
      const [rows, text] = !modes ? [[], none(now)] : paired ? pair(now) : real(now);
      rows.forEach((row, i) => row.forEach((cell, j) => (cells[i][j].innerHTML = inline(cell))));
      cells[1][0].parentNode.hidden = paired;
      words.innerHTML = inline(text);
    },
  };
}

const none = ({ paired, re, re2 }) =>
  paired || re !== re2
    ? "The eigenvectors are almost parallel, so the modes would be huge and nearly cancel."
    : "The eigenvalues are equal, and all eigenvectors are parallel. *W* is *defective*: not every state is a sum of modes.";

function real({ modes, t, path }) {
  const parts = shares(modes, t).map((share) => share.map(([re]) => re));
  const rows = parts.map((part, i) => {
    const q = modes.vectors[i].map(([re]) => re);
    return [
      `*α*_{${i + 1}} *λ*_{${i + 1}}^{${t}} *q*_{${i + 1}}`,
      `= ${number(modes.coefficients[i][0])} × ${number(power(modes.eigenvalues[i], t)[0])} × ${vector(q)}`,
      `= ${vector(part)}`,
    ];
  });
  const [first, second] = parts.map(size);
  const ratio =
    first > 0 && second > 0
      ? `The second mode is ${number(second / first)} times as long as the first.`
      : "";
  return [[...rows, last(path, t, "the sum")], ratio];
}

function pair({ modes, t, path }) {
  const [[alpha], [lambda]] = [modes.coefficients, modes.eigenvalues];
  const turn = (Math.atan2(Math.abs(lambda[1]), lambda[0]) * 180) / Math.PI;
  const length = 2 * size(alpha);
  const first = [
    `2|*α*| |*λ*|^{${t}}`,
    `= ${number(length)} × ${number(size(lambda) ** t)}`,
    `= ${number(length * size(lambda) ** t)}, rotated ${t} times by ${format(turn, 1)}°`,
  ];
  return [[first, ["", "", ""], last(path, t)], ""];
}

const last = (path, t, words = "") => [`*h*^{(${t})}`, words, `= ${vector(path[t])}`];
