// Functions that make elements. An element that can have the focus also has an attribute that turns
// off the keyboard shortcuts of JupyterLab, which would otherwise take the arrow keys.

const SVG = "http://www.w3.org/2000/svg";
const FOCUSABLE = new Set(["a", "button", "input", "select", "summary", "textarea"]);

/**
 * `html("p", { class: "note", onclick: f }, "text", child)`: an HTML element. A child may be an
 * element, an object with an element as `node`, a text, a list of these, or null, undefined or false.
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
  // A drawing has no space for the longer words of a translation.
  if (node.viewBox) node.setAttribute("translate", "no");
  return append(set(node, attributes), children);
}

/** A row of a table. Anything in `cells` that isn't a cell is put in one. */
export const tableRow = (attributes, ...cells) =>
  html(
    "tr",
    attributes,
    cells.map((cell) => (/^t[dh]$/.test(cell?.localName) ? cell : html("td", {}, cell))),
  );

/** The row of column headings. An empty one becomes an empty cell. */
export const headRow = (...heads) =>
  tableRow({}, ...heads.map((head) => head && html("th", { scope: "col" }, head)));

/** Append children as `html` does. */
export function append(node, ...children) {
  const there = children.flat(Infinity).filter((child) => child != null && child !== false);
  node.append(...there.map((child) => child.node ?? child));
  return node;
}

/** Replace the children of a node: `redraw(plot, lines, late && label)`. Lists may be nested. */
export const redraw = (node, ...parts) =>
  node.replaceChildren(...parts.flat(Infinity).filter(Boolean));

/** A drawing with interactive parts, and its name for screen readers: `drawingOf("The loss", ground, plot)`. */
export const drawingOf = (label, ...parts) =>
  svg("svg", { class: "uf-drawing", role: "group", "aria-label": label }, ...parts);

/** SVG text of size `at.font`, vertically centered at y. */
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

/** Set the size of a drawing in CSS pixels, which are also its units. */
export const setSize = (drawing, width, height) =>
  set(drawing, { viewBox: `0 0 ${width} ${height}`, width, height });

/** The point of a pointer event in the coordinates of an SVG element, however it is scaled. */
export function pointIn(node, event) {
  const point = new DOMPoint(event.clientX, event.clientY);
  return point.matrixTransform(node.getScreenCTM().inverse());
}

/** A unique id on the page. Each bundle has a copy of this module, so the counter belongs to the page. */
export function uniqueId(stem) {
  globalThis.unfoldedIds = (globalThis.unfoldedIds ?? 0) + 1;
  return `uf-${stem}-${globalThis.unfoldedIds}`;
}

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Call `draw({ width, em, room })` now and whenever the width of `node` changes. `width` and `em`
 * are in CSS pixels: use `em` for the layout, so that labels grow with the font of a page or a deck.
 * `room` is the largest height of the whole figure in ems. It is Infinity unless `--uf-room` limits it,
 * as on a slide. Returns a cleanup.
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
 * Watch the widths of nodes with one observer for all figures of the page, so that all of them are
 * measured before any is drawn. `measure` returns a function that draws, or null.
 */
function widths() {
  const measures = new WeakMap();
  const observer = new ResizeObserver((entries) => {
    const draws = entries.map(({ target }) => [target, measures.get(target)?.()]);
    for (const [node, draw] of draws.filter(([, draw]) => draw)) {
      // Drawing changes the height of the node. If the observer noticed this in the same frame, it
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
