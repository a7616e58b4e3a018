// One clap after several pasts: what it changes in the state.
import { chartIn, frame, line, rule, ticksX, ticksY, title } from "../lib/chart.js";
import { html, redraw } from "../lib/dom.js";
import { areaOf } from "../lib/figure.js";
import { said } from "../lib/linked.js";
import { format, percent } from "../lib/scales.js";
import { presets } from "../lib/stage.js";
import { alike, PASTS, TRACE, traces } from "./math.js";

/** The unit whose state is drawn. */
const UNIT = 4;
/** Steps after the clap at which the traces are compared. */
const LATER = 5;

export function past({ model, el }) {
  el.dataset.view = "past";
  const area = areaOf("The trace of a clap in one unit");
  const found = html("p", { class: "found" });
  return {
    parts: [
      presets(model, "radius", { "radius 0.9": { radius: 0.9 }, "radius 3": { radius: 3 } }),
      area,
      found,
      ["radius"],
    ],
    watch: area.node,
    update(now, size) {
      const all = traces(now);
      const lines = all.map((trace) => trace.map((h) => h[UNIT]));
      area.draw(size, ...chart(lines, size));
      redraw(found, words(all));
      return [said(found), `The radius is ${format(now.radius)}.`];
    },
  };
}

function chart(lines, { width, em, room }) {
  const font = 0.9 * em;
  const most = Math.max(...lines.flat().map(Math.abs), 1e-9);
  const limit = [0.05, 0.1, 0.2, 0.5, 1, 2].find((value) => value >= most);
  const high = (room < Infinity ? 9 : 11) * em;
  const box = [3.4 * em, 1.6 * em, width - 5.4 * em, high];
  const at = chartIn(box, [0, TRACE - 1], [-limit, limit], { em, font });
  const picture = [
    title(at, `change in the state of one unit${width < 30 * em ? "" : ", after four pasts"}`),
    frame(at),
    rule(at, 0),
    ticksY(at, [-limit, 0, limit], (value) => format(value, value && limit < 1 ? 2 : 0)),
    ticksX(at, [0, 5, 10], (t) => (t ? `${t} steps` : "clap")),
    lines.map((values, i) =>
      line(
        at,
        values.map((value, t) => [t, value]),
        `trace trace-${i}`,
      ),
    ),
  ];
  return [{ height: at.bottom + 2 * em }, picture];
}

function words(all) {
  const share = alike(all, LATER);
  return [
    `${LATER} steps after the clap, what the ${PASTS} traces have in common makes up `,
    html("b", {}, percent(share)),
    ` of their size.${share < 0.5 ? ` (${PASTS} unrelated traces have about ${percent(1 / PASTS)}.)` : ""}`,
  ];
}
