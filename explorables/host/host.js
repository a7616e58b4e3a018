// Mounts the interactive figures of a page. It is a classic script, so that it also runs over file://.
import { followAnchor, readState, writeState } from "./address.js";
import { createModel } from "./model.js";

// The name isn't "unfolded", because the element of a section with that id would be a global of this name.
globalThis.unfoldedHost ??= { figures: {} };
const host = globalThis.unfoldedHost;

/** The mounted figures: key ("unfold", "unfold-2", …) -> { el, model, cleanup, … }. */
const mounted = new Map();
// The figures that this script has started. A mark in the page itself would also be in copies of the
// page, such as one that a browser has saved, where no figure runs.
const alive = new WeakSet();
// Mount figures one window ahead, out of view, because a figure may differ in height from its still.
const waiting = new IntersectionObserver(
  (entries) => entries.forEach((entry) => entry.isIntersecting && mount(entry.target)),
  { rootMargin: "100%" },
);

// `type` keeps a button from submitting a form, and means nothing elsewhere.
const element = (type, className, textContent, more) => {
  const node = Object.assign(document.createElement(type), {
    type,
    className,
    textContent,
    ...more,
  });
  node.dataset.lmSuppressShortcuts = "true"; // JupyterLab's keys don't apply here
  return node;
};

function mount(el) {
  const figure = host.figures[el.dataset.module];
  if (!figure || alive.has(el)) return;
  alive.add(el);
  const key = el.dataset.key;
  const focused = el.matches(":focus");
  el.removeAttribute("tabindex");
  // A saved page has them already.
  el.querySelectorAll(":scope > :is(button, .unfolded-stage)").forEach((part) => part.remove());
  const addressed = "address" in el.dataset;
  const stage = element("div", "unfolded-stage");
  const reset = element("button", "uf-button unfolded-reset", "Reset");
  const enter = () =>
    stage.querySelectorAll("input,select,button,[tabindex]").forEach((node) => {
      // Some are hidden and can't have the focus.
      if (!stage.matches(":focus-within")) node.focus({ preventScroll: true });
    });
  el.dataset.live = "true";
  el.prepend(stage);
  el.querySelector(":scope > .unfolded-question")?.after(stage);
  try {
    const model = createModel(figure.meta.controls, JSON.parse(el.dataset.state || "{}"));
    if (addressed) readState(key).forEach((pair) => model.accept(...pair));
    const cleanup = figure.render({ model, el: stage });
    el.querySelector(":scope > .unfolded-still")?.remove(); // only now: it remains if the figure fails
    // Send the page the model, after mounting and after each change of the state in the address.
    const tell = () => {
      el.dispatchEvent(new CustomEvent("unfolded:state", { bubbles: true, detail: model }));
      showLinks();
    };
    const follow = () => {
      const changes = model.changes();
      if (!changes.length && reset.matches(":focus")) enter(); // the button disappears, and the focus with it
      reset.hidden = !changes.length;
      if (addressed) writeState(key, changes);
      tell();
    };
    let timer;
    model.on("change", () => {
      clearTimeout(timer);
      timer = setTimeout(follow, 250); // browsers limit how often an address may change
    });
    reset.hidden = !model.changes().length;
    reset.onclick = model.reset;
    const back = element("button", "uf-button unfolded-back", "Back to the sentence");
    back.hidden = true;
    back.onclick = () => (history.state?.left === visit ? history.back() : comeBack());
    stage.after(reset, back);
    // In a deck, keys belong to the deck. A figure keeps those that it uses, and Escape leaves it.
    stage.addEventListener("pointerdown", hold, true);
    stage.addEventListener("click", hold, true);
    stage.addEventListener("keydown", (event) => {
      const { key, target } = event;
      if (key === "Escape") target.blur();
      else if (!target.matches("input,select,textarea")) return;
      event.stopPropagation();
    });
    mounted.set(key, { el, model, cleanup, addressed, back });
    if (focused) enter();
    tell();
  } catch (error) {
    stage.remove();
    el.dataset.live = "failed";
    el.append(element("p", "unfolded-note", `This figure failed: ${error.message}`));
    console.error(error);
  }
}

/** Keep a pressed control in its place: if the parts above it grow or shrink, scroll by as much. */
function hold({ target }) {
  const control = target.closest("input,select,button");
  if (!control || target.closest(".reveal")) return; // a slide does not scroll
  const { top } = control.getBoundingClientRect();
  const settle = () => {
    // A control that its own press hides has no place to keep, and no offsetParent.
    for (let box = control.offsetParent; box; box = box.parentElement)
      box.scrollBy({ top: control.getBoundingClientRect().top - top, behavior: "instant" });
  };
  requestAnimationFrame(() => requestAnimationFrame(settle)); // a figure may draw in this frame
}

/** Unmount the figures whose elements were removed, because a notebook's cell was run again. */
function sweep() {
  for (const [key, { el, cleanup }] of mounted) {
    if (el.isConnected) continue;
    cleanup?.();
    mounted.delete(key);
    alive.delete(el);
  }
}

// ---- sentences that set a figure: <span data-set="unfold?T=8&pattern=10.4">eight steps</span>

const links = [];

function makeLink(span) {
  const [key, query] = span.dataset.set.split("?");
  const el = document.querySelector(`figure[data-key="${CSS.escape(key)}"]`);
  if (!el || alive.has(span)) return;
  alive.add(span);
  const wanted = [...new URLSearchParams(query)];
  // A button of HTML is a box, so a full stop after a link of two lines would begin a third.
  const press = (event) => {
    if (!/^ |Enter/.test(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    set.click();
  };
  const button = { role: "button", tabIndex: 0, onkeydown: press };
  // The first child is a text, or on a saved page the button.
  const set = element("span", "unfolded-link", span.firstChild.textContent, button);
  const undo = element("button", "unfolded-undo", "reset");
  span.replaceChildren(set, undo);
  const now = () => {
    mount(el);
    return mounted.get(key);
  };
  set.onclick = (event) => {
    const { model, addressed, back } = now() ?? {};
    if (!model) return;
    model.reset();
    wanted.forEach((pair) => model.accept(...pair));
    showLinks();
    if (isFar(set, el)) leave(set, back, !event.detail, addressed);
    // The style sheet knows whether the reader wants motion.
    el.scrollIntoView({ block: "nearest", behavior: getComputedStyle(el).scrollBehavior });
  };
  undo.onclick = () => {
    now()?.model.reset();
    showLinks();
    set.focus();
  };
  links.push({ key, wanted, set, undo });
  showLinks();
}

// ---- the button that leads from a figure back to a distant sentence that set it

let sentence; // the one that the reader left last
let visit = 0;

/** Whether two elements can't be in view together. */
function isFar(a, b) {
  const [one, two] = [a, b].map((node) => node.getBoundingClientRect());
  return Math.max(one.bottom, two.bottom) - Math.min(one.top, two.top) > innerHeight;
}

/** Leave a sentence. A button beside Reset leads back to it, and so does the browser's Back on a page. */
function leave(set, back, byKey, addressed) {
  hideWaysBack();
  sentence = set;
  visit++;
  back.hidden = false;
  if (byKey) back.focus({ preventScroll: true });
  if (!addressed) return;
  try {
    history.replaceState({ ...history.state, sentence: visit }, "");
    history.pushState({ left: visit }, "");
  } catch {} // some browsers forbid it over file://, but the button still leads back
}

function comeBack() {
  hideWaysBack();
  sentence.scrollIntoView({ block: "center" });
  sentence.focus({ preventScroll: true });
  // This entry of the history has the old address, but the figures have kept their new states.
  for (const [key, { addressed, model }] of mounted)
    if (addressed) writeState(key, model.changes());
}

const hideWaysBack = () => mounted.forEach(({ back }) => (back.hidden = true));

// Wait until the browser has restored the scroll position and the focus.
addEventListener("popstate", ({ state }) => state?.sentence === visit && setTimeout(comeBack));

/** Mark the sentences that describe the current state of their figure. */
function showLinks() {
  for (const { key, wanted, set, undo } of links) {
    const model = mounted.get(key)?.model;
    const holds = ([name, value]) => String(model.get(name)) === value;
    const on = model?.changes().length > 0 && wanted.every(holds);
    set.setAttribute("aria-pressed", on);
    undo.hidden = !on;
  }
}

// A figure measures its text, so it waits for its faces. A page has them by now: no frame passes.
host.scan = () =>
  Promise.allSettled(
    [...document.fonts].map((face) => / (Sans|Math)/.test(face.family) && face.load()),
  ).then(() => {
    sweep();
    const counts = {};
    for (const el of document.querySelectorAll("figure[data-module]")) {
      const name = el.dataset.module;
      counts[name] = (counts[name] ?? 0) + 1;
      if (alive.has(el)) continue;
      let key = name;
      if (counts[name] > 1) key += `-${counts[name]}`;
      while (mounted.has(key)) key += "+"; // a cell was inserted above in a running notebook
      el.dataset.key = key;
      el.tabIndex = 0; // so that Tab reaches a figure out of view, and brings it into view
      // Observing it again reports a figure that was in view before its bundle arrived.
      waiting.unobserve(el);
      waiting.observe(el);
      // The observer reports only after a frame. The frame would show the still, and then the contents
      // below would move. (In a deck, hidden slides are at 0, so they don't seem to be in view.)
      const top = el.getBoundingClientRect().top;
      if (top > 0 && top < innerHeight && "address" in el.dataset) mount(el);
    }
    document.querySelectorAll("span[data-set]").forEach(makeLink);
  });

const start = () => host.scan().then(followAnchor);
if (document.readyState === "loading") addEventListener("DOMContentLoaded", start);
else start();
