import { asking, rows, words } from "../lib/asked.js";
import { button } from "../lib/controls.js";
import { html, redraw, set, uniqueId } from "../lib/dom.js";
import { keep, kept, onForgotten } from "../lib/kept.js";
import { judge, read, same, spell } from "./math.js";

const VALUE = { dir: "ltr", translate: "no" };
const PATIENCE = 2; // wrong answers before the right one is offered

export function render({ model, el }) {
  if (model.get("answers")) return renderPrinted({ model, el });
  // Encoded, so that nobody reads the answer by accident in the page's source.
  const asked = JSON.parse(atob(model.get("asked")));
  const id = uniqueId("answer");
  const [name, version] = ["exercise", "version"].map((key) => model.get(key));
  const isKept = el.parentElement && "address" in el.parentElement.dataset;
  let tried = new Set();
  const say = (head, ...text) =>
    redraw(said, head && html("b", {}, head), text.length && " ", text);
  const check = () => {
    const values = part.values();
    const unread = part.unread?.();
    if (unread) return say(unread);
    const empty = values.flatMap((value, i) => (value === null || value === "" ? [i] : []));
    const missing = asked.kind === "number" && empty.length < values.length;
    if (missing && empty.length) return say("Give a number for:", named(empty, asked));
    if (!values.length || (empty.length && asked.kind !== "set")) return say(MISSING[asked.kind]);
    const { right, told, off } = judge(values, asked);
    if (isKept) keep(name, { typed: part.typed(), right, version });
    if (right) return finish("Correct.", words("span", told));
    tried.add(String(values));
    const several = asked.kind === "number" && values.length > 1;
    say("Hint:", words("span", told), ...(several ? [" Look again at: ", named(off, asked)] : []));
    show.hidden = tried.size < PATIENCE;
  };
  const finish = (head, ...text) => {
    end(true);
    say(head, ...text);
    again.focus({ preventScroll: true }); // the button that was pressed is gone
  };
  const end = (ended) => {
    part.mark(ended ? asked.right : null);
    el.classList.toggle("is-revealed", ended);
    go.hidden = ended;
    again.hidden = !ended;
    show.hidden = true;
  };
  const go = button("Check", check);
  const show = button("Show the answer", () => finish("The answer:", inWords(asked), "."));
  const clear = () => {
    tried = new Set();
    part.fill([]);
    end(false);
    say("");
  };
  const again = button("Try again", () => {
    clear();
    part.focus();
  });
  const said = html("p", { class: "answered", role: "status" });
  const part = { choice: one, set: several }[asked.kind]?.(asked, id) ?? fields(asked, id, check);
  go.classList.add("uf-primary");
  el.classList.add("fig-answer", "uf-asking");
  el.append(
    ...asking("Your answer", model.get("question"), id).filter(Boolean),
    part.node,
    html("div", { class: "uf-controls" }, go, again, show),
    said,
  );
  const before = isKept && kept(name);
  if (before) part.fill(before.typed);
  const isRight = before?.right && before.version === version;
  end(isRight);
  if (isRight) say("Correct.", words("span", asked.success));
  return onForgotten(clear);
}

const loads = {};

/** Load a script once; a page from a disk may not fetch. */
function load(src) {
  loads[src] ??= new Promise((onload, onerror) => {
    document.head.append(Object.assign(document.createElement("script"), { src, onload, onerror }));
  });
  return loads[src];
}

/** The box of a code exercise: a line at once, and its inside from the chapter's answers. */
function renderPrinted({ model, el }) {
  const figure = el.closest("figure");
  const [name, version, judge, answers] = ["exercise", "version", "judge", "answers"].map((key) =>
    model.get(key),
  );
  const isKept = "address" in figure.dataset;
  const mark = html("span", { class: "state" });
  const inside = html("div");
  const show = (typed = "", right = false) => {
    mark.textContent = right ? "✓ right" : typed && "not right yet";
    el.classList.toggle("is-right", right);
  };
  const answered = (typed, right) => {
    show(typed, right);
    if (isKept) keep(name, { typed, right, version });
  };
  const line = [...figure.querySelector(".unfolded-fallback .folded").children];
  el.classList.add("fig-answer", "uf-asking", "is-printed");
  el.append(
    html(
      "details",
      {},
      html("summary", { tabindex: 0 }, ...line.map((part) => part.cloneNode(true)), mark),
      inside,
    ),
  );
  const before = isKept && kept(name);
  if (before) show(before.typed, before.right && before.version === version);
  const box = Promise.all([judge, answers].map(load)).then(() =>
    globalThis.unfoldedPrinted.render({
      el: inside,
      lines: figure.querySelector(".unfolded-fallback pre").textContent,
      stub: figure.closest(".cell")?.querySelector(".cell_input pre")?.textContent.trimEnd(),
      asked: globalThis.unfoldedAnswers[name],
      typed: (isKept && kept(name)?.typed) || "",
      answered,
    }),
  );
  const failed = () =>
    redraw(inside, html("p", {}, "The answers haven’t arrived. Reload the page."));
  box.catch(failed);
  return onForgotten(() => {
    show();
    box.then((clear) => clear());
  });
}

const MISSING = {
  number: "Give a number in every field.",
  text: "Type your answer first.",
  menu: "Choose an answer in every row.",
  choice: "Choose an answer first.",
  set: "Choose at least one answer.",
};
const one = ({ options }, id) => rows(id, options);
const several = ({ options }, id) => rows(id, options, "checkbox");

/** The labels of fields, as a sentence ends. */
const named = (places, { labels }) =>
  words("span", `${places.map((place) => labels[place]).join("; ")}.`);

/** The right answer in a line; a translation leaves its values alone. */
const inWords = ({ labels, right }) =>
  right.map((value, i) => [
    i > 0 && "; ",
    labels.length > 1 && words("span", `${labels[i]}: `),
    html("span", VALUE, spell(value)),
  ]);

/** Labeled fields to type numbers or a text into, or menus to choose from. */
function fields({ kind, labels, options, right, tolerance }, id, check) {
  const all = labels.map((label, i) => {
    const plain = label === "Your answer"; // the box says so already
    const name = plain ? { "aria-labelledby": id } : { id: `${id}-${i}` };
    const input =
      kind === "menu"
        ? html(
            "select",
            name,
            ["", ...options].map((text) => html("option", {}, text)),
          )
        : html("input", {
            ...name,
            type: "text", // a wheel over a number field would change the answer
            class: kind,
            autocomplete: "off",
            autocapitalize: "off",
            spellcheck: "false",
            dir: kind === "number" ? "ltr" : null,
            onkeydown: (event) => {
              if (event.key !== "Enter") return;
              event.preventDefault(); // or it would press the button that then has the focus
              check();
            },
          });
    const given = html("span", { class: "given" }, input);
    const correct = html("span", { class: "correct" });
    const node = html(
      "div",
      { class: "field" },
      !plain && words("label", label, { for: input.id }),
      given,
      correct,
    );
    return { input, given, correct, node };
  });
  const valueIn = ({ value }) => (kind === "number" ? read(value).value : value.trim());
  return {
    node: html(
      "div",
      { class: "fields", role: "group", "aria-labelledby": id },
      all.map(({ node }) => node),
    ),
    values: () => all.map(({ input }) => valueIn(input)),
    /** Why a typed number can't be read; an empty text if all can. */
    unread: () => kind === "number" && all.map(({ input }) => read(input.value).told).find(Boolean),
    typed: () => all.map(({ input }) => input.value),
    fill: (typed) => all.forEach(({ input }, i) => (input.value = typed[i] ?? "")),
    focus: () => all[0].input.focus(),
    mark(wanted) {
      all.forEach(({ input, given, correct }, i) => {
        const good = wanted && same(valueIn(input), right[i], tolerance);
        input.disabled = wanted !== null;
        set(input, { "aria-invalid": wanted && !good ? "true" : null });
        given.dataset.mark = wanted ? (good ? "right" : "wrong") : "none";
        const told = wanted && !good && ["✓ the answer: ", html("span", VALUE, spell(right[i]))];
        redraw(correct, told);
      });
    },
  };
}
