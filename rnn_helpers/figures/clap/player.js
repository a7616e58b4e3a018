// Plays a sound, once the reader asks for it, and moves a cursor with it.
import { reducedMotion } from "../lib/dom.js";
import { sound, STEPS, BEAT } from "./math.js";

const RATE = 22050;
let context; // one for the figure's whole bundle: a page may only have a few

/**
 * `run(state)` plays what `state` sounds like; `state` null runs silently, for a take. `moved(steps)` is
 * called with the time in steps while it lasts, and `ended()` afterward. With reduced motion, `moved`
 * isn't called.
 */
export function player(moved, ended) {
  let source = null;
  let frame = null;
  let timer = null;
  let start = 0;
  function run(state) {
    stop();
    if (state) source = play(sound(state, RATE));
    start = performance.now();
    timer = setTimeout(stop, 1000 * (STEPS * BEAT + 0.25));
    if (!reducedMotion()) frame = requestAnimationFrame(follow);
  }
  /** The time since the start, in steps; Infinity when nothing runs. */
  const now = () => (timer === null ? Infinity : (performance.now() - start) / (1000 * BEAT));
  function follow() {
    moved(Math.min(now(), STEPS));
    frame = requestAnimationFrame(follow);
  }
  function stop() {
    if (timer === null) return;
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    source?.stop();
    source = timer = frame = null;
    ended();
  }
  return { run, now, stop };
}

function play(samples) {
  const Context = globalThis.AudioContext ?? globalThis.webkitAudioContext;
  if (!Context) return null;
  context ??= new Context();
  context.resume();
  const buffer = context.createBuffer(1, samples.length, RATE);
  buffer.copyToChannel(samples, 0);
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(context.destination);
  source.start();
  return source;
}
