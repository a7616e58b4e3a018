// Add a theme switch to reveal.js, and let figures use the keyboard.
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
      return null; // storage is blocked, so follow the system
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
      // storage is blocked, so the choice lasts until the page is closed
    }
  }
  show();
  system.addEventListener("change", show);
  addEventListener("storage", show); // so that the presenter's previews follow

  /** Return the focused figure or control, which receives the keys instead of the slides. */
  const HOLDERS = ".unfolded-figure, .blocked, input, select, textarea";
  const holder = () => document.activeElement?.closest(HOLDERS);

  /** Keep the Tab key out of hidden slides. Paper, phones and the overview show all slides. */
  function confine() {
    const all = onPaper || Reveal.isScrollView() || Reveal.isOverview();
    const current = Reveal.getCurrentSlide();
    for (const slide of Reveal.getSlides()) slide.inert = !all && slide !== current;
  }

  function leave() {
    document.activeElement?.blur();
    Reveal.getCurrentSlide()?.focus({ preventScroll: true });
  }

  /** Move the focus to another control if a figure hides the focused one. Otherwise the next key
   * would turn the slide. */
  function stay({ target }) {
    const figure = target.closest(".unfolded-figure");
    if (!figure || target.checkVisibility({ visibilityProperty: true })) return;
    if (!Reveal.getCurrentSlide()?.contains(figure)) return;
    const controls = figure.querySelectorAll(
      ".unfolded-stage :is(input, select, button, [tabindex])",
    );
    setTimeout(() => {
      // Wait until the focus has moved. Then try each control, because some visible ones refuse it.
      for (const node of controls) {
        if (holder()) return;
        if (node.checkVisibility({ visibilityProperty: true })) node.focus({ preventScroll: true });
      }
    });
  }

  /** Show the result of a figure that asks if the step after it has come, or ask again. */
  function tell(figure) {
    const detail = figure.nextElementSibling.classList.contains("visible");
    figure
      .querySelector(":scope > .unfolded-stage")
      ?.dispatchEvent(new CustomEvent("tell", { detail }));
  }

  /** Go to the step of a figure if somebody pressed its own button, so that no step is without effect. */
  function keepStep(figure) {
    const step = figure.nextElementSibling;
    const told = Boolean(figure.querySelector(":scope > .is-told"));
    if (!step.matches(".fragment") || told === step.classList.contains("visible")) return;
    const { h, v } = Reveal.getIndices();
    Reveal.slide(h, v, Number(step.dataset.fragmentIndex) - (told ? 0 : 1));
  }

  function followSteps() {
    for (const figure of document.querySelectorAll(".unfolded-figure:has(+ .tells)")) {
      figure.addEventListener("click", () => keepStep(figure));
      // A figure may come alive after its step.
      new MutationObserver(() => tell(figure)).observe(figure, { attributeFilter: ["data-live"] });
    }
    // reveal.js takes back the steps of the slides ahead without an event for each.
    const follow = () => {
      for (const step of Reveal.getCurrentSlide().querySelectorAll(".tells"))
        tell(step.previousElementSibling);
    };
    Reveal.on("slidechanged", follow);
    Reveal.on("fragmentshown", follow);
    Reveal.on("fragmenthidden", follow);
  }

  /** Open the window with the notes, or explain why the browser blocked it. */
  function openNotes() {
    hideMessage();
    try {
      Reveal.getPlugin("notes").open();
    } catch (error) {
      // reveal.js writes into the window before it checks whether the browser opened one.
      if (!(error instanceof TypeError)) throw error;
      const { content } = document.querySelector(".when-blocked");
      const message = document.querySelector(".blocked");
      message.append(content.cloneNode(true)); // a new copy, so that screen readers announce it
      message.querySelector("button").addEventListener("click", () => {
        hideMessage();
        leave();
      });
    }
  }

  const hideMessage = () => document.querySelector(".blocked").replaceChildren();

  // Handle these keys before the figures and reveal.js do. Escape returns the keyboard to the
  // slides. A presenter's remote sends page keys, which always change the slide.
  const moves = { PageDown: () => Reveal.next(), PageUp: () => Reveal.prev() };
  function first(event) {
    if (event.key === "Escape") hideMessage();
    if (!holder() || !(event.key === "Escape" || moves[event.key])) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    leave();
    moves[event.key]?.();
  }

  // Make displayed equations, and then printed output, as large as their slide allows.
  // KaTeX sets letters at 1.21 times the font size.
  const SIZES = { "--math": [38, 35, 32, 29, 26, 23, 20], "--printed": [32, 30, 28, 26, 24] };

  function fit(slide) {
    const columns = [...slide.querySelectorAll(".column")];
    const lines = [...slide.querySelectorAll(".math-display > .katex-display, pre")];
    const tooWide = (line) => line.scrollWidth > line.clientWidth;
    const fits = () =>
      columns.every((column) => column.scrollHeight <= column.clientHeight) && !lines.some(tooWide);
    for (const name in SIZES) slide.style.setProperty(name, `${SIZES[name].at(-1)}px`);
    // Break only lines that are too long at the smallest size, so that printed tables keep their
    // columns.
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

  /** Fit all slides at once, because paper also shows slides that nobody has opened. */
  async function fitAll() {
    const slides = Reveal.getSlides().filter((slide) =>
      slide.querySelector(".math-display, pre, canvas"),
    );
    // A slide that isn't displayed has no size and doesn't load its fonts and pictures. Display it with
    // a class, not with its style: reveal.js changes that if someone turns to the slide in the meantime.
    for (const slide of slides) slide.classList.add("measured");
    document.body.getBoundingClientRect();
    await document.fonts.ready;
    slides.forEach(fit);
    for (const slide of slides) slide.classList.remove("measured");
  }

  /** Keep the preview of the next slide one step ahead of the talk. The presenter's window sends the
   * position of the talk and then "next", perhaps before the preview is ready. So store the latest
   * position, go there, and then advance by one step. */
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

  /** Make the preview of the current slide report only moves that someone makes in it. If it also
   * reported the moves that the talk sends, a late report would pull the talk back. */
  function reportOwnMoves() {
    const report = (yes) => (Reveal.getConfig().postMessageEvents = yes);
    const asked = ({ data }) => typeof data === "string" && data.match(/"method":"(\w+)"/)?.[1];
    addEventListener(
      "message",
      (event) => asked(event) && report(asked(event) !== "setState"),
      true,
    );
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => report(true), true);
    report(false); // even the first slide is no move; report only that the preview is ready
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

    // A phone shows all slides in one column, without steps. reveal.js changes the view when it
    // hears that the window has another size: prepare the steps before it does.
    const steps = [...document.querySelectorAll(".fragment")];
    const prepare = () => {
      const column = innerWidth <= PHONE && !preview && !onPaper;
      for (const step of steps) step.classList.toggle("fragment", !column);
    };
    prepare();
    addEventListener("resize", prepare);
    const linked = /^#\/(\d+)/.exec(location.hash)?.[1]; // reveal.js would overwrite it in the column

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
      scrollSnap: false, // several slides are in view, and each is a place
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
    Reveal.on("ready", () => {
      // reveal.js sends no event when it begins or leaves the column, but marks it with a class.
      const view = new MutationObserver(confine);
      view.observe(Reveal.getViewportElement(), { attributeFilter: ["class"] });
      if (Reveal.isScrollView() && linked) Reveal.slide(Number(linked));
    });
    if (preview) (query.get("controls") === "false" ? stayAhead : reportOwnMoves)();
    followSteps();
    Reveal.on("ready", fitAll);
    Reveal.on("pdf-ready", fitAll);
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", ready);
  else ready();
})();
