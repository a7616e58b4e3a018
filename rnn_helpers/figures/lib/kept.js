// The answers that a reader has typed, kept in the browser. press/static/progress.js counts them.

const KEY = "unfolded:answers";

function all() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // no storage, or the text of something else
  }
}

/** The kept answer to an exercise, if there is one: `{ typed, right, version }`. */
export const kept = (name) => all()[name];

/** Keep an answer, and tell the page. */
export function keep(name, answer) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all(), [name]: answer }));
  } catch {} // storage is full or forbidden
  document.dispatchEvent(new CustomEvent("unfolded:answered"));
}

/** Call a function when the reader has the answers forgotten. Returns a cleanup. */
export function onForgotten(forget) {
  document.addEventListener("unfolded:forgotten", forget);
  return () => document.removeEventListener("unfolded:forgotten", forget);
}
