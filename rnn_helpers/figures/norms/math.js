// The logs of a network's training: losses and gradient norms. No DOM here.
import STORED from "./trained.json";

/** The log of an optimizer with a threshold. */
export const log = (optimizer, v) => STORED[optimizer][v];

/** The middle of some values. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(values.length - 1) >> 1] + sorted[values.length >> 1]) / 2;
}

/** What a log says: its median norm, how many norms are above a line, and the largest one after the start. */
export function compute({ optimizer, v, line }) {
  const now = log(optimizer, v);
  return {
    ...now,
    free: v === "none" ? null : log(optimizer, "none"),
    median: median(now.norm),
    above: now.norm.filter((norm) => norm > line).length,
    cut: v === "none" ? 0 : now.norm.filter((norm) => norm > Number(v)).length,
  };
}
