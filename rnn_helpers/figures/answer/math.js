export { spell } from "../lib/words.js";

/** Whether two values are equal, as `difference` in rnn_helpers/checks/compare.py decides it. */
export function same(value, wanted, tolerance) {
  if (typeof wanted !== "number") return value === wanted;
  const allowed = tolerance * Math.max(1, Math.abs(wanted));
  return Math.abs(value - wanted) <= (Number.isInteger(wanted) ? Math.min(allowed, 0.4) : allowed);
}

const SINGLE = 1e-5; // as in rnn_helpers/checks/core.py
const COARSE = "Your answer is nearly right, but the check needs more digits.";

/**
 * How far a number may be off because its last digits were left out, as `_left_out` in
 * rnn_helpers/checks/compare.py decides it. Not for a single digit, which is too little evidence, or a count.
 */
function leftOut(value, wanted) {
  if (typeof wanted !== "number" || Number.isInteger(wanted)) return 0;
  const scale = [1, 10, 100, 1e3, 1e4, 1e5].find((s) => Math.round(value * s) / s === value);
  if (!scale || (scale === 1 && Math.abs(value) < 10)) return 0;
  return (Math.abs(value) < Math.abs(wanted) ? 0.99 : 0.5) / scale;
}

/** Judge a list of values: whether it is right, a comment on it, and the places that are wrong. */
export function judge(values, { right, wrong, tolerance, hint, success }) {
  const equals = (wanted, equal) =>
    values.length === wanted.length && values.every((value, i) => equal(value, wanted[i]));
  const within = (allowed) => (value, wanted) => same(value, wanted, allowed);
  const isRight = within(tolerance);
  if (equals(right, isRight)) return { right: true, told: success, off: [] };
  const known = wrong.find((one) => equals(one.values, isRight));
  const isRounded = (value, wanted) =>
    isRight(value, wanted) || Math.abs(value - wanted) <= leftOut(value, wanted);
  const isCoarse =
    typeof right[0] === "number" &&
    (equals(right, within(Math.max(tolerance, SINGLE))) || equals(right, isRounded));
  const off = values.flatMap((value, i) => (isRight(value, right[i]) ? [] : [i]));
  return { right: false, told: known?.hint ?? (isCoarse ? COARSE : hint), off };
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const lowered = (power) =>
  power
    .replace("⁻", "-")
    .replace("⁺", "")
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (digit) => RAISED.indexOf(digit));

/** A decimal number, perhaps with a power of ten; NaN for another text, null if a comma has two meanings. */
function decimal(text) {
  const power = /^(?:(.+)[·×*])?([-+]?)10(?:\^([-+]?\d+)|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))$/.exec(text);
  if (power) {
    const [, factor = "1", sign, plain, raised] = power;
    const times = decimal(factor);
    return times && Number(`${sign}1`) * Number(`${times}e${plain ?? lowered(raised)}`);
  }
  if (/^[-+]?[1-9]\d{0,2},\d{3}$/.test(text)) return null;
  const grouped =
    /^[-+]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(text) && !/^[-+]?0/.test(text)
      ? text.replaceAll(",", "")
      : /^[-+]?[1-9]\d{0,2}(\.\d{3})+,\d*$/.test(text)
        ? text.replaceAll(".", "")
        : text;
  const point = grouped.replace(",", ".");
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(point) ? Number(point) : Number.NaN;
}

/**
 * Read a typed number: a decimal with a point or a comma, a fraction, a percentage or a power of ten.
 * `value` is null if nothing is typed or if it can't be read; then `told` explains why.
 */
export function read(typed) {
  const text = typed
    .trim()
    .replace(/[−–]/g, "-")
    .replace(/(?<![.,\d])\d{1,3}(?:\s\d{3})+(?!\d)/g, (groups) => groups.replace(/\s/g, ""))
    .replace(/\s*([-+/%·×*^])\s*/g, "$1");
  if (!text) return { value: null, told: "" };
  const [, top, bottom = "1", percent] = /^([^/%]*)(?:\/([^/%]*))?(%?)$/.exec(text) ?? [];
  const [over, under] = [top ?? "", bottom].map(decimal);
  if (over === null || under === null)
    return {
      value: null,
      told: `The comma in “${typed.trim()}” may stand for a decimal point or group the digits. Type a point, or leave the comma out.`,
    };
  const value = over / under / (percent ? 100 : 1);
  if (Number.isFinite(value)) return { value, told: "" };
  return {
    value: null,
    told: `“${typed.trim()}” can’t be read. Type a number like −2.5, 2/3 or 64%.`,
  };
}
