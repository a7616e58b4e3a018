// A formula wider than the page scrolls. Give those formulas, and no others, a stop for the keyboard.
{
  const fit = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const formula of document.querySelectorAll(".katex-display")) fit.observe(formula);
}

// Paper is light, whatever the screen shows.
{
  const root = document.documentElement;
  let theme;
  addEventListener("beforeprint", () => {
    theme = root.dataset.theme;
    root.dataset.theme = "light";
  });
  addEventListener("afterprint", () => {
    root.dataset.theme = theme;
  });
}
