// A formula, plot or line of code wider than the page scrolls, and tells on which side there is more.
// Formulas and plots that scroll, and no others, get a stop for the keyboard; the theme gives code one.
{
  const fit = (box) => {
    const { scrollLeft, clientWidth, scrollWidth } = box;
    const more = [];
    if (scrollLeft > 1) more.push("before");
    if (scrollLeft + clientWidth < scrollWidth - 1) more.push("after");
    const stop = box.matches("pre") ? {} : { tabindex: "0" };
    if (box.matches(".unf-plot"))
      Object.assign(stop, { role: "group", "aria-label": "Drawing, scrolls sideways" });
    for (const [name, value] of Object.entries({ ...stop, "data-more": more.join(" ") })) {
      if (scrollWidth > clientWidth) box.setAttribute(name, value);
      else box.removeAttribute(name);
    }
  };
  const sizes = new ResizeObserver((entries) => entries.forEach(({ target }) => fit(target)));
  const boxes = document.querySelectorAll(".katex-display, .unf-plot, .bd-article pre");
  for (const box of boxes) {
    sizes.observe(box);
    box.addEventListener("scroll", () => fit(box), { passive: true });
  }
  // A font that comes later makes a formula wider, and not its box.
  document.fonts.ready.then(() => boxes.forEach(fit));
}

// Paper is light, whatever the screen shows, and has the pictures that nobody scrolled to: not
// every way to print fetches them by itself.
{
  const root = document.documentElement;
  const waiting = "img[loading=lazy]:not(.only-dark)";
  let theme;
  addEventListener("beforeprint", () => {
    theme = root.dataset.theme;
    root.dataset.theme = "light";
    for (const image of document.querySelectorAll(waiting)) image.loading = "eager";
  });
  addEventListener("afterprint", () => {
    root.dataset.theme = theme;
  });
}
