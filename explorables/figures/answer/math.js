export { spell } from "../../lib/words.js";

/** Whether two values are equal, as `difference` in rnn_helpers/checks/compare.py decides it. */
export function same(value, wanted, tolerance) {
  if (typeof wanted !== "number") return value === wanted;
  const allowed = tolerance * Math.max(1, Math.abs(wanted));
  return Math.abs(value - wanted) <= (Number.isInteger(wanted) ? Math.min(allowed, 0.4) : allowed);
}

/** Judge a list of values: whether it is right, and what to say about it. */
export function judge(values, { right, wrong, tolerance, hint, success }) {
  const equals = (wanted) =>
    values.length === wanted.length &&
    values.every((value, i) => same(value, wanted[i], tolerance));
  if (equals(right)) return { right: true, told: success };
  const known = wrong.find((one) => equals(one.values));
  return { right: false, told: known ? known.hint : hint };
}
