// The drawing: figure 10.3 with numbers, and below it one tile for each copy of a parameter.
import { italic, svg } from "../../lib/dom.js";
import { asMatrix, size, sum, two, VERBS, WORDS } from "./math.js";

export function drawing(now, { width, em }) {
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
  const tail = {
    x: narrow ? column(T) : column(T + 1),
    y: tops.tile + (narrow ? tile + 0.8 * em : 0),
  };
  const middle = (name) => tops[name] + heights[name] / 2;
  const active = (...ids) => ids.includes(step.id);

  // Edges: thin where nothing has passed, in the gradient's colour where it has come back.
  const edge = (x1, y1, x2, y2, { term, on, gradient }) => {
    const [from, to] = gradient
      ? [
          [x2, y2],
          [x1, y1],
        ]
      : [
          [x1, y1],
          [x2, y2],
        ];
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
      svg("path", {
        d: `M${to}L${[bx - uy * wing, by + ux * wing]}L${[bx + uy * wing, by - ux * wing]}Z`,
      }),
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
      scored &&
        edge(cx, tops.h, cx, tops.o + heights.o, {
          term: "V",
          on: active(`o${t}`, `dh${t}`, "dV"),
          gradient: done(`dh${t}`) && size(back.own[index]),
        }),
      scored &&
        edge(cx, tops.o, cx, tops.L + heights.L, {
          term: "y",
          on: active(`L${t}`, `do${t}`),
          gradient: done(`do${t}`) && size(back.gradO[index]),
        }),
    ];
  });
  const total = !narrow && [
    svg("path", {
      class: `bus ${active("L", "dL") ? "on" : ""} ${done("dL") ? "gradient" : ""}`,
      d: run
        .map((_, i) =>
          mask[i] ? `M${column(i + 1)} ${tops.L}V${0.15 * em}H${column(T + 1)}V${tops.L}` : "",
        )
        .join(""),
    }),
  ];

  const box = (name, t, { value, gradient, target, id, term, ghost, words }) => {
    const [cx, top, high] = [column(t), tops[name], heights[name]];
    const shown = gradient ?? value;
    const on = active(id, `d${id}`, ...(name === "L" && t <= T ? ["dL", "L"] : []));
    const rect = (attributes) =>
      svg("rect", {
        x: cx - wide / 2,
        y: top,
        width: wide,
        height: high,
        rx: RADIUS[name] * em,
        ...attributes,
      });
    const jump = id && (backward && id !== "L" ? (name === "L" ? "dL" : `d${id}`) : id);
    const describe = (list) => list.map(two).join(", ");
    // Turned round, all losses belong to one step: the last of them stands for it.
    const button = !ghost &&
      id &&
      (jump !== "dL" || t === T) && {
        role: "button",
        tabindex: -1,
        "data-node": jump,
        "aria-pressed": String(on),
        "aria-label": `${words}: ${value ? describe(value) : "not computed yet"}${gradient ? `; gradient ${describe(gradient)}` : ""}`,
      };
    const lines = name === "x" ? [WORDS[x[t - 1]]] : shown?.map(two);
    const classes = [
      "box",
      name,
      on && "on",
      ghost && "ghost",
      gradient && "gradient",
      !shown && name !== "x" && "empty",
    ];
    return svg(
      "g",
      {
        class: classes.filter(Boolean).join(" "),
        "data-term": on || name === "x" ? term : null,
        ...button,
      },
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
      target !== undefined &&
        shown &&
        svg("path", {
          class: "diamond",
          d: diamond(cx + wide / 2 + 0.34 * em, top + high / 2 + (target - 1) * line, 0.3 * em),
        }),
      gradient &&
        svg(
          "text",
          {
            x: cx - wide / 2 + 0.05 * em,
            y: top + 0.1 * em,
            class: "nabla",
            "font-size": 0.98 * font,
          },
          "∇",
        ),
      button &&
        rect({
          class: "uf-ring",
          x: cx - wide / 2 - 3,
          width: wide + 6,
          y: top - 3,
          height: high + 6,
        }),
    );
  };
  const boxes = run.flatMap(({ h, yhat }, index) => {
    const t = index + 1;
    const scored = mask[index];
    const has = (id, value) => (done(id) ? value : undefined);
    return [
      box("x", t, { term: "U", value: [] }),
      box("h", t, {
        id: `h${t}`,
        term: "h",
        value: has(`h${t}`, h),
        gradient: has(`dh${t}`, back.gradH[index]),
        words: `state ${t}`,
      }),
      box("o", t, {
        id: `o${t}`,
        term: "o",
        ghost: !scored,
        target: y[index],
        words: `output ${t}`,
        value: has(`o${t}`, yhat),
        gradient: has(`do${t}`, back.gradO[index]),
      }),
      box("L", t, {
        id: `L${t}`,
        term: "L",
        ghost: !scored,
        words: `loss ${t}`,
        value: has(`L${t}`, [loss.each[index]]),
        gradient: scored ? has("dL", [1]) : undefined,
      }),
    ];
  });
  if (!narrow) {
    boxes.push(
      box("L", T + 1, {
        id: "L",
        term: "total",
        value: done("L") ? [loss.total] : undefined,
        words: "total loss",
      }),
    );
  }

  // One tile per step for the parameter of the moment, W until the others have their turn.
  const name = { dU: "U", dV: "V", db: "b", dc: "c" }[step.id] ?? "W";
  const shares = back.copies[name].map(asMatrix);
  const ready = (t) => (name === "W" ? done(`dW${t}`) : true);
  const sofar = shares.filter((_, i) => ready(i + 1));
  const limit = Math.max(...[...shares, sum(shares)].flat(2).map(Math.abs));
  const tileAt = (cx, top, matrix, { on, id, words, label }) => {
    const cell = Math.min(
      tile / shares[0].length,
      Math.min(wide, 1.1 * tile) / shares[0][0].length,
    );
    const [w, h] = [cell * shares[0][0].length, cell * shares[0].length];
    const [left, start] = [cx - w / 2, top + (tile - h) / 2];
    const squares = (matrix ?? []).flatMap((row, i) =>
      row.map((value, j) => {
        const side = cell * 0.92 * Math.sqrt(Math.abs(value) / limit);
        const inset = value < 0 ? 0.05 * em : 0;
        return (
          side > 0.6 &&
          svg("rect", {
            class: value < 0 ? "minus" : "plus",
            x: left + (j + 0.5) * cell - side / 2 + inset,
            y: start + (i + 0.5) * cell - side / 2 + inset,
            width: Math.max(side - 2 * inset, 1),
            height: Math.max(side - 2 * inset, 1),
            "stroke-width": 0.1 * em,
          })
        );
      }),
    );
    const frame = (attributes) =>
      svg("rect", { x: left - 2, y: start - 2, width: w + 4, height: h + 4, rx: 3, ...attributes });
    return svg(
      "g",
      {
        class: `tile ${on ? "on" : ""} ${matrix ? "" : "empty"} ${label ? "sum" : ""}`,
        "data-term": label ? "sum" : null,
        ...(id && {
          role: "button",
          tabindex: -1,
          "data-node": id,
          "aria-pressed": String(Boolean(on)),
          "aria-label": words,
        }),
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
      return tileAt(column(t), tops.tile, shown, {
        on,
        words,
        id: name === "W" && backward ? `dW${t}` : null,
      });
    }),
    tileAt(tail.x, tail.y, sofar.length ? sum(sofar) : null, { label: true, on: name !== "W" }),
  ];
  const between = run.slice(1).map((_, i) => [(column(i + 1) + column(i + 2)) / 2, tops.tile, "+"]);
  const signs = [
    ...between,
    narrow ? [tail.x - 2.1 * em, tail.y, "="] : [(column(T) + column(T + 1)) / 2, tops.tile, "="],
  ].map(([cx, top, text]) =>
    svg(
      "text",
      { x: cx, y: top + tile / 2 + 0.35 * font, "font-size": font, class: "muted" },
      text,
    ),
  );

  const label = (text, yy, attributes) =>
    svg(
      "text",
      {
        x: 0,
        y: yy + 0.35 * font,
        "font-size": font,
        ...attributes,
        class: `row ${attributes.class}`,
      },
      text,
    );
  const rows = [
    label(italic("L"), middle("L"), { class: "L" }),
    ...VERBS.map((verb, i) =>
      label(verb, middle("o") + (i - 1) * line, { class: i === y[0] ? "target" : "o" }),
    ),
    ...[1, 2].map((i) =>
      label(indexed("h", i, 0.75 * em), middle("h") + (i - 1.5) * line, { class: "h" }),
    ),
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
      "aria-label":
        "The unfolded network. Arrow keys go from node to node and show what was computed there.",
    },
    edges.filter(Boolean),
    total,
    boxes,
    tiles,
    signs,
    rows,
    !narrow &&
      svg(
        "text",
        {
          x: column(T + 1),
          y: tops.L + heights.L + 1.05 * font,
          "font-size": font,
          class: "total",
        },
        "total ",
        italic("L"),
      ),
    !narrow &&
      svg(
        "text",
        { x: column(T + 1), y: tops.tile - 0.35 * em, "font-size": font, class: "gradient" },
        "sum",
      ),
  );
}

const RADIUS = { L: 0.2, o: 0.3, h: 0.9, x: 0.1 };
const diamond = (x, y, r) => `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z`;
const indexed = (name, i, size) => [
  italic(name),
  svg("tspan", { dy: 0.25 * size, "font-size": size }, i),
];
