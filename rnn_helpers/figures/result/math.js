import { clamp, linear, log } from "../lib/scales.js";

const DIGITS = { "-": "⁻", ...Object.fromEntries([..."⁰¹²³⁴⁵⁶⁷⁸⁹"].map((sign, i) => [i, sign])) };
/** Shares within such a range aren't drawn from 0 to 1, because they would look alike. */
const CLOSE = 0.25;
const joined = (heading, label) => (heading ? `${heading}: ${label}` : label);

/**
 * The panels of the data, or its rows as one panel, each with all the words that hold for it. `points`
 * pairs each estimate with its name, and `across` is the axis of the estimates.
 */
export function parts({ rows, panels, ...words }) {
  if (rows.length)
    return [
      {
        ...words,
        across: "x",
        points: rows.map((row) => [joined(row.under, row.label), row]),
      },
    ];
  return panels.map((panel) => ({
    ...words,
    across: "y",
    ...panel,
    points: panel.lines.flatMap(({ label, points }) =>
      points.map((point) => [joined(panel.title, label), point]),
    ),
  }));
}

// ---- words; rnn_helpers/experiments/data.py has the same

/** A number with three significant digits, and a share as a percentage. */
export function spelled(value, share = false) {
  if (share) return `${spelled(100 * value)} %`;
  const size = Math.abs(value);
  if (size && (size < 1e-3 || size >= 1e6)) {
    const [mantissa, exponent] = value.toExponential(1).replace("+", "").split("e");
    const power = `10${[...exponent].map((sign) => DIGITS[sign]).join("")}`;
    const short = mantissa.replace(/\.0$/, "");
    return (short === "1" ? power : `${short} × ${power}`).replace("-", "−");
  }
  const text = String(Number(value.toPrecision(3)));
  return text.replace(/\B(?=(\d{3})+$)/g, text.includes(".") ? "" : ",").replace("-", "−");
}

/** An estimate in short: "22 of 24", or its number. */
export const short = ({ value, count }, { share }) =>
  count ? `${count[0]} of ${count[1]}` : spelled(value, share);

/** The words after an estimate: its unit and its bounds. */
export function after(point, part) {
  const bounds = point.low < point.high ? `; ${part.spread}: ${range(point, part)}` : "";
  return `${part.unit && ` ${part.unit}`}${bounds}.`;
}

/** An estimate with its unit and its bounds as a sentence. */
export function sentence(name, point, part) {
  const at = point.x === undefined ? "" : `, ${part.x} ${spelled(point.x)}`;
  const what = part.unit ? "" : `${part.measure} `;
  return `${name || part.measure}${at}: ${what}${short(point, part)}${after(point, part)}`;
}

function range({ low, high, count }, { share }) {
  const write = count
    ? (value) => `${(100 * value).toFixed(0)} %`
    : (value) => spelled(value, share);
  return `${write(low)} to ${write(high)}`;
}

/** All estimates in words, for readers who don't see the figure. */
export function description(data) {
  const told = parts(data).map((part) => {
    const said = data.rows.length
      ? part.points.map(([name, point]) => `${name}, ${short(point, part)}`)
      : part.lines.map((line) => course(line, part));
    return `${part.title ? `${part.title}, ` : ""}${part.measure}: ${said.join("; ")}.`;
  });
  return `${data.question} ${told.join(" ")}`;
}

function course({ label, points }, part) {
  const name = label || part.measure;
  if (part.dots) {
    const values = points.map(({ value }) => value);
    const ends = [Math.min(...values), Math.max(...values)];
    return `${name}, ${points.length} dots from ${ends.map((end) => spelled(end, part.share)).join(" to ")}`;
  }
  const at = (point) => `${short(point, part)} at`;
  const [first, last] = [points[0], points.at(-1)];
  const start = `${name}, ${at(first)} ${part.x} ${spelled(first.x)}`;
  return points.length === 1 ? start : `${start} and ${at(last)} ${spelled(last.x)}`;
}

// ---- the axis of the estimates

/** How many trials each count is of, if they are all of the same number. */
export function trials({ points }) {
  const all = new Set(points.map(([, { count }]) => count?.[1]));
  return all.size === 1 ? [...all][0] : undefined;
}

const isLog = ({ log, across }) => log.includes(across);

/** The ends of the axis of the estimates. */
export function ends(part) {
  const { limits, points, marks, ask, open } = part; // `open`: whether the result is shown
  if (limits) return limits;
  const hidden = points.filter(([name]) => ask?.hidden.includes(name));
  const seen = points.filter((point) => !hidden.includes(point));
  const values = seen.flatMap(([, { value, low, high }]) => [value, low, high]);
  values.push(...marks.map(([value]) => value));
  const edges = values.length ? extent(values) : rough(extent(boundsOf(hidden)), part);
  if (!hidden.length) return around(edges, part);
  // While the reader guesses, the axis may depend only on the estimates that are shown. Later it grows
  // if the result lies beyond.
  const wide = far(edges, part);
  return open ? extent([...wide, ...boundsOf(hidden)]) : wide;
}

export const extent = (values) => [Math.min(...values), Math.max(...values)];
const boundsOf = (points) => points.flatMap(([, { low, high }]) => [low, high]);

/** A power of ten near a value that is multiplied by 10 ** `by`. */
const power = (value, round, by = 0) => 10 ** round(Math.log10(value) + by);

/** Ends that show little of the values between them. */
function rough([least, most], part) {
  if (isLog(part)) return [power(least, Math.floor), power(most, Math.ceil)];
  const end = power(Math.max(-least, most) || 1, Math.ceil);
  return [least < 0 ? -end : 0, most > 0 ? end : 0];
}

/** The ends of an axis from the `least` to the `most` of some values. */
function around([least, most], part) {
  if (isLog(part)) return [least / 1.3, most * 1.3];
  // If the reader guesses, a part of the axis would give the estimate away.
  const whole = trials(part) || part.ask || most - least > CLOSE;
  if (part.share && whole) return [0, 1];
  const margin = 0.06 * (most - least || Math.abs(most) || 1);
  // The axis begins at 0 unless that would squeeze the estimates.
  const low = least >= 0 && least < 0.4 * most ? 0 : least - margin;
  return [low, part.share ? Math.min(most + margin, 1) : most + margin];
}

/** The ends of an axis with much room for a guess: on a logarithmic axis, powers of ten. */
function far([least, most], part) {
  if (isLog(part)) return [power(least, Math.floor, -0.5), power(most, Math.ceil, 0.5)];
  if (part.share) return [0, 1];
  const margin = most - least || Math.abs(most) || 1;
  return [least >= 0 ? Math.max(least - margin, 0) : least - margin, most + margin];
}

/** The scale of the estimates over a range of places; values beyond the ends are at the ends. */
export function scaleOf(part, range) {
  const [low, high] = ends(part);
  const inner = (isLog(part) ? log : linear)([low, high], range);
  const scale = (value) => inner(clamp(value, low, high));
  return Object.assign(scale, { invert: inner.invert });
}

/** The numbers on the axis of the estimates, at most about `most`, as pairs of a value and a text. */
export function ticksOf(part, most = 5) {
  const n = !isLog(part) && trials(part);
  if (n) {
    const steps = (most < 4 ? [2, 1] : [4, 5, 3, 2, 1]).find((parts) => n % parts === 0);
    return Array.from({ length: steps + 1 }, (_, i) => [i / steps, String((i * n) / steps)]);
  }
  const values = round(ends(part), isLog(part), most);
  const ticks = values.map((value) => [value, spelled(value, part.share)]);
  const isWide = ticks.some(([, words]) => words.length > 5) && ticks.length > 4;
  return isWide && most > 2 ? ticksOf(part, most - 1) : ticks;
}

/** About `most` round numbers between two ends. */
export function round([low, high], isLogarithmic, most) {
  if (!isLogarithmic) return linear([low, high], [0, 1]).ticks(most);
  const powers = log([low, high], [0, 1]).ticks();
  const step = Math.ceil(powers.length / most);
  if (powers.length > 2) return powers.filter((_, i) => i % step === 0);
  const first = 10 ** Math.floor(Math.log10(low));
  const inside = (digits) =>
    [1, 10, 100]
      .flatMap((ten) => digits.map((digit) => Number((digit * ten * first).toPrecision(3))))
      .filter((value) => value >= low && value <= high);
  const fine = inside([1, 2, 5]);
  return fine.length <= most ? fine : inside([1, 3]);
}

/** The words at the axis of the estimates. */
export const axisWords = (part) =>
  trials(part) && !isLog(part) ? `${part.measure}, of ${trials(part)}` : part.measure;

// ---- guesses

/** The nearest value that an estimate could have: a count, a whole percentage or two digits. */
export function snap(value, { count }, { share }) {
  if (count) return Math.round(clamp(value, 0, 1) * count[1]) / count[1];
  return share ? Math.round(100 * clamp(value, 0, 1)) / 100 : Number(value.toPrecision(2));
}

/** A guess as an estimate, so that the same words can be written about it. */
export const guessed = (value, { count }) => ({
  value,
  low: value,
  high: value,
  ...(count && { count: [Math.round(value * count[1]), count[1]] }),
});

/** A guess as the number that a reader types: a count, a percentage, or the value. */
export const typed = (value, { count }, { share }) =>
  count ? Math.round(value * count[1]) : share ? Number((100 * value).toFixed(1)) : value;

/** The value of a number that a reader has typed. */
export const untyped = (number, { count }, { share }) =>
  count ? number / count[1] : share ? number / 100 : number;

/** How a guess compares: "inside" the interval, "close" (a tenth of the axis from it) or "far". */
export function judge(guess, { low, high }, part) {
  const at = scaleOf(part, [0, 1]);
  const off = Math.max(at(low) - at(guess), at(guess) - at(high));
  return off <= 1e-9 ? "inside" : off <= 0.1 ? "close" : "far";
}
