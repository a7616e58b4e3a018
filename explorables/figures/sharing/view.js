import { control, controls, setAll } from "../../lib/controls.js";
import { html, responsive, set } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { live } from "../../lib/linked.js";
import { clamp } from "../../lib/scales.js";
import { argmax } from "../../lib/vectors.js";
import { drawing, HEIGHT } from "./drawing.js";
import { meta } from "./meta.js";
import { compute, KINDS, LONGEST, moved, resized, token, YEARS } from "./math.js";
import { wordRow } from "./words.js";

const NAMES = { mlp: "MLP", conv: "Convolution", rnn: "RNN" };
const SHARES = {
  mlp: "weights for each place",
  conv: "one window of three words",
  rnn: "one step, and a state",
};
const SIXTH = { sentence: "I went to Nepal in 2009", trained: "second" };

export function render({ model, el }) {
  const { controls: spec } = meta;
  const cards = KINDS.map((kind) => card(NAMES[kind], SHARES[kind]));
  const stage = html("div", { class: "nets" }, cards);
  const note = html("p", { class: "note", role: "status" });
  const status = live();
  const sentence = control(model, "sentence", spec.sentence);
  sentence.classList.add("sentence");
  const write = (list, rest = true) => {
    model.set("sentence", list.join(" "));
    if (rest) model.save_changes();
  };
  /** Move a word to the place that is nearest to one asked for; which that is. */
  const move = (from, to, rest) => {
    const place = clamp(to, 0, now.words.length - 1);
    if (from >= 0 && place !== from) write(moved(now.words, from, place), rest);
    return place;
  };
  const words = wordRow(move, () => {
    model.save_changes();
    update();
  });
  const length = lengthSlider((n) => write(resized(now.words, n)));
  for (const each of cards) dragYear(each, () => now.year, move);
  el.classList.add("fig-sharing");
  el.append(
    words.node,
    note,
    stage,
    key(),
    controls(control(model, "trained", spec.trained), length.node, sentence),
    guess(meta.prediction, () => {
      asked = false;
      setAll(model, SIXTH);
      update();
    }),
    status,
  );

  let now;
  let size;
  let frame = null;
  // Before the prediction, a place tells what the networks make of a year there once one has been.
  let asked = true;
  const seen = new Set();
  const revealed = (t) => !asked || now.trained !== "second" || seen.has(t);
  function update() {
    const state = { sentence: model.get("sentence"), trained: model.get("trained") };
    now = { ...state, ...compute(state) };
    if (now.trained === "second") seen.add(now.year);
    words.update(now);
    length.follow(now.words.length);
    note.textContent = notice(now, model.get("sentence"));
    status.announce(now.nets.map((net) => `${NAMES[net.kind]}: ${spoken(net, now)}`).join(" "));
    frame ??= requestAnimationFrame(drawNets); // however many moves there are until then
  }
  function drawNets() {
    frame = null;
    const column = (size.width - (size.columns - 1) * size.gap) / size.columns;
    now.nets.forEach((net, i) =>
      cards[i].update({ ...net, revealed }, now, { ...size, width: column }),
    );
  }
  model.on("change", update);
  const stop = responsive(stage, ({ width, em, room }) => {
    const columns = width < 33 * em ? 1 : 3;
    // Below each other, on a phone, the three are lower, so that they are seen together.
    const unit = Math.min(columns === 1 ? 0.8 * em : em, ((room - 10.6) * em) / HEIGHT);
    stage.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    size = { width, em, unit, columns, gap: 1.2 * em };
    update();
    drawNets();
  });
  return () => {
    stop();
    cancelAnimationFrame(frame);
  };
}

/** Over a network's drawing, the year goes where the pointer is: `move(from, to)`. */
function dragYear({ svg, placeOf }, year, move) {
  const follow = (event) => move(year(), placeOf(event));
  set(svg, {
    onpointerdown: (event) => {
      if (event.button || year() < 0) return;
      svg.setPointerCapture(event.pointerId);
      follow(event);
    },
    onpointermove: (event) => svg.hasPointerCapture(event.pointerId) && follow(event),
  });
}

/** What is special about a sentence, if anything is. */
function notice({ words, year, several }, sentence) {
  const all = sentence.split(/\s+/).filter(Boolean).length;
  if (!words.length) return "No word to read.";
  if (year < 0) return `No year that they know: ${YEARS.join(", ")}.`;
  if (several) return "Several years: right is the first.";
  return all > words.length ? `Only the first ${LONGEST} words are read.` : "";
}

/** Whether a network names the first year of the sentence; null if there is none. */
const verdict = ({ said }, { year, tokens }) =>
  said && year >= 0 ? argmax(said) === tokens[year] - token(YEARS[0]) : null;

/** Two digits; a probability is never quite 0 or 1. */
const short = (share) => (share < 0.005 ? "<0.01" : share > 0.995 ? ">0.99" : share.toFixed(2));

function spoken(net, now) {
  if (!net.said) return "nothing.";
  const best = argmax(net.said);
  const right = verdict(net, now);
  return `says ${YEARS[best]}, probability ${short(net.said[best])}${right === null ? "" : right ? ", right" : ", wrong"}.`;
}

/** A network's place in the figure: its name, its drawing, and what it says. */
function card(name, shares) {
  const count = html("span", { class: "learned" });
  const picture = drawing(name);
  const answer = html("div", { class: "answer" });
  const node = html(
    "div",
    { class: "net", "aria-label": name },
    html("p", { class: "head" }, html("b", {}, name), html("span", {}, shares)),
    picture.node,
    answer,
    count,
  );
  return {
    node,
    svg: picture.node,
    placeOf: picture.placeOf,
    update(net, now, size) {
      picture.update(net, now, size);
      count.replaceChildren(
        `${net.parameters} numbers`,
        html("span", {}, ` for T = ${now.words.length}`),
      );
      const right = verdict(net, now);
      const best = net.said && argmax(net.said);
      answer.replaceChildren(
        html("span", { class: "says" }, "says"),
        ...YEARS.map((year, i) => {
          const share = net.said?.[i] ?? 0;
          const mark = i === best && right !== null ? (right ? " ✓" : " ✗") : "";
          return html(
            "span",
            {
              class: `option uf-fill ${i === best ? (right === false ? "wrong" : "best") : ""}`,
              style: `--share:${(100 * share).toFixed(1)}%`,
            },
            `${year}${mark}`,
            html("small", {}, net.said ? short(share) : "–"),
          );
        }),
      );
    },
  };
}

function lengthSlider(change) {
  const slider = html("input", {
    type: "range",
    min: 2,
    max: LONGEST,
    oninput: () => change(Number(slider.value)),
  });
  const shown = html("output", {});
  const label = html("label", {}, html("span", {}, "words ", html("i", {}, "T")), slider, shown);
  return {
    node: html("div", { class: "uf-control length" }, label),
    follow(n) {
      slider.value = n;
      shown.textContent = n;
      slider.setAttribute("aria-valuetext", `${n} words`);
    },
  };
}

const key = () =>
  html(
    "p",
    { class: "key" },
    html(
      "span",
      {},
      "Above each word the weights that this year meets there, then states; blue minus, red plus.",
    ),
    " ",
    html(
      "span",
      {},
      html("b", { class: "met" }, "●"),
      " met a year in training, ",
      html("b", { class: "never" }, "○"),
      " never;",
    ),
    " ",
    html(
      "span",
      {},
      "year here: ",
      html("b", { class: "yes" }, "✓"),
      " all three are named, ",
      html("b", { class: "no" }, "✗"),
      " not.",
    ),
  );
