// The box of a code exercise: lines to run somewhere else, and a field for what they print. It is a
// bundle of its own in the script of a chapter's answers, so that a page loads it when a box comes near.
import { button } from "../lib/controls.js";
import { copy } from "../lib/copied.js";
import { html, redraw, uniqueId } from "../lib/dom.js";
import { words } from "../lib/asked.js";
import { keep, kept, onForgotten } from "../lib/kept.js";
import { judgePrinted } from "../lib/printed.js";

const VALUE = { dir: "ltr", translate: "no" };
const MORE = " One value can be right by chance. The notebook tries more cases.";

export function render({ model, el, asked }) {
  const figure = el.closest("figure");
  const [name, version] = ["exercise", "version"].map((key) => model.get(key));
  const isKept = "address" in figure.dataset;
  const id = uniqueId("answer");
  const lines = figure.querySelector(".unfolded-fallback pre").textContent;
  const stub = figure.closest(".cell")?.querySelector(".cell_input pre")?.textContent.trimEnd();
  const said = html("p", { class: "answered", role: "status" });
  const mark = html("span", { class: "state" });
  const field = html("textarea", {
    ...VALUE,
    id,
    rows: 2,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    onkeydown: (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      check();
    },
  });
  const show = (right) => {
    mark.textContent = right ? "✓ right" : field.value ? "not right yet" : "";
    el.classList.toggle("is-right", Boolean(right));
  };
  const check = () => {
    const typed = field.value;
    const { right, told } = judgePrinted(typed, asked);
    const head = html("b", {}, right ? "This value is right." : typed.trim() && "Hint:");
    redraw(said, head, " ", words("span", told), right && html("small", {}, MORE));
    show(right);
    if (isKept) keep(name, { typed, right, version });
  };
  const copier = (label, text) => {
    const node = button(label, async () => {
      const done = await copy(text);
      node.textContent = done ? "Copied" : "Select and copy it";
      setTimeout(() => (node.textContent = label), 2000);
    });
    return node;
  };
  const go = button("Check", check);
  go.classList.add("uf-primary");
  el.classList.add("fig-answer", "uf-asking", "is-printed");
  el.append(
    html(
      "details",
      {},
      html(
        "summary",
        { tabindex: 0 },
        html("span", { class: "kicker" }, "Your answer"),
        html("span", { class: "how" }, "Run it anywhere, and paste what it prints"),
        mark,
      ),
      html("p", {}, "Run these lines below your function, in any Python:"),
      html("pre", { ...VALUE, class: "lines", tabindex: 0 }, lines),
      html(
        "div",
        { class: "uf-controls" },
        copier("Copy", lines),
        stub && copier("Copy with the stub", `${stub}\n\n\n${lines}\n`),
      ),
      html("label", { for: id }, "What does it print?"),
      field,
      html("div", { class: "uf-controls" }, go),
      said,
    ),
  );
  const before = isKept && kept(name);
  if (before) {
    field.value = before.typed;
    show(before.right && before.version === version);
  }
  return onForgotten(() => {
    field.value = "";
    redraw(said);
    show(false);
  });
}
