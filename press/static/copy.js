// Copy formulas as TeX. A formula is on the page twice, as MathML and as HTML, and the browser
// would copy both, symbol by symbol. KaTeX's extension copy-tex works in the same way, but it
// doesn't know that we tie the end of a formula to the punctuation after it.
document.addEventListener("copy", (event) => {
  const selection = getSelection();
  if (selection.isCollapsed || event.target.closest?.("input, textarea")) return;
  const range = selection.getRangeAt(0).cloneRange();
  const formula = ".katex-display, .katex";
  const around = (node) => {
    const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
    const found = element.closest(formula);
    // The part tied to punctuation is the end of the formula before it.
    return found && (found.closest("span.math") ?? found.parentElement.closest(formula) ?? found);
  };
  const first = around(range.startContainer);
  const last = around(range.endContainer);
  if (first) range.setStartBefore(first);
  if (last) range.setEndAfter(last);

  const copy = document.createElement("div");
  copy.append(range.cloneContents());
  if (!copy.querySelector(".katex")) return;
  const hidden = ".headerlink, button, script, style, [aria-hidden=true]:not(.katex-html)";
  for (const element of copy.querySelectorAll(hidden)) element.remove();
  for (const element of copy.querySelectorAll(formula)) {
    const tex = element.querySelector("annotation")?.textContent;
    const mark = element.matches(".katex-display") ? "$$" : "$";
    if (tex) element.replaceWith(mark + tex + mark);
  }
  // The rest of a formula that is tied to its punctuation.
  for (const element of copy.querySelectorAll(".katex")) element.remove();
  // Only elements with a layout have lines.
  copy.style.cssText = "position: fixed; inset: 0 auto auto -200vw; width: 100vw;";
  document.body.append(copy);
  // biome-ignore lint/performance/useDomNodeTextContent: only innerText has the lines of the layout
  event.clipboardData.setData("text/plain", copy.innerText.trim());
  event.clipboardData.setData("text/html", copy.innerHTML);
  copy.remove();
  event.preventDefault();
});
