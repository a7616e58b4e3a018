import { signed } from "../../lib/colours.js";
import { control, controls, setAll, transport } from "../../lib/controls.js";
import { html, pointIn, set, setSize, svg, text, uniqueId } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { sliderRole } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { clamp, format } from "../../lib/scales.js";
import { point, rect } from "../../lib/shapes.js";
import { keepDrawn } from "../../lib/stage.js";
import { heat } from "./heat.js";
import { meta } from "./meta.js";
import {
  ALPHABET,
  best,
  correlations,
  FEATURES,
  features,
  likeliest,
  MEASURED,
  ranked,
  read,
  UNITS,
} from "./math.js";

const SEEN = { " ": "␣", "\n": "⏎" };
const seen = (token) => SEEN[ALPHABET[token]] ?? ALPHABET[token];
const CALLED = { " ": "a space", "\n": "the end of a line" };
const called = (token) => CALLED[ALPHABET[token]] ?? `“${ALPHABET[token]}”`;
const two = (value) => format(Math.round(100 * value) / 100, 2);
const WAYS = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
  PageDown: [0, 5],
  PageUp: [0, -5],
};

export function render({ model, el }) {
  const { controls: spec } = meta;
  const canvas = html("canvas", { "aria-hidden": "true" });
  const ground = svg("g");
  const [column, row] = [svg("rect", { class: "cursor" }), svg("rect", { class: "cursor" })];
  const surface = svg("rect", { class: "surface" });
  const cell = svg(
    "g",
    { class: "cell" },
    svg("rect", { class: "uf-ring" }),
    svg("rect", { class: "core" }),
  );
  const drawing = svg(
    "svg",
    { class: "uf-drawing", role: "group", "aria-label": "What is read, and the units" },
    ground,
    column,
    row,
    surface,
    cell,
  );
  const scroller = html(
    "div",
    { class: "uf-scroll" },
    html("div", { class: "sheet" }, canvas, drawing),
  );
  const side = svg("svg", { class: "uf-drawing bars", role: "img" });
  const area = html("div", { class: "area" }, scroller, side);
  const [told, who, next] = ["told", "who", "next"].map((name) => html("div", { class: name }));
  const say = live();
  const id = uniqueId("text");
  const box = html("textarea", {
    id,
    rows: 2,
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
  });
  const field = html(
    "div",
    { class: "uf-control typed" },
    html("label", { for: id }, spec.text.label),
    box,
  );
  const length = () => Array.from(model.get("text")).length;
  const time = transport(model, "t", {
    ...spec.t,
    limit: length,
    interval: 350,
    text: (t) => `${Math.min(t, length())} of ${length()}`,
  });
  el.classList.add("fig-units");
  el.append(
    field,
    html(
      "div",
      { class: "scene" },
      area,
      html("div", { class: "below" }, html("div", {}, told, who), next),
    ),
    controls(
      control(model, "net", spec.net),
      control(model, "follow", spec.follow),
      time,
      control(model, "unit", spec.unit),
    ),
    guess(meta.prediction, () => setAll(model, { net: "rnn", follow: "brackets" })),
    say,
  );

  let now; // what is shown, and what was computed for it
  let at; // where it is drawn
  let over = null; // the cell that the pointer passes
  const picture = heat(canvas, el);

  // Typing: after each letter, what may come next is shown at the caret.
  box.addEventListener("input", () => {
    const before = Array.from(box.value.slice(0, box.selectionStart)).length;
    setAll(model, { text: box.value, t: Math.max(before, 1) });
  });
  const settle = () => {
    if (box.value !== model.get("text")) box.value = model.get("text");
  };
  box.addEventListener("blur", settle);
  box.addEventListener("keydown", (event) => event.stopPropagation()); // a deck turns its slides

  // Another network or feature: to the unit that follows it best in unseen code.
  const jump = () => model.set("unit", best(model.get("net"), model.get("follow")));
  for (const key of ["net", "follow"]) model.on(`change:${key}`, jump);

  function compute() {
    const [net, follow, words] = ["net", "follow", "text"].map((key) => model.get(key));
    if (now?.net !== net || now.words !== words) {
      now = {
        ...now,
        net,
        words,
        follow: null,
        steps: read(net, words, now?.net === net ? now.steps : []),
        features: features(Array.from(words)),
      };
    }
    if (now.follow !== follow)
      now = { ...now, follow, rs: correlations(now.steps, now.features[follow]) };
    now.n = UNITS[net];
    now.unit = Math.min(model.get("unit"), now.n);
    now.t = Math.min(model.get("t"), now.steps.length);
  }

  function update(size) {
    compute();
    if (document.activeElement !== box) settle();
    at = scales(now, size);
    over = null;
    draw();
    time.update();
    light();
    if (at.wide > at.room) reach(now.t);
    say.say(`${told.textContent} ${who.firstChild.textContent}`);
  }
  /** Scroll to a column, where the drawing scrolls. */
  function reach(t) {
    const x = (t - 0.5) * at.cw;
    scroller.scrollLeft = clamp(scroller.scrollLeft, x - at.room + 3 * at.cw, x - 3 * at.cw);
  }

  function draw() {
    const { steps, n, unit, follow, rs, net } = now;
    const { em, cw, rh, top, wide, high, room } = at;
    const feature = now.features[follow];
    const most = Math.max(...feature, 1);
    for (const [node, width] of [
      [drawing, wide],
      [side, at.bars],
    ])
      setSize(node, width, high);
    set(scroller, {
      tabindex: wide > room ? 0 : null,
      role: wide > room ? "region" : null,
      "aria-label": wide > room ? "the units over the text" : null,
    });
    scroller.firstChild.style.width = `${wide}px`;
    picture.draw(steps, { cw, rh, top: top.heat, width: steps.length * cw, height: n * rh });
    const course = (y) =>
      steps
        .map(({ units }, i) => `${i ? "L" : "M"}${point((i + 0.5) * cw, y(units[unit - 1]))}`)
        .join("");
    const y = (value) => top.strip + at.strip * (0.5 - 0.46 * value);
    ground.replaceChildren(
      ...steps.map(({ token, units }, i) => {
        const value = units[unit - 1];
        return svg(
          "g",
          {},
          rect(i * cw, 0, cw + 0.5, at.letters, { fill: signed(value) }),
          text(
            at,
            (i + 0.5) * cw,
            at.letters / 2,
            {
              class: `${Math.abs(value) > 0.55 ? "strong" : ""} ${SEEN[ALPHABET[token]] ? "blank" : ""}`,
            },
            seen(token),
          ),
        );
      }),
      svg("path", {
        class: "feature",
        d: feature
          .map((value, i) =>
            value ? `M${i * cw} ${y(-1)}h${cw}V${y((2 * value) / most - 1)}h${-cw}z` : "",
          )
          .join(""),
      }),
      svg("path", { class: "zero", d: `M0 ${y(0)}H${steps.length * cw}` }),
      svg("path", { class: `course ${net}`, d: course(y) }),
    );
    set(surface, { x: 0, y: 0, width: steps.length * cw, height: high });
    // the bars: how well each unit follows, here and in unseen code
    const x = (r) => Math.abs(r) * at.bar;
    const elsewhere = MEASURED[net][follow];
    side.replaceChildren(
      text(at, 0, at.letters / 2, { class: "start" }, "|r|"),
      text(at, at.bar, top.heat - 0.7 * em, { class: "end tick" }, "1"),
      text(at, 0, top.heat - 0.7 * em, { class: "start tick" }, "0"),
      svg("path", {
        class: "bar",
        d: rs
          .map((r, i) => `M0 ${top.heat + i * rh + 0.5}h${x(r).toFixed(1)}v${rh - 1}H0z`)
          .join(""),
      }),
      svg("path", {
        class: "bar chosen",
        d: `M0 ${top.heat + (unit - 1) * rh + 0.5}h${x(rs[unit - 1]).toFixed(1)}v${rh - 1}H0z`,
      }),
      svg("path", {
        class: "elsewhere",
        d: elsewhere.map((r, i) => `M${x(r).toFixed(1)} ${top.heat + i * rh}v${rh}`).join(""),
      }),
      svg("path", { class: "zero", d: `M0.5 ${top.heat}V${high}` }),
      text(
        at,
        at.bar + 0.25 * em,
        clamp(top.heat + (unit - 0.5) * rh, 0, high - 0.5 * em),
        { class: "start now" },
        String(unit),
      ),
    );
    set(side, {
      "aria-label": `How well each unit follows ${FEATURES[follow].says}; best is unit ${ranked(rs)[0] + 1}.`,
    });
  }

  /** What depends on the cell looked at. */
  function light() {
    const { t, unit } = over ?? now;
    const { cw, rh, top, high } = at;
    const [x, y] = [(t - 1) * cw, top.heat + (unit - 1) * rh];
    set(column, { x, y: 0, width: cw, height: high });
    set(row, { x: 0, y, width: now.steps.length * cw, height: rh });
    const [wide, tall] = [Math.max(24, cw), Math.max(24, rh)];
    set(cell.firstChild, {
      x: x + (cw - wide) / 2,
      y: y + (rh - tall) / 2,
      width: wide,
      height: tall,
      rx: 4,
    });
    set(cell.lastChild, { x, y, width: cw, height: rh });
    const { units, token, yhat } = now.steps[t - 1];
    const lstm = now.net === "lstm";
    told.replaceChildren(
      html(
        "p",
        {},
        html("b", {}, `Unit ${unit}`),
        ` after ${called(token)}: `,
        lstm ? "tanh " : "",
        html("i", {}, lstm ? "s" : "h"),
        " = ",
        html("b", { class: lstm ? "memory" : "state" }, two(units[unit - 1])),
        ". ",
        html("span", { class: "target" }, standing(t)),
      ),
    );
    set(cell, {
      "aria-valuenow": t,
      "aria-valuemax": now.steps.length,
      "aria-valuetext": `unit ${unit} after ${called(token)}, character ${t} of ${now.steps.length}: ${two(units[unit - 1])}`,
    });
    const came = now.steps[t]?.token;
    const most = likeliest(yhat, at.guesses);
    if (came !== undefined && !most.includes(came)) most[most.length - 1] = came;
    next.replaceChildren(
      html(
        "p",
        { class: "title" },
        "Next, after ",
        html(
          "code",
          {},
          now.steps
            .slice(Math.max(t - 8, 0), t)
            .map((step) => seen(step.token))
            .join(""),
        ),
      ),
      ...most.map((token) =>
        html(
          "div",
          { class: "guessed" },
          html("code", {}, seen(token)),
          html(
            "span",
            { class: "track" },
            html("span", { class: "filled", style: `width:${(100 * yhat[token]).toFixed(1)}%` }),
          ),
          html(
            "span",
            { class: "share" },
            `${format(100 * yhat[token], yhat[token] < 0.0995 ? 1 : 0)} %`,
          ),
          html(
            "span",
            { class: "came", title: token === came ? "what did come" : null },
            token === came ? "◆" : "",
          ),
        ),
      ),
    );
    follows();
  }
  /** Where a character stands, by the feature chosen. */
  function standing(t) {
    const { follow } = now;
    const value = now.features[follow][t - 1];
    if (follow === "line") return `Place in the line: ${value}.`;
    const { says } = FEATURES[follow];
    return follow === "space"
      ? value
        ? "A space."
        : "No space."
      : `${value ? "I" : "Not i"}${says.slice(1)}.`;
  }
  /** The units that follow best here. */
  function follows() {
    const { rs, follow, unit, net } = now;
    const constant = now.features[follow].every((value, _, all) => value === all[0]);
    const elsewhere = MEASURED[net][follow];
    const first = constant ? ranked(elsewhere) : ranked(rs);
    const focused = who.contains(document.activeElement)
      ? document.activeElement.dataset.rank
      : null;
    who.replaceChildren(
      html(
        "p",
        { class: "title" },
        constant
          ? `Nothing to follow in this text: ${FEATURES[follow].says} never changes.`
          : ["Who follows ", html("span", { class: "target" }, FEATURES[follow].says), "?"],
      ),
      html(
        "div",
        { class: "ranks", role: "group", "aria-label": "units that follow best" },
        first.slice(0, 3).map((i, k) =>
          html(
            "button",
            {
              type: "button",
              class: "uf-button",
              "data-rank": k,
              "aria-pressed": String(i + 1 === unit),
              onclick: () => setAll(model, { unit: i + 1 }),
            },
            html("b", {}, `unit ${i + 1}`),
            ` r = ${constant ? "—" : two(rs[i])}`,
            html("span", { class: "muted" }, ` unseen ${two(elsewhere[i])}`),
          ),
        ),
      ),
    );
    who.append(html("p", { class: "muted key" }, "Bars: |r| in this text. Lines: in unseen code."));
    if (focused !== null)
      who.querySelector(`[data-rank="${focused}"]`)?.focus({ preventScroll: true });
  }

  /** The cell below a pointer; above the units, that of the chosen one. */
  function under(event) {
    const { x, y } = pointIn(drawing, event);
    const unit = Math.ceil((y - at.top.heat) / at.rh);
    return {
      t: clamp(Math.ceil(x / at.cw), 1, now.steps.length),
      unit: unit < 1 ? now.unit : Math.min(unit, now.n),
    };
  }
  drawing.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") return;
    const cell = under(event);
    if (over && cell.t === over.t && cell.unit === over.unit) return;
    over = cell;
    light();
  });
  drawing.addEventListener("pointerleave", () => {
    over = null;
    light();
  });
  drawing.addEventListener("click", (event) => setAll(model, under(event)));
  side.addEventListener("click", (event) => {
    const unit = Math.ceil((pointIn(side, event).y - at.top.heat) / at.rh);
    if (unit >= 1) setAll(model, { unit: Math.min(unit, now.n) });
  });
  set(cell, sliderRole("character, with left and right; unit, with up and down", 1));
  cell.addEventListener("keydown", (event) => {
    const { t, unit, steps, n } = now;
    const ends = { Home: 1, End: steps.length };
    if (!(event.key in WAYS || event.key in ends) || event.ctrlKey || event.metaKey || event.altKey)
      return;
    event.preventDefault();
    event.stopPropagation();
    const [dt, du] = WAYS[event.key] ?? [0, 0];
    setAll(model, {
      t: ends[event.key] ?? clamp(t + dt, 1, steps.length),
      unit: clamp(unit + du, 1, n),
    });
  });

  return keepDrawn(model, area, update, { clocks: [time, picture] });
}

function scales({ steps, n }, { width, em, room: limit }) {
  const slide = limit < Infinity;
  const font = slide ? 0.9 * em : Math.max(0.8 * em, 12.1);
  const [bar, gap] = [(width < 30 * em ? 2.6 : 4.4) * em, 0.5 * em];
  const bars = bar + 1.6 * em;
  const room = width - bars - gap;
  const cw = clamp(room / steps.length, Math.max(0.54 * em, 8.2), 1.3 * em);
  const letters = 1.5 * em;
  const strip = (slide ? 2 : 3) * em;
  const heat = letters + strip + 0.5 * em;
  const rh = slide ? Math.floor((4 * ((limit - 10.5) * em - heat)) / n) / 4 : Math.round(0.52 * em);
  return {
    em,
    font,
    bar,
    bars,
    room,
    cw,
    letters,
    strip,
    rh,
    guesses: slide ? 4 : 6,
    wide: Math.max(steps.length * cw, 1),
    top: { strip: letters + 0.2 * em, heat },
    high: heat + n * rh + 2,
  };
}
