// A formula or plot wider than the page scrolls. Give those, and no others, a stop for the keyboard.
{
  const fit = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const wide = target.scrollWidth > target.clientWidth;
      const stop = { tabindex: "0" };
      if (target.matches(".unf-plot"))
        Object.assign(stop, { role: "group", "aria-label": "Drawing, scrolls sideways" });
      for (const [name, value] of Object.entries(stop)) {
        if (wide) target.setAttribute(name, value);
        else target.removeAttribute(name);
      }
    }
  });
  for (const box of document.querySelectorAll(".katex-display, .unf-plot")) fit.observe(box);
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

// A word that every object knows ("constructor", "__proto__") is not therefore one of the index:
// Sphinx looks it up in plain objects, finds what it cannot read, and stops.
if (typeof Search !== "undefined" && Search.hasIndex()) {
  const bare = Object.create(null, {
    hasOwnProperty: {
      value(word) {
        return Object.hasOwn(this, word);
      },
    },
  });
  for (const table of ["terms", "titleterms"]) Object.setPrototypeOf(Search._index[table], bare);
}
