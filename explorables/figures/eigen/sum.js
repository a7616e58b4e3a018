// The mode sum at the cursor, with its numbers.
import { equation, format, html } from "../../lib/index.js";
import { inline } from "../../lib/words.js";
import { power, shares, size } from "./math.js";

export function arithmetic(now, state, eq) {
  const { modes, paired, t, path } = now;
  if (!modes)
    return [
      line(
        paired || state.re !== state.re2
          ? "The two eigenvectors are almost the same: the modes would be huge numbers that cancel. *W*^{*t*} itself is harmless."
          : "Equal eigenvalues, coupled: there is only one eigenvector, *W* is *defective*, and no mode sum exists. *W*^{*t*} does.",
      ),
    ];
  const number = (value) => format(value, 3);
  const vector = ([x, y]) => `(${number(x)}, ${number(y)})`;
  if (paired) {
    const [alpha, lambda] = [modes.coefficients[0], modes.eigenvalues[0]];
    const turn = (Math.atan2(Math.abs(lambda[1]), lambda[0]) * 180) / Math.PI;
    return [
      equation(eq.pair),
      line(
        `2|*α*| |*λ*|^{*t*} = ${number(2 * size(alpha))} × ${number(size(lambda))}^{${t}} = ${number(2 * size(alpha) * size(lambda) ** t)}, ` +
          `turned ${t} times by ${format(turn, 1)}°`,
      ),
      line(`*h*^{(${t})} = ${vector(path[t])}`, "h"),
    ];
  }
  const parts = shares(modes, t).map((share) => share.map(([re]) => re));
  const rows = parts.map((part, i) => {
    const [alpha] = modes.coefficients[i];
    const [lambda] = modes.eigenvalues[i];
    const q = modes.vectors[i].map(([re]) => re);
    return row(["one", "two"][i], [
      `*α*_{${i + 1}} *λ*_{${i + 1}}^{${t}} *q*_{${i + 1}}`,
      `= ${number(alpha)} × ${number(power([lambda, 0], t)[0])} × ${vector(q)}`,
      `= ${vector(part)}`,
    ]);
  });
  rows.push(row("h", [`*h*^{(${t})}`, "the sum", `= ${vector(path[t])}`]));
  const [first, second] = parts.map(size);
  const ratio = line(`The second share is ${format(second / first, 3)} of the first.`);
  ratio.className = "ratio";
  return [equation(eq.real), html("table", {}, rows), first > 0 && second > 0 ? ratio : ""];
}

function line(text, term) {
  const node = html("p", { "data-term": term });
  node.innerHTML = inline(text);
  return node;
}

const row = (term, cells) =>
  html(
    "tr",
    { "data-term": term },
    cells.map((text) => {
      const cell = html("td", {});
      cell.innerHTML = inline(text);
      return cell;
    }),
  );
