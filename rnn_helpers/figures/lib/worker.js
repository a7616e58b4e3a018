/** Milliseconds of work after which the browser may handle events. */
const SLICE = 6;

/**
 * Do long computations in short slices, once nothing has changed for `rest` milliseconds.
 * `start(jobs, pause)` replaces all jobs by new ones, which run one after another. A job is a pair of a
 * generator and a function that receives its value. `pause()` is called after each slice.
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
      if (value !== undefined) finish(value); // it is undefined if the job was complete before
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
