// What of a slide reaches past its edge, and what is written smaller than 24 px. Indices above and
// below the line are part of their symbol. A drawing within a drawing clips what is in it. The
// picture of a plot knows the size of its words.
() => {
  const slide = Reveal.getCurrentSlide();
  const unseen =
    "aside, .katex-mathml, .uf-hidden, annotation, msub, msup, msubsup, sub, sup," +
    " munder, munderover, tspan[dy], .msupsub, .vlist, .vlist-s, .step," +
    " [aria-hidden=true]:not(.katex-html)";
  const found = { over: [], small: [] };
  const name = (el) =>
    `${el.localName}.${el.getAttribute("class") ?? ""} ${el.textContent.trim().slice(0, 40)}`;
  for (const el of slide.querySelectorAll("*")) {
    if (el.closest("aside, .katex-mathml, .uf-hidden")) continue;
    const box = el.getBoundingClientRect();
    if (!box.width || !box.height || getComputedStyle(el).visibility === "hidden") continue;
    if (box.bottom > 720.5 || box.right > 1280.5 || box.left < -0.5 || box.top < -0.5) {
      if (!el.closest(".katex-html *, .chain, svg svg") && el.localName !== "g")
        found.over.push(`${name(el)} ${JSON.stringify(box)}`);
    }
    if (el.matches("pre") && el.scrollWidth > el.clientWidth + 1) found.over.push(name(el));
    if (el.matches(".plot img")) {
      const scale = Math.min(
        box.width / el.getAttribute("width"),
        box.height / el.getAttribute("height"),
      );
      const label = el.dataset.smallest * scale;
      if (label && label < 23.95) found.small.push(`plot, its labels at ${label.toFixed(1)} px`);
      continue;
    }
    const words = [...el.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!words || el.closest(unseen)) continue;
    const matrix = el.getScreenCTM?.();
    const size =
      parseFloat(getComputedStyle(el).fontSize) * (matrix ? Math.hypot(matrix.a, matrix.b) : 1);
    if (size < 23.95) found.small.push(`${name(el)} ${size.toFixed(1)} px`);
  }
  return found;
};
