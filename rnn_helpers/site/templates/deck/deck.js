// What reveal.js does not know: the theme, and figures that use the keys themselves.
(() => {
  "use strict";
  const root = document.documentElement;
  const KEY = "unfolded-deck-theme";
  const PHONE = 435; // CSS pixels
  const system = matchMedia("(prefers-color-scheme: dark)");

  const stored = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // storage is off: follow the system
    }
  };
  const onPaper = /print-pdf/i.test(location.search);
  const show = () => {
    const wanted = stored() ?? (system.matches ? "dark" : "light");
    root.dataset.theme = onPaper ? "light" : wanted;
  };
  function toggle() {
    const next = root.dataset.theme === "dark" ? "light" : "dark";
    root.dataset.theme = next;
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // it holds until the page is left
    }
  }
  show();
  system.addEventListener("change", show);
  addEventListener("storage", show); // the presenter's previews follow

  /** The figure or the input that has the focus, which then owns the keys. */
  const holder = () => document.activeElement?.closest(".unfolded-figure, input, select, textarea");

  function leave() {
    document.activeElement?.blur();
    Reveal.getCurrentSlide()?.focus({ preventScroll: true });
  }

  // Before the figure and before reveal.js: Escape gives the keys back to the slides, and a
  // presenter's remote (page keys) always moves on.
  const moves = { PageDown: () => Reveal.next(), PageUp: () => Reveal.prev() };
  function first(event) {
    if (!holder() || !(event.key === "Escape" || moves[event.key])) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    leave();
    moves[event.key]?.();
  }

  // Displayed equations are as large as their slide allows; KaTeX's letters are 1.21 times this.
  const SIZES = [38, 35, 32, 29, 26, 23, 20];

  function fit(slide) {
    const equations = [...slide.querySelectorAll(".math-display > .katex-display")];
    if (!equations.length) return;
    const fits = () =>
      slide.scrollHeight <= slide.clientHeight &&
      equations.every((equation) => equation.scrollWidth <= equation.clientWidth);
    SIZES.find((size) => {
      slide.style.setProperty("--math", `${size}px`);
      return fits();
    });
  }

  /** "3 / 14": the title (hidden there) is not counted, as in the plan and in the notes. */
  function number(slide) {
    const { h } = Reveal.getIndices(slide);
    return [h, "/", Reveal.getTotalSlides() - 1];
  }

  function ready() {
    addEventListener("keydown", first, true);
    const hint = document.querySelector(".leave");
    document.addEventListener("focusin", () => (hint.hidden = !holder()));
    document.addEventListener("focusout", () => (hint.hidden = true));
    for (const figure of document.querySelectorAll(".unfolded-figure")) {
      figure.setAttribute("data-prevent-swipe", "");
    }
    for (const slide of document.querySelectorAll(".slides > section")) slide.tabIndex = -1;

    if (innerWidth <= PHONE) {
      // The slides stand below one another there, with nothing to step through.
      for (const step of document.querySelectorAll(".fragment")) step.classList.remove("fragment");
    }

    Reveal.initialize({
      width: 1280,
      height: 720,
      margin: 0,
      center: false,
      display: "flex",
      hash: true,
      transition: "none",
      slideNumber: number,
      controlsLayout: "edges",
      scrollActivationWidth: PHONE,
      scrollLayout: "compact",
      defaultTiming: 0,
      pdfSeparateFragments: false,
      pdfMaxPagesPerSlide: 1,
      keyboardCondition: () => !holder(),
      plugins: [RevealNotes],
    });
    Reveal.addKeyBinding({ keyCode: 68, key: "D", description: "Dark or light" }, toggle);
    Reveal.on("slidechanged", ({ currentSlide }) => {
      if (holder()) leave();
      fit(currentSlide);
    });
    const fitAll = () => document.fonts.ready.then(() => Reveal.getSlides().forEach(fit));
    Reveal.on("ready", fitAll);
    Reveal.on("pdf-ready", fitAll);
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", ready);
  else ready();
})();
