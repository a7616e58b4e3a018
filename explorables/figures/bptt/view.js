import { guess } from "../../lib/guess.js";
import { control, controls, equation, format, html, linked, live, responsive, svg, transport } from "../../lib/index.js";
import { roving } from "../../lib/roving.js";
import { times, transpose } from "../step/math.js";
import eq from "./equations.tex";
import { meta } from "./index.js";
import { compute, find, PARAMS, size, slope, steps, sum, VERBS, WORDS } from "./math.js";

const two = (value) => format(Math.round(value * 100) / 100);
const up = (t) => `(${t})`;

export function render({ model, el }) {
  const net = html("div", { class: "net" });
  const panel = html("div", { class: "panel" });
  const say = live();
  const spec = meta.controls;

  // The transport counts; the address names the step, so that it survives a change of T or loss.
  const list = () => steps(model.get("T"), model.get("loss"));
  const timeline = {
    get: () => find(list(), model.get("at")),
    set: (key, index) => model.set("at", list()[index].id),
    on: (type, handler) => model.on("change", handler),
    save_changes: () => model.save_changes(),
  };
  const time = transport(timeline, "at", {
    ...{ min: 0, limit: () => list().length - 1, label: "steps of the calculation", interval: 1500 },
    text: (index) => `${index} of ${list().length - 1}: ${plain(title(list()[index], model.get("T")))}`,
  });
  el.classList.add("fig-bptt");
  el.append(
    html("div", { class: "stage" }, net, panel),
    html("p", { class: "key" }, "Squares: their area is the size of an entry; filled is plus, hollow is minus."),
    controls(...["T", "loss", "recursion"].map((key) => control(model, key, spec[key])), time),
    guess(meta.prediction, () => model.set("at", "dW1")),
    say,
  );
  const link = linked(el);

  function state() {
    const [T, loss, recursion] = ["T", "loss", "recursion"].map((key) => model.get(key));
    const all = list();
    const k = find(all, model.get("at"));
    const at = (id) => all.findIndex((step) => step.id === id);
    const done = (id) => at(id) >= 0 && at(id) <= k;
    const backward = done("dL");
    return { ...compute(T, loss, recursion), T, recursion, step: all[k], done, backward };
  }

  let area;
  function update() {
    const held = net.contains(document.activeElement);
    const now = state();
    net.replaceChildren(drawing(now, area));
    panel.replaceChildren(...explanation(now));
    if (held) net.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
    link.refresh();
  }
  roving(net, (id) => model.set("at", id));
  model.on("change", update);
  model.on("change:at", () => say.say(words(state())));
  const stop = responsive(net, (next) => {
    area = next;
    update();
  });
  return () => {
    stop();
    time.stop();
  };
}

// ---- the drawing: figure 10.3 with numbers, and below it one tile per copy of a parameter

function drawing(now, { width, em }) {
  const { T, run, loss, back, mask, x, y, step, done, backward } = now;
  const narrow = width < 20 * em;
  const font = (narrow ? 0.78 : 0.92) * em;
  const line = (narrow ? 1.1 : 1.17) * em;
  const margin = (narrow ? 1.7 : 2.3) * em;
  const pitch = (width - margin) / (narrow ? T : T + 1);
  const wide = Math.min(pitch - (narrow ? 0.55 : 0.68) * em, 3.4 * em);
  const column = (t) => margin + (t - 0.5) * pitch;
  const heights = { L: 1.5 * em, o: 3 * line + 0.25 * em, h: 2 * line + 0.25 * em, x: 1.4 * em };
  const tops = { L: 0.7 * em };
  tops.o = tops.L + heights.L + 0.9 * em;
  tops.h = tops.o + heights.o + em;
  tops.x = tops.h + heights.h + 0.85 * em;
  const tile = 2.15 * em;
  tops.tile = tops.x + heights.x + 0.8 * em;
  const tail = { x: narrow ? column(T) : column(T + 1), y: tops.tile + (narrow ? tile + 0.8 * em : 0) };
  const middle = (name) => tops[name] + heights[name] / 2;
  const active = (...ids) => ids.includes(step.id);
  const of = step.t;

  // Edges: thin where nothing has passed, in the gradient's colour where it has come back.
  const edge = (x1, y1, x2, y2, { term, on, gradient }) => {
    const [from, to] = gradient ? [[x2, y2], [x1, y1]] : [[x1, y1], [x2, y2]];
    const weight = gradient ? Math.min(1.2 + 3.2 * gradient, 8) : on ? 2.6 : 1.2;
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    const head = Math.min((0.28 + weight * 0.045) * em, 0.6 * length);
    const [bx, by] = [to[0] - ux * head, to[1] - uy * head];
    const wing = head * 0.62;
    const name = `edge ${on ? "on" : ""} ${gradient ? "gradient" : ""} ${term}`;
    return svg(
      "g",
      { class: name, "data-term": on ? term : null },
      svg("line", { x1: from[0], y1: from[1], x2: bx, y2: by, "stroke-width": (weight * em) / 16 }),
      svg("path", { d: `M${to}L${[bx - uy * wing, by + ux * wing]}L${[bx + uy * wing, by - ux * wing]}Z` }),
    );
  };
  const edges = run.flatMap((_, index) => {
    const t = index + 1;
    const [cx, left] = [column(t), column(t) - wide / 2];
    const scored = mask[index];
    const from = t > 1 ? column(t - 1) + wide / 2 : left - 0.75 * em;
    return [
      edge(cx, tops.x, cx, tops.h + heights.h, { term: "U", on: active(`h${t}`, "dU") }),
      edge(from, middle("h"), left, middle("h"), {
        term: "W",
        on: active(`h${t}`, `dh${t - 1}`, `dW${t}`),
        gradient: t > 1 && done(`dh${t - 1}`) && size(back.chain[index - 1]),
      }),
      scored && edge(cx, tops.h, cx, tops.o + heights.o, {
        term: "V",
        on: active(`o${t}`, `dh${t}`, "dV"),
        gradient: done(`dh${t}`) && size(back.own[index]),
      }),
      scored && edge(cx, tops.o, cx, tops.L + heights.L, {
        term: "y",
        on: active(`L${t}`, `do${t}`),
        gradient: done(`do${t}`) && size(back.gradO[index]),
      }),
    ];
  });
  const total = !narrow && [
    svg("path", {
      class: `bus ${active("L", "dL") ? "on" : ""} ${done("dL") ? "gradient" : ""}`,
      d: run.map((_, i) => (mask[i] ? `M${column(i + 1)} ${tops.L}V${0.15 * em}H${column(T + 1)}V${tops.L}` : "")).join(""),
    }),
  ];

  const box = (name, t, { value, gradient, target, id, term, ghost, words }) => {
    const [cx, top, high] = [column(t), tops[name], heights[name]];
    const shown = gradient ?? value;
    const on = active(id, `d${id}`, ...(name === "L" && t <= T ? ["dL", "L"] : []));
    const rect = (attributes) => svg("rect", { x: cx - wide / 2, y: top, width: wide, height: high, rx: RADIUS[name] * em, ...attributes });
    const jump = id && (backward && id !== "L" ? (name === "L" ? "dL" : `d${id}`) : id);
    const describe = (list) => list.map(two).join(", ");
    const button = !ghost && id && {
      role: "button",
      tabindex: on ? 0 : -1,
      "data-node": jump,
      "aria-pressed": String(on),
      "aria-label": `${words}: ${value ? describe(value) : "not computed yet"}${gradient ? `; gradient ${describe(gradient)}` : ""}`,
    };
    const lines = name === "x" ? [WORDS[x[t - 1]]] : shown?.map(two);
    const classes = ["box", name, on && "on", ghost && "ghost", gradient && "gradient", !shown && name !== "x" && "empty"];
    return svg(
      "g",
      { class: classes.filter(Boolean).join(" "), "data-term": on || name === "x" ? term : null, ...button },
      rect(),
      (lines ?? []).map((text, i) =>
        svg(
          "text",
          {
            x: cx,
            y: top + high / 2 + (i - (lines.length - 1) / 2) * line + 0.35 * font,
            "font-size": name === "x" ? Math.min(font, (1.75 * wide) / text.length) : font,
            class: target === i ? "target" : "",
          },
          text,
        ),
      ),
      target !== undefined && shown && svg("path", { class: "mark", d: diamond(cx + wide / 2 + 0.34 * em, top + high / 2 + (target - 1) * line, 0.3 * em) }),
      gradient && svg("text", { x: cx - wide / 2 + 0.05 * em, y: top + 0.1 * em, class: "nabla", "font-size": 0.98 * font }, "∇"),
      button && rect({ class: "uf-ring", x: cx - wide / 2 - 3, width: wide + 6, y: top - 3, height: high + 6 }),
    );
  };
  const boxes = run.flatMap(({ h, yhat }, index) => {
    const t = index + 1;
    const scored = mask[index];
    const has = (id, value) => (done(id) ? value : undefined);
    return [
      box("x", t, { term: "U", value: [] }),
      box("h", t, { id: `h${t}`, term: "h", value: has(`h${t}`, h), gradient: has(`dh${t}`, back.gradH[index]), words: `state ${t}` }),
      box("o", t, {
        ...{ id: `o${t}`, term: "o", ghost: !scored, target: y[index], words: `output ${t}` },
        ...{ value: has(`o${t}`, yhat), gradient: has(`do${t}`, back.gradO[index]) },
      }),
      box("L", t, {
        ...{ id: `L${t}`, term: "L", ghost: !scored, words: `loss ${t}` },
        ...{ value: has(`L${t}`, [loss.each[index]]), gradient: scored ? has("dL", [1]) : undefined },
      }),
    ];
  });
  if (!narrow) {
    boxes.push(box("L", T + 1, { id: "L", term: "total", value: done("L") ? [loss.total] : undefined, words: "total loss" }));
  }

  // One tile per step for the parameter of the moment, W until the others have their turn.
  const name = { dU: "U", dV: "V", db: "b", dc: "c" }[step.id] ?? "W";
  const shares = back.copies[name].map(asMatrix);
  const ready = (t) => (name === "W" ? done(`dW${t}`) : true);
  const sofar = shares.filter((_, i) => ready(i + 1));
  const limit = Math.max(...[...shares, sum(shares)].flat(2).map(Math.abs));
  const tileAt = (cx, top, matrix, { on, id, words, label }) => {
    const cell = Math.min(tile / shares[0].length, Math.min(wide, 1.1 * tile) / shares[0][0].length);
    const [w, h] = [cell * shares[0][0].length, cell * shares[0].length];
    const [left, start] = [cx - w / 2, top + (tile - h) / 2];
    const squares = (matrix ?? []).flatMap((row, i) =>
      row.map((value, j) => {
        const side = cell * 0.92 * Math.sqrt(Math.abs(value) / limit);
        const inset = value < 0 ? 0.05 * em : 0;
        return side > 0.6 && svg("rect", {
          class: value < 0 ? "minus" : "plus",
          ...{ x: left + (j + 0.5) * cell - side / 2 + inset, y: start + (i + 0.5) * cell - side / 2 + inset },
          ...{ width: Math.max(side - 2 * inset, 1), height: Math.max(side - 2 * inset, 1), "stroke-width": 0.1 * em },
        });
      }),
    );
    const frame = (attributes) => svg("rect", { x: left - 2, y: start - 2, width: w + 4, height: h + 4, rx: 3, ...attributes });
    return svg(
      "g",
      {
        class: `tile ${on ? "on" : ""} ${matrix ? "" : "empty"} ${label ? "sum" : ""}`,
        "data-term": label ? "sum" : null,
        ...(id && { role: "button", tabindex: on ? 0 : -1, "data-node": id, "aria-pressed": String(Boolean(on)), "aria-label": words }),
      },
      frame({ class: "frame" }),
      squares,
      id && frame({ class: "uf-ring", x: left - 5, y: start - 5, width: w + 10, height: h + 10 }),
    );
  };
  const tiles = [
    shares.map((matrix, i) => {
      const t = i + 1;
      const [shown, on] = [ready(t) ? matrix : null, name === "W" ? active(`dW${t}`) : false];
      const words = `share of the copy ${t} of W${shown ? `: ${shown.flat().map(two).join(", ")}` : ", not computed yet"}`;
      return tileAt(column(t), tops.tile, shown, { on, words, id: name === "W" && backward ? `dW${t}` : null });
    }),
    tileAt(tail.x, tail.y, sofar.length ? sum(sofar) : null, { label: true, on: name !== "W" }),
  ];
  const between = run.slice(1).map((_, i) => [(column(i + 1) + column(i + 2)) / 2, tops.tile, "+"]);
  const signs = [...between, narrow ? [tail.x - 2.1 * em, tail.y, "="] : [(column(T) + column(T + 1)) / 2, tops.tile, "="]].map(([cx, top, text]) =>
    svg("text", { x: cx, y: top + tile / 2 + 0.35 * font, "font-size": font, class: "muted" }, text),
  );

  const label = (text, yy, attributes) => svg("text", { x: 0, y: yy + 0.35 * font, "font-size": font, ...attributes, class: `row ${attributes.class}` }, text);
  const rows = [
    label(italic("L"), middle("L"), { class: "L" }),
    ...VERBS.map((verb, i) => label(verb, middle("o") + (i - 1) * line, { class: i === y[0] ? "target" : "o" })),
    ...[1, 2].map((i) => label(indexed("h", i), middle("h") + (i - 1.5) * line, { class: "h" })),
    label(italic("x"), middle("x"), { class: "x" }),
    label(["∇", italic(name)], tops.tile + tile / 2, { class: "gradient" }),
  ];
  const high = tail.y + tile + 0.15 * em;
  return svg(
    "svg",
    {
      class: "uf-drawing",
      viewBox: `0 0 ${width} ${high}`,
      role: "group",
      "aria-label": "The unfolded network. Arrow keys go from node to node and show what was computed there.",
    },
    edges.filter(Boolean),
    total,
    boxes,
    tiles,
    signs,
    rows,
    !narrow && svg("text", { x: column(T + 1), y: tops.tile - 0.35 * em, "font-size": font, class: "gradient" }, "sum"),
  );
}

const RADIUS = { L: 0.2, o: 0.3, h: 0.9, x: 0.1 };
const asMatrix = (value) => (Array.isArray(value[0]) ? value : value.map((entry) => [entry]));
const diamond = (x, y, r) => `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z`;
const italic = (name) => svg("tspan", { "font-style": "italic" }, name);
const indexed = (name, i) => [italic(name), svg("tspan", { dy: "0.25em", "font-size": "75%" }, i)];

// ---- the panel: where we are, the equation, and its numbers

const NUMBERS = {
  ...{ h: "10.8, 10.9", o: "10.10, 10.11", L: "10.14", sum: "10.13", dL: "10.17", do: "10.18", dlast: "10.19" },
  ...{ dh: "10.21", printed: "10.21", dW: "10.26", dU: "10.28", dV: "10.24", db: "10.23", dc: "10.22" },
};

/** What happens at a step, as a list of words and of `[symbol, t]` pairs. */
function title({ kind, t }, T) {
  if (kind === "start") return ["Before the first word"];
  if (kind === "L" && !t) return ["The loss of the sentence"];
  if (kind === "dL") return ["Turn round: from the loss"];
  if (kind === "dW") return ["The share of the copy ", ["W", t]];
  if (kind === "dh") return [t === T ? "Back to the last state " : "Back in time to ", ["h", t]];
  if (kind === "do") return ["Back to the output ", ["o", t]];
  if (kind[0] === "d") return ["The gradient of ", [kind[1]]];
  return { h: ["Forward to the state ", ["h", t]], o: ["Forward to the output ", ["o", t]], L: ["Forward to the loss ", ["L", t]] }[kind];
}
const plain = (parts) => parts.map((part) => (Array.isArray(part) ? part.join("") : part)).join("");
const rich = (parts) =>
  parts.map((part) => (Array.isArray(part) ? html("span", { class: "sign" }, html("i", {}, part[0]), part[1] && html("sup", {}, up(part[1]))) : part));

function words(now) {
  const { step, T, x, y, run, back, mask, loss } = now;
  const { kind, t } = step;
  const verb = VERBS[y[0]];
  const scored = mask[t - 1];
  const grown = (a) => (a >= 1 ? `${a.toFixed(a < 9.95 ? 1 : 0)} times less than at the end` : `${(1 / a).toFixed(1)} times more than at the end`);
  switch (kind) {
    case "start":
      return `The net will read “${x.map((token) => WORDS[token]).join(" ")} …”. The verb that belongs there is “${verb}”.`;
    case "h":
      return `Read “${WORDS[x[t - 1]]}”, mix it with the state before, squash.`;
    case "o":
      return "Scores for the three verbs, made into probabilities.";
    case "L":
      return t
        ? `The right verb, “${verb}”, gets the probability ${two(run[t - 1].yhat[y[t - 1]])}. Minus its logarithm is the loss.`
        : "Add up the losses of all words that have one.";
    case "dL":
      return "L is a plain sum, so every loss in it counts once.";
    case "do":
      return `Raise “${verb}”, lower the others, each by how far its probability is off.`;
    case "dh": {
      if (t === T) return "The last state has one descendant, its own output.";
      const far = grown(size(back.gradH[T - 1]) / size(back.gradH[t - 1]));
      const length = `ize ${two(size(back.gradH[t - 1]))}`;
      if (scored) return `From two descendants, the next state and the output. S${length}.`;
      return `${t === 1 ? "The first word is reached." : "From the next state alone."} S${length}, ${far}.`;
    }
    case "dW":
      return t === 1
        ? "The copy used at step 1 multiplied h⁽⁰⁾ = 0, so its share is exactly zero."
        : `The copy of W used at step ${t} gets this share; the sum grows by it.`;
    case "dU":
      return `Each word owns a column. “${WORDS[x[0]]}” gets its own from step 1 alone: this is how the first word learns.`;
    case "dV":
      return loss.total && mask.every(Boolean) ? "Every step adds its share." : "Only the step with a loss has a share.";
    default:
      return "The same sum over steps, without a second factor.";
  }
}

function explanation(now) {
  const { step, T, recursion } = now;
  const { kind, t } = step;
  const back = kind[0] === "d";
  const misread = kind === "dh" && t < T && recursion === "printed";
  const name = misread ? "printed" : kind === "dh" && t === T ? "dlast" : kind === "L" && !t ? "sum" : kind;
  return [
    html("p", { class: "title" }, html("span", {}, rich(title(step, T))), NUMBERS[name] && html("span", { class: "number" }, `(${NUMBERS[name]})`)),
    recursion === "printed" && back ? "" : html("p", { class: "words" }, words(now)),
    eq[name] ? equation(eq[name]) : "",
    ...(misread ? misprint(now) : [line(arithmetic(now), { o: 3, do: 3, L: 1, dV: 3, dc: 3 }[kind])]),
    recursion === "printed" && back ? verdicts(now) : "",
  ];
}

/** A matrix or vector with its name below. */
function block(value, name, term) {
  const matrix = asMatrix(value);
  return html(
    "span",
    { class: "block", "data-term": term },
    html(
      "span",
      { class: "holder" },
      html(
        "span",
        {
          class: "matrix",
          role: "img",
          "aria-label": matrix.map((row) => row.map(two).join(" ")).join("; "),
          style: `grid-template-columns:repeat(${matrix[0].length},auto)`,
        },
        matrix.flat().map((entry) => html("span", {}, two(entry))),
      ),
    ),
    html("span", { class: "name" }, name),
  );
}
const op = (text) => html("span", { class: "op holder" }, text);
const line = (parts, rows = 2) => html("div", { class: "numbers", style: `--rows:${rows}` }, parts);
const named = (symbol, t, after) => [html("span", { class: "sign" }, html("i", {}, symbol), t !== undefined && html("sup", {}, up(t))), after];
const nabla = (symbol, t) => ["∇", ...named(symbol, t)];
const diagonal = (v) => v.map((value, i) => v.map((_, j) => (i === j ? value : 0)));
const turned = (symbol) => html("span", { class: "sign" }, html("i", {}, symbol), html("sup", {}, "⊤"));

function arithmetic(now) {
  const { step, T, run, back, mask, y, loss } = now;
  const { kind, t } = step;
  const here = run[t - 1];
  const i = t - 1;
  switch (kind) {
    case "h":
      return [
        ...[block(PARAMS.b, named("b"), "b"), op("+"), block(times(PARAMS.W, here.hPrev), named("W", undefined, named("h", t - 1)), "W")],
        ...[op("+"), block(times(PARAMS.U, here.x), named("U", undefined, named("x", t)), "U"), op("="), block(here.a, named("a", t), "a")],
        ...[op("→"), block(here.h, named("h", t), "h")],
      ];
    case "o":
      return [
        ...[block(PARAMS.c, named("c"), "c"), op("+"), block(times(PARAMS.V, here.h), named("V", undefined, named("h", t)), "V")],
        ...[op("="), block(here.o, named("o", t), "o"), op("→"), block(here.yhat, named("ŷ", t), "y")],
      ];
    case "L":
      return t
        ? [op(`−log ${two(here.yhat[y[i]])} =`), block([loss.each[i]], named("L", t), "L")]
        : [
            ...loss.each.flatMap((value, j) => (mask[j] ? [op("+"), block([value], named("L", j + 1), "L")] : [])).slice(1),
            ...[op("="), block([loss.total], named("L"), "total")],
          ];
    case "do": {
      const truth = here.yhat.map((_, j) => Number(j === y[i]));
      return [block(here.yhat, named("ŷ", t), "y"), op("−"), block(truth, ["1", named("y", t)], "target"), op("="), block(back.gradO[i], nabla("o", t), "o")];
    }
    case "dh": {
      const own = block(back.own[i], [turned("V"), "∇", ...named("o", t)], "V");
      const result = block(back.gradH[i], nabla("h", t), "h");
      if (t === T) return [block(transpose(PARAMS.V), turned("V"), "V"), op("·"), block(back.gradO[i], nabla("o", t), "V"), op("="), result];
      return [
        ...[block(transpose(PARAMS.W), turned("W"), "W"), op("·"), block(diagonal(slope(run[t].h)), "slopes of tanh", "slope")],
        ...[op("·"), block(back.gradH[t], nabla("h", t + 1), "next"), op("+"), own, op("="), result],
      ];
    }
    case "dW":
      return [
        block(back.gradA[i], ["diag ∇", ...named("h", t)], "a"),
        op("·"),
        block([here.hPrev], [...named("h", t - 1), html("sup", {}, "⊤")], "before"),
        ...[op("="), block(back.copies.W[i], ["∇", ...named("W", t)], "h")],
        ...[op("so far"), block(sum(back.copies.W.slice(i)), nabla("W"), "sum")],
      ];
    case "dU":
      return [table(back.grads.U, now.x)];
    case "dV":
    case "db":
    case "dc":
      return [block(back.grads[kind[1]], nabla(kind[1]), "sum")];
    default:
      return [];
  }
}

/** The gradient of U with the word above each column. */
const table = (matrix, x) =>
  html(
    "table",
    { "data-term": "sum" },
    html("tr", {}, WORDS.map((word, j) => html("th", { scope: "col", class: x.includes(j) ? "" : "absent" }, word))),
    matrix.map((row) => html("tr", {}, row.map((value, j) => html("td", { class: x.includes(j) ? "" : "absent" }, two(value))))),
  );

/** (10.21) as printed: the shapes that do not fit, and what its element-wise reading gives. */
function misprint({ step: { t }, run, back }) {
  const next = back.gradH[t];
  const product = times(transpose(PARAMS.W), next);
  const slopes = slope(run[t].h);
  return [
    html("p", { class: "shapes" }, shape(["2 × ", html("b", {}, "1")], "next"), " · ", shape([html("b", {}, "2"), " × 2"], "slope"), html("b", {}, " ✗ no such product")),
    html("p", { class: "words" }, "Entry by entry instead, it gives"),
    line([
      ...[block(product, [turned("W"), ...nabla("h", t + 1)], "next"), op("⊙"), block(slopes, "slope", "slope"), op("+")],
      ...[block(back.own[t - 1], [turned("V"), ...nabla("o", t)], "V"), op("="), block(back.gradH[t - 1], nabla("h", t), "h")],
    ]),
  ];
}
const shape = (parts, term) => html("span", { class: "shape", "data-term": term }, parts);

/** How wrong each parameter's gradient comes out under (10.21) as printed. */
const verdicts = ({ errors }) =>
  html(
    "div",
    { class: "errors" },
    html("span", {}, "Relative errors of the gradients"),
    html(
      "ul",
      {},
      ["U", "W", "b", "V", "c"].map((name) =>
        html("li", { class: errors[name] > 0 ? "wrong" : "" }, html("i", {}, name), ` ${errors[name] > 0 ? two(errors[name]) : 0}`),
      ),
    ),
  );
