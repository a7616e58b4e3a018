import { html, set } from "./dom.js";

/**
 * One cursor for every view: whatever carries `data-term="W"` lights up (class `uf-lit`) with all
 * the others of that term when one of them is hovered, touched or focused by the keyboard.
 * `onlight(term | null)` hears of it. Returns `{ light(term), refresh() }`; call `refresh` after drawing anew.
 */
export function linked(root, onlight = () => {}) {
  let held = null; // by focus: stays
  let hovered = null; // by pointer: passes
  let shown = null;
  const termOf = (event) => event.target.closest?.("[data-term]")?.dataset.term ?? null;
  const refresh = () => {
    const term = hovered ?? held;
    root.classList.toggle("uf-has-lit", term !== null);
    for (const node of root.querySelectorAll("[data-term]")) {
      node.classList.toggle("uf-lit", node.dataset.term === term);
    }
    if (term === shown) return;
    shown = term;
    onlight(term);
  };
  const listen = (types, action) =>
    types.forEach((type) =>
      root.addEventListener(type, (event) => {
        action(event);
        refresh();
      }),
    );
  listen(["pointerover"], (event) => (hovered = termOf(event)));
  listen(["pointerleave"], () => (hovered = null));
  // A press focuses too, and so does the host when Reset goes away: that would keep a term lit.
  listen(
    ["focusin"],
    (event) => (held = event.target.matches(":focus-visible") ? termOf(event) : null),
  );
  listen(["focusout"], () => (held = null));
  return {
    refresh,
    light(term) {
      held = term;
      refresh();
    },
  };
}

/**
 * A line for screen readers. `announce(words)` is spoken once the hand has come to rest, unless the
 * line says the same already. The first words describe the first drawing and are there from the start,
 * after an `opening` that tells what hands need not hear again.
 */
export function live() {
  const node = html("div", { class: "uf-hidden", role: "status" });
  let timer;
  let last;
  const say = (words, opening = "") => {
    last = words;
    node.textContent = `${opening} ${words}`.replace(/\s+/g, " ").trim();
  };
  node.announce = (words, opening) => {
    clearTimeout(timer);
    if (last === undefined) say(words, opening);
    else if (words !== last) timer = setTimeout(say, 400, words);
  };
  return node;
}

/** The words of a node as they are spoken: a block is a sentence, and 10² is “10 to the power 2”. */
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
  // One that is wider than its place scrolls. Only then it needs the focus, for keys to scroll it,
  // and a shadow where it goes on: cut between two terms it would look whole.
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
    document.fonts.ready.then(fit); // a font that comes later makes it wider
  }).observe(node);
  return node;
}
