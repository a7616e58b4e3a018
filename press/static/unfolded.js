// A page that a browser saved has the buttons that scripts added, and would get them a second time.
for (const button of document.querySelectorAll(".copybtn, .toggle-button")) button.remove();
for (const part of document.querySelectorAll(".toggle-hidden"))
  part.classList.remove("toggle-hidden");

// A folded box's button says "Show" or "Hide", and a page has dozens of them. Its name says what it
// shows: the title of the box. The script that adds these buttons runs just before this listener.
addEventListener("DOMContentLoaded", () => {
  const name = (button) => {
    const title = [...button.parentElement.childNodes].filter((node) => node !== button);
    const words = title.map((node) => node.textContent).join("");
    button.setAttribute("aria-label", `${button.dataset.toggleHint} ${words}`.trim());
  };
  const changes = new MutationObserver((all) => all.forEach(({ target }) => name(target)));
  for (const button of document.querySelectorAll(".admonition-title > .toggle-button")) {
    name(button);
    changes.observe(button, { attributeFilter: ["data-toggle-hint"] });
  }
});

// A figure is called by its question: a browser need not take the name from the caption, which is
// long. An answer's box has neither, and a figure without a name would be only noise.
for (const figure of document.querySelectorAll("figure.unfolded-figure")) {
  const question = figure.querySelector(":scope > .unfolded-question");
  if (question) figure.setAttribute("aria-label", question.textContent);
  else if (!figure.querySelector(":scope > figcaption"))
    figure.setAttribute("role", "presentation");
}

// A formula, plot, table or line of code wider than the page scrolls, and shows which side has
// more. Formulas and plots that scroll, and no others, get a stop for the keyboard; the theme gives code
// and tables one.
{
  const TABLE = ".pst-scrollable-table-container";
  const fit = (box) => {
    const { scrollLeft, clientWidth, scrollWidth } = box;
    const more = [];
    if (scrollLeft > 1) more.push("before");
    if (scrollLeft + clientWidth < scrollWidth - 1) more.push("after");
    const stop = box.matches(`pre, ${TABLE}`) ? {} : { tabindex: "0" };
    if (box.matches(".unf-plot"))
      Object.assign(stop, { role: "group", "aria-label": "Drawing, scrolls sideways" });
    for (const [name, value] of Object.entries({ ...stop, "data-more": more.join(" ") })) {
      if (scrollWidth > clientWidth) box.setAttribute(name, value);
      else box.removeAttribute(name);
    }
  };
  const sizes = new ResizeObserver((entries) => entries.forEach(({ target }) => fit(target)));
  const boxes = document.querySelectorAll(`.katex-display, .unf-plot, .bd-article pre, ${TABLE}`);
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

// A figure's button that copies a link to it in its present state. Questions have none, since their
// state is the reader's answer.
{
  const linkTo = (figure, model) => {
    const state = model.changes().map((pair) => pair.map(encodeURIComponent).join(":"));
    const link = new URL(location.href);
    link.search = state.length ? `fig.${figure.dataset.key}=${state.join(";")}` : "";
    // On a page of its own, the figure is at the top.
    link.hash = figure.closest(".cell[id], section section[id]")?.id ?? "";
    return link.href;
  };
  /** Show and select the link where the clipboard is refused. Return whether an old command copies it. */
  const select = (link, button) => {
    const field = Object.assign(document.createElement("input"), { value: link, readOnly: true });
    field.ariaLabel = "Link to the figure";
    field.className = "unf-link";
    field.onblur = () => field.remove();
    button.after(field);
    field.select();
    if (!document.execCommand("copy")) return false;
    button.focus();
    return true;
  };
  document.addEventListener("unfolded:state", ({ target: figure, detail: model }) => {
    const { meta } = globalThis.unfoldedHost.figures[figure.dataset.module];
    if (!meta.prediction || figure.querySelector(".unf-copy")) return;
    const button = Object.assign(document.createElement("button"), { type: "button" });
    const status = Object.assign(document.createElement("span"), { role: "status" });
    button.className = "uf-button unf-copy";
    button.ariaLabel = button.textContent = "Copy link";
    status.className = "uf-hidden";
    let timer;
    button.onclick = async () => {
      const link = linkTo(figure, model);
      let done = true;
      try {
        await navigator.clipboard.writeText(link);
      } catch {
        done = select(link, button);
      }
      status.textContent = done ? "Link copied" : "The link is selected: copy it";
      button.textContent = done ? "Link copied" : "Copy link";
      clearTimeout(timer);
      timer = setTimeout(() => {
        status.textContent = "";
        button.textContent = "Copy link";
      }, 3000);
    };
    figure.querySelector(".unfolded-stage").after(button, status);
  });
}
