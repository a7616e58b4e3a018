// Mounts the interactive figures of a page. A classic script, so that it runs over file:// too.
import { followAnchor, readState, writeState } from "./address.js";
import { createModel } from "./model.js";

// Not "unfolded": a section of that name would be it, since an element with an id is a global.
globalThis.unfoldedHost ??= { figures: {} };
const host = globalThis.unfoldedHost;

/** What is mounted: key ("unfold", "unfold-2", …) -> { el, model, cleanup }. */
const mounted = new Map();
// A window ahead: a living figure may be higher or lower than what stood there, out of sight.
const waiting = new IntersectionObserver(
  (entries) => entries.forEach((entry) => entry.isIntersecting && mount(entry.target)),
  { rootMargin: "100%" },
);

const element = (tag, className, text) => {
  const node = document.createElement(tag);
  node.className = className;
  if (tag === "button") {
    node.type = "button";
    node.dataset.lmSuppressShortcuts = "true";
  }
  node.textContent = text;
  return node;
};

function mount(el) {
  const figure = host.figures[el.dataset.module];
  if (!figure || el.dataset.live) return;
  const key = el.dataset.key;
  const focused = document.activeElement === el;
  el.removeAttribute("tabindex");
  const addressed = "address" in el.dataset;
  const stage = element("div", "unfolded-stage");
  const reset = element("button", "uf-button unfolded-reset", "Reset");
  const enter = () =>
    stage.querySelector("input,select,button,[tabindex]")?.focus({ preventScroll: true });
  el.dataset.live = "true";
  const question = el.querySelector(":scope > .unfolded-question");
  if (question) question.after(stage);
  else el.prepend(stage);
  try {
    const model = createModel(figure.meta.controls, JSON.parse(el.dataset.state || "{}"));
    if (addressed) readState(key).forEach(([name, value]) => accept(figure, model, name, value));
    const cleanup = figure.render({ model, el: stage });
    el.querySelector(".unfolded-still")?.remove(); // only now: it stays where a figure fails
    const follow = () => {
      const changes = model.changes();
      if (!changes.length && document.activeElement === reset) enter(); // it goes away, as below
      reset.hidden = !changes.length;
      if (addressed) writeState(key, changes);
      tell(el, model);
      showLinks();
    };
    let timer;
    model.on("change", () => {
      clearTimeout(timer);
      timer = setTimeout(follow, 250); // browsers limit how often an address may change
    });
    reset.hidden = !model.changes().length;
    reset.onclick = () => {
      model.reset();
      enter(); // the button goes away under the reader's feet, and keys would go elsewhere
    };
    const back = element("button", "uf-button unfolded-back", "Back to the sentence");
    back.hidden = true;
    back.onclick = () => (history.state?.left === visit ? history.back() : comeBack());
    stage.after(reset, back);
    // In a deck the keys are the deck's: a figure keeps those it uses, and Escape leaves it.
    stage.addEventListener("pointerdown", hold, true);
    stage.addEventListener("click", hold, true);
    stage.addEventListener("keydown", (event) => {
      const inside = event.target.matches("input,select,textarea");
      if (event.key === "Escape") event.target.blur();
      if (inside || event.key === "Escape") event.stopPropagation();
    });
    mounted.set(key, { el, model, cleanup, figure, addressed, back });
    if (focused) enter();
    tell(el, model);
    showLinks();
  } catch (error) {
    stage.remove();
    el.dataset.live = "failed";
    el.append(element("p", "unfolded-note", `This figure failed: ${error.message}`));
    console.error(error);
  }
}

/**
 * Keep a control under the hand that pressed it: if the parts above it grow or shrink, scroll by as
 * much.
 */
function hold({ target }) {
  const control = target.closest("button,input");
  if (!control || target.closest(".reveal")) return; // a slide does not scroll
  const place = () => control.getBoundingClientRect().top;
  const start = place();
  const settle = () => {
    for (let box = control; box; box = box.parentElement)
      box.scrollBy({ top: place() - start, behavior: "instant" });
  };
  requestAnimationFrame(() => requestAnimationFrame(settle)); // a figure may draw in this frame
}

/** Give the page the figure's model: when it comes alive, and once its address has a new state. */
function tell(el, model) {
  el.dispatchEvent(new CustomEvent("unfolded:state", { bubbles: true, detail: model }));
}

/** Set a control by its text, if it is one that a reader may set. */
function accept(figure, model, name, text) {
  const { controls } = figure.meta;
  if (Object.hasOwn(controls, name) && !controls[name].fixed) model.set(name, text);
}

/** Take down the figures whose elements are gone (a notebook's cell was run again). */
function sweep() {
  for (const [key, { el, cleanup }] of mounted) {
    if (el.isConnected) continue;
    cleanup?.();
    mounted.delete(key);
  }
}

// ---- sentences that set a figure: <span data-set="unfold?T=8&pattern=10.4">eight steps</span>

const links = [];

function makeLink(span) {
  const [key, query] = span.dataset.set.split("?");
  const el = document.querySelector(`figure.unfolded-figure[data-key="${CSS.escape(key)}"]`);
  if (!el || span.dataset.ready) return;
  span.dataset.ready = "true";
  const wanted = [...new URLSearchParams(query)];
  const set = element("button", "unfolded-link", span.textContent);
  const undo = element("button", "unfolded-undo", "reset");
  undo.hidden = true;
  span.replaceChildren(set, undo);
  const now = () => {
    mount(el);
    return mounted.get(key);
  };
  set.onclick = (event) => {
    const { figure, model, addressed, back } = now() ?? {};
    if (!model) return;
    model.reset();
    wanted.forEach(([name, value]) => accept(figure, model, name, value));
    showLinks();
    if (isFar(set, el)) leave(set, back, !event.detail, addressed);
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    el.scrollIntoView({ block: "nearest", behavior: calm ? "auto" : "smooth" });
  };
  undo.onclick = () => {
    now()?.model.reset();
    showLinks();
    set.focus();
  };
  links.push({ key, wanted, set, undo });
  showLinks();
}

// ---- the way back from a figure to a sentence that set it from far away

let sentence; // the one that was left, until it is come back to
let visit = 0;

/** Whether the two cannot be in view together. */
function isFar(a, b) {
  const [one, two] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
  return Math.max(one.bottom, two.bottom) - Math.min(one.top, two.top) > innerHeight;
}

/** Leave a sentence: a button beside Reset leads to it and, on a page, the browser's Back. */
function leave(set, back, byKey, addressed) {
  hideWaysBack();
  sentence = set;
  visit += 1;
  back.hidden = false;
  if (byKey) back.focus({ preventScroll: true });
  if (!addressed) return;
  try {
    history.replaceState({ ...history.state, sentence: visit }, "");
    history.pushState({ left: visit }, "");
  } catch {} // some browsers forbid it over file://; the button still leads back
}

function comeBack() {
  hideWaysBack();
  sentence?.scrollIntoView({ block: "center" });
  sentence?.focus({ preventScroll: true });
  // The entry come back to has the address of before; the figures have not changed back.
  for (const [key, { addressed, model }] of mounted)
    if (addressed) writeState(key, model.changes());
}

const hideWaysBack = () => mounted.forEach(({ back }) => (back.hidden = true));

// Once the browser has put page and focus where it thinks that they were.
addEventListener("popstate", ({ state }) => state?.sentence === visit && setTimeout(comeBack));

/** Mark the sentences whose state the figure is in. */
function showLinks() {
  for (const { key, wanted, set, undo } of links) {
    const model = mounted.get(key)?.model;
    const holds = model && wanted.every(([name, value]) => String(model.get(name)) === value);
    const on = Boolean(holds && model.changes().length);
    set.setAttribute("aria-pressed", on);
    undo.hidden = !on;
  }
}

host.scan = () => {
  sweep();
  const counts = {};
  for (const el of document.querySelectorAll("figure.unfolded-figure[data-module]")) {
    const name = el.dataset.module;
    const n = (counts[name] ?? 0) + 1;
    counts[name] = n;
    if (el.dataset.live) continue;
    let key = n > 1 ? `${name}-${n}` : name;
    while (mounted.has(key)) key += "+"; // a cell was inserted above in a running notebook
    el.dataset.key = key;
    el.tabIndex = 0; // so that Tab finds a figure that is out of view, and thereby brings it in
    // Anew, to be told again of one already in view whose bundle has only now arrived.
    waiting.unobserve(el);
    waiting.observe(el);
    // The observer speaks only after a frame, which would show the still, and what stands below
    // would then move. (In a deck every slide would seem to be in view; what is hidden is at 0.)
    const top = el.getBoundingClientRect().top;
    if (top > 0 && top < innerHeight && "address" in el.dataset) mount(el);
  }
  document.querySelectorAll("span[data-set]").forEach(makeLink);
};

const start = () => {
  host.scan();
  followAnchor();
};
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
