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
  const query = new URLSearchParams(location.search);
  const onPaper = query.has("print-pdf");
  const preview = query.has("receiver"); // in the presenter's window
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

  /** The figure or the control that has the focus, which then owns the keys. */
  const HOLDERS = ".unfolded-figure, .blocked, input, select, textarea";
  const holder = () => document.activeElement?.closest(HOLDERS);

  /** Keep the Tab key out of slides that nobody sees. Readers see them all on paper, on a phone and in the overview. */
  function confine() {
    const all = onPaper || Reveal.isScrollView() || Reveal.isOverview();
    const current = Reveal.getCurrentSlide();
    for (const slide of Reveal.getSlides()) slide.inert = !all && slide !== current;
  }

  function leave() {
    document.activeElement?.blur();
    Reveal.getCurrentSlide()?.focus({ preventScroll: true });
  }

  /** A control that its figure hides loses the focus, and the next key would turn the slide. */
  function stay({ target }) {
    const figure = target.closest(".unfolded-figure");
    if (!figure || target.checkVisibility({ visibilityProperty: true })) return;
    if (!Reveal.getCurrentSlide()?.contains(figure)) return;
    const controls = figure.querySelectorAll(
      ".unfolded-stage :is(input, select, button, [tabindex])",
    );
    setTimeout(() => {
      // Once the focus is gone: the first that takes it. Some are in sight and do not.
      for (const node of controls) {
        if (holder()) return;
        if (node.checkVisibility({ visibilityProperty: true })) node.focus({ preventScroll: true });
      }
    });
  }

  /** Open the notes' window, or explain why it stays shut. */
  function openNotes() {
    hideMessage();
    try {
      Reveal.getPlugin("notes").open();
    } catch (error) {
      // reveal.js writes into the window before it checks whether the browser opened one.
      if (!(error instanceof TypeError)) throw error;
      const { content } = document.querySelector(".when-blocked");
      const message = document.querySelector(".blocked");
      message.append(content.cloneNode(true)); // a new text, so that screen readers announce it
      message.querySelector("button").addEventListener("click", () => {
        hideMessage();
        leave();
      });
    }
  }

  const hideMessage = () => document.querySelector(".blocked").replaceChildren();

  // Before the figure and before reveal.js: Escape gives the keys back to the slides, and a
  // presenter's remote (page keys) always moves on.
  const moves = { PageDown: () => Reveal.next(), PageUp: () => Reveal.prev() };
  function first(event) {
    if (event.key === "Escape") hideMessage();
    if (!holder() || !(event.key === "Escape" || moves[event.key])) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    leave();
    moves[event.key]?.();
  }

  // Displayed equations, and then what a cell printed, are as large as their slide allows.
  // KaTeX's letters are 1.21 times its size.
  const SIZES = { "--math": [38, 35, 32, 29, 26, 23, 20], "--printed": [32, 30, 28, 26, 24] };

  function fit(slide) {
    const columns = [...slide.querySelectorAll(".column")];
    const lines = [...slide.querySelectorAll(".math-display > .katex-display, pre")];
    const tooWide = (line) => line.scrollWidth > line.clientWidth;
    const fits = () =>
      columns.every((column) => column.scrollHeight <= column.clientHeight) && !lines.some(tooWide);
    for (const name in SIZES) slide.style.setProperty(name, `${SIZES[name].at(-1)}px`);
    // A printed table keeps its columns. Only a line that is too long in any size is broken.
    for (const line of lines) line.classList.remove("broken");
    for (const line of lines.filter(tooWide))
      if (line.matches(".result")) line.classList.add("broken");
    for (const [name, sizes] of Object.entries(SIZES)) {
      sizes.find((size) => {
        slide.style.setProperty(name, `${size}px`);
        return fits();
      });
    }
  }

  /** All at once, for paper shows slides that nobody has looked at. */
  async function fitAll() {
    const slides = Reveal.getSlides().filter((slide) => slide.querySelector(".math-display, pre"));
    // What is not displayed has no size, and has not asked for its fonts. Not by its style, which is
    // reveal.js's: someone may turn to the slide while the fonts come.
    for (const slide of slides) slide.classList.add("measured");
    document.body.getBoundingClientRect();
    await document.fonts.ready;
    slides.forEach(fit);
    for (const slide of slides) slide.classList.remove("measured");
  }

  /** In the preview of what comes next. The presenter's window tells it where the talk is, and then to
   * go on by one, perhaps before it can go anywhere: whatever was heard last, go there and then on. */
  function stayAhead() {
    let talk, soon;
    const goOn = () => {
      if (!Reveal.isReady()) return;
      if (talk) Reveal.setState(talk);
      Reveal.next();
    };
    addEventListener("message", ({ data }) => {
      const { method, args } = typeof data === "string" && data[0] === "{" ? JSON.parse(data) : {};
      if (method === "setState") talk = args[0];
      if (method !== "setState" && method !== "next") return;
      clearTimeout(soon);
      soon = setTimeout(goOn);
    });
    Reveal.on("ready", goOn);
  }

  /** In the preview of the current slide. It tells the talk when someone moves it, but must not tell
   * what the talk itself told it: late, that would pull the talk back. */
  function reportOwnMoves() {
    const report = (yes) => (Reveal.getConfig().postMessageEvents = yes);
    const asked = ({ data }) => typeof data === "string" && data.match(/"method":"(\w+)"/)?.[1];
    addEventListener(
      "message",
      (event) => asked(event) && report(asked(event) !== "setState"),
      true,
    );
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => report(true), true);
    report(false); // nor where it begins; only that it is ready
    Reveal.on("ready", () => {
      report(true);
      setTimeout(() => report(false));
    });
  }

  function ready() {
    addEventListener("keydown", first, true);
    const hint = document.querySelector(".leave");
    document.addEventListener("focusin", () => (hint.hidden = !holder()));
    document.addEventListener("focusout", () => (hint.hidden = true));
    document.addEventListener("focusout", stay);
    for (const figure of document.querySelectorAll(".unfolded-figure")) {
      figure.setAttribute("data-prevent-swipe", "");
    }
    for (const slide of document.querySelectorAll(".slides > section")) slide.tabIndex = -1;

    if (innerWidth <= PHONE && !preview) {
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
    Reveal.addKeyBinding({ keyCode: 83, key: "S", description: "Speaker notes" }, openNotes);
    Reveal.on("slidechanged", () => holder() && leave());
    Reveal.on("slidechanged", hideMessage);
    for (const event of ["ready", "slidechanged", "resize", "overviewshown", "overviewhidden"])
      Reveal.on(event, confine);
    if (preview) (query.get("controls") === "false" ? stayAhead : reportOwnMoves)();
    Reveal.on("ready", fitAll);
    Reveal.on("pdf-ready", fitAll);
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", ready);
  else ready();
})();
