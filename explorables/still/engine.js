// The parts of a browser that the figures use and V8 doesn't have. Time passes only when the clock is
// moved, so that a drawing doesn't depend on the speed of the machine.

let now = 0;
let ids = 0;
const timers = new Map();

const setTimer = (call, delay = 0, ...given) => {
  timers.set(++ids, { at: now + Number(delay), call: () => call(...given) });
  return ids;
};

/** Run the timers that are due within `span` milliseconds, in order. */
export function advance(span) {
  const end = now + span;
  for (;;) {
    const due = [...timers].filter(([, { at }]) => at <= end).sort((a, b) => a[1].at - b[1].at);
    if (!due.length) break;
    const [id, { at, call }] = due[0];
    timers.delete(id);
    now = Math.max(now, at);
    call();
  }
  now = end;
}

/** Drop all timers between two figures. Ids start at `ids`, so they differ from those of the page. */
export function rewind(ids) {
  timers.clear();
  now = 0;
  globalThis.unfoldedIds = ids;
}

class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/**
 * The setting for which the next figure is drawn. `columns` has the widths of elements that are narrower
 * than the figure, by their classes; `style(name)` is a custom property of the theme.
 */
export const look = { width: 640, em: 16, room: "", columns: {}, style: () => "" };

/** The parts of a style that figures read: the font size, the color, and the properties of the theme. */
const getComputedStyle = (node) => ({
  fontSize: `${look.em}px`,
  color: node.style.color,
  getPropertyValue: (name) => (name === "--uf-room" ? look.room : look.style(name)),
});

class ImageData {
  constructor(width, height) {
    Object.assign(this, { width, height, data: new Uint8ClampedArray(4 * width * height) });
  }
}

Object.assign(globalThis, {
  setTimeout: setTimer,
  clearTimeout: (id) => timers.delete(id),
  setInterval: () => 0,
  clearInterval: () => {},
  requestAnimationFrame: (call) => setTimer(() => call(now), 16),
  cancelAnimationFrame: (id) => timers.delete(id),
  queueMicrotask: (call) => Promise.resolve().then(call),
  performance: { now: () => now },
  // An animation would be drawn halfway. With reduced motion, the still shows its end.
  matchMedia: (query) => ({ matches: /reduced-motion/.test(query), addEventListener() {} }),
  devicePixelRatio: 2,
  ResizeObserver: Observer,
  MutationObserver: Observer,
  IntersectionObserver: Observer,
  getComputedStyle,
  ImageData,
  console: { log() {}, warn() {}, error() {} },
  // linkedom decodes its table of HTML entities, once.
  atob(text) {
    const known = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let [count, held, out] = [0, 0, ""];
    for (const letter of text.replace(/=+$/, "")) {
      held = (held << 6) | known.indexOf(letter);
      count += 6;
      if (count < 8) continue;
      count -= 8;
      out += String.fromCharCode((held >> count) & 255);
    }
    return out;
  },
});
