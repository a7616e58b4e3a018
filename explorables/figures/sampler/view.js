import { MEASURED } from "../../lib/characters.js";
import { button, control, controls, setAll, transport } from "../../lib/controls.js";
import { html, responsive, set, setSize, svg, text } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { live } from "../../lib/linked.js";
import { format } from "../../lib/scales.js";
import { rect } from "../../lib/shapes.js";
import { meta } from "./meta.js";
import {
  AHEAD,
  bits,
  character,
  cycle,
  ranked,
  returns,
  tempered,
  unlikely,
  write,
} from "./math.js";

const SHOWN = 9; // characters that have bars of their own
const SPELL = 6; // ms of a frame that go to writing
const LONG = 4; // characters of a round that is marked by itself

export function render({ model, el }) {
  const spec = meta.controls;
  const lanes = { likeliest: lane("likeliest"), drawn: lane("drawn") };
  const bars = svg("g");
  const drawing = svg("svg", { class: "uf-drawing", role: "img" }, bars);
  const title = html("p", { class: "title" });
  const cost = html("p", { class: "cost" });
  const area = html("div", { class: "area" }, drawing);
  const heat = control(model, "temperature", spec.temperature);
  // Who sets the temperature wants to see what it does.
  heat.addEventListener("input", () => save({ lane: "drawn" }));
  const again = button("other dice", () =>
    save({ seed: (model.get("seed") + 1) % (spec.seed.max + 1), lane: "drawn" }),
  );
  const time = transport(model, "at", { ...spec.at, interval: 120, text: String });
  const status = live();
  el.classList.add("fig-sampler");
  el.append(
    controls(control(model, "net", spec.net), control(model, "prompt", spec.prompt), heat, again),
    html(
      "div",
      { class: "stage" },
      ...Object.values(lanes).map(({ node }) => node),
      html("div", { class: "panel" }, title, area, cost),
    ),
    controls(time),
    guess(meta.prediction, () =>
      save({ net: "lstm", prompt: spec.prompt.default, lane: "likeliest", at: 81 }),
    ),
    status,
  );
  const save = (state) => setAll(model, state);

  function lane(name) {
    const head = button("", () => save({ lane: name }));
    const written = html("div", {
      class: "written",
      role: "region",
      tabindex: 0,
      onclick({ target }) {
        const at = target.closest("[data-at]")?.dataset.at;
        if (at) save({ lane: name, at: Number(at) });
      },
    });
    const readout = html("p", { class: "readout" });
    return {
      node: html("div", { class: `lane ${name}` }, head, written, readout),
      head,
      written,
      readout,
    };
  }

  // What is written is computed anew only where something that it depends on has changed.
  const kept = {};
  function once(key, of, make) {
    if (kept[key]?.of !== of) kept[key] = { of, value: make() };
    return kept[key].value;
  }
  let started = false;
  function read() {
    const keys = ["net", "prompt", "temperature", "seed", "lane", "at"];
    const [net, prompt, temperature, seed, lane, at] = keys.map((key) => model.get(key));
    const likeliest = once("likeliest", JSON.stringify([net, prompt]), () =>
      write(net, prompt, 0, 0),
    );
    const drawn = temperature
      ? once("drawn", JSON.stringify([net, prompt, temperature, seed]), () =>
          write(net, prompt, temperature, seed),
        )
      : likeliest;
    // First what is seen, then what tells a cycle; the rest in the next frame.
    const due = started ? performance.now() + SPELL : Infinity;
    const parts = [
      [drawn, at],
      [likeliest, at],
      [likeliest, AHEAD],
    ];
    for (const [writer, n] of parts) {
      do writer.until(Math.min(n, writer.written.length + 8));
      while (writer.written.length < n && performance.now() < due);
    }
    const done = parts.every(([writer, n]) => writer.written.length >= n);
    if (done && likeliest.round === undefined) {
      const all = likeliest.written;
      likeliest.round = cycle(all.map(({ token }) => token));
      likeliest.back = likeliest.round && returns(all, likeliest.round.length);
    }
    started = true;
    if (!done) ask();
    return { net, prompt, temperature, seed, lane, at, likeliest, drawn };
  }

  let size;
  function update() {
    if (!size) return;
    const now = read();
    for (const name of ["likeliest", "drawn"]) {
      const { head, written, readout } = lanes[name];
      const heat = name === "drawn" ? now.temperature : 0;
      head.textContent =
        name === "drawn" ? `at temperature ${short(heat)}` : "always the likeliest";
      head.setAttribute("aria-pressed", String(name === now.lane));
      set(written, { "aria-label": `written, ${head.textContent}` });
      fill(name, written, now);
      readout.replaceChildren(...summary(now[name].written.slice(0, now.at), now[name], heat));
    }
    cost.textContent = `Unseen code takes it ${format(MEASURED[now.net].bits)} bits a character.`;
    panel(now);
    status.announce(title.textContent);
  }

  /** The characters of a lane up to now, those of a round together. */
  function fill(name, node, { prompt, at, lane, [name]: writer }) {
    const { round, written } = writer;
    if (kept[`${name}cycle`] !== round) delete kept[`${name}letters`];
    kept[`${name}cycle`] = round;
    const state = once(`${name}letters`, writer, () => {
      node.replaceChildren(html("span", { class: "prompt" }, prompt));
      return { letters: [], into: node };
    });
    const { letters } = state;
    at = Math.min(at, written.length);
    for (let i = letters.length; i < at; i++) {
      const since = round ? i - round.before : -1;
      if (since === 0 || (since > 0 && round.length >= LONG && since % round.length === 0)) {
        const odd = Math.floor(since / round.length) % 2 ? "odd" : "even";
        state.into = html("span", { class: `round ${odd}` });
        node.append(state.into);
      }
      const shown = character(written[i].token);
      const dot = shown === " " && since >= 0;
      letters.push(
        html("span", { "data-at": i + 1, class: dot ? "dot" : null }, dot ? "·" : shown),
      );
      state.into.append(letters[i]);
    }
    letters.forEach((letter, i) => {
      letter.hidden = i >= at;
      letter.classList.toggle("held", i === at - 1);
    });
    node.querySelectorAll(".round").forEach((part) => (part.hidden = part.firstChild.hidden));
    const cursor = letters[at - 1];
    // By whole lines.
    const line = parseFloat(getComputedStyle(node).lineHeight);
    const row = Math.floor((cursor.offsetTop + cursor.offsetHeight / 2) / line);
    const rows = Math.round(node.clientHeight / line);
    const first = Math.round(node.scrollTop / line);
    const from = line * Math.min(Math.max(first, row - rows + 1), row);
    node.scrollTop = from;
    // On a slide nothing is above these lines: not even what is cut.
    const above = Number.isFinite(size.room)
      ? [node.firstChild, ...letters].map(
          (part) => !part.hidden && part.offsetTop + part.offsetHeight <= from + line / 2,
        )
      : [];
    above.forEach((gone, i) =>
      (i ? letters[i - 1] : node.firstChild).classList.toggle("gone", gone),
    );
    node.classList.toggle("looked", name === lane);
  }

  function panel(now) {
    const { written } = now[now.lane];
    const at = Math.min(now.at, written.length);
    const { token, u, yhat } = written[at - 1];
    const heat = now.lane === "drawn" ? now.temperature : 0;
    const rest = 1 - yhat[token];
    title.replaceChildren(
      html("b", {}, `Character ${at}: `),
      `${named(token)} has ${percent(yhat[token])}, all others together ${percent(rest)}. `,
      heat === 1
        ? "It is drawn."
        : heat
          ? `At temperature ${short(heat)} it has ${percent(tempered(yhat, heat)[token])}. It is drawn.`
          : "It is the likeliest: it is taken.",
    );
    set(drawing, { "aria-label": title.textContent });
    bars.replaceChildren(...picture({ token, u, yhat, heat }, size, drawing));
  }

  let asked = 0;
  function ask() {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(update);
  }
  model.on("change", ask);
  const rest = responsive(area, (next) => {
    size = next;
    update();
  });
  return () => {
    rest();
    time.stop();
    cancelAnimationFrame(asked);
  };
}

const short = (heat) => String(Math.round(100 * heat) / 100);
const percent = (share) => (share < 0.005 && share ? "under 1 %" : `${Math.round(100 * share)} %`);
const sign = (token) => ({ " ": "␣", "\n": "↵" })[character(token)] ?? character(token);
const named = (token) =>
  ({ " ": "a space", "\n": "end of line" })[character(token)] ?? `“${character(token)}”`;
const many = (token) =>
  ({ " ": "spaces", "\n": "ends of lines" })[character(token)] ?? `“${character(token)}”`;

function summary(written, { written: all, round, back }, heat) {
  const cost = [html("b", {}, format(bits(written), 2)), " bits a character"];
  if (heat) return [...cost, `; ${unlikely(written)} of ${written.length} were not the likeliest.`];
  if (round === null) return [...cost, `; no cycle in ${AHEAD} characters.`];
  if (!round || written.length <= round.before) return [...cost, "."];
  const { before, length } = round;
  const same =
    length > 1 ? `the same ${length} again and again` : `nothing but ${many(all[before].token)}`;
  const state =
    back === null
      ? "Its state is not quite at rest."
      : `From ${back} on its state repeats, too: it cannot leave.`;
  return [...cost, `; after ${before} ${same}. ${state}`];
}

function picture({ token, u, yhat, heat }, { width, em, room }, drawing) {
  const font = Number.isFinite(room) ? 0.9 * em : Math.max(0.8 * em, 12);
  const at = { em, font };
  const likely = tempered(yhat, heat);
  const order = ranked(yhat);
  const own = order.slice(0, SHOWN);
  const others = order.slice(SHOWN);
  const sum = (of) => others.reduce((p, i) => p + of[i], 0);
  const rows = [
    ...own.map((i) => ({ label: sign(i), before: yhat[i], after: likely[i], held: i === token })),
    { label: "others", before: sum(yhat), after: sum(likely), held: others.includes(token) },
  ];
  const high = (Number.isFinite(room) ? room - 10.8 : 11) * em;
  setSize(drawing, width, high);
  const [left, right] = [1, width - 1];
  const [top, floor] = [2.7 * em, high - 5.6 * em];
  const strip = { y: high - 1.9 * em, height: 1.5 * em };
  const word = 3 * font; // the last column's
  const each = Math.min((right - left) / (SHOWN + 1.6), (right - left - word) / SHOWN);
  const half = Math.min(0.36 * each, 1.2 * em);
  const most = Math.max(0.3, ...rows.flatMap(({ before, after }) => [before, after]));
  const y = (share) => floor - (share / most) * (floor - top);
  const column = ({ label, before, after, held }, i) => {
    const x = i < SHOWN ? left + (i + 0.5) * each : right - Math.max(0.8 * each, word / 2);
    return [
      rect(x, y(after), half, floor - y(after), { class: "after" }),
      rect(x - half, y(before), half, floor - y(before), { class: "before" }),
      held &&
        rect(x - half - 3, floor + 0.25 * em, 2 * half + 6, 1.5 * em, { class: "chosen", rx: 4 }),
      text(at, x, floor + em, { class: "sign" }, label),
      after >= 0.005 &&
        text(
          at,
          x,
          y(Math.max(before, after)) - 0.65 * em,
          { class: "share" },
          Math.round(100 * after),
        ),
    ];
  };
  let below = 0;
  const x = (share) => left + share * (right - left);
  const piece = (share, label, chosen) => {
    const from = below;
    below += share;
    const wide = x(below) - x(from);
    if (wide < 0.5) return null;
    return [
      rect(x(from), strip.y, wide, strip.height, { class: chosen ? "piece held" : "piece" }),
      wide > 1.1 * em * Math.max(1, label.length * 0.55) &&
        text(at, (x(from) + x(below)) / 2, strip.y + strip.height / 2, { class: "sign" }, label),
    ];
  };
  const dart = x(u);
  return [
    svg("path", { class: "axis", d: `M${left} ${floor}H${right}` }),
    ...key(heat, at),
    ...rows.flatMap(column).filter(Boolean),
    ...rows.flatMap(({ after, label, held }) => piece(after, label, held)).filter(Boolean),
    ...(heat
      ? [
          svg("path", {
            class: "dart",
            d: `M${dart} ${strip.y + 2}l${-0.4 * em} ${-0.8 * em}h${0.8 * em}z`,
          }),
          text(
            at,
            Math.min(Math.max(dart, 3.2 * em), width - 3.2 * em),
            strip.y - 1.4 * em,
            { class: "share" },
            `u = ${u.toFixed(3)}`,
          ),
        ]
      : [text(at, left, strip.y - em, { class: "start" }, "the first takes all")]),
  ];
}

/** What the two kinds of bars mean. */
const key = (heat, { em, font }) =>
  ["temperature 1", short(heat)].map((words, i) => {
    const x = i ? 2.4 * em + 6.6 * font : 1;
    return svg(
      "g",
      {},
      rect(x, 0.3 * em, 0.9 * em, 0.8 * em, { class: i ? "after" : "before" }),
      text({ font }, x + 1.4 * em, 0.7 * em, { class: "key" }, words),
    );
  });
