// Where descents from a grid of starts end, for each way to clip and each learning rate. No DOM here.
import { B, KINDS, RATES, SIDE, THRESHOLDS, W } from "./constants.json";
import STORED from "./trained.json";
import { sigmoid } from "../lib/vectors.js";

const NAMES = {
  none: "no clipping",
  norm: "by norm",
  element: "by element",
  random: "random step",
};

/** Whether the descent from each start finds the ravine, row by row from the largest bias. */
const ends = (kind, v, i) =>
  Array.from(STORED.found[kind === "none" ? kind : `${kind} ${v}`][i], (digit) =>
    [8, 4, 2, 1].map((bit) => (Number.parseInt(digit, 16) & bit) > 0),
  ).flat();

const count = (found) => found.filter(Boolean).length;

/** Each way: its name, where it arrives at learning rate number `rate`, and its counts at all rates. */
export function compare({ rate, v }) {
  return KINDS.map((kind) => ({
    kind,
    name: NAMES[kind],
    found: ends(kind, v, rate),
    counts: RATES.map((_, i) => count(ends(kind, v, i))),
  }));
}

export const STARTS = SIDE ** 2;
/** The thresholds as the control names them. */
export const CHOICES = THRESHOLDS.map(String);

/** The foot of the wall in the map's plane, from 0 to 1 each: at this bias the first state is a fixed point. */
export function wall(points = 24) {
  const share = ([low, high], value) => (value - low) / (high - low);
  return Array.from({ length: points + 1 }, (_, i) => {
    const w = 4.26 + ((W[1] - 4.26) * i) / points;
    return [share(W, w), share(B, 0.5 - w * sigmoid(0.5))];
  }).filter(([, y]) => y >= 0);
}
