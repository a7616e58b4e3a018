import { button } from "../../lib/controls.js";
import { html, responsive, setSize, svg, uniqueId } from "../../lib/dom.js";
import { draggable, keySlider } from "../../lib/handles.js";
import { live } from "../../lib/linked.js";
import { clamp, linear, log } from "../../lib/scales.js";
import { inline, say, verdict } from "./math.js";

const PRAISE = { exact: "Yes.", close: "Close.", far: "Not quite." };

const words = (tag, text, attributes = {}) => {
  const node = html(tag, attributes);
  node.innerHTML = inline(text);
  return node;
};

export function render({ model, el }) {
  const of = (key) => model.get(key);
  const kind = of("kind");
  const answer = of("answer");
  const state = { guess: null, revealed: false };
  const id = uniqueId("question");

  el.classList.add("fig-predict");
  const go = button("", reveal);
  const again = button("Guess again", () => {
    state.revealed = false;
    state.guess = null;
    input.clear();
    update();
    input.focus();
  });
  go.classList.add("uf-primary");
  const result = html("div", { class: "answered", tabindex: -1 });
  const speak = live();
  const onguess = (guess) => {
    state.guess = guess;
    update();
  };
  const input = { choice, number, drag }[kind]();
  el.append(
    html("p", { class: "kicker", "aria-hidden": "true" }, "Predict"),
    words("p", of("question"), { class: "asked", id }),
    input.node,
    html("div", { class: "uf-controls" }, go, again),
    result,
    speak,
  );
  update();
  return () => input.cleanup?.();

  function reveal() {
    state.revealed = true;
    update();
    result.focus({ preventScroll: true });
  }

  function update() {
    const { guess, revealed } = state;
    go.textContent = guess === null ? "Show the answer without guessing" : "Reveal";
    go.classList.toggle("uf-primary", guess !== null);
    go.hidden = revealed;
    again.hidden = result.hidden = !revealed;
    el.classList.toggle("is-revealed", revealed);
    input.update();
    if (!revealed) return;
    const praise =
      guess === null
        ? ""
        : PRAISE[verdict(guess, answer, { min: of("min"), max: of("max"), log: of("log") })];
    result.replaceChildren(
      html(
        "p",
        { class: "verdict" },
        praise && html("b", {}, `${praise} `),
        "The answer: ",
        words("strong", say(answer, of("unit"))),
        ".",
      ),
      words("p", of("why"), { class: "why" }),
    );
  }

  function choice() {
    const name = uniqueId("choice");
    const rows = of("choices").map((text) => {
      const input = html("input", { type: "radio", name, onchange: () => onguess(text) });
      const outcome = html("span", { class: "outcome" });
      return {
        text,
        input,
        outcome,
        row: html("label", { class: "choice" }, input, words("span", text), outcome),
      };
    });
    return {
      node: html(
        "div",
        { class: "choices", role: "radiogroup", "aria-labelledby": id },
        rows.map(({ row }) => row),
      ),
      clear: () => rows.forEach(({ input }) => (input.checked = false)),
      focus: () => rows[0].input.focus(),
      update() {
        for (const { text, input, outcome, row } of rows) {
          const right = state.revealed && text === answer;
          const wrong = state.revealed && input.checked && text !== answer;
          input.disabled = state.revealed;
          row.classList.toggle("is-right", right);
          row.classList.toggle("is-wrong", wrong);
          outcome.textContent = right ? "✓ the answer" : wrong ? "✗ your guess" : "";
        }
      },
    };
  }

  function number() {
    const field = html("input", {
      type: "number",
      step: "any",
      min: of("min"),
      max: of("max"),
      "aria-labelledby": id,
      oninput: () =>
        onguess(
          field.value === "" || !Number.isFinite(field.valueAsNumber) ? null : field.valueAsNumber,
        ),
      onkeydown: (event) => {
        if (event.key === "Enter" && state.guess !== null) reveal();
      },
    });
    return {
      node: html(
        "div",
        { class: "uf-controls" },
        html("div", { class: "uf-control" }, field, html("span", {}, of("unit"))),
      ),
      clear: () => (field.value = ""),
      focus: () => field.focus(),
      update: () => (field.disabled = state.revealed),
    };
  }

  function drag() {
    const [low, high] = [of("min"), of("max")];
    const steps = 100;
    const share = of("log") ? log([low, high], [0, steps]) : linear([low, high], [0, steps]);
    const tidy = (value) => clamp(Number(value.toPrecision(3)), low, high);
    const start = tidy(share.invert(steps / 2));
    const handle = svg("g", { class: "handle" });
    const rest = svg("g", { "aria-hidden": "true" });
    const line = svg("svg", { class: "uf-drawing" }, rest, handle);
    const node = html("div", { class: "line" }, line);
    let size = null;
    const at = () => share(state.guess ?? start);
    const moveTo = (place) =>
      !state.revealed && onguess(tidy(share.invert(clamp(place, 0, steps))));
    const spoken = keySlider(handle, {
      label: of("question"),
      min: 0,
      max: steps,
      get: at,
      change: moveTo,
      text: () => (state.guess === null ? "no guess yet" : say(state.guess, of("unit"))),
    });
    const across = () => linear([0, steps], [2 * size.em, size.width - 2 * size.em]);
    draggable(handle, { surface: line, move: ({ x }) => moveTo(across().invert(x)) });
    line.addEventListener("click", (event) => {
      if (!handle.contains(event.target)) moveTo(across().invert(event.offsetX));
    });
    const draw = (next) => {
      size = next ?? size;
      if (!size) return;
      const { width, em } = size;
      const x = across();
      const y = 2.6 * em;
      setSize(line, width, 5 * em);
      const ticks = share.ticks(Math.max(2, Math.floor(width / (7 * em))));
      const sparse = Math.ceil(ticks.length / (width / (4 * em)));
      const places = ticks
        .filter((_, i) => i % sparse === 0)
        .map((value) => [value, x(share(value))]);
      const mark = (value, className, text, above) => [
        svg("line", {
          class: className,
          x1: x(share(value)),
          x2: x(share(value)),
          y1: y - 0.9 * em,
          y2: y + 0.9 * em,
        }),
        svg(
          "text",
          {
            class: className,
            x: x(share(value)),
            y: above ? y - 1.3 * em : y + 2.1 * em,
            "text-anchor": "middle",
            "font-size": 0.9 * em,
          },
          text,
        ),
      ];
      const gap =
        state.guess !== null &&
        svg("line", { class: "gap", x1: x(at()), x2: x(share(answer)), y1: y, y2: y });
      rest.replaceChildren(
        svg("line", { class: "axis", x1: x(0), x2: x(steps), y1: y, y2: y }),
        ...places.flatMap(([value, place]) => [
          svg("line", { class: "axis", x1: place, x2: place, y1: y - 0.3 * em, y2: y + 0.3 * em }),
          svg(
            "text",
            {
              class: "tick",
              x: place,
              y: y + 1.5 * em,
              "text-anchor": "middle",
              "font-size": 0.9 * em,
            },
            say(value),
          ),
        ]),
        ...(state.revealed
          ? [gap, ...mark(answer, "answer", `answer: ${say(answer, of("unit"))}`, false)].filter(
              Boolean,
            )
          : []),
      );
      const label = state.guess === null ? "drag me" : say(state.guess, of("unit"));
      handle.replaceChildren(
        svg("circle", { class: "uf-ring", cx: x(at()), cy: y, r: Math.max(14, 1.1 * em) }),
        svg("circle", { class: "knob", cx: x(at()), cy: y, r: 0.6 * em }),
        svg(
          "text",
          {
            x: clamp(x(at()), 3 * em, width - 3 * em),
            y: y - 1.3 * em,
            "text-anchor": "middle",
            "font-size": em,
          },
          label,
        ),
      );
      spoken();
    };
    return {
      node,
      clear() {},
      focus: () => handle.focus(),
      update: () => draw(),
      cleanup: responsive(node, draw),
    };
  }
}
