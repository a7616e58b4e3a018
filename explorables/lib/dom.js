// Elements in one line each. Whatever can take the focus also tells JupyterLab to keep its
// keyboard shortcuts to itself, which would otherwise swallow the arrow keys.

const SVG = "http://www.w3.org/2000/svg";
const FOCUSABLE = new Set(["a", "button", "input", "select", "summary", "textarea"]);

/**
 * `html("p", { class: "note", onclick: f }, "text", child)`: an HTML element. A child may be an
 * element, a part of a figure that has its own as `node`, a text, a list of them, or nothing.
 */
export const html = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);

/** `svg("circle", { r: 4 })`: an SVG element. */
export const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

function fill(node, attributes, children) {
  attributes ??= {};
  if (FOCUSABLE.has(node.localName) || "tabindex" in attributes) {
    node.setAttribute("data-lm-suppress-shortcuts", "true");
  }
  // A drawing has no room for the words of a translation.
  if (node.viewBox) node.setAttribute("translate", "no");
  return append(set(node, attributes), children);
}

/** A row of a table; each of `cells` that isn't one yet becomes one. */
export const tableRow = (attributes, ...cells) =>
  html(
    "tr",
    attributes,
    cells.map((cell) => (/^t[dh]$/.test(cell?.localName) ? cell : html("td", {}, cell))),
  );

/** The row of the columns' heads. An empty head is no head. */
export const headRow = (...heads) =>
  tableRow({}, ...heads.map((head) => head && html("th", { scope: "col" }, head)));

/** Append children as `html` does. */
export function append(node, ...children) {
  const there = children.flat(Infinity).filter((child) => child != null && child !== false);
  node.append(...there.map((child) => child.node ?? child));
  return node;
}

/** Draw a part anew: `redraw(plot, lines, late && label)`, lists of elements, however nested. */
export const redraw = (node, ...parts) =>
  node.replaceChildren(...parts.flat(Infinity).filter(Boolean));

/** A drawing with parts to take hold of, and its name for who hears it: `drawingOf("The loss", ground, plot)`. */
export const drawingOf = (label, ...parts) =>
  svg("svg", { class: "uf-drawing", role: "group", "aria-label": label }, ...parts);

/** SVG text, `at.font` high, whose letters have their middle at the height y. */
export const text = (at, x, y, attributes, ...words) =>
  svg("text", { x, y: y + 0.35 * at.font, "font-size": at.font, ...attributes }, words);

/** A name in SVG text. */
export const italic = (name) => svg("tspan", { "font-style": "italic" }, name);

/** Set attributes (`null` or `false` removes one, `true` leaves it bare) and `on…` listeners. */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value == null || value === false) node.removeAttribute(name);
    else node.setAttribute(name, value === true ? "" : value);
  }
  return node;
}

/** Make a drawing so large, in CSS pixels, which are its units. */
export const setSize = (drawing, width, height) =>
  set(drawing, { viewBox: `0 0 ${width} ${height}`, width, height });

/** The point of a pointer event in the coordinates of an SVG element, however it is scaled. */
export function pointIn(node, event) {
  const point = new DOMPoint(event.clientX, event.clientY);
  return point.matrixTransform(node.getScreenCTM().inverse());
}

/** An id no other element of the page has. Each figure is bundled with a copy of this module, so all of them count on the page. */
export function uniqueId(stem) {
  globalThis.unfoldedIds = (globalThis.unfoldedIds ?? 0) + 1;
  return `uf-${stem}-${globalThis.unfoldedIds}`;
}

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Call `draw({ width, em, room })` now and whenever the width of `node` changes. `width` and `em`
 * are in CSS pixels: lay out in `em`, so that labels grow with the type of a page or a deck. `room`
 * is the height, in ems, that the whole figure may take where that is limited (a slide sets
 * `--uf-room`), else Infinity. Returns a cleanup.
 */
export function responsive(node, draw) {
  let last = "";
  const measure = () => {
    const style = getComputedStyle(node);
    const width = Math.floor(node.clientWidth);
    const em = parseFloat(style.fontSize) || 16;
    const room = parseFloat(style.getPropertyValue("--uf-room")) || Infinity;
    const measured = [width, em, room].join();
    if (width < 1 || measured === last) return null;
    last = measured;
    return () => draw({ width, em, room });
  };
  globalThis.unfoldedWidths ??= widths();
  const forget = globalThis.unfoldedWidths(node, measure);
  measure()?.();
  return forget;
}

/**
 * Watch the widths of nodes: one observer for all figures of the page, so that all of them are
 * measured before any is drawn. What `measure` returns draws.
 */
function widths() {
  const measures = new WeakMap();
  const observer = new ResizeObserver((entries) => {
    const draws = entries.map(({ target }) => [target, measures.get(target)?.()]);
    for (const [node, draw] of draws.filter(([, draw]) => draw)) {
      // Drawing makes the node itself higher or lower. Told of that in the same frame, the observer
      // would report a loop.
      observer.unobserve(node);
      requestAnimationFrame(() => measures.has(node) && observer.observe(node));
      queueMicrotask(draw);
    }
  });
  return (node, measure) => {
    measures.set(node, measure);
    observer.observe(node);
    return () => {
      measures.delete(node);
      observer.unobserve(node);
    };
  };
}
