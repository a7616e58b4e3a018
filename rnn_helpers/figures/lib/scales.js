// Scales from numbers to positions, and numbers as text. No DOM here: math.js may use it.

export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** `linear([0, 1], [0, 300])`: a function with `.invert` and `.ticks(count)`. */
export function linear([d0, d1], [r0, r1]) {
  const scale = (value) => r0 + ((value - d0) / (d1 - d0 || 1)) * (r1 - r0);
  scale.invert = (place) => d0 + ((place - r0) / (r1 - r0 || 1)) * (d1 - d0);
  scale.ticks = (count = 5) => ticks(d0, d1, count);
  return scale;
}

/** A logarithmic scale for a positive domain. A value at or below 0 is at the lower end. */
export function log([d0, d1], range) {
  const inner = linear([Math.log10(d0), Math.log10(d1)], range);
  const scale = (value) => inner(Math.log10(Math.max(value, d0)));
  scale.invert = (place) => 10 ** inner.invert(place);
  scale.ticks = () => {
    const low = Math.ceil(Math.log10(d0) - 1e-9);
    const high = Math.floor(Math.log10(d1) + 1e-9);
    return Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  };
  return scale;
}

/** About `count` round numbers from `low` to `high`. */
export function ticks(low, high, count = 5) {
  const raw = (high - low) / Math.max(count, 1);
  if (!(raw > 0) || !Number.isFinite(raw)) return [low];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((m) => m * power >= raw * (1 - 1e-9)) * power;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}

/** A number as text, with a true minus and without a negative zero or "NaN". */
export function format(value, digits = 2) {
  if (Number.isNaN(value)) return "—";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  const tiny = size > 0 && size < 0.5 * 10 ** -digits;
  const text = size >= 1e6 || tiny ? value.toExponential(1) : value.toFixed(digits);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace(/-/g, "−");
}

/** A number and a noun, in the plural if necessary: "1 step", "2 steps". */
export const counted = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

/** A number with `digits` decimals; a small one has no exponent. */
export const rounded = (value, digits = 2) =>
  format(Math.round(value * 10 ** digits) / 10 ** digits, digits);

/** A share of 1 in percent, with a space where no line breaks. */
export const percent = (share, digits = 0) => `${rounded(100 * share, digits)}\u00a0%`;
