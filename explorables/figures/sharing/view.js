import { control, controls, setAll } from "../../lib/controls.js";
import { html, responsive, set } from "../../lib/dom.js";
import { guess } from "../../lib/guess.js";
import { keySlider } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { clamp } from "../../lib/scales.js";
import { argmax } from "../../lib/vectors.js";
import { drawing, HEIGHT } from "./drawing.js";
import { meta } from "./meta.js";
import { compute, isYear, KINDS, LONGEST, moved, resized, token, YEARS } from "./math.js";

const NAMES = { mlp: "MLP", conv: "Convolution", rnn: "RNN" };
const SHARES = {
  mlp: "weights for each place",
  conv: "one window of three words",
  rnn: "one step, and a state",
};
const SIXTH = { sentence: "I went to Nepal in 2009", trained: "second" };

export function render({ model, el }) {
  const { controls: spec } = meta;
  const words = html("div", {
    class: "words",
    role: "group",
    "aria-label": "the sentence; every word can be moved",
  });
  const cards = KINDS.map((kind) => card(NAMES[kind], SHARES[kind]));
  const stage = html(
    "div",
    { class: "nets" },
    cards.map(({ node }) => node),
  );
  const note = html("p", { class: "note", role: "status" });
  const status = live();
  const sentence = control(model, "sentence", spec.sentence);
  sentence.classList.add("sentence");
  const length = lengthSlider((n) => write(resized(now.words, n)));
  el.classList.add("fig-sharing");
  el.append(
    words,
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
  // Before the prediction, a place tells what the networks make of a year there once one has been.
  let asked = true;
  const seen = new Set();
  const revealed = (t) => !asked || now.trained !== "second" || seen.has(t);
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

  // ---- words: dragged, or moved by the arrow keys; the row stays while its words are made anew
  const chips = () => [...words.children];
  const nearest = ({ clientX, clientY }) => {
    const far = (chip) => {
      const { left, right, top, bottom } = chip.getBoundingClientRect();
      return (
        4 * Math.max(top - clientY, clientY - bottom, 0) + Math.abs((left + right) / 2 - clientX)
      );
    };
    const all = chips().map(far);
    return all.indexOf(Math.min(...all));
  };
  let held = null;
  words.addEventListener("pointerdown", (event) => {
    const chip = event.target.closest(".word");
    if (!chip || event.button) return;
    event.preventDefault();
    held = chips().indexOf(chip);
    chip.focus({ preventScroll: true });
    words.setPointerCapture(event.pointerId);
  });
  words.addEventListener("pointermove", (event) => {
    if (held === null) return;
    const from = held;
    held = nearest(event);
    move(from, held, false);
  });
  words.addEventListener("lostpointercapture", () => {
    held = null;
    model.save_changes();
    update();
  });

  function drawWords() {
    const focused = held ?? chips().indexOf(document.activeElement);
    words.replaceChildren(
      ...now.words.map((word, i) => {
        const year = isYear(now.tokens[i]);
        const node = html(
          "span",
          { class: `word ${year ? "year" : ""} ${i === held ? "held" : ""}` },
          html("span", { class: "text" }, word),
          html("small", { "aria-hidden": "true" }, i + 1),
        );
        keySlider(node, {
          label: word,
          min: 1,
          max: now.words.length,
          get: () => i + 1,
          change: (place) => {
            const to = move(i, place - 1);
            chips()[to].focus();
          },
          text: (place) => `place ${place} of ${now.words.length}`,
        });
        return node;
      }),
    );
    if (focused >= 0)
      chips()[Math.min(focused, chips().length - 1)]?.focus({ preventScroll: true });
  }

  cards.forEach((each) => {
    const follow = (event) => move(now.year, each.placeOf(event));
    set(each.svg, {
      onpointerdown: (event) => {
        if (event.button || now.year < 0) return;
        each.svg.setPointerCapture(event.pointerId);
        follow(event);
      },
      onpointermove: (event) => each.svg.hasPointerCapture(event.pointerId) && follow(event),
    });
  });

  function update() {
    const state = { sentence: model.get("sentence"), trained: model.get("trained") };
    now = { ...state, ...compute(state) };
    if (now.trained === "second") seen.add(now.year);
    drawWords();
    length.follow(now.words.length);
    note.textContent = notice(now, model.get("sentence"));
    status.announce(now.nets.map((net) => `${NAMES[net.kind]}: ${spoken(net, now)}`).join(" "));
    frame ??= requestAnimationFrame(drawNets); // however many moves there are until then
  }
  let frame = null;
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
    const unit = Math.min(em, ((room - 10.6) * em) / HEIGHT);
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
              class: `option ${i === best ? (right === false ? "wrong" : "best") : ""}`,
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
