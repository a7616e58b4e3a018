// The inside of a code exercise's box: lines to run somewhere else, and a field for what they print. It is
// a bundle of its own, so that a page loads it when a box comes near.
import { button } from "../lib/controls.js";
import { copy } from "../lib/copied.js";
import { html, redraw, uniqueId } from "../lib/dom.js";
import { words } from "../lib/asked.js";
import { judgePrinted } from "../lib/printed.js";

const VALUE = { dir: "ltr", translate: "no" };
const MORE = " One value can be right by chance. The notebook tries more cases.";

/** Fill the box, call `answered` with each typed text that is judged, and return what clears the box. */
export function render({ el, lines, stub, asked, typed, answered }) {
  const id = uniqueId("answer");
  const said = html("p", { class: "answered", role: "status" });
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
  const check = () => {
    const { right, told } = judgePrinted(field.value, asked);
    const head = html("b", {}, right ? "This value is right." : field.value.trim() && "Hint:");
    redraw(said, head, " ", words("span", told), right && html("small", {}, MORE));
    answered(field.value, right);
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
  field.value = typed;
  el.append(
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
  );
  return () => {
    field.value = "";
    redraw(said);
  };
}
