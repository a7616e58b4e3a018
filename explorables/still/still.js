// Draws a figure without a browser, and returns the markup of its stage and the text of its status
// line. linkedom, which is loaded before, provides the document, and engine.js the rest.
import { createModel } from "../host/model.js";
import { advance, look, rewind } from "./engine.js";
import { paper } from "./paper.js";

/** A time after which status lines are written and the slow parts are drawn. */
const SETTLED = 5000;

const fill = (type, properties) =>
  Object.defineProperties(type.prototype, Object.getOwnPropertyDescriptors(properties));

/** Add the properties that figures use and linkedom lacks. There is no layout and no focus. */
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
 * Begin to draw a figure, and return its stage. Its microtasks run after the return to Python. Then call
 * `settle`, and `finish`, which returns the markup, the status line, and the contents of the canvases.
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

/** Let the time pass until the figure doesn't change any more. */
export const settle = () => advance(SETTLED);

/** Attributes for interaction and for screen readers. A still isn't interactive and has its own description. */
const IDLE =
  /^(data-lm-suppress-shortcuts|tabindex|name|aria-(label|labelledby|describedby|valuetext|valuenow|valuemin|valuemax|live|hidden))$/;

/** A number with more digits than a screen can show. */
const LONG = /-?\d+\.\d{2,}(e-?\d+)?/g;
const shorter = (digits) => Number(Number(digits).toPrecision(4));

/** Lines through several points. */
const LINES = /([ML])(-?[\d.]+ -?[\d.]+)((?:L-?[\d.]+ -?[\d.]+)+)/g;

/** How far a line may be from a point that it leaves out, in pixels. */
const NEAR = 0.25;

/** How far a point is from the line between two others. */
function off([x, y], [x0, y0], [x1, y1]) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const along = ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1);
  const part = Math.min(Math.max(along, 0), 1);
  return Math.hypot(x - x0 - part * dx, y - y0 - part * dy);
}

/** Leave out the points that the line passes without them. */
function fewer(points) {
  let last = 0;
  return points.filter((_, i) => {
    const next = points[i + 1];
    const passed = points.slice(last + 1, i + 1);
    if (i && next && passed.every((point) => off(point, points[last], next) < NEAR)) return false;
    last = i;
    return true;
  });
}

/** Write lines as steps between points, because steps have fewer digits than points. */
const inSteps = (d) =>
  d.replace(LINES, (_, to, first, others) => {
    const points = fewer(
      [first, ...others.slice(1).split("L")].map((at) => at.split(" ").map(Number)),
    );
    const steps = points
      .slice(1)
      .map((point, i) => point.map((x, k) => Number((x - points[i][k]).toFixed(4))).join(" "));
    return `${to}${first}l${steps.join(" ").replaceAll(" -", "-")}`;
  });

/** Leave out redundant zeros: a fraction of zeros only, and a zero before a point. */
const withoutZeros = (d) => d.replace(/\.0(?!\d)/g, "").replace(/(?<!\d)0(?=\.)/g, "");

const SPACES = { svg: "http://www.w3.org/2000/svg", math: "http://www.w3.org/1998/Math/MathML" };
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text) => text.replace(/[&<>"]/g, (letter) => ENTITIES[letter]);

/** Write an element as HTML that is also XML, because it may be in an SVG file. */
function written({ nodeType, data, localName, attributes, childNodes }) {
  if (nodeType !== 1) return nodeType === 3 ? escaped(data) : "";
  const space = SPACES[localName] ? ` xmlns="${SPACES[localName]}"` : "";
  const given = [...attributes].map(({ name, value }) => ` ${name}="${escaped(value)}"`).join("");
  const tag = `<${localName}${space}${given}`;
  if (/^(br|hr|img|input|path|rect|circle|line)$/.test(localName) && !childNodes.length)
    return `${tag}/>`;
  return `${tag}>${[...childNodes].map(written).join("")}</${localName}>`;
}

/** The parts that a still without controls leaves out. In print, figures.css hides them. */
const CONTROLS = ".uf-control, .uf-controls > button, .uf-guess, .presets, details";

/** Remove the controls, and the rows that contain nothing else. */
function bare(el) {
  for (const node of el.querySelectorAll(CONTROLS)) node.remove();
  for (const row of [...el.querySelectorAll(".uf-controls")].reverse())
    if (!row.firstElementChild) row.remove();
}

/** The rings around handles that have the focus. Nothing in a still has it, and some have hundreds. */
const RINGS = '[class="uf-ring"]:not(.fig-value .chosen *)'; // there it is a mark

/** Return the markup, the text of the status line, and the contents of the canvases. */
export function finish(el) {
  const status = [...el.querySelectorAll(".uf-hidden[role=status]")];
  const pictures = papers.map(([node, sheet], i) => {
    node.setAttribute("style", `${node.getAttribute("style") ?? ""};--uf-still:${i};`);
    return sheet.drawn();
  });
  const said = status.map((node) => node.textContent).join(" ");
  for (const node of status) node.remove();
  if (look.bare) bare(el);
  for (const node of el.querySelectorAll(RINGS)) node.remove();
  for (const node of el.querySelectorAll("*"))
    for (const { name, value } of [...node.attributes]) {
      if (IDLE.test(name)) node.removeAttribute(name);
      else {
        const short = value.replace(LONG, shorter);
        node.setAttribute(name, name === "d" ? withoutZeros(inSteps(short)) : short);
      }
    }
  return [written(el), said, pictures];
}
