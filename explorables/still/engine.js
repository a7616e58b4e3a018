// What a browser has and V8 alone hasn't, as far as the figures use it. Time stands still unless the
// clock is moved, so that a drawing does not depend on how fast it was made.

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
 * What the next figure is drawn for. `columns` has the widths of elements that are narrower than the
 * figure, by their classes; `style(name)` is a custom property of its theme.
 */
export const look = { width: 640, em: 16, room: "", columns: {}, style: () => "" };

/** Only what figures read of a style: the size of the type, an element's own color, and the theme's. */
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
  // A film would be somewhere in its middle: reduced motion shows its end.
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
