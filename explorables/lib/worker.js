/** Milliseconds of work between two looks at what the reader does. */
const SLICE = 6;

/**
 * Work that takes long, begun once the hand has rested for `rest` milliseconds, and done a little at
 * a time, for it may move again. `start(jobs, pause)` takes pairs of a generator and what to do with
 * its value, one after another, in place of those before; `pause()` follows each slice of work.
 */
export function worker(rest) {
  let timer;
  const stop = () => clearTimeout(timer);
  const work = (jobs, pause) => {
    const until = performance.now() + SLICE;
    while (jobs.length && performance.now() < until) {
      const [[job, finish]] = jobs;
      const { done, value } = job.next();
      if (!done) continue;
      jobs.shift();
      if (value !== undefined) finish(value); // else it had been finished before
    }
    pause?.();
    if (jobs.length) timer = setTimeout(work, 0, jobs, pause);
  };
  return {
    stop,
    start(jobs, pause) {
      stop();
      if (jobs.length) timer = setTimeout(work, rest, jobs, pause);
    },
  };
}
