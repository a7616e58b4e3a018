import { transport } from "../lib/controls.js";
import { html } from "../lib/dom.js";
import { figure, stage } from "../lib/figure.js";
import { lane, short } from "./lane.js";
import { meta } from "./meta.js";
import { AHEAD, cycle, returns, write } from "./math.js";
import { panel } from "./panel.js";

const SPELL = 6; // milliseconds of a frame in which characters are written

export const render = figure("sampler", meta, ({ model, spec, save, reseed, control, again }) => {
  const lanes = ["likeliest", "drawn"].map((name) => lane(name, save));
  const { title, area, update: look } = panel();
  const heat = control("temperature");
  // Show the text that the temperature changes.
  heat.addEventListener("input", () => save({ lane: "drawn" }));
  const others = reseed("other random numbers", { lane: "drawn" });
  const time = transport(model, "at", { ...spec.at, interval: 120, text: String });
  const read = reader();
  let frame = 0; // in which writing continues
  const stop = () => cancelAnimationFrame(frame);
  return {
    parts: [
      ["prompt", heat, others],
      stage(lanes, html("div", { class: "panel" }, title, area)),
      [time],
    ],
    reveal: { prompt: spec.prompt.default, lane: "likeliest", at: 300 },
    follow: [time, { stop }],
    update(state, size) {
      const { done, ...writers } = read(state);
      stop();
      if (!done) frame = requestAnimationFrame(again);
      const now = { ...state, ...writers };
      const measures = lanes.map((each) => each.update(now, size));
      look(now, size);
      // Measured and moved last, so that the page is laid out once.
      const moves = measures.map((measure) => measure());
      for (const move of moves) move();
      return [title.textContent, opening(now)];
    },
  };
});

function opening({ prompt, temperature, lane: chosen }) {
  const drawn = `drawn at temperature ${short(temperature)}`;
  return (
    `A network continues “${prompt}” in two ways: one text always takes the most likely character, the other is ${drawn}. ` +
    `The chosen character is in the ${chosen === "drawn" ? "second" : "first"} text.`
  );
}

/**
 * Return a function that returns the texts of a state, and whether they are complete. A frame writes
 * no more than it has time for, and keeps a text as long as its settings don't change.
 */
function reader() {
  const kept = {};
  let started = false;
  function writer(name, ...settings) {
    const of = JSON.stringify(settings);
    if (kept[name]?.of !== of) kept[name] = { of, value: write(...settings) };
    return kept[name].value;
  }
  return ({ prompt, temperature, seed, at }) => {
    const likeliest = writer("likeliest", prompt, 0, 0);
    const drawn = temperature ? writer("drawn", prompt, temperature, seed) : likeliest;
    // First the part in view, then the part that shows a cycle; the rest in the next frame.
    const due = started ? performance.now() + SPELL : Infinity;
    started = true;
    const parts = [
      [drawn, at],
      [likeliest, at],
      [likeliest, AHEAD],
    ];
    for (const [{ until, written }, n] of parts) {
      do until(Math.min(n, written.length + 8));
      while (written.length < n && performance.now() < due);
    }
    const done = parts.every(([{ written }, n]) => written.length >= n);
    if (done && likeliest.round === undefined) {
      const all = likeliest.written;
      likeliest.round = cycle(all.map(({ token }) => token));
      likeliest.back = likeliest.round && returns(all, likeliest.round.length);
    }
    return { likeliest, drawn, done };
  };
}
