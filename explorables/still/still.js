// Draws a figure without a browser: what its stage holds once it is drawn, as markup, and the words of
// its status line. linkedom, which is loaded before, is the document; engine.js has the rest.
import { createModel } from "../host/model.js";
import { advance, look, rewind } from "./engine.js";
import { paper } from "./paper.js";

/** Later than any hand has come to rest: status lines have spoken, and the slow parts are drawn. */
const SETTLED = 5000;

const fill = (type, properties) =>
  Object.defineProperties(type.prototype, Object.getOwnPropertyDescriptors(properties));

/** Give linkedom's elements what the figures use and it leaves out. Nothing is laid out or focused. */
function complete({ Element, HTMLInputElement, HTMLSelectElement }) {
  const { get: styleOf } = Object.getOwnPropertyDescriptor(Element.prototype, "style");
  const { matches } = Element.prototype;
  const width = {
    get() {
      return look.columns[this.className] ?? look.width;
    },
  };
  const zero = { get: () => 0, set: () => {} };
  Object.defineProperties(Element.prototype, {
    ...{ clientWidth: width, scrollWidth: width, offsetWidth: width },
    ...{
      clientHeight: zero,
      offsetHeight: zero,
      offsetTop: zero,
      scrollTop: zero,
      scrollLeft: zero,
    },
  });
  fill(Element, {
    get style() {
      return styleOf.call(this);
    },
    set style(text) {
      this.setAttribute("style", text);
    },
    set ariaDisabled(value) {
      this.setAttribute("aria-disabled", value);
    },
    set ariaPressed(value) {
      this.setAttribute("aria-pressed", value);
    },
    matches(selector) {
      return !selector.includes(":focus") && matches.call(this, selector);
    },
    getBoundingClientRect: () => ({ left: 0, top: 0, right: look.width, width: look.width }),
    focus() {},
  });
  fill(HTMLInputElement, {
    set checked(value) {
      this.toggleAttribute("checked", Boolean(value));
    },
    set min(value) {
      this.setAttribute("min", value);
    },
    set max(value) {
      this.setAttribute("max", value);
    },
  });
  fill(HTMLSelectElement, {
    set selectedIndex(index) {
      [...this.options].forEach((option, i) => option.toggleAttribute("selected", i === index));
    },
  });
}

let completed = false; // all pages have the same classes
let papers; // of the canvases of the figure that is being drawn

function page() {
  const window = globalThis.linkedom.parseHTML(
    "<!doctype html><html><head></head><body></body></html>",
  );
  const { document } = window;
  if (!completed) complete(window);
  completed = true;
  Object.assign(globalThis, { document, Event: window.Event, EventTarget: window.EventTarget });
  document.fonts = { ready: new Promise(() => {}) };
  const create = document.createElement.bind(document);
  document.createElement = (name) => {
    const node = create(name);
    if (name !== "canvas") return node;
    const sheet = paper(node);
    papers.push([node, sheet]);
    return Object.assign(node, { getContext: () => sheet });
  };
  const createNS = document.createElementNS.bind(document);
  document.createElementNS = (space, name) =>
    Object.assign(createNS(space, name), name === "svg" ? { viewBox: {} } : {});
  return document;
}

/**
 * Begin to draw a figure: return its stage. Its microtasks run when this has returned to Python; then
 * `settle`, and `finish` gives the markup, the words of the status line, and what its canvases show.
 */
export function begin(name, state, { style, ids, ...size }) {
  rewind(ids);
  Object.assign(look, size, { style: (key) => style[key] ?? "" });
  papers = [];
  const document = page();
  const { render, meta } = globalThis.unfoldedHost.figures[name];
  const el = document.createElement("div");
  el.className = "unfolded-stage";
  document.body.append(el);
  const model = createModel(meta.controls, state);
  render({ model, el });
  return el;
}

/** Let the time pass in which a figure that nobody touches comes to rest. */
export const settle = () => advance(SETTLED);

/** Nobody can take hold of a still, and it has a text of its own: so it goes without what serves that. */
const IDLE =
  /^(data-lm-suppress-shortcuts|tabindex|name|aria-(label|labelledby|describedby|valuetext|valuenow|valuemin|valuemax|live|hidden))$/;

/** A number with more digits than a screen has dots for. */
const LONG = /-?\d+\.\d{2,}(e-?\d+)?/g;
const shorter = (digits) => Number(Number(digits).toPrecision(4));

/** Lines through several points. */
const LINES = /([ML])(-?[\d.]+ -?[\d.]+)((?:L-?[\d.]+ -?[\d.]+)+)/g;

/** Write lines as steps from point to point, which have fewer digits than the points. */
const inSteps = (d) =>
  d.replace(LINES, (_, to, first, others) => {
    let from = first.split(" ");
    const steps = others
      .slice(1)
      .split("L")
      .map((point) => {
        const next = point.split(" ");
        const step = next.map((x, i) => Number((x - from[i]).toFixed(4)));
        from = next;
        return step.join(" ");
      });
    return `${to}${first}l${steps.join(" ").replaceAll(" -", "-")}`;
  });

const SPACES = { svg: "http://www.w3.org/2000/svg", math: "http://www.w3.org/1998/Math/MathML" };
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text) => text.replace(/[&<>"]/g, (letter) => ENTITIES[letter]);

/** Write an element as HTML that is XML too, because it may also stand in an SVG file. */
function written({ nodeType, data, localName, attributes, childNodes }) {
  if (nodeType !== 1) return nodeType === 3 ? escaped(data) : "";
  const space = SPACES[localName] ? ` xmlns="${SPACES[localName]}"` : "";
  const given = [...attributes].map(({ name, value }) => ` ${name}="${escaped(value)}"`).join("");
  const tag = `<${localName}${space}${given}`;
  if (/^(br|hr|img|input)$/.test(localName)) return `${tag}/>`;
  return `${tag}>${[...childNodes].map(written).join("")}</${localName}>`;
}

/** What a still without controls lacks; paper lacks it too, by figures.css. */
const CONTROLS = ".uf-control, .uf-controls > button, .uf-guess, .presets, details";

/** Remove the controls, and the rows that contain nothing else. */
function bare(el) {
  for (const node of el.querySelectorAll(CONTROLS)) node.remove();
  for (const row of [...el.querySelectorAll(".uf-controls")].reverse())
    if (!row.firstElementChild) row.remove();
}

/** Return the markup, the words of the status line, and what the canvases show. */
export function finish(el) {
  const status = [...el.querySelectorAll(".uf-hidden[role=status]")];
  const pictures = papers.map(([node, sheet], i) => {
    node.setAttribute("style", `${node.getAttribute("style") ?? ""};--uf-still:${i};`);
    return sheet.drawn();
  });
  const said = status.map((node) => node.textContent).join(" ");
  for (const node of status) node.remove();
  if (look.bare) bare(el);
  for (const node of el.querySelectorAll("*"))
    for (const { name, value } of [...node.attributes]) {
      if (IDLE.test(name)) node.removeAttribute(name);
      else {
        const short = value.replace(LONG, shorter);
        node.setAttribute(name, name === "d" ? inSteps(short) : short);
      }
    }
  return [written(el), said, pictures];
}
