import { html, set } from "./dom.js";

/**
 * Highlight a term everywhere: all elements with the same `data-term` light up (class `uf-lit`) when one
 * of them is hovered, tapped or focused by the keyboard. `onlight(term | null)` is called at each change.
 * Returns `{ light(term), refresh() }`; call `refresh` after redrawing.
 */
export function linked(root, onlight = () => {}) {
  let held = null; // the term of the focused element
  let hovered = null; // the term under the pointer, which has priority
  let shown = null;
  const termOf = (event) => event.target.closest("[data-term]")?.dataset.term ?? null;
  const refresh = () => {
    const term = hovered ?? held;
    root.classList.toggle("uf-has-lit", term !== null);
    for (const node of root.querySelectorAll("[data-term]"))
      node.classList.toggle("uf-lit", node.dataset.term === term);
    if (term === shown) return;
    shown = term;
    onlight(term);
  };
  const listen = (type, action) =>
    root.addEventListener(type, (event) => {
      action(event);
      refresh();
    });
  listen("pointerover", (event) => (hovered = termOf(event)));
  // A finger covers the term and leaves as soon as it is lifted. The light stays until the next tap.
  listen("pointerleave", (event) => {
    if (event.pointerType !== "touch") hovered = null;
  });
  // A press also moves the focus, and so does the host when Reset disappears. Neither may light a term.
  listen(
    "focusin",
    (event) => (held = event.target.matches(":focus-visible") ? termOf(event) : null),
  );
  listen("focusout", () => (held = null));
  return {
    refresh,
    light(term) {
      held = term;
      refresh();
    },
  };
}

/**
 * A status line for screen readers. `announce(words)` writes the words once they haven't changed for a
 * moment, unless they are the last ones. The first words describe the first drawing and are there from
 * the start. An `opening`, which isn't repeated later, comes before them. It is replaced if it changes
 * while the words don't.
 */
export function live() {
  const node = html("div", { class: "uf-hidden", role: "status" });
  let timer;
  let last;
  let begun; // the opening that is shown
  const say = (words, opening = "") => {
    [last, begun] = [words, opening];
    node.textContent = `${opening} ${words}`
      .replace(/(\d)e/g, "$1 times 10 to the power ")
      .replace(/\s+/g, " ")
      .trim();
  };
  node.announce = (words, opening) => {
    clearTimeout(timer);
    if (last === undefined) say(words, opening);
    else if (words !== last) timer = setTimeout(say, 400, words);
    else if (begun && opening !== begun) timer = setTimeout(say, 400, words, opening);
  };
  return node;
}

/** The text of a node for screen readers: a block becomes a sentence, and 10² “10 to the power 2”. */
export function said(node) {
  if (node.nodeType !== 1) return node.textContent;
  const words = [...node.childNodes].map(said).join("");
  if (node.localName === "sup" && !/^[(⊤]/.test(words)) return ` to the power ${words}`;
  if (!/^(p|div|br|small)$/.test(node.localName)) return words;
  const end = /^(p|div)$/.test(node.localName) && /[^.!?:\s]\s*$/.test(words) ? "." : "";
  return ` ${words.trim()}${end} `;
}

/** An equation from an `equations.tex` file; its `\id{W}{…}` terms are linked as `data-term="W"`. */
export function equation(mathml, attributes = {}) {
  const node = html("div", { class: "uf-equation", ...attributes });
  node.innerHTML = mathml;
  // An equation that is too wide scrolls. Only then can it have the focus, so that keys scroll it, and
  // a shadow where it continues, because an equation cut between two terms would look complete.
  const fit = () => {
    const { scrollLeft, clientWidth, scrollWidth } = node;
    const more = [
      ...(scrollLeft > 1 ? ["before"] : []),
      ...(scrollLeft + clientWidth < scrollWidth - 1 ? ["after"] : []),
    ];
    set(node, {
      tabindex: scrollWidth > clientWidth ? 0 : null,
      "data-more": more.join(" ") || null,
    });
  };
  node.addEventListener("scroll", fit, { passive: true });
  new ResizeObserver(() => {
    fit();
    document.fonts.ready.then(fit); // a font that loads later makes it wider
  }).observe(node);
  return node;
}
